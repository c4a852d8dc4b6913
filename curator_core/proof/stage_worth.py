"""What each stage is worth on the author's test queries: all of them asked with the stage and without it, question by question."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal

from curator_core.compare import ENOUGH, Comparison, compare_runs
from curator_core.curator import Curator
from curator_core.evaluation import Evaluation, evaluate
from curator_core.proof.paired import MetricChange
from curator_core.queries.held_out import without_held_out
from curator_core.settings import Settings, switches_of
from curator_core.tool import TestQuery

MEASURES = ("hit@1", "recall@5")
Worth = Literal["helps", "hurts", "both", "no clear change", "no change", "too few to say"]
_LABELS = {spec.name: str(spec.metadata.get("label", spec.name)) for spec in fields(Settings)}


@dataclass(frozen=True)
class StageWorth:
    """One stage. on: whether the settings have it on. comparison: the test queries without it ("before") and with it ("after")."""

    stage: str
    profile: str
    on: bool
    comparison: Comparison

    @property
    def label(self) -> str:
        """The stage's name on the screen."""
        return _LABELS[self.stage]

    @property
    def changes(self) -> tuple[MetricChange, ...]:
        """The figures that a stage is judged by, without it and with it."""
        return tuple(one for one in self.comparison.metrics if one.name in MEASURES)

    @property
    def verdict(self) -> Worth:
        """What the figures say together: the stage helps where one of them is clearly higher with it and none clearly lower."""
        if not self.changes or self.changes[0].queries < ENOUGH:
            return "too few to say"
        signs = {one.difference > 0 for one in self.changes if one.clear}
        if len(signs) == 2:
            return "both"
        if signs:
            return "helps" if True in signs else "hurts"
        return "no clear change" if any(one.wins or one.losses for one in self.changes) else "no change"

    def to_dict(self) -> dict[str, Any]:
        """Return the stage as JSON-serialisable values."""
        told = self.comparison.to_dict()
        kept = {name: told[name] for name in ("metrics", "by_tag", "no_tool")}
        return {"stage": self.stage, "label": self.label, "profile": self.profile, "on": self.on, "verdict": self.verdict} | kept


def stage_worths(
    curator: Curator,
    cases: Iterable[TestQuery],
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[StageWorth, ...]:
    """Ask the test queries as the settings are, and once more for each stage with that one switched over.

    Only questions with a known answer (a right tool, or none) that are not held out. progress: called with (questions done, in all).
    """
    settings = settings or curator.settings
    asked = [case for case in without_held_out(cases) if case.expected is not None]
    stages = switches_of(settings.profile)
    total = len(asked) * (len(stages) + 1)

    def ask(number: int, some: Settings) -> Evaluation:
        tell = (lambda done, _: progress(number * len(asked) + done, total)) if progress else None
        return evaluate(curator, asked, some, tell)

    as_it_is, found = ask(0, settings), []
    for number, stage in enumerate(stages, 1):
        on = bool(getattr(settings, stage))
        other = ask(number, settings.with_values({stage: not on}))
        sides = (other, as_it_is) if on else (as_it_is, other)
        found.append(StageWorth(stage, settings.profile, on, compare_runs(*sides, names=("without", "with"))))
    return tuple(found)
