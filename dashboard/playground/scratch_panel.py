"""The scratch list: several questions at once, each with its first tools; a click asks one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from curator_core import CuratorError, StoreError
from curator_core.authoring import notes
from dashboard import session, tables
from dashboard.charts import BAD, COLOURS
from dashboard.drafts.authoring import may_write
from dashboard.editor import text_editor
from dashboard.playground.scratch import AT_MOST, FLAGS, NOTHING, TWO_IN_ONE, UNSURE, Asked, ask, questions, scratch_frame
from dashboard.tables import NAME

_TEXT, _NUMBER = "scratch_questions", "scratch_number"
_COLOURS = {NAME: COLOURS["anchor"], TWO_IN_ONE: COLOURS["split"], UNSURE: COLOURS["low_confidence"], NOTHING: BAD}
_MEANING_HELP = "Best meaning match of the question (cosine similarity); – = off, or no model."
_ROW = 28


def scratch_list() -> None:
    """Show the questions at the left, what they bring at the right. They are kept on the disk, for this author alone."""
    typed = _typed()
    queries = questions(typed)
    with st.container(border=True):
        left, right = st.columns((1, 3), gap="medium")
        with left, st.container(height=300, border=False):
            text_editor(
                "Questions, one a line",
                typed,
                key="scratch_editor",
                version=session.value(_NUMBER) or 0,
                on_commit=_keep,
                rows=5,
                help=f"Paste or type up to {AT_MOST}. They are asked when you stop typing, and again with each edit.",
            )
            if not queries and session.registry().test_queries:
                st.button("Take the test queries", key="scratch_take", type="tertiary", icon=":material/playlist_add:", on_click=_take)
        with right:
            _answers(queries)


def _answers(queries: Sequence[str]) -> None:
    if not queries:
        st.caption("What the questions bring stands here: the first three tools of each, and what to know about the answer.")
        return
    asked = ask(session.curator(), queries, session.role())
    _mark(asked)
    column = st.column_config
    widths = {"question": 214, "1st": 150, "2nd": 150, "3rd": 150}
    texts = {name: column.TextColumn(width=width) for name, width in widths.items()}
    st.dataframe(
        scratch_frame(asked),
        hide_index=True,
        key="scratch_rows",
        row_height=_ROW,
        height=_ROW * min(len(asked), 8) + 38,
        on_select=_chosen(asked),
        selection_mode=["single-row", "single-cell"],
        column_config=texts
        | {
            "meaning": column.TextColumn(width=64, alignment="right", help=_MEANING_HELP),
            "flags": column.MultiselectColumn(width=132, options=list(FLAGS), color=[_COLOURS[flag] for flag in FLAGS]),
        },
        alt="The first three tools of each question",
    )
    more = f" Only the first {AT_MOST} of {len(queries):,} are asked." if len(queries) > AT_MOST else ""
    st.caption(f"Select a row to ask its question below.{more}")


def _mark(asked: Sequence[Asked]) -> None:
    """Mark the row of the question that is asked now."""
    rows = [number for number, one in enumerate(asked) if one.query == session.query().strip()][:1]
    session.put("scratch_rows", {"selection": {"rows": rows, "columns": [], "cells": []}})


def _chosen(asked: Sequence[Asked]) -> Callable[[], None]:
    def act() -> None:
        state = session.value("scratch_rows")["selection"]
        rows = [cell[0] for cell in state["cells"]] or state["rows"]
        if rows and rows[0] < len(asked):
            session.put("q", asked[rows[0]].query)

    return act


def _typed() -> str:
    """Return the list as it is on the disk; the box takes it anew where another tab changed it."""
    shown = str(session.value(_TEXT) or "")
    if not _is_kept():
        return shown
    try:
        there = notes.scratch(session.store(), session.person())
    except StoreError:  # the header says it
        return shown
    if there != shown:
        _show(there)
    return there


def _keep(text: str) -> None:
    """Keep the list; what another tab put onto it meanwhile is shown with it."""
    seen = str(session.value(_TEXT) or "")
    session.put(_TEXT, text)
    if not _is_kept():
        return
    try:
        notes.write_scratch(session.store(), session.person(), text, seen)
    except CuratorError as error:
        session.notify(session.Outcome(False, str(error)))


def _is_kept() -> bool:
    """Say whether the list can be kept; else it lasts for as long as this browser tab is open."""
    return may_write() and not session.store().down


def _show(text: str) -> None:
    session.put(_TEXT, text)
    session.put(_NUMBER, (session.value(_NUMBER) or 0) + 1)


def _take() -> None:
    text = "\n".join(tables.example_questions(session.registry().test_queries, AT_MOST))
    _keep(text)
    _show(text)
