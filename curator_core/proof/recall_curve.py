"""How many tools, and how many tokens of their declarations, an agent must be given to have the right one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any

from curator_core.declarations import Cost, declaration_cost
from curator_core.evaluation import Evaluation
from curator_core.index import ToolIndex

UP_TO = 20  # tools of each answer that are looked at
SHARES = (0.8, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The first `tools` of each answer. recall: the mean share of the right tools that are among them; cost: what their declarations
    cost, in the mean, in the curve's unit.
    """

    tools: int
    recall: float
    cost: float


@dataclass(frozen=True, slots=True)
class RecallCurve:
    """Recall against tools and cost. queries: questions with a right tool; unit: "tokens", or "characters" without a model that counts."""

    profile: str
    queries: int
    unit: str
    points: tuple[CurvePoint, ...]

    def needed(self, share: float) -> CurvePoint | None:
        """Return the fewest tools with which the recall reaches a share; None where UP_TO are not enough."""
        return next((point for point in self.points if point.recall >= share - 1e-9), None)

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as JSON-serialisable values."""
        needed = {f"{share:g}": asdict(found) if (found := self.needed(share)) else None for share in SHARES}
        return asdict(self) | {"points": [asdict(point) for point in self.points], "needed": needed}


def recall_curve(evaluation: Evaluation, index: ToolIndex, cost: Callable[[str], Cost] | None = None) -> RecallCurve:
    """Return the curve of a run; held-out questions do not count. cost: what a tool's declaration costs, where that is kept."""
    results = evaluation.apart[0].having("judged")
    cost = cost or (lambda key: declaration_cost(index.registry, (key,), index.encoder))
    costs = {key: cost(key) for key in _given(result.tools for result in results)}
    counted = all(one.tokens is not None for one in costs.values())
    sizes = {key: (one.tokens or 0) if counted else one.characters for key, one in costs.items()}
    points = []
    for tools in range(1, UP_TO + 1):
        recalls = [sum(rank is not None and rank <= tools for rank in result.ranks.values()) / len(result.ranks) for result in results]
        spent = [sum(sizes[key] for key in result.tools[:tools]) for result in results]
        points.append(CurvePoint(tools, _mean(recalls), _mean(spent)))
    return RecallCurve(evaluation.settings.profile, len(results), "tokens" if counted else "characters", tuple(points))


def _given(answers: Iterable[tuple[str, ...]]) -> set[str]:
    return {key for tools in answers for key in tools[:UP_TO]}


def _mean(values: list[float] | list[int]) -> float:
    return sum(values) / len(values) if values else 0.0
