"""Dense retrieval: how alike the meaning of the question and of each tool's text are (SEED.md, Dense retrieval)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core.kept_similarities import Kept, KeptSimilarities, Multiplied, Steps, shared_key, steps_of
from curator_core.large_pages import in_large_pages
from curator_core.patch import Patch
from curator_core.products import aligned, products
from curator_core.ranking import Ranking
from curator_core.records import DenseRecord, Floats, Ints, frozen
from curator_core.settings import Settings

EXACT_UP_TO = 2_000  # tools whose exact similarities are all worked out at once; of more tools, those that an answer can hold
ADDED_UP_TO = 500  # the same where scores are added, which asks for few exact ones
_GATHERED_UP_TO = 300  # the same for a pool that is only a part of the tools
_PIECE = 256  # rows that are turned into float64 together: few enough for the processor's cache
_ROUNDING = float(np.finfo(np.float32).eps) / 2

Rows = NDArray[np.float32]


class DenseVectors:
    """The tools' vectors in a FAISS IndexFlatIP: exact inner products, which are cosines since rows are L2-normalised.

    A ranking multiplies the array: FAISS is made for a few neighbours. A similarity is summed in float64, row by row, so that equal texts
    have equal similarities, and an edit moves no other tool. `near` sums in float32, in half of the time, and knows how far it can be off.
    """

    def __init__(self, rows: Rows) -> None:
        self._hold(rows.shape, [rows])

    @classmethod
    def of_blocks(cls, shape: tuple[int, ...], blocks: Iterable[Rows]) -> DenseVectors:
        """Make it of blocks of rows, shape (n, d) all together, which are never in memory twice."""
        vectors = cls.__new__(cls)
        vectors._hold(shape, blocks)
        return vectors

    def _hold(self, shape: tuple[int, ...], blocks: Iterable[Rows]) -> None:
        self.size, self._shape, self._flat, self._kept = shape[0], shape, _flat_index(shape, blocks), KeptSimilarities()

    @property
    def faiss(self) -> Any:
        """The FAISS index, which owns the vectors."""
        return self._flat

    @cached_property
    def rows(self) -> Rows:
        """The vectors (n, d), read-only, without a copy."""
        return frozen(np.asarray(_Lent(_memory_of(self.faiss, self._shape), self.faiss)))

    def row(self, position: int) -> Rows:
        """Return one vector (d,)."""
        row: Rows = self._at(np.array([position]))[0]
        return row

    def rows_at(self, positions: Ints) -> Rows:
        """Return the vectors at some positions."""
        return self._at(positions)

    def similarities(self, query: NDArray[np.float32], positions: Ints | None = None) -> Floats:
        """Return the inner product of the query vector (d,) with each row, or with those at some positions."""
        exact = query.astype(np.float64)
        if self.size <= EXACT_UP_TO and (positions is None or 3 * len(positions) > self.size):
            found = self._products(exact)
            return found if positions is None else found[positions]
        positions = np.arange(self.size) if positions is None else positions
        if len(positions) <= _PIECE:
            return np.asarray(np.vecdot(self._at(positions).astype(np.float64), exact))
        found = np.empty(len(positions))
        for start in range(0, len(positions), _PIECE):
            some = positions[start : start + _PIECE]
            found[start : start + len(some)] = np.vecdot(self._at(some).astype(np.float64), exact)
        return found

    def near(self, queries: Rows, positions: Ints | None = None) -> tuple[Rows, Any]:
        """Return the inner products of a query (d,) with the rows in float32, (n,), and how far at most each is from the exact one.

        Of several queries (m, d) at once: (m, n), and (m,) for how far each query's are off.

        The bound holds for any order of summation (Higham 2002, 3.1: d roundings of products whose sum of magnitudes is at most the
        product of the two lengths), with room for what is added to and subtracted from the products in float32.
        """
        exact = queries.astype(np.float64)
        off = 1.01 * (queries.shape[-1] + 16) * _ROUNDING * self._longest * np.sqrt(np.vecdot(exact, exact))
        return self._near(queries, positions), off

    def _near(self, queries: Rows, positions: Ints | None) -> Rows:
        if positions is not None and 3 * len(positions) <= self.size:
            return products(self._at(positions), queries)
        found = self._products(queries)
        return found if positions is None else found.take(positions, axis=-1)

    @cached_property
    def _longest(self) -> float:
        """The length of the longest row, not less than it is."""
        squares = np.vecdot(self.rows, self.rows)
        return 1.01 * float(np.sqrt(squares.max(initial=0.0)))

    @property
    def _multiplied(self) -> Multiplied:
        return Multiplied(self.rows, self._longest, self.similarities)

    @cached_property
    def _exact(self) -> Floats:
        return aligned(self.rows, np.float64)

    def _at(self, positions: Ints) -> Rows:
        return self.rows[positions]

    def _products(self, queries: NDArray[Any]) -> NDArray[Any]:
        """Multiply a query, or several, with all rows in their own precision."""
        return products(self._exact if queries.dtype == np.float64 else self.rows, queries)

    def keep(self, queries: Iterable[NDArray[np.float32]], decimals: int) -> None:
        """Work out and keep the similarities of queries that will be asked, of this registry and after edits."""
        self._kept.ahead(queries, decimals, self._multiplied)

    def kept(self, query: NDArray[np.float32], decimals: int) -> Kept | None:
        """Return what is kept of a query: rounded similarities to all rows and their ranks; None where nothing is."""
        return self._kept.of(query, decimals)

    def steps_kept(self, queries: Sequence[NDArray[np.float32]], decimals: int) -> Steps | None:
        """Return what is kept of many queries, in steps of the rounding (m, n); None where one is missing."""
        found = [known.steps for query in queries if (known := self._kept.of(query, decimals)) is not None]
        return np.stack(found) if found and len(found) == len(queries) else None


class PatchedVectors(DenseVectors):
    """The vectors of an edited registry: those of the base where a text is kept, and those of the patch's own texts."""

    def __init__(self, base: DenseVectors, patch: Patch, own: DenseVectors) -> None:
        self.size, self._base, self._patch, self._own = len(patch.origins), base, patch, own
        self._own_steps: dict[tuple[bytes, int], Steps] = {}

    @property
    def rows(self) -> Rows:
        """The vectors (n, d), read-only; a copy, made each time that somebody asks for all of them: every draft would keep one."""
        return frozen(self._at(np.arange(self.size)))

    @cached_property
    def _flat(self) -> Any:
        return _flat_index(self.rows.shape, [self.rows])

    @cached_property
    def _longest(self) -> float:
        return max(self._base._longest, self._own._longest)

    def _at(self, positions: Ints) -> Rows:
        sources, first_own = self._patch.sources[positions], self._base.size
        found = self._base.rows[np.minimum(sources, first_own - 1)]
        own = np.flatnonzero(sources >= first_own)
        found[own] = self._own.rows[sources[own] - first_own]
        return found

    def _products(self, queries: NDArray[Any]) -> NDArray[Any]:
        return np.concatenate([self._base._products(queries), self._own._products(queries)], axis=-1).take(self._patch.sources, axis=-1)

    def keep(self, queries: Iterable[NDArray[np.float32]], decimals: int) -> None:
        """Have the base keep what all registries edited from it share, and compare the patch's own rows, all at once."""
        some = {shared_key(query.tobytes(), decimals): query for query in queries}
        self._base.keep(some.values(), decimals)
        if new := [key for key in some if key not in self._own_steps]:
            self._own_steps |= zip(new, self._own._multiplied.steps([some[key] for key in new], decimals), strict=False)

    def kept(self, query: NDArray[np.float32], decimals: int) -> Kept | None:
        """Return what the base keeps, with the patch's own rows in their places."""
        known = self._base.kept(query, decimals)
        if known is None:
            return None
        own = self._own_steps.get((query.tobytes(), decimals))
        own = steps_of(self._own.similarities(query), decimals) if own is None else own
        return None if own is None else known.patched(self._patch, own)

    def steps_kept(self, queries: Sequence[NDArray[np.float32]], decimals: int) -> Steps | None:
        """Return what the base keeps, with the patch's own rows in their places."""
        known = self._base.steps_kept(queries, decimals)
        own = [self._own_steps[key] for query in queries if (key := (query.tobytes(), decimals)) in self._own_steps]
        if known is None or len(own) < len(queries):
            return None
        return np.concatenate([known, np.stack(own)], axis=1)[:, self._patch.sources]


