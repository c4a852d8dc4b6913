from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from curator_core import Settings
from curator_core.dense import DenseVectors, PatchedVectors, rank_dense
from curator_core.patch import Patch
from tests.laws import examples

QUERIES = [np.array(some, dtype=np.float32) for some in ([1, 0], [0, 1], [0.6, 0.8])]
ROWS = np.array([[0, 1], [1, 0], [1, 0], [0.6, 0.8], [0.8, 0.6]], dtype=np.float32)
ALL = np.arange(len(ROWS))


def found(vectors: DenseVectors, query: NDArray[np.float32], pool: NDArray[np.int64], decimals: int = 6) -> tuple[Any, ...]:
    record = rank_dense(vectors, query, "q", pool, Settings(similarity_decimals=decimals))
    return record.best, record.ranks.tolist(), record.similarities.tolist()


@given(st.integers(0, 2**32 - 1), st.sampled_from([5, 40, 1_100]), st.sampled_from([2, 6, 12]), st.integers(0, 6), st.booleans())
@examples(10)
def test_kept_similarities_are_those_that_are_worked_out_one_by_one(seed: int, size: int, decimals: int, own: int, gone: bool) -> None:
    draw = np.random.default_rng(seed)
    rows = draw.choice([-0.5, 0.25, 1 / 3, 0.7], (size, 3)).astype(np.float32)
    queries = [draw.choice([0.5, -1.0, 1 / 3, 0.2], 3).astype(np.float32) for _ in range(60)]
    origins = np.arange(size)[int(gone) :]
    origins[draw.permutation(len(origins))[: min(own, len(origins) - 1)]] = -1
    patch = Patch(origins, size)
    others = draw.choice([-0.5, 0.25, 0.7], (len(patch.own), 3)).astype(np.float32)
    kept, plain = DenseVectors(rows), DenseVectors(rows)
    sides = ((kept, plain), (PatchedVectors(kept, patch, DenseVectors(others)), PatchedVectors(plain, patch, DenseVectors(others))))
    sides[1][0].keep(queries, decimals)
    assert (kept.kept(queries[0], decimals) is None) == (decimals == 12)
    for one, other in sides:
        for query in queries:
            for pool in (np.arange(one.size), np.arange(one.size)[::2]):
                assert found(one, query, pool, decimals) == found(other, query, pool, decimals)


def test_what_lies_on_the_border_of_two_steps_is_worked_out_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors, asked = DenseVectors(ROWS), list[int]()
    exactly = vectors.similarities
    monkeypatch.setattr(vectors, "similarities", lambda query, some: asked.extend(some.tolist()) or exactly(query, some))
    query = np.array([0.125, 0.25], dtype=np.float32)
    vectors.keep([query], 2)
    assert asked == [1, 2]  # 0.125 is 12.5 steps
    assert found(vectors, query, ALL, 2) == found(DenseVectors(ROWS), query, ALL, 2)


def test_the_queries_asked_longest_ago_give_way_where_there_is_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator_core.kept_similarities._KEPT_BYTES", 2 * 6 * len(ROWS))
    vectors = DenseVectors(ROWS)
    vectors.keep(QUERIES[:2], 6)
    vectors.keep(QUERIES[:1], 6)
    vectors.keep(QUERIES[2:], 6)
    assert [vectors.kept(query, 6) is not None for query in QUERIES] == [True, False, True]
    vectors.keep(QUERIES, 6)
    assert [vectors.kept(query, 6) is not None for query in QUERIES] == [True, True, False]
    assert found(vectors, QUERIES[2], ALL) == found(DenseVectors(ROWS), QUERIES[2], ALL)


def test_vectors_too_long_for_steps_are_not_kept() -> None:
    vectors = DenseVectors(ROWS * 5_000)
    vectors.keep(QUERIES, 6)
    assert vectors.kept(QUERIES[0], 6) is None
    long = PatchedVectors(DenseVectors(ROWS), Patch(np.array([0, -1, 2, 3, 4]), 5), DenseVectors(np.array([[9e6, 0]], dtype=np.float32)))
    long.keep(QUERIES, 6)
    assert long.kept(QUERIES[0], 6) is None and found(long, QUERIES[0], ALL)[1][1] == 1


def test_all_drafts_have_one_copy_of_what_a_query_is_known_by() -> None:
    base, patch = DenseVectors(ROWS), Patch(np.array([0, -1, 2, 3, 4]), 5)
    drafts = [PatchedVectors(base, patch, DenseVectors(ROWS[:1] / number)) for number in (1, 2)]
    for draft in drafts:
        draft.keep([np.array([1, 0], dtype=np.float32)], 6)
    (first,), (second,) = (draft._own_steps for draft in drafts)
    assert first is second
