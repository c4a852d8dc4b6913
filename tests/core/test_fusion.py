from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Settings
from curator_core.fusion import fuse


def ranks(*values: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    return np.array(values, dtype=np.int64)


def test_first_in_both_lists_scores_twice_one_sixty_first() -> None:
    record = fuse({"dense": ranks(1, 2), "sparse": ranks(1, 0)}, 2, Settings())
    assert record.scores[0] == pytest.approx(1 / 61 + 1 / 61) == pytest.approx(0.033, abs=5e-4)
    assert record.parts["dense"][0] == record.parts["sparse"][0] == 1 / 61


def test_twenty_fifth_in_one_list_scores_one_eighty_fifth() -> None:
    record = fuse({"dense": ranks(25), "sparse": ranks(0)}, 1, Settings())
    assert record.scores[0] == 1 / 85 == pytest.approx(0.012, abs=5e-4)
    assert record.parts["sparse"][0] == 0


@given(st.permutations(range(1, 9)), st.integers(0, 200))
def test_parts_sum_to_scores_and_a_better_rank_never_scores_less(order: list[int], rrf_k: int) -> None:
    record = fuse({"dense": ranks(*order), "sparse": ranks(*range(1, 9))}, 8, Settings(rrf_k=rrf_k))
    assert np.allclose(sum(record.parts.values()), record.scores, rtol=0, atol=1e-15)
    assert list(np.argsort(-record.parts["dense"])) == list(np.argsort(order))


def test_without_any_list_every_score_is_zero() -> None:
    assert fuse({}, 3, Settings()).scores.tolist() == [0, 0, 0]
