"""Candidates for test queries from the tools' own words; none counts before somebody takes it."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from curator_core import Candidate, Edit
from curator_core.queries.starters import SOURCES
from dashboard import panels, session
from dashboard.derived import starters
from dashboard.drafts.authoring import may_write
from dashboard.queries.query_table import queries
from dashboard.tables import plural, visible

_SHOWN = 1000
_PURPOSE = (
    "Candidates are made of the tools' own words: examples, synonyms' phrases, names, first sentences. They are easier than what users "
    "say, so good figures on them prove little; they show when something breaks. Take some, then put them into users' words. None "
    "counts before you take it; those you take get the tag *starter*."
)


def starter_panel() -> None:
    """List the candidates that the filter leaves, and take some or all of them."""
    st.markdown(_PURPOSE)
    found = _filtered(starters(session.registry()))
    st.caption(plural(len(found), "candidate"))
    if not found:
        panels.note("There is no candidate: each question that the tools' words make is a test query already, or the filter leaves none.")
        return
    shown = found[:_SHOWN]
    key = f"queries_starters_{zlib.crc32(repr([(one.query, one.tool) for one in shown]).encode('utf-8', 'replace'))}"
    state = st.dataframe(
        candidates_table(shown),
        hide_index=True,
        key=key,
        on_select="rerun",
        selection_mode="multi-row",
        row_height=28,
        height=min(520, 28 * len(shown) + 38),
        column_config={
            "question": st.column_config.TextColumn(width=380),
            "tool": st.column_config.TextColumn(width=220),
            "from": st.column_config.TextColumn(width=110, help="Where the words come from."),
            "words": st.column_config.TextColumn(width=320, help="The rule or text itself."),
        },
        alt="Candidates for test queries",
    )
    rows = [row for row in state["selection"]["rows"] if row < len(shown)]
    if len(found) > len(shown):
        st.caption(f"and {len(found) - len(shown):,} more; the filter finds them")
    if may_write():
        _take([shown[row] for row in rows], found)


def candidates_table(candidates: Sequence[Candidate]) -> pd.DataFrame:
    """Return one row a candidate, and where its words come from."""
    rows = [(visible(one.query), visible(one.tool), one.source, visible(one.said)) for one in candidates]
    return pd.DataFrame(rows, columns=["question", "tool", "from", "words"])


def _filtered(candidates: Sequence[Candidate]) -> list[Candidate]:
    column = st.columns((3, 3, 2), gap="small", vertical_alignment="bottom")
    text = column[0].text_input(
        "Find candidates",
        key="queries_starter_text",
        type="search",
        live=True,
        persist_state="session",
        placeholder="its words, or a tool",
    )
    source = column[1].pills(
        "From", SOURCES, selection_mode="multi", key="queries_starter_sources", format_func=panels.pill, persist_state="session"
    )
    only = column[2].toggle("Only tools without a test query", True, key="queries_starter_only", persist_state="session")
    pool = set(session.registry().pool(session.role()))
    tested = {tool for case in session.registry().test_queries for tool in case.expected or ()} if only else set()
    words = (text or "").casefold().split()
    return [
        one
        for one in candidates
        if one.tool in pool
        and one.tool not in tested
        and (not source or one.source in source)
        and all(word in f"{one.query}\n{one.tool}".casefold() for word in words)
    ]


def _take(marked: Sequence[Candidate], shown: Sequence[Candidate]) -> None:
    with st.container(horizontal=True, gap="small"):
        st.button(
            f"Take the {len(marked):,} marked",
            key="queries_take_marked",
            type="primary",
            icon=":material/add:",
            disabled=not marked,
            on_click=_taken(marked),
        )
        st.button(
            f"Take all {len(shown):,} that the filter shows", key="queries_take_all", icon=":material/playlist_add:", on_click=_taken(shown)
        )


def _taken(some: Sequence[Candidate]) -> Callable[[], None]:
    def act() -> None:
        if session.attempt(lambda: session.add(*(Edit("", "test_query", None, one.case) for one in some))):
            session.notify(session.Outcome(True, f"{queries(len(some))} taken, as one step that can be undone."))

    return act
