"""The gate: checks that an evaluation has to pass, for a build that must not go on when the registry got worse.

--fail-under recall@5=0.9        a figure over all judged questions; hard:recall@5=0.5 over those with a tag (or tune, held_out);
                                 no_tool=0.3 is the share of flagged questions among those that no tool fits
--fail-on broke                  a question that was right in the baseline and is not
--fail-on critical               a critical question that is not right, or cannot be asked
--fail-on failing                any question that is not right
--fail-on invalid                a question that cannot be asked, or a line that is none
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from curator_core.compare import Comparison
from curator_core.errors import SettingsError
from curator_core.evaluation import Evaluation
from curator_core.proof.query_result import measure
from curator_core.queries.held_out import is_held_out

Reason = Literal["broke", "critical", "failing", "invalid"]
REASONS: tuple[Reason, ...] = get_args(Reason)
_NAMED = 3  # questions that a check names
_METRICS = tuple(name for name in measure((), ("x",)))


@dataclass(frozen=True, slots=True)
class Limit:
    """The least that a figure may be. group: the tag of the questions it counts, "" for all."""

    group: str
    metric: str
    least: float

    @property
    def name(self) -> str:
        return f"{self.group}:{self.metric}" if self.group else self.metric


@dataclass(frozen=True, slots=True)
class Check:
    """One check. name: as it was asked for; found: what was found, in words; results: which of the evaluation's results are at fault."""

    name: str
    passed: bool
    found: str
    results: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the check as JSON-serialisable values."""
        return dataclasses.asdict(self) | {"results": list(self.results)}


def parse_limits(texts: Iterable[str]) -> tuple[Limit, ...]:
    """Read METRIC=NUMBER or TAG:METRIC=NUMBER, several in one text parted by blanks or commas. Raises SettingsError."""
    return tuple(_limit(word) for text in texts for word in text.replace(",", " ").split())


def parse_reasons(texts: Iterable[str], has_baseline: bool) -> tuple[Reason, ...]:
    """Read what to fail on, several in one text parted by blanks or commas. Raises SettingsError."""
    words = [word for text in texts for word in text.replace(",", " ").split()]
    for word in words:
        if word not in REASONS:
            raise SettingsError(f"--fail-on {word}: choose from {', '.join(REASONS)}")
    if "broke" in words and not has_baseline:
        raise SettingsError("--fail-on broke: only a run from before can say what broke; give it with --baseline FILE")
    return tuple(cast(Reason, word) for word in dict.fromkeys(words))


def run_checks(
    evaluation: Evaluation, comparison: Comparison | None, limits: Iterable[Limit], reasons: Iterable[Reason]
) -> tuple[Check, ...]:
    """Return every check with its result, limits first. Raises SettingsError for a tag that no judged question has."""
    return (*(_under(evaluation, limit) for limit in limits), *(_on(evaluation, comparison, reason) for reason in reasons))


def _limit(text: str) -> Limit:
    name, _, number = text.rpartition("=")
    group, _, metric = name.rpartition(":")
    if metric not in (*_METRICS, "no_tool") or (group and metric == "no_tool"):
        raise SettingsError(f"--fail-under {text}: write METRIC=NUMBER, such as recall@5=0.9; metrics: {', '.join(_METRICS)}, no_tool")
    try:
        least = float(number)
    except ValueError:
        least = -1.0
    if not 0 <= least <= 1:
        raise SettingsError(f"--fail-under {text}: {number!r} is no number from 0 to 1")
    return Limit(group, metric, least)


def _under(evaluation: Evaluation, limit: Limit) -> Check:
    value, count = _figure(evaluation, limit)
    name = f"{limit.name} >= {limit.least:g}"
    if value is None:
        return Check(name, False, "there is no question to measure it on")
    return Check(name, value >= limit.least, f"{limit.name} is {value!r} on {count} {'question' if count == 1 else 'questions'}")


def _figure(evaluation: Evaluation, limit: Limit) -> tuple[float | None, int]:
    if limit.metric == "no_tool":
        return evaluation.no_tool["rate"], len(evaluation.having("no_tool"))
    if not limit.group:
        return evaluation.metrics[limit.metric], len(evaluation.having("judged"))
    tune, held_out = evaluation.apart
    apart = {"tune": tune, "held_out": held_out}.get(limit.group)
    if apart is not None and limit.group not in evaluation.by_tag:
        return apart.metrics[limit.metric], len(apart.having("judged"))
    means = evaluation.by_tag.get(limit.group)
    if means is None:
        known = ", ".join(evaluation.by_tag) or "none"
        raise SettingsError(f"--fail-under {limit.name}: no judged question has the tag {limit.group!r}; there are: {known}")
    return means[limit.metric], int(means["queries"] or 0)


def _on(evaluation: Evaluation, comparison: Comparison | None, reason: Reason) -> Check:
    results = list(enumerate(evaluation.results))
    if reason == "broke":
        broke = comparison.having("broke") if comparison else ()
        at_fault = [number for number, result in results if any(result is change.after for change in broke)]
    elif reason == "critical":
        at_fault = [number for number, result in results if result.case.critical and not result.right]
    elif reason == "failing":
        at_fault = [number for number, result in results if result.right is False]
    else:
        at_fault = [number for number, result in results if result.status == "invalid"]
    cases = [evaluation.results[number].case for number in at_fault]
    named = ["a held-out question" if is_held_out(case) else f"“{case.query}”" for case in cases]
    named += evaluation.unread if reason == "invalid" else ()
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    found = f"{len(named)} {reason}: {', '.join(named[:_NAMED])}{more}" if named else "none"
    return Check(f"no {reason}", not named, found, tuple(at_fault))
