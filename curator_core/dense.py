"""Dense retrieval: how alike the meaning of the question and of each tool's text are (SEED.md, Dense retrieval)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core.records import DenseRecord, Ints, frozen
from curator_core.settings import Settings


class DenseVectors:
    """The tools' vectors in a FAISS IndexFlatIP: exact inner products, which are cosines since rows are L2-normalised.

    faiss: the index, which owns the vectors. rows: its array (n, d), read-only, without a copy.
    A ranking of every tool multiplies the array: FAISS is made for a few neighbours, and sums in float32, where equal rows differ in
    the last bit by where they stand. In float64 equal texts have equal similarities, and an edit moves no other tool.
    """

    def __init__(self, rows: NDArray[np.float32]) -> None:
        import faiss

        self.faiss: Any = faiss.IndexFlatIP(rows.shape[1])
        self.faiss.add(np.ascontiguousarray(rows, dtype=np.float32))
        held = faiss.rev_swig_ptr(self.faiss.get_xb(), rows.size) if rows.size else np.zeros(0, np.float32)
        self.rows: NDArray[np.float32] = frozen(held.reshape(rows.shape))

    @cached_property
    def _exact(self) -> NDArray[np.float64]:
        return self.rows.astype(np.float64)

    def similarities(self, query: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return the inner product of the query vector (d,) with each row: (n,)."""
        return np.asarray(self._exact @ query.astype(np.float64))


def rank_dense(vectors: DenseVectors, query: NDArray[np.float32], encoded: str, pool: Ints, settings: Settings) -> DenseRecord:
    """Rank the pool by similarity to the query vector; equal similarities keep the order of keys."""
    similarities = np.round(vectors.similarities(query)[pool], settings.similarity_decimals)
    ranks = np.empty(len(pool), dtype=np.int64)
    ranks[np.argsort(-similarities, kind="stable")] = np.arange(1, len(pool) + 1)
    return DenseRecord(encoded, frozen(similarities), frozen(ranks))
