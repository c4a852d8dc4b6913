"""What a suggested phrase gains and costs, in words. Pure: no Streamlit."""

from __future__ import annotations

from curator_core import Count, Suggestion
from curator_core.compare import ENOUGH
from dashboard.compare.comparison_tables import signed
from dashboard.tables import decimals


def gain(one: Suggestion) -> str:
    """Return what the phrase does for the question and for the tool's other test queries."""
    before, after = (str(rank) if rank else "in neither list" for rank in (one.before, one.after))
    return f"This question: {before} → {after} · the tool's other test queries: {_turned(one.sisters)}"


def cost(one: Suggestion) -> str:
    """Return what it does to the test queries of other tools."""
    return f"Other tools: {_turned(one.others)}; found in the first 5: {_recall(one)}"


def _turned(count: Count) -> str:
    if not count.queries:
        return "there are none"
    return f"{count.fixed:,} fixed, {count.broke:,} broke of {count.queries:,}"


def _recall(one: Suggestion) -> str:
    if one.recall is None or one.others.queries < ENOUGH:
        return f"too few queries to say (n = {one.others.queries})"
    before, after = one.recall
    return f"{decimals(before, 3)} → {decimals(after, 3)} ({signed(after - before)})"
