"""Patches: how the tools of an edited registry stand to those of the one it was edited from, so that what did not change is shared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Patch:
    """Most tools have the text that they have in the base, at another position perhaps; some have another text, or are new.

    origins: the base position of each tool, ascending, -1 where its text is its own. base_size: how many tools the base has.
    """

    origins: Ints
    base_size: int

    @cached_property
    def own(self) -> Ints:
        """The positions of the tools whose text is not the base's."""
        return np.flatnonzero(self.origins < 0)

    @cached_property
    def sources(self) -> Ints:
        """Where each tool stands in a list of the base's tools followed by the `own` ones."""
        sources = self.origins.copy()
        sources[self.own] = self.base_size + np.arange(len(self.own))
        return sources

    @cached_property
    def places(self) -> Ints:
        """The position of each tool of the base, -1 for one that is gone or has another text."""
        places = np.full(self.base_size, -1, dtype=np.int64)
        kept = np.flatnonzero(self.origins >= 0)
        places[self.origins[kept]] = kept
        return places

    @cached_property
    def in_place(self) -> bool:
        """Whether every tool that is kept stands where it stands in the base."""
        return len(self.origins) == self.base_size and bool(((self.origins < 0) | (self.origins == np.arange(self.base_size))).all())

    def stretches(self) -> Iterator[tuple[int, int, int]]:
        """Yield stretches of kept tools: the first one's position, and which part of the base they are (start, stop)."""
        kept = np.flatnonzero(self.origins >= 0)
        if not len(kept):
            return
        origins = self.origins[kept]
        breaks = np.flatnonzero((np.diff(kept) != 1) | (np.diff(origins) != 1)) + 1
        for some in np.split(np.arange(len(kept)), breaks):
            yield int(kept[some[0]]), int(origins[some[0]]), int(origins[some[-1]]) + 1
