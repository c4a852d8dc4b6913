"""All profiles on a registry's own test queries: which serves them, how many tools each takes, and what each notices as unanswerable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from curator_core.curator import Curator
from curator_core.declarations import Cost
from curator_core.evaluation import Evaluation, evaluate
from curator_core.proof.recall_curve import RecallCurve, recall_curve
from curator_core.proof.recommendation import Recommendation, recommend
from curator_core.proof.sureness import Sureness
from curator_core.queries.held_out import without_held_out
from curator_core.settings import PROFILE_NAMES, Settings
from curator_core.tool import TestQuery


@dataclass(frozen=True)
class ProfileFigures:
    """What each profile does on the test queries. curves: in the order of the profiles; sureness: empty without a model."""

    advice: Recommendation
    curves: tuple[RecallCurve, ...]
    sureness: Mapping[str, Sureness]

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as JSON-serialisable values."""
        lists = {
            "curves": [curve.to_dict() for curve in self.curves],
            "no_tool": {name: one.to_dict() for name, one in self.sureness.items()},
        }
        return {"advice": self.advice.to_dict()} | lists


def settings_by_profile(settings: Settings) -> dict[str, Settings]:
    """Return a registry's settings under each profile: what it has set apart from its own profile's defaults counts in all of them."""
    return {name: settings.with_values({"profile": name}) for name in PROFILE_NAMES}


def profile_figures(
    curator: Curator,
    cases: Iterable[TestQuery],
    progress: Callable[[int, int], None] | None = None,
    cost: Callable[[str], Cost] | None = None,
) -> ProfileFigures:
    """Ask the test queries under each profile; only those with a known answer (a right tool, or none) that are not held out.

    progress: called with (questions done, questions in all). cost: what a tool's declaration costs, where that is kept.
    """
    asked = [case for case in without_held_out(cases) if case.expected is not None]
    wanted = tuple(settings_by_profile(curator.settings).values())

    def ask(number: int, settings: Settings) -> Evaluation:
        start, total = number * len(asked), len(wanted) * len(asked)
        return evaluate(curator, asked, settings, (lambda done, _: progress(start + done, total)) if progress else None)

    runs = [ask(number, settings) for number, settings in enumerate(wanted)]
    found = {run.settings.profile: run.sureness for run in runs}
    return ProfileFigures(
        recommend(runs[0], runs[1], curator.settings.profile),
        tuple(recall_curve(run, curator.index, cost) for run in runs),
        {name: one for name, one in found.items() if one is not None},
    )
