"""Ranks worked out when they are asked for: of the few tools that an answer can hold, or of all for whoever looks at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core.first_look import at_first_look

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_AT_ONCE = 4_000  # so few exact values are ranked all at once: that costs less than asking which ones matter
_SORTED_AT_ONCE = 300  # so few values are sorted as they are


class Ranking:
    """The ranks of some positions by their values: the highest is 1, equal values stand in order of position.

    near: a number for each position, at most `slack` away from its value, with room for roundings in the type of `near`.
    exact: returns the values of some positions; None where `near` has them.
    above: positions with a higher value than this are ranked, the others have rank 0; None = all are ranked. ranks: where they are known.
    What is returned never depends on what was asked for before: `near` only tells which values need not be known.
    """

    def __init__(
        self,
        near: NDArray[Any],
        slack: float = 0.0,
        exact: Callable[[Ints], Floats] | None = None,
        above: float | None = None,
        ranks: Ints | None = None,
    ) -> None:
        self.near, self.slack, self._exact, self._above = near, slack, exact, above
        if ranks is not None:
            ranks.setflags(write=False)
            self.__dict__["ranks"] = ranks

    @property
    def above(self) -> float:
        """What a value must be above to be ranked."""
        return -np.inf if self._above is None else self._above

    @property
    def ranks_all(self) -> bool:
        """Whether every position has a rank, whatever its value."""
        return self._above is None

    @property
    def is_exact(self) -> bool:
        """Whether `near` has the values themselves."""
        return self._exact is None

    @at_first_look
    def values(self) -> Floats:
        """The value of every position, read-only."""
        values: Floats = self.near if self._exact is None else self._exact(np.arange(len(self.near)))
        values.setflags(write=False)
        return values

    @at_first_look
    def order(self) -> Ints:
        """The positions that are ranked, from the first to the last, read-only."""
        if self._above is None:
            order = falling(self.near if self._exact is None else self.values)
        else:
            order = self._ranked[falling(self.near[self._ranked])]
        order.setflags(write=False)
        return order

    @at_first_look
    def ranks(self) -> Ints:
        """The rank of every position, read-only."""
        ranks = np.zeros(len(self.near), dtype=np.int64)
        ranks[self.order] = np.arange(1, len(self.order) + 1)
        ranks.setflags(write=False)
        return ranks

    def shared_out(self, shares: Floats) -> Floats:
        """Return what each position gets of `shares`, one for each rank from the first to the last; 0 where it is not ranked."""
        if "order" not in self.__dict__ and "ranks" in self.__dict__:
            return (shares if self.ranks_all else np.append(shares, 0.0))[self.ranks - 1]
        given = np.zeros(len(self.near))
        given[self.order] = shares[: len(self.order)]
        return given

    @at_first_look
    def best(self) -> float:
        """The highest value of all positions."""
        if self._exact is None:
            return float(self.near[self.near.argmax()])
        return float(self.values_of((self.near >= self.near.max() - 2 * self.slack).nonzero()[0]).max())

    def values_of(self, positions: Ints) -> Floats:
        """Return the value of each position."""
        if self._exact is None or "values" in self.__dict__:
            return self.values[positions]
        return self._exact(positions)

    def leaders(self, count: int) -> Ints:
        """Return positions among which are all those with a rank from 1 to `count`; not many more, in no order."""
        if count >= len(self._rising):
            return self._ranked
        least = np.nextafter(self._rising[-count], -np.inf)  # so many are nearer; what is 2 slacks below cannot be before them
        found: Ints = (self.near > least - 2 * self.slack).nonzero()[0]
        if not self.slack and len(found) > count:  # some are nearly equal to the last
            found = found[(-self.near[found]).argsort(kind="stable")[:count]]
        return found

    def between(self, positions: Ints) -> tuple[Ints, Ints]:
        """Return the best and the worst rank that each position can have, as far as `near` tells; one array twice where it tells all."""
        if self.all_known:
            ranks = self.ranks[positions]
            return ranks, ranks
        before, last = self._span(self.near[positions], 2 * self.slack)
        if self._above is None:
            return before + 1, last
        counts = self.counts(positions)
        return np.where(counts, before + 1, 0), np.where(counts, last, 0)

    def of(self, positions: Ints) -> Ints:
        """Return the rank of each position."""
        if self.all_known:
            return self.ranks[positions]
        before, last = self._span(self.values_of(positions), self.slack)
        ranks = np.where(self.counts(positions), before + 1, 0)
        doubtful = ((last - before > 1) & (ranks > 0)).nonzero()[0]
        if len(doubtful):
            starts, stops = _united(before[doubtful], last[doubtful])
            if int((stops - starts).sum()) > len(self.near) // 4:  # so many lie close together that ranking all costs less
                return self.ranks[positions]
            close = self._ranks_within(starts, stops)
            ranks[doubtful] = [close[position] for position in positions[doubtful].tolist()]
        return ranks

    def _span(self, values: NDArray[Any], slack: float) -> tuple[Ints, Ints]:
        """Return how many stand before each value for certain, and how many down to the last that cannot be told from it."""
        rising = self._rising
        high, low = (values + slack).astype(np.float32, copy=False), (values - slack).astype(np.float32, copy=False)
        return len(rising) - rising.searchsorted(high, side="right"), len(rising) - rising.searchsorted(low, side="left")

    def _ranks_within(self, starts: Ints, stops: Ints) -> dict[int, int]:
        """Rank what lies in some stretches of places, each too close together for `near` to tell.

        A rank is right for a position whose own stretch is among them: what lies in another is before or behind it for certain.
        """
        at, near = len(self._rising), self._ranked_near
        pairs = tuple(zip(starts.tolist(), stops.tolist(), strict=True))
        stretches = [((near >= self._rising[at - stop]) & (near <= self._rising[at - 1 - start])).nonzero()[0] for start, stop in pairs]
        close = self._ranked[np.concatenate(stretches)]
        order = np.lexsort((close, -self.values_of(close)))
        return dict(zip(close[order].tolist(), (rank for start, stop in pairs for rank in range(start + 1, stop + 1)), strict=True))

    @at_first_look
    def _rising(self) -> NDArray[np.float32]:
        """What is ranked, from the lowest to the highest; rounding to float32 makes some equal and changes no order."""
        return np.sort(self._ranked_near)

    @property
    def _ranked_near(self) -> NDArray[np.float32]:
        return (self.near if self._above is None else self.near[self._ranked]).astype(np.float32, copy=False)

    def counts(self, positions: Ints) -> NDArray[np.bool_]:
        """Say which positions are ranked."""
        return np.ones(len(positions), dtype=bool) if self._above is None else self.near[positions] > self._above

    @property
    def all_known(self) -> bool:
        """Whether every rank is there, or will be with the first that is asked for."""
        if "ranks" in self.__dict__ or "order" in self.__dict__:
            return True
        return not self.slack and (len(self.near) <= _AT_ONCE or len(self._ranked) <= _AT_ONCE)

    @at_first_look
    def _ranked(self) -> Ints:
        return np.arange(len(self.near)) if self._above is None else (self.near > self._above).nonzero()[0]


def falling(values: NDArray[Any]) -> Ints:
    """Return the positions from the highest value to the lowest; equal values stand in order of position.

    Whole numbers are sorted several times as fast as positions by their values: many are made of how far each value is below the highest,
    whose bits as a whole number stand in the same order, with the position in place of the lowest bits. Where only those bits told two
    values apart, that is put right afterwards.
    """
    if len(values) <= _SORTED_AT_ONCE:
        return (-values).argsort(kind="stable")
    of_position = (1 << len(values).bit_length()) - 1
    order: Ints = np.subtract(values.max(), values, dtype=np.float64).view(np.int64)
    order &= ~of_position
    order |= np.arange(len(values))
    order.sort()
    order &= of_position
    found = values[order]
    return order[(-found).argsort(kind="stable")] if (found[1:] > found[:-1]).any() else order


def _united(start: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """Unite stretches that overlap: the starts and stops of what is left, ascending."""
    if not len(start):
        return start, stop
    order = np.argsort(start)
    starts, stops = start[order], np.maximum.accumulate(stop[order])
    first = np.concatenate([[0], np.flatnonzero(starts[1:] >= stops[:-1]) + 1])
    return starts[first], stops[np.append(first[1:] - 1, -1)]
