"""The list of steals: which tool takes which tool's questions, strongest first, estimated from the tools' own texts alone."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from curator_core.collisions.strays import Strays
from curator_core.records import Floats, Ints

SHARE_WEIGHT, PULL_WEIGHT = 0.5, 0.08  # of the root of a share, and of the logarithm of what a thief draws from everybody …
PULL_OF_ANYBODY = 0.3  # … so much of which every tool may draw: few questions say little of the weakest
NEIGHBOURS, CROWD_WEIGHT = 3, 0.25  # how near both tools' nearest are counts against them: close says more where others are far
DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Steal:
    """A tool that probably takes another's questions. strength: orders the list, no probability.

    share: how much of the questions about the victim goes to the thief, half of them in its own words, 1 = it is first for all.
    similarity: of meanings, None without a model.
    """

    victim: str
    thief: str
    strength: float
    share: float
    similarity: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the steal as JSON-serialisable values."""
        return asdict(self)


def list_steals(strays: Strays, limit: int | None = None) -> tuple[Steal, ...]:
    """Return who takes whose questions, strongest first, equal ones in order of keys. limit: None = all pairs that were near."""
    victims, keys, shares, strengths = strays.victims, strays.keys, strays.likely, np.round(strengths_of(strays), DECIMALS)
    first = np.lexsort((strays.others, victims, -strengths))[:limit]
    return tuple(
        Steal(
            keys[victims[at]],
            keys[strays.others[at]],
            float(strengths[at]),
            round(float(shares[at]), DECIMALS),
            None if np.isnan(strays.similarities[at]) else float(strays.similarities[at]),
        )
        for at in first.tolist()
    )


def strengths_of(strays: Strays) -> Floats:
    """Return how likely the questions about each victim go to each thief, for each pair that was near."""
    return pair_strengths(strays, np.nan_to_num(strays.meant), strays.likely, strays.victims, strays.others)


def pair_strengths(strays: Strays, similarities: Floats, shares: Floats, victims: Ints, thieves: Ints) -> Floats:
    """Return the same for any pairs; the share (`Strays.likely`) of a pair that was not near is 0.

    Three things make a thief: it is closer in meaning than tools around the two usually are (local scaling, as in Conneau et al. 2018); it
    answers the questions about the victim; and it draws questions from everybody, where lists are combined by rank.
    """
    pull = PULL_WEIGHT if strays.by_rank else 0.0  # added scores leave an opening's words little to draw with
    drawn, crowded = pull * np.log(strays.pulls + PULL_OF_ANYBODY), CROWD_WEIGHT * _crowds(strays)
    return np.asarray(similarities - crowded[victims] - crowded[thieves] + SHARE_WEIGHT * np.sqrt(shares) + drawn[thieves])


def _crowds(strays: Strays) -> Floats:
    """Return how similar each tool's nearest few are to it, in the mean (n,)."""
    known = np.nan_to_num(strays.meant)
    rows = (known[strays.row(place)] for place in range(len(strays.keys)))
    return np.array([np.sort(row)[-NEIGHBOURS:].mean() if len(row) else 0.0 for row in rows])
