"""Magnets and ghosts on the Overlap page: tools that come first for questions of others, and tools that never come, with the words why."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from curator_core import Curator, Ghost, Magnet, ToolIndex, counted_results, ghosts_of, magnets_of
from dashboard import panels, session
from dashboard.overlap.clash_panel import worked_out
from dashboard.overlap.magnet_tables import ghosts_frame, magnets_frame
from dashboard.overlap.near_panel import opened_table
from dashboard.tables import plural

_OPENS = "A click opens the tool at the right."
_RETURNED_HELP = "Test queries whose answer the tool is in, of those that an agent gets; held-out ones are not counted."
_FIRST_HELP = "Test queries for which the tool comes first."
_WRONGLY_HELP = "Of those, for how many another tool is expected: 3 or more make a magnet."
_NAME_HELP = "How many of the wrong ones the name rule brought, because the question says enough words of the tool's name."
_PULL_HELP = (
    "How many tools' own questions go to it, by their texts alone (1 = all questions of one tool): 3 or more make a magnet, with or "
    "without test queries."
)
_WORDS_HELP = (
    "Words about the matter that the tool shares with those questions, the ones that add most to its word score first; where it draws by "
    "its text alone, words that it shares with the texts of the tools that it draws from. –: their meaning brings it, no word."
)
_EXPECTED_HELP = "Test queries that should bring the tool."
_FOUND_HELP = "Of the questions that the tool asks about itself (its name, sentences, synonyms, examples), how many it answers first."
_SHARED_HELP = "Words of its text that other tools have too, the commonest first: they do not tell it from others."


def magnets_tab(index: ToolIndex) -> None:
    """Show both lists."""
    known = worked_out(index)
    if known is None:
        return
    evaluation, found = known
    curator, results = Curator(index, session.settings()), counted_results(evaluation)
    _magnets(magnets_of(curator, results, found.strays), len(results))
    _ghosts(ghosts_of(curator, results, found.strays), len(results))


def _magnets(magnets: Sequence[Magnet], queries: int) -> None:
    panels.note("**Magnets**: tools that come first for questions of others, worst first")
    if not magnets:
        panels.note(
            f"None: no tool comes first for 3 or more of the others' questions, in {plural(queries, 'test query')} and in own texts."
        )
        return
    column = st.column_config
    opened_table(
        "overlap_magnets",
        magnets_frame(magnets),
        lambda row, _: magnets[row].key,
        "Magnets: tools that come first for questions of others",
        {
            "tool": column.TextColumn(width=180, help=_OPENS),
            "returned": column.TextColumn(width=64, alignment="right", help=_RETURNED_HELP),
            "first": column.TextColumn(width=48, alignment="right", help=_FIRST_HELP),
            "wrongly": column.TextColumn(width=60, alignment="right", help=_WRONGLY_HELP),
            "by name": column.TextColumn(width=64, alignment="right", help=_NAME_HELP),
            "draws": column.TextColumn(width=56, alignment="right", help=_PULL_HELP),
            "words that cause it": column.TextColumn(width=260, help=_WORDS_HELP),
        },
    )


def _ghosts(ghosts: Sequence[Ghost], queries: int) -> None:
    panels.note("**Ghosts**: tools that no test query brings, and that hardly find themselves")
    if not ghosts:
        panels.note(f"None: every tool comes for one of {plural(queries, 'test query')}, or answers half of its own questions first.")
        return
    column = st.column_config
    opened_table(
        "overlap_ghosts",
        ghosts_frame(ghosts),
        lambda row, _: ghosts[row].key,
        "Ghosts: tools that no test query brings",
        {
            "tool": column.TextColumn(width=180, help=_OPENS),
            "expected": column.TextColumn(width=64, alignment="right", help=_EXPECTED_HELP),
            "own questions": column.TextColumn(width=88, alignment="right", help=_FOUND_HELP),
            "words it shares": column.TextColumn(width=380, help=_SHARED_HELP),
        },
    )
