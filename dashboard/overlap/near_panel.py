"""What is near a tool or a question in the original space, beside the map; and tables in which a click opens a tool."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from curator_core import ToolIndex, nearest_to_query, neighbours
from dashboard import panels, session
from dashboard.overlap.drawings import PAIRS, Drawing
from dashboard.overlap.overlap_tables import copies_text, near_frame, pairs_frame
from dashboard.tables import visible

NEAR = 10
_ROW_HEIGHT = 28
_NOTHING: dict[str, Any] = {"selection": {"rows": [], "columns": [], "cells": []}}
_SIMILARITY_HELP = "Cosine of the two vectors in the original space; 1 = the same meaning."
_HOW = (
    "Choose a tool above, click on one in the map, or on a name in a table: the tools nearest to it in the original space stand here, "
    "since a plane cannot show all that is near."
)


def near_question(index: ToolIndex, question: str) -> None:
    """List the tools nearest to the question on the map."""
    near = nearest_to_query(index, question, NEAR, session.role(), session.settings(), one_per_pile=True)
    panels.note("Nearest to the question ★")
    _near_table("overlap_near_question", near_frame(near), [one.key for one in near], "The tools nearest to the question")


def near_tool(index: ToolIndex, drawing: Drawing, key: str | None, pairs_beside: bool) -> None:
    """Show the tool in focus: where it belongs, and the tools nearest to it; pairs_beside: the closest pairs where there is none."""
    if key is None:
        panels.note(_HOW)
        if pairs_beside and drawing.finished and not drawing.error:
            _first_pairs(drawing)
        return
    if key not in index.positions:
        st.text(f"{visible(key)} is being read; its place follows.")
        return
    with st.container(border=True, gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(visible(key), width="stretch")
            panels.tool_link(key)
        tool = session.registry().by_key[key]
        if tool.description:
            st.text(visible(_first_line(tool.description)))
        panels.note("Group and cluster" if tool.group else "Cluster")
        cluster = drawing.clusters.names()[index.positions[key]] if drawing.clusters else "…"
        st.text(visible(" / ".join(filter(None, (tool.group, cluster)))))
    near = neighbours(index, key, NEAR, session.role(), session.settings(), one_per_pile=True)
    if copies := copies_text(near):
        panels.note(copies)
    if not near:
        panels.note("There is no other tool to compare it with.")
        return
    panels.note("Nearest tools in the original space" + (", of those that this role sees" if session.role() else ""))
    _near_table("overlap_near_tool", near_frame(near), [one.key for one in near], "The tools nearest to the tool in focus")


def _first_pairs(drawing: Drawing) -> None:
    """Show the closest pairs until a tool is chosen: the place to begin."""
    pairs = drawing.pairs(PAIRS, session.role(), session.settings())[:NEAR]
    if not pairs:
        return
    panels.note("Closest pairs: begin here")
    columns = {
        "#": st.column_config.NumberColumn(width=32),
        "tool": st.column_config.TextColumn(width=140),
        "and tool": st.column_config.TextColumn(width=140),
        "similarity": st.column_config.TextColumn(width=60, alignment="right", help=_SIMILARITY_HELP),
    }
    opens = lambda row, name: pairs[row].b if name == "and tool" else pairs[row].a
    opened_table("overlap_first_pairs", pairs_frame(pairs)[list(columns)], opens, "The closest pairs", columns)


def opened_table(
    key: str,
    frame: pd.DataFrame,
    opens: Callable[[int, str], str],
    alt: str,
    columns: dict[str, Any],
    height: int | None = None,
    also: Callable[[int], None] = lambda _: None,
) -> None:
    """Show a table in which a click on a cell opens a tool. opens: the tool of a row and column; also: what else a click on a row does."""

    def act() -> None:
        cells = session.value(key)["selection"]["cells"]
        if cells:
            session.put("tool", opens(cells[0][0], cells[0][1]))
            also(cells[0][0])

    session.put(key, _NOTHING)  # so that a second click on the same cell is one
    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        row_height=_ROW_HEIGHT,
        height=height or "auto",
        on_select=act,
        selection_mode="single-cell",
        column_config=columns,
        alt=alt,
    )


def _near_table(key: str, frame: pd.DataFrame, keys: list[str], alt: str) -> None:
    column = st.column_config
    columns = {
        "#": column.NumberColumn(width=32),
        "tool": column.TextColumn(width=230, help="A click opens the tool."),
        "similarity": column.TextColumn(width=64, alignment="right", help=_SIMILARITY_HELP),
        "": column.TextColumn(width=88, help="×20: twenty tools have this text; the first of them stands here."),
    }
    if not frame[""].any():
        frame, columns = frame.drop(columns=""), {name: one for name, one in columns.items() if name}
    opened_table(key, frame, lambda row, _: keys[row], alt, columns)


def _first_line(text: str, most: int = 240) -> str:
    line = text.strip().splitlines()[0]
    return line if len(line) <= most else line[:most].rsplit(" ", 1)[0] + " …"
