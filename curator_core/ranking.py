"""Ranks worked out when they are asked for: of the few tools that an answer can hold, or of all for whoever looks at all."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_STEPS = 2**14 - 1  # into so many and one more a range is cut: fine enough for few values to share one, and soon counted
_SORTED_BY = 2**16 - 1  # steps that values are sorted by, before the values themselves: 16 bits are sorted very quickly
_AT_ONCE = 30_000  # so many exact values are ranked all at once: sorting them costs less than asking which ones matter
_SORTED_AT_ONCE = 300  # so few values are sorted without sorting their steps before


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

    @cached_property
    def values(self) -> Floats:
        """The value of every position, read-only."""
        values: Floats = self.near if self._exact is None else self._exact(np.arange(len(self.near)))
        values.setflags(write=False)
        return values

    @cached_property
    def order(self) -> Ints:
        """The positions that are ranked, from the first to the last, read-only."""
        order = falling(self.values) if self._above is None else self._ranked[falling(self.near[self._ranked])]
        order.setflags(write=False)
        return order

    @cached_property
    def ranks(self) -> Ints:
        """The rank of every position, read-only."""
        ranks = np.zeros(len(self.near), dtype=np.int64)
        ranks[self.order] = np.arange(1, len(self.order) + 1)
        ranks.setflags(write=False)
        return ranks

    def given(self, shares: Floats) -> Floats:
        """Return what each position gets of `shares`, one for each rank from the first to the last; 0 where it has no rank."""
        if "ranks" in self.__dict__ and "order" not in self.__dict__:
            return (shares if self.ranks_all else np.append(shares, 0.0))[self.ranks - 1]
        given = np.zeros(len(self.near))
        given[self.order] = shares[: len(self.order)]
        return given

    @cached_property
    def best(self) -> float:
        """The highest value of all positions."""
        if self._exact is None:
            return float(self.near.max())
        return float(self.values_of((self.near >= self._range[0] - 2 * self.slack).nonzero()[0]).max())

    def values_of(self, positions: Ints) -> Floats:
        """Return the value of each position."""
        if self._exact is None or "values" in self.__dict__:
            return self.values[positions]
        return self._exact(positions)

    def leaders(self, count: int) -> Ints:
        """Return positions among which are all those with a rank from 1 to `count`; not many more, in no order."""
        if count >= len(self._ranked):
            return self._ranked
        if self.all_known:
            return ((self.ranks > 0) & (self.ranks <= count)).nonzero()[0]
        steps, before = self._steps
        found = self._ranked[(steps < int(np.searchsorted(before, count))).nonzero()[0]]  # the fewest whole steps that hold so many
        least = self.near[found].min()  # so many are at least this near; what is 2 slacks below cannot be before them
        if self.slack:
            found = self._ranked[(steps <= int(self._step(least - 2 * self.slack))).nonzero()[0]]
        elif len(found) > count:  # many equal values
            found = found[np.lexsort((found, -self.near[found]))[:count]]
        return found

    def between(self, positions: Ints) -> tuple[Ints, Ints]:
        """Return the best and the worst rank that each position can have, as far as `near` tells; one array twice where it tells all."""
        if self.all_known:
            ranks = self.ranks[positions]
            return ranks, ranks
        first, last = self._span(self.near[positions], 2 * self.slack)
        before, counts = self._steps[1], self.counts(positions)
        return np.where(counts, before[first] + 1, 0), np.where(counts, before[last], 0)

    def of(self, positions: Ints) -> Ints:
        """Return the rank of each position."""
        if self.all_known:
            return self.ranks[positions]
        first, last = self._span(self.values_of(positions), self.slack)
        before = self._steps[1]
        start, stop = before[first], before[last]
        ranks = np.where(self.counts(positions), start + 1, 0)
        doubtful = np.flatnonzero((stop - start > 1) & (ranks > 0))
        if len(doubtful):
            first, last = _united(first[doubtful], last[doubtful])
            if int((before[last] - before[first]).sum()) > len(self.near) // 4:  # so many lie close together that ranking all costs less
                return self.ranks[positions]
            close = self._ranks_within(first, last)
            ranks[doubtful] = [close[position] for position in positions[doubtful].tolist()]
        return ranks

    def _ranks_within(self, first: Ints, last: Ints) -> dict[int, int]:
        """Rank what lies in some stretches of steps, each too close together for `near` to tell.

        A rank is right for a position whose own stretch is among them: what lies in another is before or behind it for certain.
        """
        steps, before = self._steps
        marks = np.zeros(_STEPS + 2, dtype=np.int8)
        marks[first] += 1
        marks[last] -= 1  # where one ends and the next begins, nothing
        close = self._ranked[np.cumsum(marks, dtype=np.int8).view(bool)[steps].nonzero()[0]]
        lengths = before[last] - before[first]
        at = np.repeat(before[last] - np.cumsum(lengths), lengths) + np.arange(int(lengths.sum()))
        order = np.lexsort((close, -self.values_of(close)))
        return dict(zip(close[order].tolist(), (at + 1).tolist(), strict=True))

    def _span(self, values: NDArray[Any], slack: float) -> tuple[Ints, Ints]:
        """Return which steps of `near` are too close to each value to be told from it: the first, and the one behind the last."""
        return self._step(values + slack), self._step(values - slack) + 1

    @cached_property
    def _steps(self) -> tuple[NDArray[np.uint16], Ints]:
        """In which of so many steps from the highest to the lowest each ranked position lies, and how many lie before each step."""
        highest, scale = self._range
        steps = ((highest - (self.near if self._above is None else self.near[self._ranked])) * scale).astype(np.uint16)
        before = np.zeros(_STEPS + 2, dtype=np.int64)
        np.cumsum(np.bincount(steps, minlength=_STEPS + 1), out=before[1:])
        return steps, before

    def _step(self, near: Any) -> Ints:
        """Cut the range of `near` into steps and say in which each number lies; a higher number never lies in a later one."""
        highest, scale = self._range
        steps: Ints = np.minimum(np.maximum((highest - near) * scale, 0), _STEPS).astype(np.int64)
        return steps

    @cached_property
    def _range(self) -> tuple[Any, Any]:
        ranked = self.near if self._above is None else self.near[self._ranked]
        highest, lowest = ranked.max(initial=-np.inf), ranked.min(initial=np.inf)
        return highest, (_STEPS / (highest - lowest) if highest > lowest else 0.0 * highest)

    def counts(self, positions: Ints) -> NDArray[np.bool_]:
        """Say which positions are ranked."""
        return np.ones(len(positions), dtype=bool) if self._above is None else self.near[positions] > self._above

    @property
    def all_known(self) -> bool:
        """Whether every rank is there, or will be with the first that is asked for."""
        return "ranks" in self.__dict__ or (not self.slack and len(self._ranked) <= _AT_ONCE)

    @cached_property
    def _ranked(self) -> Ints:
        return np.arange(len(self.near)) if self._above is None else (self.near > self._above).nonzero()[0]


def falling(values: NDArray[Any]) -> Ints:
    """Return the positions from the highest value to the lowest; equal values stand in order of position.

    Many values are first brought near to their places by 16 bits of them, which is several times as fast as sorting them outright.
    """
    if len(values) <= _SORTED_AT_ONCE:
        return np.argsort(-values, kind="stable")
    highest, lowest = values.max(), values.min()
    scale = _SORTED_BY / max(highest - lowest, 1e-300)
    rough = np.argsort(((highest - values) * scale).astype(np.uint16), kind="stable")
    return rough[np.argsort(-values[rough], kind="stable")]


def _united(start: Ints, stop: Ints) -> tuple[Ints, Ints]:
    """Unite stretches that overlap: the starts and stops of what is left, ascending."""
    if not len(start):
        return start, stop
    order = np.argsort(start)
    starts, stops = start[order], np.maximum.accumulate(stop[order])
    first = np.concatenate([[0], np.flatnonzero(starts[1:] >= stops[:-1]) + 1])
    return starts[first], stops[np.append(first[1:] - 1, -1)]
