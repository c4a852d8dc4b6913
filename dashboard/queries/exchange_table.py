"""What taking over a file of test queries would do, as tables and short texts. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from curator_core import Planned, Problem, QueryFile, QueryPlan, TestQuery, UnknownTool
from dashboard.queries.query_table import expected_text
from dashboard.tables import visible

FORMATS = {"csv": "a table", "jsonl": "JSON lines", "qrels": "qrels and topics"}
_FIELDS = ("query", "expected", "forbidden", "role", "tags", "critical", "note")


def unreadable(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the lines that are not used."""
    return tuple(problem for problem in problems if problem.level == "error")


def plan_counts(read: QueryFile, plan: QueryPlan) -> tuple[tuple[str, int], ...]:
    """Return how many rows would be new, change something, are there already, cannot be used, or are left out."""
    counts = (
        ("new", len(plan.new)),
        ("changed", len(plan.changed)),
        ("same", len(plan.same)),
        ("unreadable", len(unreadable(read.problems))),
        ("repeated", len(unreadable(plan.problems))),
        ("left out", len(plan.left_out)),
    )
    return tuple((name, count) for name, count in counts if count or name in ("new", "changed", "same", "unreadable"))


def plan_table(planned: Sequence[Planned]) -> pd.DataFrame:
    """Return one row a test query that would be new or change: its line, its question and tools, and what changes."""
    rows = [
        (one.row.line, "new" if one.old is None else "changed", visible(one.new.query), expected_text(one.new), _changes(one))
        for one in planned
    ]
    return pd.DataFrame(rows, columns=["line", "", "query", "expected", "what changes"])


def unknown_table(unknown: Sequence[UnknownTool]) -> pd.DataFrame:
    """Return one row a tool that is not there: how many test queries name it, and which names are like it."""
    rows = [(visible(one.name), len(one.cases), visible(", ".join(one.near)) or "–") for one in unknown]
    return pd.DataFrame(rows, columns=["tool that is not there", "queries", "names like it"])


def take_over_text(plan: QueryPlan) -> str:
    """Return what the button that takes over says."""
    parts = [f"{len(some):,} {name}" for name, some in (("new", plan.new), ("changed", plan.changed)) if some]
    return f"Take over: {', '.join(parts)}" if parts else "Nothing to take over"


def _changes(one: Planned) -> str:
    if one.old is None:
        return ""
    return "; ".join(
        f"{name}: {_text(one.old, name)} → {_text(one.new, name)}" for name in _FIELDS if getattr(one.old, name) != getattr(one.new, name)
    )


def _text(case: TestQuery, name: str) -> str:
    if name == "expected":
        return expected_text(case) or "(not judged)"
    value = getattr(case, name)
    return visible(", ".join(value) if isinstance(value, tuple) else str(value or "")) or "–"
