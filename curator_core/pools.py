"""Pools: which tools of an index are searched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from curator_core.records import Ints, frozen


@dataclass(frozen=True, slots=True)
class Pool:
    """The tools to search, in order of keys.

    positions: where each stands in the index, ascending; places: the place of each key in this pool.
    """

    keys: tuple[str, ...]
    positions: Ints
    places: Mapping[str, int]


def pool_of(keys: Iterable[str], known: Mapping[str, int]) -> Pool:
    """Return the pool of some keys of an index; known: the position of each of its keys."""
    ordered = tuple(sorted(keys, key=known.__getitem__))
    positions = frozen(np.fromiter(map(known.__getitem__, ordered), dtype=np.int64, count=len(ordered)))
    return Pool(ordered, positions, {key: place for place, key in enumerate(ordered)})
