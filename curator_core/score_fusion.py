"""Score fusion: one score as the weighted sum of what the lists themselves measure, so that a clear lead in one of them counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce

import numpy as np

from curator_core.first_look import at_first_look
from curator_core.ranking import Ranking
from curator_core.records import Bools, Floats, FusionRecord, Ints
from curator_core.settings import Settings

_ROUNDING = 1e-9  # more than a few additions of small numbers can be off


class ScoreFusion:
    """The weighted sums of several rankings' values; a position that a list does not rank gets nothing from it.

    floor: a score must be above it to be listed.
    """

    def __init__(self, lists: Mapping[str, Ranking], weights: Mapping[str, float], size: int, floor: float) -> None:
        self._lists = {name: (ranking, weights[name]) for name, ranking in lists.items()}
        self.floor = floor
        self.slack = _ROUNDING + sum(weight * ranking.slack for ranking, weight in self._lists.values())
        self.near: Floats = np.zeros(size)
        self._exact = all(ranking.is_exact for ranking, _ in self._lists.values())
        for ranking, weight in self._lists.values():
            if ranking.above < np.inf:
                self.near += weight * _counted(ranking, ranking.near)

    @property
    def lists_all(self) -> bool:
        """Whether every position has a score above the floor."""
        return self.floor == -np.inf

    @at_first_look
    def best(self) -> float:
        """The highest score of all positions."""
        highest = self.near.max()
        return float(highest if self._exact else self.of((self.near >= highest - 2 * self.slack).nonzero()[0]).scores.max())

    def of(self, positions: Ints) -> FusionRecord:
        """Return the scores of some positions, and their parts."""
        parts = {name: weight * _ranked_values(ranking, positions) for name, (ranking, weight) in self._lists.items()}
        return FusionRecord(parts, sum(parts.values(), np.zeros(len(positions))))

    def everything(self) -> FusionRecord:
        """Return the score of every position."""
        return self.of(np.arange(len(self.near)))

    def scores(self) -> Floats:
        """Return the score of every position, without its parts."""
        return self.near if self._exact else self.everything().scores

    def bounds(self, positions: Ints) -> tuple[Floats, Floats]:
        """Return how much and how little each position can score, as far as the rankings know without being exact."""
        return self.near[positions] + self.slack, self.near[positions] - self.slack

    def leaders(self, count: int, forced: Bools | None) -> tuple[Ints, Floats] | None:
        """Return positions among which are the first `count`, and their scores; None where ranking all costs no more.

        forced: None where nobody is.
        """
        if 2 * count >= len(self.near):
            return None
        enough = np.partition(self.near, -count)[-count]
        possible: Bools = self.near >= max(enough - 2 * self.slack, self.floor - self.slack)
        if forced is not None:
            possible |= forced
        places: Ints = possible.nonzero()[0]
        return places, self.near[places] if self._exact else self.of(places).scores


def score_weights(settings: Settings, meaning: float) -> Mapping[str, float]:
    """Return what one point of each list's measure adds to the score. meaning: that of a similarity, which depends on the model."""
    return {"dense": meaning, "sparse": settings.words_weight, "anchor": settings.name_weight, "split": settings.part_weight}


def lifted_by_parts(parts: Sequence[ScoreFusion], reach: float) -> Ranking:
    """Say how far each tool is within `reach` of the best score for some part of a question; 0 for one that is not.

    So a part lifts the few tools that answer it, whatever the others score.
    """
    starts = [part.best - reach for part in parts]
    near: Floats = reduce(np.maximum, (part.near - start for part, start in zip(parts, starts, strict=True)), np.zeros(len(parts[0].near)))
    exact = lambda positions: reduce(
        np.maximum, (part.of(positions).scores - start for part, start in zip(parts, starts, strict=True)), np.zeros(len(positions))
    )
    return Ranking(near, max(part.slack for part in parts), exact)


def _ranked_values(ranking: Ranking, positions: Ints) -> Floats:
    values = ranking.values_of(positions)
    return values if ranking.ranks_all else np.where(ranking.counts(positions), values, 0.0)


def _counted(ranking: Ranking, near: Floats) -> Floats:
    """Return what a list counts for: 0 where it does not rank."""
    if ranking.ranks_all:
        return near
    return np.maximum(near, 0.0) if ranking.above == 0 else np.where(near > ranking.above, near, 0.0)
