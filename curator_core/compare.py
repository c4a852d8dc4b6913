"""Compare two evaluations question by question: what an edit, a profile or a week of work fixed, broke or moved.

A question is the same on both sides when its text and its role are; of several such, the first goes with the first.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from curator_core.evaluation import Evaluation
from curator_core.proof.paired import ENOUGH as ENOUGH
from curator_core.proof.paired import MetricChange, metric_changes
from curator_core.proof.query_changes import VERDICTS, QueryChange, Verdict, change_between
from curator_core.proof.query_result import RIGHT_WITHIN, QueryResult
from curator_core.queries.held_out import is_held_out
from curator_core.registry import TestQuery
from curator_core.text import plural


@dataclass(frozen=True, slots=True)
class Side:
    """What one side of a comparison was. queries: questions in its set; judged: those with a right tool; no_tool: those without."""

    name: str
    registry: str
    profile: str
    settings: Mapping[str, object]
    model: str | None
    fingerprint: str
    queries: int
    judged: int
    no_tool: int


@dataclass(frozen=True, slots=True)
class Group:
    """The questions of one tag or role, those judged on both sides. queries: how many; fixed, broke: how many of them.

    metrics: with intervals where there are at least 20 questions.
    """

    name: str
    queries: int
    fixed: int
    broke: int
    metrics: tuple[MetricChange, ...]


@dataclass(frozen=True)
class Comparison:
    """What became of each question between two evaluations. changes: in the later side's order, then those only the earlier one has.

    Held-out questions have their figures apart; `metrics`, `by_tag` and `by_role` are without them.
    """

    before: Side
    after: Side
    changes: tuple[QueryChange, ...]

    def having(self, *verdicts: Verdict) -> tuple[QueryChange, ...]:
        """Return the changes with one of these verdicts."""
        return tuple(change for change in self.changes if change.verdict in verdicts)

    @cached_property
    def shown(self) -> tuple[QueryChange, ...]:
        """The changes that may be shown to somebody who writes text: without those of held-out questions."""
        return tuple(change for change in self.changes if not is_held_out(change.case))

    @cached_property
    def held_out_counts(self) -> dict[Verdict, int]:
        """How many held-out questions have each verdict."""
        found = Counter(change.verdict for change in self.changes if is_held_out(change.case))
        return {verdict: found[verdict] for verdict in VERDICTS}

    @cached_property
    def counts(self) -> dict[Verdict, int]:
        """How many questions have each verdict."""
        found = Counter(change.verdict for change in self.changes)
        return {verdict: found[verdict] for verdict in VERDICTS}

    @cached_property
    def metrics(self) -> tuple[MetricChange, ...]:
        """Each metric over the questions that both sides judge, with intervals where there are at least 20."""
        return _figures(self._judged(held_out=False))

    @cached_property
    def held_out(self) -> tuple[MetricChange, ...]:
        """The same over the held-out questions; empty where there are none."""
        return _figures(self._judged(held_out=True))

    def means(self, names: Collection[str], held_out: bool = False) -> tuple[MetricChange, ...]:
        """Return some of the metrics without intervals, which take most of the time."""
        return metric_changes(_pairs(self._judged(held_out)), only=names)

    @cached_property
    def by_tag(self) -> tuple[Group, ...]:
        """The figures per tag, sorted."""
        return self._groups(lambda case: case.tags)

    @cached_property
    def by_role(self) -> tuple[Group, ...]:
        """The figures per role, sorted; questions without a role stand under ""."""
        return self._groups(lambda case: (case.role or "",))

    @property
    def no_tool(self) -> dict[str, int]:
        """Of the questions that no tool fits, on both sides: how many there are and how many each side flagged."""
        pairs = [(one.before, one.after) for one in self.changes if one.before and one.after and one.after.status == "no_tool"]
        known = [(before.right, after.right) for before, after in pairs if before.right is not None]
        return {"queries": len(known), "before": sum(bool(old) for old, _ in known), "after": sum(bool(new) for _, new in known)}

    @property
    def unjudged(self) -> dict[str, float | int | None]:
        """How alike the answers are to the questions that nobody has judged: their number and the means of both measures."""
        some = [change for change in self.changes if change.after and change.after.status == "unjudged" and change.overlap is not None]
        means = {name: sum(getattr(change, name) for change in some) / len(some) if some else None for name in ("overlap", "jaccard")}
        return {"queries": len(some), **means}

    @property
    def headline(self) -> str:
        """The result in one sentence; it names no change of a mean on fewer than 20 questions."""
        tally = f"{self.counts['fixed']} fixed, {self.counts['broke']} broke"
        held_out = f"; held out: {_said(self.held_out)}" if self.held_out else ""
        return f"{tally}; {_said(self.metrics)}{held_out}"

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON-serialisable values; of held-out questions, and of those right and unmoved, only the number."""
        return {
            "before": dataclasses.asdict(self.before),
            "after": dataclasses.asdict(self.after),
            "headline": self.headline,
            "counts": self.counts,
            "held_out_counts": self.held_out_counts,
            **{name: [_listed(change) for change in getattr(self, name)] for name in ("metrics", "held_out")},
            **{name: [_listed_group(group) for group in getattr(self, name)] for name in ("by_tag", "by_role")},
            "no_tool": self.no_tool,
            "unjudged": self.unjudged,
            "changes": [change.to_dict() for change in self.shown if change.verdict != "still right"],
        }

    def _judged(self, held_out: bool) -> list[QueryChange]:
        return [change for change in self.changes if _is_judged(change) and is_held_out(change.case) == held_out]

    def _groups(self, names: Callable[[TestQuery], Iterable[str]]) -> tuple[Group, ...]:
        members: dict[str, list[QueryChange]] = {}
        for change in self._judged(held_out=False):
            for name in dict.fromkeys(names(change.case)):
                members.setdefault(name, []).append(change)
        return tuple(_group(name, some) for name, some in sorted(members.items()))