class _Lent:
    """Memory of a FAISS index as an array sees it: while the array or a part of it lives, the index does, and the memory is not freed."""

    def __init__(self, held: Rows, owner: Any) -> None:
        self.__array_interface__, self._owner = held.__array_interface__, owner


def _flat_index(shape: tuple[int, ...], blocks: Iterable[Rows]) -> Any:
    """Fill an index, whose memory is taken once for all rows: added one after the other, they would be copied again and again."""
    import faiss

    index, start = faiss.IndexFlatIP(shape[1]), 0
    index.codes.resize(index.code_size * shape[0])
    index.ntotal = shape[0]
    held = _memory_of(index, shape)
    for block in blocks:
        held[start : start + len(block)] = block
        start += len(block)
    in_large_pages(held)
    return index


def _memory_of(index: Any, shape: tuple[int, ...]) -> Rows:
    """Return the vectors (n, d) where the index has them."""
    import faiss

    held: Rows = faiss.rev_swig_ptr(index.get_xb(), shape[0] * shape[1]) if shape[0] else np.zeros(0, np.float32)
    return held.reshape(shape)


def rank_dense(vectors: DenseVectors, query: NDArray[np.float32], encoded: str, pool: Ints, settings: Settings) -> DenseRecord:
    """Rank the pool by similarity to the query vector; equal similarities keep the order of keys."""
    some = None if len(pool) == vectors.size else pool
    ranking = _exact_ranking(vectors, query, some, settings)
    return DenseRecord(encoded, ranking or _near_ranking(vectors, query, some, settings, *vectors.near(query, some)))


