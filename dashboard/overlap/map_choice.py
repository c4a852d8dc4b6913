"""Tools that are chosen on the map by a line drawn around them, as a table beside it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import streamlit as st

from curator_core import Layout, ToolIndex
from dashboard import panels, session
from dashboard.overlap.drawings import Drawing
from dashboard.overlap.near_panel import opened_table
from dashboard.overlap.overlap_tables import tools_frame
from dashboard.tables import plural

MAP_KEY = "overlap_map"
_LASSO_HELP = (
    "On: draw a line around marks with the mouse, and the table beside the map has just their tools. Off: dragging moves the map. "
    "“Map in words” has all tools in a table that can be searched and sorted."
)
_HEIGHT = 420


def lasso_wanted() -> bool:
    """Let the author choose what dragging does."""
    return st.checkbox("draw around tools", key="overlap_lasso", persist_state="session", width="content", help=_LASSO_HELP)


def marks_in(state: Any) -> tuple[str, ...]:
    """Return the keys of the marks in a chart's selection: each carries its first tool's; a point's number is only that in its colour."""
    found = [point.get("customdata") for point in state["selection"]["points"]] if state else []
    keys = [one[0] if isinstance(one, (list, tuple)) and one else one for one in found]
    return tuple(key for key in keys if isinstance(key, str))


def is_drawn_around(state: Any) -> bool:
    """Say whether a selection was drawn, rather than clicked."""
    return bool(state) and bool(state["selection"].get("lasso") or len(state["selection"]["points"]) > 1)


def tools_on(layout: Layout, marks: Iterable[str]) -> frozenset[str]:
    """Return all tools on these marks: those with one text share a mark."""
    places = dict(zip(layout.keys, map(tuple, layout.positions.tolist()), strict=True))
    wanted = {places[key] for key in marks if key in places}
    return frozenset(key for key, place in places.items() if place in wanted)


def choice_table(index: ToolIndex, drawing: Drawing) -> None:
    """Show the tools that are drawn around, if any are."""
    state = session.value(MAP_KEY)
    if not is_drawn_around(state) or drawing.layout is None or drawing.clusters is None:
        return
    chosen = tools_on(drawing.layout, marks_in(state)).intersection(index.registry.pool(session.role()))
    keys = [key for key in index.keys if key in chosen]
    panels.note(f"Drawn around: {plural(len(keys), 'tool')}. A double click on the map lets go of them.")
    if not keys:
        return
    column = st.column_config
    opened_table(
        "overlap_chosen",
        tools_frame(index.registry, index.keys, chosen, drawing.clusters, drawing.nearest),
        lambda row, _: keys[row],
        "The tools that are drawn around on the map",
        {
            "tool": column.TextColumn(width=150, help="A click opens the tool."),
            "cluster": column.TextColumn(width=120, help="The cluster's distinguishing words."),
            "group": column.TextColumn(width=70),
            "nearest tool": column.TextColumn(width=120, help="In the original space, whatever the role."),
            "similarity": column.TextColumn(width=64, alignment="right", help="Cosine of the two texts' vectors; 1 = the same meaning."),
        },
        min(_HEIGHT, 28 * len(keys) + 38),
    )
