"""Paired figures: one metric on the same questions before and after, with wins, losses, ties and how far chance may carry the mean."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2_000
ENOUGH = 20  # questions, below which a mean, a rate or a difference says nothing: one question would move it too far
TOO_FEW = "too few queries to say"
Metrics = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric's mean before and after, over the `queries` that have it on both sides.

    wins, losses, ties: for how many questions it became better, worse, stayed. interval: where the mean of the differences lies in 95 %
    of 2,000 resamples of the questions; None where it was not asked for.
    """

    name: str
    queries: int
    before: float
    after: float
    wins: int
    losses: int
    ties: int
    interval: tuple[float, float] | None = None

    @property
    def difference(self) -> float:
        """The mean after minus the mean before."""
        return self.after - self.before

    @property
    def clear(self) -> bool:
        """Whether the interval leaves zero out, so that chance alone hardly explains the difference."""
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)


def too_few(queries: int) -> str:
    """Return the remark that a figure over so many questions needs, "" where they are enough."""
    return "" if queries >= ENOUGH else f"{TOO_FEW} (n = {queries})"


def metric_changes(
    pairs: Sequence[tuple[Metrics, Metrics]], intervals: bool = False, only: Collection[str] | None = None
) -> tuple[MetricChange, ...]:
    """Return each metric that some question has on both sides, in the order of the metrics. only: leave the others out."""
    names = dict.fromkeys(name for before, after in pairs for name in after if name in before and (only is None or name in only))
    return tuple(
        _change(name, [(before[name], after[name]) for before, after in pairs if name in before and name in after], intervals)
        for name in names
    )


def mean_interval(differences: Sequence[float]) -> tuple[float, float]:
    """Return where the mean of paired differences lies in 95 % of 2,000 resamples with replacement (percentile bootstrap).

    The drawing is seeded: the same differences give the same interval. Zeros are drawn together, which changes nothing but the time.
    """
    count = len(differences)
    changed: NDArray[np.float64] = np.array([difference for difference in differences if difference])
    shares = np.append(np.full(len(changed), 1 / count), 1 - len(changed) / count)
    drawn = np.random.default_rng(0).multinomial(count, shares, size=RESAMPLES)[:, :-1]
    low, high = np.percentile((drawn * changed).sum(axis=1) / count, (2.5, 97.5)).round(6) + 0.0  # + 0.0: no minus zero
    return float(low), float(high)


def _change(name: str, values: Sequence[tuple[float, float]], intervals: bool) -> MetricChange:
    before, after = (sum(side) / len(values) for side in zip(*values, strict=True))
    better = -1 if name.startswith("forbidden") else 1
    differences = [new - old for old, new in values]
    wins, losses = (sum(difference * sign > 0 for difference in differences) for sign in (better, -better))
    interval = mean_interval(differences) if intervals else None
    return MetricChange(name, len(values), before, after, wins, losses, len(values) - wins - losses, interval)
