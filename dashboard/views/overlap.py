"""Overlap: which tools are alike, so that an agent takes one for the other: a map of all tools, the clashes, and the closest pairs."""

from __future__ import annotations

import zlib
from collections.abc import Callable

import streamlit as st

from curator_core import ToolIndex, identical_tools
from dashboard import panels, session
from dashboard.drafts import draft_bar
from dashboard.overlap.clash_panel import clashes_tab
from dashboard.overlap.drawings import DRAWN_EARLY, PAIRS, Drawing
from dashboard.overlap.magnet_panel import magnets_tab
from dashboard.overlap.map_choice import choice_table
from dashboard.overlap.map_panel import busy, is_on_screen, map_tab
from dashboard.overlap.near_panel import near_question, near_tool, opened_table
from dashboard.overlap.overlap_tables import pairs_frame, piles_frame, tools_frame
from dashboard.resources import workbench
from dashboard.tables import plural

MAP, CLASH_LIST, MAGNETS, PAIR_LIST, TOOL_LIST = map(panels.tab, ("Map", "Clashes", "Magnets & ghosts", "Closest pairs", "Map in words"))
_PATIENCE_SECONDS = 0.4  # a kept map is there by then, and no progress flickers
_ROW_HEIGHT = 28
_TABLE_HEIGHT = 560
_CHOOSE_HELP = "The tool whose nearest ones you want to see; a click on the map opens one too."
_QUESTION_HELP = "It stands on the map as a star, among the tools nearest to it. Press Enter to place it."
_SIMILARITY_HELP = "Cosine of the two texts' vectors in the original space; 1 = the same meaning."
_PERCENTILE_HELP = (
    "Of 100 tools of this registry, how many have no tool closer than this pair is. 100 = nothing here is closer: look at these first."
)
_SHARED_HELP = "Words about the matter that word match counts for both tools, the rarest first."


@st.fragment
def show() -> None:
    """Show the page: map, pairs and list at the left, what is near the tool in focus at the right."""
    draft_bar.follow()
    snapshot = session.snapshot()
    index = snapshot.read
    if index is None:
        _no_meaning()
        return
    if not index.keys:
        st.info("This registry has no tools yet. Add two on the Tools page, and see here how far apart they are.", icon=":material/info:")
        return
    tool, question = _controls()
    if question and snapshot.full is None:
        panels.note("The model is being loaded; then the question takes its place.")
        question = ""
    drawing = _drawing(index)
    drawing.wait(_PATIENCE_SECONDS, only_map=True)
    seen = session.value("overlap_view") not in (None, MAP) or is_on_screen()
    left, right = st.columns([0.64, 0.36], gap="medium")
    with left:
        _views(index, drawing, tool, question)
    with right:
        if question:
            near_question(index, question)
        if session.value("overlap_view") in (None, MAP):
            choice_table(index, drawing)
        near_tool(index, drawing, tool, pairs_beside=session.value("overlap_view") != PAIR_LIST and (seen or len(index.keys) < DRAWN_EARLY))
    drawing.look()
    if seen:
        drawing.see()


def _no_meaning() -> None:
    """Say that there is nothing to compare yet, or why there will be nothing."""
    if session.snapshot().finished:
        st.info(
            "Overlap compares the meaning of texts, and there is no model to read them: see the message above. "
            "Word match goes on working on the other pages.",
            icon=":material/info:",
        )
        return
    st.info("Overlap compares the meaning of texts. The model is reading them now; the map appears here by itself.", icon=":material/info:")


def _drawing(index: ToolIndex) -> Drawing:
    """Return the drawing of the draft; its tools stand where they stand on the map of the registry as saved."""
    saved = session.saved_snapshot().read if session.edits() else None
    drawings = workbench().drawings
    return drawings.of(index, drawings.of(saved) if saved is not None and saved.fingerprint != index.fingerprint else None)


