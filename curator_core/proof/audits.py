"""Audits: what the name rule and the split of two-in-one questions do to the test queries, each asked with the stage and without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from curator_core.curator import Curator
from curator_core.evaluation import evaluate
from curator_core.proof.query_result import QueryResult, right_within
from curator_core.queries.held_out import without_held_out
from curator_core.settings import Settings
from curator_core.splitting import split_query
from curator_core.tool import TestQuery
from curator_core.trace import Trace

Outcome = Literal["helped", "hurt", "same"]
Ranks = tuple[tuple[str, int | None], ...]
_LIFTED = 3  # tools that are named where the rule is soft
_AT_LEAST = 20  # tools that a test query asks for (curator_core.evaluation)


@dataclass(frozen=True, slots=True)
class AuditCase:
    """What a stage does to one test query.

    without, with_: the rank of each expected tool without the stage and with it, None = not in the answer. outcome: "helped" where the
    expected tools stand higher with it, by the sum of 1 / rank; "hurt" where they stand lower. brought, displaced: expected tools that
    stand where they should (in the first 5) only with it, or only without it. forced: for the name rule, the tools that it puts first, or
    the few that it lifts most where it is soft, each with the words of its name in the question. markers, parts: for the split, the
    joining words and the parts.
    """

    case: TestQuery
    without: Ranks
    with_: Ranks
    outcome: Outcome
    brought: tuple[str, ...]
    displaced: tuple[str, ...]
    forced: tuple[tuple[str, tuple[str, ...]], ...] = ()
    markers: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the case as JSON-serialisable values; the question by its text."""
        lists = {name: list(getattr(self, name)) for name in ("brought", "displaced", "markers", "parts")}
        ranks = {"without": dict(self.without), "with": dict(self.with_)}
        forced = {key: list(words) for key, words in self.forced}
        return {"query": self.case.query, "outcome": self.outcome, **ranks, **lists, "forced": forced}


@dataclass(frozen=True, slots=True)
class Audit:
    """A stage on the test set. queries: test queries that were asked, of those that name a right tool and are not held out.

    cases: those that the stage touches, what it hurt first, then what it helped, then the others, each in the order of the file. soft: it
    puts no tool first and only adds to scores; it then touches a question when a name that is said moves a right tool.
    """

    queries: int
    cases: tuple[AuditCase, ...]
    soft: bool = False

    def count(self, outcome: Outcome) -> int:
        """How many questions have this outcome."""
        return sum(case.outcome == outcome for case in self.cases)

    @property
    def brought(self) -> int:
        """For how many questions an expected tool stands where it should only with the stage."""
        return sum(bool(case.brought) for case in self.cases)

    @property
    def displaced(self) -> int:
        """For how many questions an expected tool stands where it should only without the stage."""
        return sum(bool(case.displaced) for case in self.cases)

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as JSON-serialisable values."""
        counts: dict[str, Any] = {"queries": self.queries, "touched": len(self.cases)}
        counts |= {"helped": self.count("helped"), "hurt": self.count("hurt"), "brought": self.brought, "displaced": self.displaced}
        return counts | {"cases": [case.to_dict() for case in self.cases]}


@dataclass(frozen=True, slots=True)
class ForcedTool:
    """A tool that the name rule puts first. forced: in how many questions; right: in how many of them it is expected; hurt: how many of
    the others have their expected tools lower for it. words: of its name, the most frequent first.
    """

    key: str
    forced: int
    right: int
    hurt: int
    words: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the tool as JSON-serialisable values."""
        return asdict(self) | {"words": list(self.words)}


def audit_name_rule(curator: Curator, cases: Iterable[TestQuery], progress: Callable[[int, int], None] | None = None) -> Audit:
    """Ask the test queries with the name rule and without it. progress: called with (questions done, questions in all)."""
    settings = curator.settings.with_values({"anchor": True})
    judged, seen = _judged(curator, cases, settings), dict[TestQuery, dict[str, Any]]()
    touched = _lifted if settings.soft_anchor else _forced
    for number, case in enumerate(judged, 1):
        trace = curator.curate(case.query, max(_AT_LEAST, settings.top_k), case.role, settings=settings)
        if found := touched(trace):
            seen[case] = {"forced": tuple(found.items())}
        if progress:
            progress(number, len(judged))
    audit = _audit(curator, judged, settings, "anchor", seen)
    if not settings.soft_anchor:
        return audit
    return Audit(audit.queries, tuple(case for case in audit.cases if case.without != case.with_), soft=True)


