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

    A query multiplies the index's own array directly: for a ranking of every tool that is several times faster than asking FAISS
    for all neighbours, and gives the same inner products.
    """

    def __init__(self, rows: NDArray[np.float32]) -> None:
        self.rows = frozen(np.ascontiguousarray(rows, dtype=np.float32))

    @cached_property
    def faiss(self) -> Any:
        """The FAISS index, for nearest-neighbour questions; built when first asked for."""
        import faiss

        index = faiss.IndexFlatIP(self.rows.shape[1])
        index.add(self.rows)
        return index

    def similarities(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the inner product of the query vector (d,) with each row: (n,)."""
        return np.asarray(self.rows @ query)


def rank_dense(vectors: DenseVectors, query: NDArray[np.float32], encoded: str, pool: Ints, settings: Settings) -> DenseRecord:
    """Rank the pool by similarity to the query vector; equal similarities keep the order of keys."""
    exact = vectors.similarities(query)[pool].astype(np.float64)
    similarities = np.round(exact, settings.similarity_decimals)
    ranks = np.empty(len(pool), dtype=np.int64)
    ranks[np.argsort(-similarities, kind="stable")] = np.arange(1, len(pool) + 1)
    return DenseRecord(encoded, frozen(similarities), frozen(ranks))