def compare_runs(
    before: Evaluation, after: Evaluation, renames: Mapping[str, str] | None = None, names: tuple[str, str] = ("before", "after")
) -> Comparison:
    """Compare two evaluations, the earlier first.

    renames: the key of now for each tool key that changed; names: what the sides are called on the screen and in receipts.
    """
    earlier: dict[tuple[str, str | None], list[QueryResult]] = {}
    for result in before.results:
        earlier.setdefault((result.case.query, result.case.role), []).append(result)
    changes = []
    for result in after.results:
        waiting = earlier.get((result.case.query, result.case.role))
        changes.append(change_between(waiting.pop(0) if waiting else None, result, renames or {}))
    gone = {id(result) for waiting in earlier.values() for result in waiting}
    changes += [
        QueryChange(one.case, "unknown", one, None, f"a question of the {names[0]} side only") for one in before.results if id(one) in gone
    ]
    return Comparison(_side(names[0], before), _side(names[1], after), tuple(changes))


def _side(name: str, run: Evaluation) -> Side:
    counts = (len(run.results), len(run.having("judged")), len(run.having("no_tool")))
    return Side(name, run.registry, run.settings.profile, run.settings.changed(), run.model, run.fingerprint, *counts)


def _is_judged(change: QueryChange) -> bool:
    return bool(change.before and change.after and change.before.metrics and change.after.metrics)


def _pairs(changes: Iterable[QueryChange]) -> list[tuple[Mapping[str, float], Mapping[str, float]]]:
    return [(change.before.metrics, change.after.metrics) for change in changes if change.before and change.after]


def _figures(changes: Sequence[QueryChange]) -> tuple[MetricChange, ...]:
    return metric_changes(_pairs(changes), intervals=len(changes) >= ENOUGH)


def _group(name: str, changes: Sequence[QueryChange]) -> Group:
    found = Counter(change.verdict for change in changes)
    return Group(name, len(changes), found["fixed"], found["broke"], _figures(changes))


def _said(metrics: Iterable[MetricChange]) -> str:
    found = next((one for one in metrics if one.name == f"recall@{RIGHT_WITHIN}"), None)
    if found is None or found.queries < ENOUGH:
        count = found.queries if found else 0
        return f"too few queries to say ({count} judged on both sides, {ENOUGH} are the least)"
    doubt = "" if found.clear or not found.difference else ", no clear change"
    return f"{found.name} {found.before:.3f} → {found.after:.3f} ({found.difference:+.3f}{doubt}, {plural(found.queries, 'query')})"


def _listed(change: MetricChange) -> dict[str, Any]:
    return dataclasses.asdict(change) | {"difference": change.difference, "interval": list(change.interval) if change.interval else None}


def _listed_group(group: Group) -> dict[str, Any]:
    return dataclasses.asdict(group) | {"metrics": [_listed(change) for change in group.metrics]}
