"""Suggested texts for tools as rows and sentences. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from curator_core import Count, QueryChange, Refusal, Registry, ToolAdvice, ToolIdea, ToolSuggestion
from curator_core.compare import ENOUGH
from dashboard.tables import frame, plural, visible

if TYPE_CHECKING:
    import pandas as pd

LOSERS_NAMED = 3
IN_DRAFT = "✓ in your draft"


def suggestions_table(found: Sequence[ToolSuggestion], registry: Registry) -> pd.DataFrame:
    """Return one row a suggestion: what is added, and what it does by itself."""
    columns: dict[str, list[object]] = {
        "tool": [visible(one.idea.tool) for one in found],
        "adds": [added_text(one.idea) for one in found],
        "net": [one.net for one in found],
        "its own": [_turned(one.own) for one in found],
        "others": [_turned(one.others) for one in found],
        "unseen": [f"{one.idea.before} → {one.idea.after} of {one.idea.asked}" for one in found],
        "who loses": [losers_text(one.losers) for one in found],
        "state": [IN_DRAFT if one.idea.stands_in(registry) else "" for one in found],
    }
    return frame(columns)


def refused_table(refused: Sequence[Refusal]) -> pd.DataFrame:
    """Return one row a tool for which nothing is suggested, with the reason."""
    return frame([(visible(one.tool), one.reason) for one in refused], ["tool", "why nothing is suggested"])


def losers_table(found: Sequence[ToolSuggestion]) -> pd.DataFrame:
    """Return one row a question of another tool that is first no longer, with the suggestion that does it."""
    rows = [
        (visible(one.idea.tool), visible(change.case.query), _tools(change), visible(_first(change)))
        for one in found
        for change in one.losers
    ]
    return frame(rows, ["suggestion for", "question that loses", "its tool", "now first"])


def added_text(idea: ToolIdea) -> str:
    """Say what an idea adds to its tool."""
    words = [f"extra context: {idea.phrase}"] if idea.phrase else []
    examples = [f"{plural(len(idea.examples), 'example')}: {' · '.join(case.query for case in idea.examples)}"] if idea.examples else []
    return visible("; ".join((*words, *examples)))


def losers_text(losers: Sequence[QueryChange]) -> str:
    """Name the tools whose questions are first no longer."""
    tools = list(dict.fromkeys(_tools(change) for change in losers))
    more = f" and {len(tools) - LOSERS_NAMED:,} more" if len(tools) > LOSERS_NAMED else ""
    return ", ".join(tools[:LOSERS_NAMED]) + more


def together_lines(advice: ToolAdvice) -> tuple[str, ...]:
    """Say what all suggestions do together: to the open test queries, by unseen ones, and to those that are held out."""
    asked = sum(one.idea.asked for one in advice.suggestions)
    before, after = (sum(getattr(one.idea, side) for one in advice.suggestions) for side in ("before", "after"))
    return (
        f"All together: {_firsts(advice.first)} open test queries put the right tool first.",
        f"Judged by questions that a text was not made from: {before:,} → {after:,} of {asked:,} of these tools.",
        _held_out(advice),
    )


def _held_out(advice: ToolAdvice) -> str:
    before, after, asked = advice.held_out
    if not asked:
        return "Held-out check: no judged test query is held out. “Hold out” in the list of queries puts some aside."
    said = f"Held-out check, queries that nothing was made from: {_firsts(advice.held_out)} put the right tool first"
    if asked < ENOUGH:
        return f"{said}; too few to say more (n = {asked})."
    return f"{said}: it {'holds' if after > before else 'does not hold: take fewer' if after < before else 'neither gains nor loses'}."


def _firsts(counts: tuple[int, int, int]) -> str:
    before, after, asked = counts
    return f"{before:,} → {after:,} of {asked:,}"


def _turned(count: Count) -> str:
    return f"+{count.fixed:,} −{count.broke:,} of {count.queries:,}"


def _tools(change: QueryChange) -> str:
    return visible(", ".join(change.case.expected or ()))


def _first(change: QueryChange) -> str:
    return change.after.tools[0] if change.after and change.after.tools else ""
