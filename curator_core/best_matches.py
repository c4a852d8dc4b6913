"""The best meaning match of many questions at once: how near the closest tool of a pool is to each of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curator_core.dense import DenseVectors
from curator_core.index import ToolIndex
from curator_core.records import Bools, Floats, Ints
from curator_core.settings import Settings

_BLOCK = 4_096  # tools that are multiplied together
Vectors = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class BestMatches:
    """The closest tool of each question: its position in the index, and its similarity, summed in float64."""

    positions: Ints
    values: Floats


def best_matches(index: ToolIndex, settings: Settings, role: str | None, questions: Vectors, before: BestMatches | None) -> BestMatches:
    """Return the closest tool of each question (q, d) among those that a role may see.

    before: the same of the index that this one was edited from; only what the edits can change is then looked at.
    """
    vectors, pool = index.dense(settings), index.pool(role).positions
    assert vectors is not None and len(pool)
    if before is None or index.patch is None:
        return _closest(vectors, pool, questions)
    places = index.patch.places[before.positions]  # where the closest tools of then stand now, -1 = gone or another text
    own = np.intersect1d(index.patch.own, pool)
    lost: Bools = (places < 0) | ~np.isin(places, pool)
    positions, values = places.copy(), before.values.copy()
    if len(own):
        new = _closest(vectors, own, questions)
        nearer = new.values > values
        positions[nearer], values[nearer] = new.positions[nearer], new.values[nearer]
    if lost.any():
        again = _closest(vectors, pool, questions[lost])
        positions[lost], values[lost] = again.positions, again.values
    return BestMatches(positions, values)


def _closest(vectors: DenseVectors, pool: Ints, questions: Vectors) -> BestMatches:
    """Look at the tools block by block, so that no copy of all vectors is needed where a registry is edited."""
    every, positions = np.arange(len(questions)), np.zeros(len(questions), dtype=np.int64)
    highest = np.full(len(questions), -np.inf)
    for start in range(0, len(pool), _BLOCK):
        some = pool[start : start + _BLOCK]
        near = questions @ vectors.rows_at(some).T
        best = near.argmax(axis=1)
        nearer = near[every, best] > highest
        positions[nearer], highest[nearer] = some[best[nearer]], near[every, best][nearer]
    values = np.vecdot(vectors.rows_at(positions).astype(np.float64), questions.astype(np.float64))
    return BestMatches(positions, np.asarray(values))
