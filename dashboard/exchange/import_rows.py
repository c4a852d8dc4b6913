"""What becomes of each tool of an import: a list in which a click opens one, word by word, and marked ones are left out."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from curator_core import Edit, ImportRow
from dashboard import panels, session
from dashboard.exchange.import_table import STATES, Preview, counts, listed, rows_frame
from dashboard.tables import visible
from dashboard.text_diff import text_diff

SKIP, MARKED = "import_skip", "import_marked"  # keys of tools that are left out, and of those that are marked in the list
_OPEN = "import_open"
_SHOWN, _LISTED, _ROW = 2000, 200, 28


def import_rows(found: Preview) -> None:
    """List the tools; a click opens one, marked ones are left out or taken again."""
    same = bool(session.value("import_same"))
    rows = listed(found.plan, [state for state in STATES if same or state != "same"])[:_SHOWN]
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        marked = [key for key in session.value(MARKED) or () if any(row.key == key for row in rows)]
        st.button("Leave out the marked", key="import_leave", disabled=not marked, on_click=_leave(marked, out=True))
        st.button("Take the marked", key="import_take_marked", disabled=not marked, on_click=_leave(marked, out=False))
        st.toggle(f"Show those that stay the same ({counts(found.plan)['same']:,})", key="import_same")
        if found.left_out:
            st.text(f"{len(found.left_out):,} left out", width="content")
    if not rows:
        panels.note("No tool would change.")
        return
    names = [row.key for row in rows]
    opened = session.value(_OPEN)
    key = f"import_rows_{zlib.crc32(repr(names).encode('utf-8', 'replace'))}"
    cells = [[names.index(opened), "tool"]] if opened in names else []
    session.put(key, {"selection": {"rows": [names.index(one) for one in marked], "columns": [], "cells": cells}})
    st.dataframe(
        rows_frame(rows, found.left_out),
        key=key,
        hide_index=True,
        row_height=_ROW,
        height=min(420, _ROW * len(rows) + 38),
        on_select=_selected(key, names),
        selection_mode=["multi-row", "single-cell"],
        column_config=_COLUMNS,
        alt="What becomes of each tool",
    )
    _one(rows)


def _one(rows: Sequence[ImportRow]) -> None:
    """Show what changes in one tool, word by word."""
    named = {row.key: row for row in rows}
    if session.value(_OPEN) not in (None, *named):
        session.put(_OPEN, None)
    offered = list(named)[:_LISTED]
    opened = session.value(_OPEN)
    options = offered if opened in (None, *offered) else [opened, *offered]
    chosen = st.selectbox("Look at one of them", options, index=None, key=_OPEN, format_func=visible, placeholder="a tool")
    if chosen is None:
        return
    row = named[chosen]
    if row.state in ("changed", "both") and row.tool and row.now:
        fields = [field for field in row.fields if hasattr(row.now, field)]
        edits = [Edit(row.key, field, getattr(row.now, field), getattr(row.tool, field)) for field in fields]
        others = [field for field in row.fields if not hasattr(row.now, field)]
        text_diff(edits, key=f"import_diff_{zlib.crc32(chosen.encode('utf-8', 'replace'))}")
        if others:
            st.text(visible(f"Other fields change: {', '.join(others)}"))
    else:
        text_diff([Edit(row.key, "tool", row.now if row.state == "gone" else None, row.tool)], key="import_diff_tool")


def _selected(key: str, names: Sequence[str]) -> Callable[[], None]:
    def act() -> None:
        state = session.value(key)["selection"]
        session.put(MARKED, tuple(names[row] for row in state["rows"] if row < len(names)))
        cells = state["cells"]
        if cells and cells[0][0] < len(names):
            session.put(_OPEN, names[cells[0][0]])

    return act


def _leave(keys: Sequence[str], out: bool) -> Callable[[], None]:
    def act() -> None:
        skip = set(session.value(SKIP) or ())
        session.put(SKIP, frozenset(skip | set(keys) if out else skip - set(keys)))
        session.put(MARKED, ())

    return act


_COLUMNS: dict[str, Any] = {
    "tool": st.column_config.TextColumn(width=190, help="A click shows it below, word by word."),
    "state": st.column_config.TextColumn(width=130),
    "take": st.column_config.TextColumn(width=64),
    "what changes": st.column_config.TextColumn(width=130),
    "says": st.column_config.TextColumn(width=300),
    "where": st.column_config.TextColumn(width=150, help="File, line or path in the source."),
}