def _controls() -> tuple[str | None, str]:
    """Show what the page is about; return the tool in focus and the question."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        tool = panels.choose_tool("Tool", "Any tool, or click on the map", _CHOOSE_HELP, width=340)
        question = st.text_input(
            "A question on the map",
            key="overlap_question",
            type="search",
            bind="query-params",
            persist_state="session",
            placeholder="what a user would ask",
            help=_QUESTION_HELP,
        )
    return tool, (question or "").strip()


def _views(index: ToolIndex, drawing: Drawing, tool: str | None, question: str) -> None:
    tabs = st.tabs([MAP, CLASH_LIST, MAGNETS, PAIR_LIST, TOOL_LIST], key="overlap_view", on_change="rerun")
    bodies: tuple[Callable[[], None], ...] = (
        lambda: map_tab(index, drawing, tool, question),
        lambda: clashes_tab(index),
        lambda: magnets_tab(index),
        lambda: _pairs(index, drawing),
        lambda: _list(index, drawing),
    )
    for tab, body in zip(tabs, bodies, strict=True):
        if tab.open:
            with tab:
                body()


# -- the pairs


def _pairs(index: ToolIndex, drawing: Drawing) -> None:
    if len(index.registry.pool(session.role())) < 2:
        st.info("There is only one tool to see here: no pair can be too close.", icon=":material/info:")
        return
    pairs = drawing.pairs(PAIRS, session.role(), session.settings())
    panels.note(f"The {plural(len(pairs), 'closest pair')}" + (" that this role sees together" if session.role() else ""))
    cells = [(pair.a, pair.b) for pair in pairs]
    column = st.column_config
    opened_table(
        "overlap_pairs",
        pairs_frame(pairs),
        lambda row, name: cells[row][name == "and tool"],
        "The closest pairs of tools, closest first",
        {
            "#": column.NumberColumn(width=36),
            "tool": column.TextColumn(width=150, help="A click opens the tool at the right."),
            "and tool": column.TextColumn(width=156, help="A click opens the tool at the right."),
            "similarity": column.TextColumn(width=62, alignment="right", help=_SIMILARITY_HELP),
            "percentile": column.TextColumn(width=66, alignment="right", help=_PERCENTILE_HELP),
            "group": column.TextColumn(width=48, help="same: both tools belong to one group."),
            "shared words": column.TextColumn(width=260, help=_SHARED_HELP),
        },
        min(_TABLE_HEIGHT, _ROW_HEIGHT * len(pairs) + 38),
    )
    _piles(index)


def _piles(index: ToolIndex) -> None:
    piles = identical_tools(index, session.settings())
    if not piles:
        panels.note("No two tools have the same text.")
        return
    panels.note("Tools whose texts are the same: no question can tell them apart. Of each pile only the first is in the list above.")
    st.dataframe(piles_frame(piles), hide_index=True, key="overlap_piles", row_height=_ROW_HEIGHT, alt="Tools whose texts are the same")


# -- the map in words


def _list(index: ToolIndex, drawing: Drawing) -> None:
    if drawing.clusters is None:
        if not drawing.finished:
            busy(drawing, drawing.shown)
        return
    shown = index.registry.pool(session.role())
    frame = tools_frame(index.registry, index.keys, shown, drawing.clusters, drawing.nearest)
    panels.note(f"{plural(len(frame), 'tool')}, in order of names; every column can be sorted and searched.")
    column = st.column_config
    st.dataframe(
        frame,
        hide_index=True,
        key=f"overlap_list_{zlib.crc32(repr((index.fingerprint, session.role())).encode())}",
        row_height=_ROW_HEIGHT,
        height=_TABLE_HEIGHT,
        column_config={
            "tool": column.TextColumn(width=176),
            "cluster": column.TextColumn(width=172, help="The cluster's distinguishing words."),
            "group": column.TextColumn(width=84),
            "nearest tool": column.TextColumn(width=176, help="In the original space, whatever the role."),
            "similarity": column.TextColumn(width=64, alignment="right", help=_SIMILARITY_HELP),
        },
        alt="Each tool's cluster, group and nearest tool: the map in words",
    )


if __name__ == "__main__":
    show()
