"""Dense retrieval: how alike the meaning of the question and of each tool's text are (SEED.md, Dense retrieval)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core.ranking import Ranking
from curator_core.records import DenseRecord, Floats, Ints, frozen
from curator_core.settings import Settings

EXACT_UP_TO = 2_000  # tools whose exact similarities are all worked out at once; of more tools, those that an answer can hold
_GATHERED_UP_TO = 300  # the same for a pool that is only a part of the tools
_ROUNDING = float(np.finfo(np.float32).eps) / 2


class DenseVectors:
    """The tools' vectors in a FAISS IndexFlatIP: exact inner products, which are cosines since rows are L2-normalised.

    faiss: the index, which owns the vectors. rows: its array (n, d), read-only, without a copy.
    A ranking multiplies the array: FAISS is made for a few neighbours. A similarity is summed in float64, row by row, so that equal texts
    have equal similarities, and an edit moves no other tool. `near` sums in float32, in half of the time, and knows how far it can be off.
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

    def similarities(self, query: NDArray[np.float32], positions: Ints | None = None) -> Floats:
        """Return the inner product of the query vector (d,) with each row, or with those at some positions."""
        exact = query.astype(np.float64)
        if len(self.rows) <= EXACT_UP_TO:
            return _products(self._exact, exact, positions)
        positions = np.arange(len(self.rows)) if positions is None else positions
        products = np.empty(len(positions))
        for start in range(0, len(positions), EXACT_UP_TO):  # in pieces: float64 takes twice the memory
            some = positions[start : start + EXACT_UP_TO]
            products[start : start + len(some)] = np.vecdot(self.rows[some].astype(np.float64), exact)
        return products

    def near(self, query: NDArray[np.float32], positions: Ints | None = None) -> tuple[NDArray[np.float32], float]:
        """Return the inner products with the rows in float32, and how far at most each is from the exact one.

        The bound holds for any order of summation (Higham 2002, 3.1: d roundings of products whose sum of magnitudes is at most the
        product of the two lengths), with room for what is added to and subtracted from the products in float32.
        """
        lengths = self._longest * float(np.linalg.norm(query.astype(np.float64)))
        return _products(self.rows, query, positions), 1.01 * (len(query) + 16) * _ROUNDING * lengths

    @cached_property
    def _longest(self) -> float:
        """The length of the longest row, not less than it is."""
        squares = np.vecdot(self.rows, self.rows)
        return 1.01 * float(np.sqrt(squares.max(initial=0.0)))


def rank_dense(vectors: DenseVectors, query: NDArray[np.float32], encoded: str, pool: Ints, settings: Settings) -> DenseRecord:
    """Rank the pool by similarity to the query vector; equal similarities keep the order of keys."""
    decimals, some = settings.similarity_decimals, None if len(pool) == len(vectors.rows) else pool
    if len(vectors.rows) <= EXACT_UP_TO or len(pool) <= _GATHERED_UP_TO:
        return DenseRecord(encoded, Ranking(np.round(vectors.similarities(query, some), decimals)))
    near, off = vectors.near(query, some)
    exact = lambda positions: np.round(vectors.similarities(query, pool[positions]), decimals)
    return DenseRecord(encoded, Ranking(near, off + 0.5 * 10.0**-decimals, exact))


def _products(rows: NDArray[Any], query: NDArray[Any], positions: Ints | None) -> NDArray[Any]:
    """Multiply all rows, or those at some positions; each product depends on its row alone, wherever it stands."""
    if positions is None:
        return np.asarray(np.vecdot(rows, query))
    if 3 * len(positions) > len(rows):
        return np.asarray(np.vecdot(rows, query)[positions])
    return np.asarray(np.vecdot(rows[positions], query))
