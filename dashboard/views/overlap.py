"""Overlap: which tools are alike, so that an agent takes one for the other: a map of all tools, the clashes, and the closest pairs."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure

from curator_core import CuratorError, Layout, ToolIndex, identical_tools, place_query
from dashboard import map_chart, map_part, panels, session
from dashboard.clash_panel import clashes_tab
from dashboard.drawings import PAIRS, Drawing
from dashboard.magnet_panel import magnets_tab
from dashboard.map_labels import cluster_labels
from dashboard.near_panel import near_question, near_tool, opened_table
from dashboard.overlap_tables import pairs_frame, piles_frame, tools_frame, trust
from dashboard.resources import workbench
from dashboard.tables import plural, visible

MAP, CLASH_LIST, MAGNETS, PAIR_LIST, TOOL_LIST = map(panels.tab, ("Map", "Clashes", "Magnets & ghosts", "Closest pairs", "Map in words"))
_PATIENCE_SECONDS = 0.4  # a kept map is there by then, and no progress flickers
_ROW_HEIGHT = 28
_TABLE_HEIGHT = 560
_PART = "overlap_part"
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
    left, right = st.columns([0.64, 0.36], gap="medium")
    with left:
        _views(index, drawing, tool, question)
    with right:
        if question:
            near_question(index, question)
        near_tool(index, drawing, tool, pairs_beside=session.value("overlap_view") != PAIR_LIST)


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
        lambda: _map(index, drawing, tool, question),
        lambda: clashes_tab(index),
        lambda: magnets_tab(index),
        lambda: _pairs(index, drawing),
        lambda: _list(index, drawing),
    )
    for tab, body in zip(tabs, bodies, strict=True):
        if tab.open:
            with tab:
                body()


# -- the map


def _map(index: ToolIndex, drawing: Drawing, tool: str | None, question: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", height=40, border=False):
        colouring = _colouring()
        if not drawing.finished:
            _busy(drawing, drawing.layout is not None)
        map_part.watch("overlap_map", _PART)
    layout, theme = drawing.layout, str(st.context.theme.type or "light")
    if drawing.error:
        with st.container(height=map_chart.HEIGHT, border=True):
            st.text(visible(drawing.error))
        return
    if layout is None:
        _chart(map_chart.blank("The map appears here.", theme))  # with it the browser loads what draws charts, while the map is drawn
        return
    look = map_chart.Look(colouring, session.role(), _star(drawing, index, question), theme)
    focus = _focus(index, layout, look, tool)
    _chart(drawing.once(("map", look, focus), lambda: _figure(drawing, layout, look, focus)))
    panels.note(f"{trust(layout)} Scroll to come closer; a double click shows all again.")


def _chart(figure: Figure) -> None:
    st.plotly_chart(
        figure,
        key="overlap_map",
        on_select=_open_clicked,
        selection_mode="points",
        config={"displayModeBar": False, "scrollZoom": True, "doubleClick": "autosize"},  # the figure may begin with a part
        alt="Map of the tools: like tools stand together. “Map in words” has the same as a table.",
    )


def _colouring() -> map_chart.Colouring:
    """Let the author choose what colours stand for; the words are also those of the address, which takes a widget's words."""
    panels.note("Colour by", width="content")
    chosen: map_chart.Colouring | None = st.radio(
        "Colour by",
        map_chart.COLOURINGS,
        horizontal=True,
        key="overlap_colour",
        bind="query-params",
        persist_state="session",
        label_visibility="collapsed",
    )
    return chosen or "cluster"


def _figure(drawing: Drawing, layout: Layout, look: map_chart.Look, focus: map_chart.Focus) -> Figure:
    registry, clusters = drawing.index.registry, drawing.clusters if look.colouring == "cluster" else None
    shown = registry.pool(look.role)
    kind_of = map_chart.kinds(registry, layout.keys, look.colouring, clusters)
    marks = map_chart.spots(layout, shown, kind_of)
    labels = cluster_labels(layout, clusters, shown) if clusters else ()
    groups = {mark.keys[0]: registry.by_key[mark.keys[0]].group for mark in marks}
    order = map_chart.ordered(kind_of, clusters)
    return map_chart.map_figure(marks, groups, order, labels, focus=focus, star=look.star, theme=look.theme)


@st.fragment(run_every=0.5)
def _busy(drawing: Drawing, seen: bool) -> None:
    """Say what is being drawn, and show it once it is there. seen: the map is on the page already."""
    if drawing.finished or (drawing.layout is not None and not seen):
        st.rerun(scope="app")
    st.badge(drawing.stage, icon=":material/hourglass_top:", color="blue", help="Kept afterwards: the same tools have the same map.")


def _focus(index: ToolIndex, layout: Layout, look: map_chart.Look, tool: str | None) -> map_chart.Focus:
    """Return what the map draws the eye to. A figure that changes is drawn anew, so it stays as it is for as long as it can.

    A tool that was clicked is marked by the click itself. Where the figure changes, it shows the part of the map that was seen before,
    moved if the tool or the question would be outside.
    """
    figure, folder = (index.fingerprint, look), session.opened().folder
    before, where, focus = session.value("overlap_focus") or (None, folder, map_chart.Focus())
    clicked = _clicked_key()
    if before == figure and (tool == clicked if clicked is not None else tool == focus.ring):
        return focus
    part = (map_part.shown_part(_PART) or focus.part) if where == folder else map_chart.WHOLE
    if tool in index.positions and tool != focus.ring:
        part = map_chart.part_with(part, layout.positions[index.positions[tool]].tolist())
    if before is None or look.star != before[1].star:
        part = map_chart.part_with(part, look.star)
    focus = map_chart.Focus(tool, part, focus.turn + (before == figure and clicked is not None))
    session.put("overlap_focus", (figure, folder, focus))
    return focus


def _clicked_key() -> str | None:
    """Return the key of the mark that is clicked on the map: a point's number would only be that in its own colour."""
    state: Any = session.value("overlap_map")
    found = [point.get("customdata") for point in state["selection"]["points"]] if state else []
    keys = [one[0] if isinstance(one, (list, tuple)) and one else one for one in found]
    return next((key for key in keys if isinstance(key, str)), None)


def _open_clicked() -> None:
    key = _clicked_key()
    if key in session.registry().by_key:
        session.put("tool", key)


def _star(drawing: Drawing, index: ToolIndex, question: str) -> tuple[float, float] | None:
    if not question or drawing.layout is None or index.encoder is None:
        return None
    try:
        return place_query(drawing.layout, index, index.encoder.encode_query(question))
    except CuratorError as error:
        panels.message("The question has no place on the map", str(error))
        return None


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
            _busy(drawing, True)
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
