"""Vectors on a plane: the same in every process, near what is near, whatever their number."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from curator_core.map import plane
from curator_core.map.plane import beside, drawn, neighbours_kept, parted
from curator_core.nearest import Rows


def groups(each: int, seed: int = 1) -> Rows:
    """Three groups of unit vectors round three directions, 30 to a group by default."""
    draw = np.random.default_rng(seed)
    centres = np.eye(3, 24).repeat(each, axis=0)
    rows = centres + draw.normal(size=centres.shape) * 0.1
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw 15 of 60, then 30, then all."""
    monkeypatch.setattr(plane, "WHOLE", 20)


def test_a_map_that_grows_keeps_groups_together_and_says_how_far_it_is(small_steps: None) -> None:
    seen: list[tuple[int, int]] = []
    spots, method = drawn(groups(20), lambda *step: seen.append(step))
    assert (method, np.abs(spots).max()) == ("t-SNE", 1.0)
    assert seen == [(0, 60), (15, 60), (30, 60), (60, 60)]
    centres = spots.reshape(3, 20, 2).mean(axis=1)
    nearest = np.linalg.norm(spots[:, None] - centres, axis=2).argmin(axis=1)
    assert nearest.tolist() == np.arange(3).repeat(20).tolist()
    kept = neighbours_kept(groups(20), spots)
    assert kept is not None
    assert kept > 0.5


def test_beyond_what_settles_the_rest_is_set_beside_and_none_on_one_spot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plane, "MOST", 15)
    spots, _ = drawn(groups(20))
    assert len(np.unique(spots, axis=0)) == 60
    assert (neighbours_kept(groups(20), spots) or 0) > 0.3


SCRIPT = """
import sys
from tests.core.map.test_plane import *
plane.WHOLE = 20
sys.stdout.buffer.write(drawn(groups(20))[0].tobytes())
"""


@pytest.mark.process
def test_another_process_with_other_threads_draws_the_same(small_steps: None) -> None:
    here = drawn(groups(20))[0].tobytes()
    ours = {**os.environ, "OMP_NUM_THREADS": "3", "PYTHONPATH": "."}
    assert subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=True, env=ours).stdout == here


def test_vectors_that_are_equal_stand_on_one_spot(small_steps: None) -> None:
    rows = np.repeat(groups(10), 3, axis=0)
    spots, _ = drawn(rows)
    assert (spots.reshape(30, 3, 2) == spots.reshape(30, 3, 2)[:, :1]).all()
    assert len(np.unique(spots, axis=0)) == 30


def test_what_is_set_beside_stands_where_most_of_its_nearest_stand_together() -> None:
    rows = groups(20)
    places = np.repeat([[-0.9, 0.0], [0.9, 0.9], [0.9, -0.9]], 20, axis=0) + np.tile(np.linspace(0, 0.01, 20)[:, None], (3, 2))
    found = beside(rows, places, groups(3, seed=2))
    assert np.linalg.norm(found - np.repeat([[-0.9, 0.0], [0.9, 0.9], [0.9, -0.9]], 3, axis=0), axis=1).max() < 0.02


def test_only_who_stands_on_the_spot_of_another_moves_aside_and_copies_stay_together() -> None:
    spots = np.array([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [1.0, 1.0], [1.0, 1.0], [0.1, 0.1]])
    moved = parted(spots, np.array([False, True, True, False, True, True]), ["a", "b", "b", "c", "c", "d"])
    assert moved[[0, 3, 4, 5]].tolist() == spots[[0, 3, 4, 5]].tolist()
    assert moved[1].tolist() == moved[2].tolist() != moved[0].tolist()
    assert 0 < np.linalg.norm(moved[1] - spots[1]) < 0.03
