"""The similarities of test queries to all tools, kept: an edited registry is asked the same queries after each edit."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core.patch import Ints, Patch
from curator_core.ranking import Floats, Ranking, falling

_KEPT_BYTES, _BYTES = 64 * 2**20, 6  # for each registry that is edited, and for one query and tool
_TOGETHER, _PIECE = 128, 1_000  # queries and tools that are multiplied at once
_WORTH_IT = 16  # queries from which on it pays to turn the vectors of a large registry into float64
_MOVED_AT_MOST = 4  # tools whose ranks are moved one by one; for more, all are ranked anew
_LARGEST, _DOUBT_AT_MOST = 2**30, 0.1  # in steps

Steps = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Kept:
    """One query's similarities. steps: each in steps of the rounding, so that nothing is lost; ranks: 1 = the highest, ties in order."""

    steps: Steps
    ranks: NDArray[Any]

    def ranking(self, decimals: int) -> Ranking:
        """Return the ranking of all tools, each with its rounded similarity."""
        return Ranking(self.steps / 10**decimals, ranks=self.ranks.astype(np.int64))

    def patched(self, patch: Patch, own: Steps) -> Kept:
        """Return the same for an edited registry; own: the steps of the patch's own tools."""
        if not patch.in_place:
            return kept(np.concatenate([self.steps, own])[patch.sources])
        steps, ranks = self.steps.copy(), self.ranks
        if len(own) > _MOVED_AT_MOST:
            steps[patch.own] = own
            return kept(steps)
        for tool, step in zip(patch.own.tolist(), own.tolist(), strict=True):
            ranks = _moved(steps, ranks, tool, step)
        return Kept(steps, ranks)


def kept(steps: Steps) -> Kept:
    """Rank tools by their steps."""
    ranks = np.empty(len(steps), dtype=np.uint16 if len(steps) < 2**16 else np.int32)
    ranks[falling(steps)] = np.arange(1, len(steps) + 1)
    return Kept(steps, ranks)


def _moved(steps: Steps, ranks: NDArray[Any], tool: int, step: int) -> NDArray[Any]:
    """Give one tool another step, and return everybody's ranks."""
    without = ranks - (ranks > ranks[tool])
    ahead = int(np.count_nonzero(steps > step)) - bool(steps[tool] > step) + int(np.count_nonzero(steps[:tool] == step))
    moved: NDArray[Any] = without + (without > ahead)
    moved[tool], steps[tool] = ahead + 1, step
    return moved


@dataclass(frozen=True, slots=True)
class Multiplied:
    """What is multiplied with queries. rows: the tools' vectors; longest: the length of the longest; exact: returns the inner products
    of a query with some rows, as a ranking has them.
    """

    rows: NDArray[np.float32]
    longest: float
    exact: Callable[[NDArray[np.float32], Ints], Floats]

    def steps(self, queries: Sequence[NDArray[np.float32]], decimals: int) -> Sequence[Steps]:
        """Return the steps of each query; nothing where they would not fit, or where rounding could not be told.

        Many rows and queries are multiplied at once. Where that could round to the other side, the exact product decides.
        """
        vectors, scale, (size, dimension) = np.stack(queries).astype(np.float64), 10.0**decimals, self.rows.shape
        most = scale * self.longest * float(np.linalg.norm(vectors, axis=1).max())
        doubt = 4 * (dimension + 16) * float(np.finfo(np.float64).eps) * most
        if most > _LARGEST or doubt > _DOUBT_AT_MOST:
            return ()
        steps = np.empty((len(queries), size), dtype=np.int32)
        for start in range(0, size, _PIECE):
            products = vectors @ self.rows[start : start + _PIECE].astype(np.float64).T * scale
            rounded = np.rint(products)
            steps[:, start : start + _PIECE] = rounded
            for number, tool in zip(*(np.abs(products - rounded) > 0.5 - doubt).nonzero(), strict=True):
                exact = self.exact(queries[number], np.array([start + tool]))
                steps[number, start + tool] = np.rint(exact * scale)[0]
        return [row.copy() for row in steps]


@lru_cache(4_096)
def shared_key(vector: bytes, decimals: int) -> tuple[bytes, int]:
    """Return what a query's similarities are kept under: the same object for all registries, since a vector takes 1.5 KB."""
    return vector, decimals


class KeptSimilarities:
    """The similarities of the queries asked last, as many as there is room for."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[bytes, int], Kept] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, query: NDArray[np.float32], decimals: int) -> Kept | None:
        """Return a query's similarities, None where they are not kept."""
        return self._known.get((query.tobytes(), decimals)) if self._known else None

    def ahead(self, queries: Iterable[NDArray[np.float32]], decimals: int, tools: Multiplied) -> None:
        """Keep the similarities of many queries; those asked for longest ago give way."""
        room = _KEPT_BYTES // (_BYTES * max(len(tools.rows), 1))
        wanted = dict(list({shared_key(query.tobytes(), decimals): query for query in queries}.items())[:room])
        with self._lock:
            for key in wanted.keys() & self._known.keys():
                self._known.move_to_end(key)
        missing = {key: query for key, query in wanted.items() if key not in self._known}
        if len(missing) < _WORTH_IT and len(tools.rows) > _PIECE:
            return
        keys = list(missing)
        for start in range(0, len(keys), _TOGETHER):
            some = keys[start : start + _TOGETHER]
            found = tools.steps([missing[key] for key in some], decimals)
            with self._lock:
                self._known.update(zip(some, map(kept, found), strict=False))
                while len(self._known) > room:
                    self._known.popitem(last=False)


def steps_of(similarities: Floats, decimals: int) -> Steps | None:
    """Return similarities in steps of their rounding, which np.round divides again; None where they do not fit."""
    steps = np.rint(similarities * 10.0**decimals)
    return steps.astype(np.int32) if np.abs(steps).max(initial=0.0) <= _LARGEST else None
