from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from curator_core import Settings
from curator_core.dense import DenseVectors, rank_dense


def test_tools_are_ranked_by_cosine_and_ties_keep_the_order_of_keys() -> None:
    rows = np.array([[0, 1], [1, 0], [1, 0], [0.6, 0.8]], dtype=np.float32)
    record = rank_dense(DenseVectors(rows), np.array([1, 0], dtype=np.float32), "q", np.arange(4), Settings())
    assert record.ranks.tolist() == [4, 1, 2, 3]
    assert record.similarities.tolist() == pytest.approx([0, 1, 1, 0.6])
    assert record.best == 1


def test_similarities_are_rounded_before_ranking() -> None:
    rows = np.array([[0.5, 0], [0.5000001, 0]], dtype=np.float32)
    record = rank_dense(DenseVectors(rows), np.array([1, 0], dtype=np.float32), "q", np.arange(2), Settings())
    assert record.ranks.tolist() == [1, 2]


def test_only_the_pool_is_ranked() -> None:
    rows = np.eye(3, dtype=np.float32)
    record = rank_dense(DenseVectors(rows), np.array([1, 0, 0], dtype=np.float32), "q", np.array([1, 2]), Settings())
    assert record.ranks.tolist() == [1, 2] and record.best == 0


def test_equal_texts_have_equal_similarities_wherever_they_stand() -> None:
    draw = np.random.default_rng(0)
    for tools in (3, 7, 203, 2_003):
        row = draw.standard_normal(48).astype(np.float32)
        vectors = DenseVectors(np.tile(row / np.linalg.norm(row), (tools, 1)))
        for _ in range(50):
            query = draw.standard_normal(48).astype(np.float32)
            record = rank_dense(vectors, query / np.linalg.norm(query), "q", np.arange(tools), Settings())
            assert len(set(record.similarities.tolist())) == 1
            assert record.ranks.tolist() == list(range(1, tools + 1))


def test_many_tools_are_ranked_as_few_are_though_most_are_compared_roughly_only() -> None:
    draw = np.random.default_rng(1)
    rows = draw.standard_normal((2_500, 24)).astype(np.float32)
    rows[1_000:1_040] = rows[7]  # equal texts
    vectors = DenseVectors(rows / np.linalg.norm(rows, axis=1, keepdims=True))
    for size in (2_500, 1_200, 200):
        pool = np.sort(draw.permutation(2_500)[:size])
        query = vectors.rows[7] + vectors.rows[3]
        exact = np.round(vectors.rows[pool].astype(np.float64) @ query.astype(np.float64), 6)
        order = np.lexsort((np.arange(size), -exact))
        record = rank_dense(vectors, query, "q", pool, Settings())
        assert record.best == exact.max()
        assert record.ranking.of(order[:50]).tolist() == list(range(1, 51))
        assert np.argsort(record.ranks).tolist() == order.tolist()
        assert record.similarities.tolist() == pytest.approx(exact.tolist(), abs=1e-12)


def test_faiss_owns_the_vectors_that_are_multiplied() -> None:
    vectors = DenseVectors(np.eye(3, dtype=np.float32))
    assert vectors.faiss.ntotal == 3 and vectors.faiss.metric_type == 0  # METRIC_INNER_PRODUCT
    assert vectors.rows.tolist() == np.eye(3).tolist()
    assert DenseVectors(np.zeros((0, 4), np.float32)).rows.shape == (0, 4)


def test_the_memory_of_the_rows_stays_for_as_long_as_a_part_of_them_is_used() -> None:
    given = np.eye(3, dtype=np.float32)
    vectors = DenseVectors(given)
    index, part = weakref.ref(vectors.faiss), vectors.rows[1:]
    assert part.base is not None and not part.flags.writeable
    del vectors
    gc.collect()
    assert index() is not None
    assert part.tolist() == given[1:].tolist()
    del part
    gc.collect()
    assert index() is None
