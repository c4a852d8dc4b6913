"""Pools: which tools of an index are searched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np

from curator_core.records import Ints, frozen


@dataclass(frozen=True)
class Pool:
    """The tools to search, in order of keys. positions: where each stands in the index, ascending."""

    keys: tuple[str, ...]
    positions: Ints

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each tool in this pool."""
        return MappingProxyType({key: place for place, key in enumerate(self.keys)})


def pool_of(keys: Sequence[str], known: Mapping[str, int]) -> Pool:
    """Return the pool of some keys of an index; known: the position of each of its keys."""
    ordered = tuple(sorted(keys, key=known.__getitem__))
    return Pool(ordered, frozen(np.fromiter(map(known.__getitem__, ordered), dtype=np.int64, count=len(ordered))))
