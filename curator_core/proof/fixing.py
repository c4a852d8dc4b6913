"""What to fix next: the tools whose test queries fail, worst first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from curator_core.evaluation import Evaluation
from curator_core.proof.query_result import QueryResult
from curator_core.queries.held_out import is_held_out

CRITICAL = 3  # ordinary failing queries that one critical failing query weighs as much as

Kind = Literal["not found", "must not come"]


@dataclass(frozen=True, slots=True)
class ToFix:
    """One tool that is in the way of its test queries, held-out ones not counted.

    kind: "not found": it is not where its queries need it; "must not come": it comes where a query forbids it. failing: these queries;
    critical: how many of them are critical; queries: how many expect (or forbid) the tool; harm: what the order goes by. first: the
    query to begin with, a critical one if there is any, then the one that is nearest to passing; why: what lost it, in a sentence.
    """

    tool: str
    kind: Kind
    failing: int
    critical: int
    queries: int
    first: QueryResult
    why: str

    @property
    def harm(self) -> int:
        """Failing queries, each critical one counted CRITICAL times."""
        return self.failing + (CRITICAL - 1) * self.critical


def fix_next(evaluation: Evaluation) -> tuple[ToFix, ...]:
    """Return the tools to fix, in order of (-harm, tool, kind)."""
    shown = [result for result in evaluation.results if result.status in ("judged", "no_tool") and not is_held_out(result.case)]
    groups: dict[tuple[str, Kind], list[tuple[QueryResult, str]]] = {}
    queries: dict[tuple[str, Kind], int] = {}
    for result in shown:
        for tool, kind in _named(result):
            queries[tool, kind] = queries.get((tool, kind), 0) + 1
        for loss in result.losses:
            if loss.tool:
                groups.setdefault((loss.tool, _kind(loss.stage)), []).append((result, loss.sentence))
    found = (_to_fix(tool, kind, some, queries[tool, kind]) for (tool, kind), some in groups.items())
    return tuple(sorted(found, key=lambda one: (-one.harm, one.tool, one.kind)))


def _named(result: QueryResult) -> Iterator[tuple[str, Kind]]:
    for tool in dict.fromkeys(result.case.expected or ()):
        yield tool, "not found"
    for tool in dict.fromkeys(result.case.forbidden):
        yield tool, "must not come"


def _kind(stage: str) -> Kind:
    return "must not come" if stage == "forbidden" else "not found"


def _to_fix(tool: str, kind: Kind, failing: list[tuple[QueryResult, str]], queries: int) -> ToFix:
    first, why = min(failing, key=lambda one: (not one[0].case.critical, _away(one[0]), one[0].case.query))
    critical = sum(result.case.critical for result, _ in failing)
    return ToFix(tool, kind, len(failing), critical, queries, first, why)


def _away(result: QueryResult) -> int:
    """Return by how many places a query fails."""
    return -result.margin.places if result.margin else 0