def rank_dense_together(
    vectors: DenseVectors, asked: Sequence[tuple[str, NDArray[np.float32]]], pool: Ints, settings: Settings
) -> list[DenseRecord]:
    """Do the same for several questions (what was encoded, vector); what is multiplied for more than one is read once."""
    some = None if len(pool) == vectors.size else pool
    found = [_exact_ranking(vectors, query, some, settings) for _, query in asked]
    if rest := [number for number, ranking in enumerate(found) if ranking is None]:
        queries = np.stack([asked[number][1] for number in rest])
        for number, query, near, off in zip(rest, queries, *vectors.near(queries, some), strict=True):
            found[number] = _near_ranking(vectors, query, some, settings, near, off)
    return [DenseRecord(encoded, ranking) for (encoded, _), ranking in zip(asked, found, strict=True) if ranking]


def _exact_ranking(vectors: DenseVectors, query: NDArray[np.float32], some: Ints | None, settings: Settings) -> Ranking | None:
    """Rank by exact similarities where they are kept, or where working out all of them costs little; None elsewhere."""
    size, decimals = vectors.size if some is None else len(some), settings.similarity_decimals
    all_exact = vectors.size <= (ADDED_UP_TO if settings.add_scores else EXACT_UP_TO)
    if (all_exact or size > _GATHERED_UP_TO) and (known := vectors.kept(query, decimals)) is not None:
        ranking = known.ranking(decimals)
        return ranking if some is None else Ranking(ranking.values[some])
    if all_exact or size <= _GATHERED_UP_TO:
        return Ranking(vectors.similarities(query, some).round(decimals))
    return None


def _near_ranking(
    vectors: DenseVectors, query: NDArray[np.float32], some: Ints | None, settings: Settings, near: Rows, off: float
) -> Ranking:
    """Rank by similarities that are at most `off` from the exact ones, which are worked out where they matter."""
    decimals = settings.similarity_decimals
    exact = lambda positions: vectors.similarities(query, positions if some is None else some[positions]).round(decimals)
    return Ranking(near, float(off) + 0.5 * 10.0**-decimals, exact)
