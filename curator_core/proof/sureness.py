"""How well the best meaning match tells questions that no tool fits from those that a tool answers: counts, AUROC and a histogram."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from curator_core.no_tool import NoToolLine
from curator_core.proof.paired import too_few
from curator_core.proof.query_result import QueryResult

BIN = 0.05  # how wide a step of the histogram is


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the histogram: test queries whose best meaning match is from `low` up to `low` + BIN, by kind."""

    low: float
    answered: int
    no_tool: int


@dataclass(frozen=True, slots=True)
class Sureness:
    """The line against a run's test queries.

    answered: questions that name a right tool, flagged_wrongly: those of them below the line. no_tool: questions that no tool fits,
    flagged: those of them below it. auroc: how likely a question of the first kind has the higher best match than one of the second,
    0.5 = by chance; None where a kind is missing. steps: the histogram, ascending.
    """

    line: NoToolLine
    answered: int
    flagged_wrongly: int
    no_tool: int
    flagged: int
    auroc: float | None
    steps: tuple[Step, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the line does, in plain words."""
        said = [f"The line stands at {self.line.value:.2f}: {self.line.sentence}."]
        said.append(f"Below it, so flagged though a tool is right: {self.flagged_wrongly} of {self.answered}.")
        if not self.no_tool:
            said.append("No test query says that no tool fits: add some (expected: none), and see here how many of them are noticed.")
            return tuple(said)
        few = too_few(self.no_tool)
        said.append(f"Below it, so noticed where no tool fits: {self.flagged} of {self.no_tool}{f'; {few}' if few else ''}.")
        if self.auroc is not None and not few:
            pairs = f"{self.auroc:.0%} of all pairs (AUROC {self.auroc:.3f})"
            said.append(f"Of a question that a tool answers and one that none does, the first has the better match in {pairs}.")
        return tuple(said)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON-serialisable values."""
        return asdict(self) | {"line": self.line.to_dict(), "steps": [asdict(step) for step in self.steps]}


def sureness(results: Iterable[QueryResult], line: NoToolLine) -> Sureness:
    """Return what the line does to the results of a run; those without a best meaning match are left out."""
    known = [(one, one.max_similarity) for one in results if one.max_similarity is not None]
    answered = [best for one, best in known if one.status == "judged"]
    no_tool = [best for one, best in known if one.status == "no_tool"]
    wrongly, flagged = (sum(best < line.value for best in some) for some in (answered, no_tool))
    return Sureness(line, len(answered), wrongly, len(no_tool), flagged, auroc(answered, no_tool), _steps(answered, no_tool))


def auroc(higher: Sequence[float], lower: Sequence[float]) -> float | None:
    """Return the share of pairs in which the first kind's number is the higher one, equal ones counted half; None without pairs."""
    if not higher or not lower:
        return None
    ordered = np.sort(np.array(lower))
    below, up_to = (np.searchsorted(ordered, higher, side=side).sum() for side in ("left", "right"))
    return float((below + up_to) / 2 / (len(higher) * len(lower)))


def _steps(answered: Sequence[float], no_tool: Sequence[float]) -> tuple[Step, ...]:
    places = [np.floor(np.array(some) / BIN + 1e-9).astype(np.int64) for some in (answered, no_tool)]
    everything = np.concatenate(places)
    if not len(everything):
        return ()
    first, last = int(everything.min()), int(everything.max())
    counts = [np.bincount(some - first, minlength=last - first + 1).tolist() for some in places]
    return tuple(Step(round((first + at) * BIN, 2), *pair) for at, pair in enumerate(zip(*counts, strict=True)))
