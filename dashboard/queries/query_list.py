"""The list of test queries with its filter: a click opens one, marks choose many, and what is measured stands beside each."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from curator_core import QueryResult, TestQuery, is_held_out
from dashboard import panels, session
from dashboard.charts import BAD
from dashboard.drafts.authoring import may_write
from dashboard.queries import query_choice
from dashboard.queries.query_bulk import bulk_actions
from dashboard.queries.query_table import (
    NO_TAG,
    STANDINGS,
    WAITING,
    QueryFilter,
    count_line,
    kept_marks,
    labels,
    matching,
    queries,
    queries_table,
    roles_of,
    tags_of,
)
from dashboard.tables import visible

HELD = "queries_held"
_ROW_HEIGHT, _HEIGHT = 28, 560
_QUIET = "#68737f22"  # only what fails has a colour of its own
_MARKED, _CELL = "queries_marked", "queries_cell"
_MARGIN = (
    "How many places a tool would have to move before the query changes sides: +3 = it passes, and one of its tools would have to lose 3 "
    "places to fall out of the first 5 (or a forbidden one to gain 3 to come in); -3 = it fails, and a tool lacks 3 places. The worst of "
    "its tools counts; a tool that is ranked nowhere stands behind all others."
)
_COLUMN_HELP = {
    "query": "What a user asks. A click opens it.",
    "expected": "The tools that must be in the answer. (no tool): none applies. Empty: nobody has judged it.",
    "status": "ok: every expected tool is among the first 5 (or as many as are expected), and an agent gets no forbidden one, with the "
    "registry's own settings. no tool: no tool applies, counted apart. unjudged, invalid: listed, not averaged.",
    "rank now": "Place of the last of the expected tools, with your edits; also where it stands below the answer.",
    "margin": _MARGIN,
    "lost by": "The stage that lost a failing query; the remarks say it in a sentence.",
    "forbidden": "Tools that must not be in the answer.",
    "role": "Who asks. Empty: everybody.",
    "critical": "A change that breaks it is reported as critical.",
    "remarks": "What is wrong with it, or noteworthy.",
}
_HELD_HELP = (
    "Held-out queries only measure. Once you have read them while writing, they measure less: your text may come to fit them. "
    "Look at them when you judge them, not when you tune."
)


def query_list(results: Mapping[TestQuery, QueryResult], marks: Mapping[TestQuery, str]) -> None:
    """Show the test queries that the filter leaves, and what can be done with many at once."""
    cases = session.registry().test_queries
    wanted = _filter(cases)
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):  # from the left: the table's tools cover its right
        wanted = _switches(cases, wanted)
        counted = st.container(width="content")
    places = matching(cases, results, wanted)
    shown = [cases[place] for place in places]
    named = labels(cases)
    names = [named[place] for place in places]
    with counted:
        _counted(shown, len(cases), results)
    content = (len(cases), places, query_choice.list_turn())
    key = f"queries_rows_{zlib.crc32(repr(content).encode())}"  # an edit of a text leaves it as it is, and with it a click
    rows = _rows(key, shown, names, results, marks)
    if may_write():
        bulk_actions([shown[row] for row in rows], shown)


def _counted(shown: Sequence[TestQuery], of: int, results: Mapping[TestQuery, QueryResult]) -> None:
    how = f" · {count_line(shown, results)}" if shown else ""
    lens = f" · as {panels.literal(session.role() or '')} and everybody" if session.role() else ""
    st.caption(f"{len(shown):,} of {queries(of)}{how}{lens}")


def _filter(cases: Sequence[TestQuery]) -> QueryFilter:
    column = st.columns((4, 3, 3, 3), gap="xsmall", vertical_alignment="bottom")
    text = column[0].text_input(
        "Find", key="queries_text", type="search", live=True, persist_state="session", placeholder="words of a question, tool or note"
    )
    tags = (*tags_of(cases), *([NO_TAG] if any(not case.tags for case in cases) else []))
    tag = _choice(column[1], "Tag", tags, "queries_tag_filter")
    role = _choice(column[2], "Role", roles_of(cases), "queries_role_filter")
    standing = _choice(column[3], "Status", tuple(STANDINGS), "queries_status", STANDINGS.__getitem__)
    return QueryFilter(text or "", tag, role, standing, lens=session.role())


def _switches(cases: Sequence[TestQuery], wanted: QueryFilter) -> QueryFilter:
    """Add to the filter what is switched on."""
    critical = st.toggle("Only critical", key="queries_critical_filter", persist_state="session")
    held = sum(map(is_held_out, cases))
    shown = bool(held and st.toggle(f"Show the {held:,} held out", key=HELD, help=_HELD_HELP))
    return replace(wanted, critical=critical, held_out=shown)


def _choice(column: Any, label: str, options: Sequence[str], key: str, words: Callable[[str], str] = visible) -> str | None:
    if session.value(key) not in (None, *options):  # the last query with it is gone
        session.put(key, None)
    chosen: str | None = column.selectbox(
        label, options, index=None, key=key, persist_state="session", placeholder="any", format_func=words
    )
    return chosen


def _rows(
    key: str, shown: Sequence[TestQuery], names: Sequence[str], results: Mapping[TestQuery, QueryResult], marks: Mapping[TestQuery, str]
) -> list[int]:
    """Show the table; return which rows are marked."""
    rows, asked = kept_marks(session.value(_MARKED) or (), names), session.value(query_choice.CHOSEN)
    cells = [[names.index(asked), "query"]] if asked in names else []
    session.put(_CELL, cells)
    session.put(key, {"selection": {"rows": rows, "columns": [], "cells": cells}})
    st.dataframe(
        queries_table(shown, results, marks),
        key=key,
        hide_index=True,
        row_height=_ROW_HEIGHT,
        height=min(_HEIGHT, _ROW_HEIGHT * max(len(shown), 2) + 38),
        on_select=_selected(key, names),
        selection_mode=["multi-row", "single-cell"] if may_write() else "single-cell",
        column_config=_columns(),
        placeholder="",
        alt="Test queries and how they stand",
    )
    return rows


def _selected(key: str, names: Sequence[str]) -> Callable[[], None]:
    """Return a callback that keeps the marks, and opens the query of a cell that was clicked."""

    def act() -> None:
        state = session.value(key)["selection"]
        session.put(_MARKED, tuple(names[row] for row in state["rows"] if row < len(names)))
        cells = [list(cell) for cell in state["cells"]]
        if cells and cells != session.value(_CELL) and cells[0][0] < len(names):
            query_choice.open_query(names[cells[0][0]])

    return act


def _columns() -> dict[str, Any]:
    column = st.column_config
    widths = {"query": 280, "expected": 170, "lost by": 84, "forbidden": 110, "role": 74, "tags": 120}
    widths |= {"critical": 56, "note": 140, "remarks": 220}
    texts = {name: column.TextColumn(width=width, help=_COLUMN_HELP.get(name)) for name, width in widths.items()}
    options = [*STANDINGS.values(), WAITING]
    tints = [BAD if standing == "failing" else _QUIET for standing in (*STANDINGS, WAITING)]
    return texts | {
        "status": column.MultiselectColumn(width=86, options=options, color=tints, help=_COLUMN_HELP["status"]),
        "rank now": column.NumberColumn(width=60, help=_COLUMN_HELP["rank now"]),
        "margin": column.NumberColumn(width=60, format="%+d", help=_COLUMN_HELP["margin"]),
    }