def audit_split(curator: Curator, cases: Iterable[TestQuery]) -> Audit:
    """Ask the test queries that are split with the split and without it."""
    settings = curator.settings.with_values({"split": True})
    judged, seen = _judged(curator, cases, settings), dict[TestQuery, dict[str, Any]]()
    for case in judged:
        split = split_query(case.query, max(_AT_LEAST, settings.top_k), settings)
        if split.parts:
            seen[case] = {"markers": split.markers, "parts": tuple(part.query for part in split.parts)}
    return _audit(curator, judged, settings, "split", seen)


def forced_tools(audit: Audit) -> tuple[ForcedTool, ...]:
    """Return the tools that the name rule puts first, or lifts, in order of (questions that it hurts, questions where it is wrong, key)."""
    forced, right, hurt, words = Counter[str](), Counter[str](), Counter[str](), dict[str, Counter[str]]()
    for one in audit.cases:
        expected = set(one.case.expected or ())
        for key, named in one.forced:
            forced[key] += 1
            right[key] += key in expected
            hurt[key] += key not in expected and one.outcome == "hurt"
            words.setdefault(key, Counter()).update(named)
    order = sorted(forced, key=lambda key: (-hurt[key], right[key] - forced[key], key))
    own = {key: tuple(sorted(words[key], key=lambda word: (-words[key][word], word))) for key in order}
    return tuple(ForcedTool(key, forced[key], right[key], hurt[key], own[key]) for key in order)


# -- pieces


def _judged(curator: Curator, cases: Iterable[TestQuery], settings: Settings) -> list[TestQuery]:
    open_cases = [case for case in dict.fromkeys(without_held_out(cases)) if case.expected]
    return [result.case for result in evaluate(curator, open_cases, settings).having("judged")]


def _forced(trace: Trace) -> dict[str, tuple[str, ...]]:
    """Return the tools that the name rule puts first in some pass, with the words of their names in the question."""
    forced: dict[str, tuple[str, ...]] = {}
    for one in trace.passes:
        if one.anchor is not None:
            for position in np.flatnonzero(one.anchor.forced).tolist():
                forced.setdefault(trace.pool[position], one.anchor.words_of(position))
    return forced


def _lifted(trace: Trace) -> dict[str, tuple[str, ...]]:
    """Return the tools of an answer that the soft name rule lifts most, at most three, with the words of their names in the question."""
    rows = [trace.row(0, pick.position) for pick in trace.picks]
    lifted = sorted((row for row in rows if row.parts.get("anchor", 0.0) > 0), key=lambda row: (-row.parts["anchor"], row.tool))
    return {row.tool: row.forced_by for row in lifted[:_LIFTED]}


def _audit(curator: Curator, judged: Sequence[TestQuery], settings: Settings, stage: str, seen: dict[TestQuery, dict[str, Any]]) -> Audit:
    runs = [evaluate(curator, seen, settings.with_values({stage: on})).results for on in (False, True)]
    cases = [_case(without, with_, seen[with_.case]) for without, with_ in zip(*runs, strict=True)]
    order: tuple[Outcome, ...] = ("hurt", "helped", "same")
    return Audit(len(judged), tuple(sorted(cases, key=lambda case: order.index(case.outcome))))


def _case(without: QueryResult, with_: QueryResult, seen: dict[str, Any]) -> AuditCase:
    before, after = dict(without.ranks), dict(with_.ranks)
    gains = [sum(1 / rank for rank in ranks.values() if rank) for ranks in (before, after)]
    outcome: Outcome = "same" if abs(gains[0] - gains[1]) < 1e-9 else "helped" if gains[1] > gains[0] else "hurt"
    inside = [
        {key for key, rank in result.ranks.items() if rank and rank <= right_within(result.case, result.given)}
        for result in (without, with_)
    ]
    brought, displaced = (tuple(key for key in before if key in some) for some in (inside[1] - inside[0], inside[0] - inside[1]))
    return AuditCase(without.case, tuple(before.items()), tuple(after.items()), outcome, brought, displaced, **seen)
