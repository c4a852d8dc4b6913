"""The map of the tools on the Overlap page, and what is drawn over it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure

from curator_core import CuratorError, Layout, ToolIndex, place_query
from dashboard import map_part, panels, session
from dashboard.looks import look_every
from dashboard.overlap import map_chart
from dashboard.overlap.drawings import Drawing
from dashboard.overlap.map_choice import MAP_KEY, is_drawn_around, lasso_wanted, marks_in
from dashboard.overlap.map_evidence import evidence_wanted, over_the_map
from dashboard.overlap.map_labels import cluster_labels
from dashboard.overlap.map_overlay import Overlay, in_words, overlaid
from dashboard.overlap.overlap_tables import trust
from dashboard.tables import visible

_PART = "overlap_part"


def map_tab(index: ToolIndex, drawing: Drawing, tool: str | None, question: str) -> None:
    """Show the map, with what the author wants to see on it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", height=40, border=False):
        colouring = _colouring()
        evidence, lasso = evidence_wanted(index), lasso_wanted()
        if not drawing.finished:
            busy(drawing, drawing.shown)
        map_part.watch(MAP_KEY, _PART)
    layout, theme = drawing.layout, str(st.context.theme.type or "light")
    if drawing.error:
        with st.container(height=map_chart.HEIGHT, border=True):
            st.text(visible(drawing.error))
        return
    if layout is None and drawing.sketch is not None:
        _sketch(drawing, drawing.sketch, map_chart.Look(colouring, session.role(), None, theme), lasso)
        return
    if layout is None:
        blank = map_chart.blank("The map appears here.", theme)  # with it the browser loads what draws charts, while the map is drawn
        _chart(blank, lasso)
        return
    look = map_chart.Look(colouring, session.role(), _star(drawing, index, question), theme)
    overlay = over_the_map(index, drawing, question if look.star else "", replace(evidence, lasso=lasso))
    focus = _focus(index, layout, look, tool, overlay)
    _chart(drawing.once(("map", look, focus, overlay), lambda: _figure(drawing, layout, look, focus, overlay)), lasso)
    panels.note(f"{in_words(overlay)} {trust(layout)} Scroll to come closer; a double click shows all again.".lstrip())


def is_on_screen() -> bool:
    """Say whether this tab's browser shows the marks of a map: until then it has enough to do."""
    return map_part.has_marks(_PART)


def _sketch(drawing: Drawing, layout: Layout, look: map_chart.Look, lasso: bool) -> None:
    """Show the sketch: no clusters yet, and nothing is drawn over it."""
    figure = drawing.once(("sketch", look), lambda: _figure(drawing, layout, look, map_chart.Focus(), Overlay(lasso=lasso)))
    _chart(figure, lasso)
    panels.note(f"A sketch (PCA) while the map is drawn; then every tool moves to its place among its neighbours. {trust(layout)}")


def _chart(figure: Figure, lasso: bool) -> None:
    st.plotly_chart(
        figure,
        key=MAP_KEY,
        on_select=_open_clicked,
        selection_mode=("points", "lasso") if lasso else "points",
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


def _figure(drawing: Drawing, layout: Layout, look: map_chart.Look, focus: map_chart.Focus, overlay: Overlay) -> Figure:
    registry, clusters = drawing.index.registry, drawing.clusters if look.colouring == "cluster" else None
    shown = registry.pool(look.role)
    kind_of = map_chart.kinds(registry, layout.keys, look.colouring, clusters)
    marks = map_chart.spots(layout, shown, kind_of)
    labels = cluster_labels(layout, clusters, shown) if clusters else ()
    groups = {mark.keys[0]: registry.by_key[mark.keys[0]].group for mark in marks}
    order = map_chart.ordered(kind_of, clusters)
    figure = map_chart.map_figure(marks, groups, order, labels, focus=focus, star=look.star, theme=look.theme)
    return overlaid(figure, layout, shown, overlay, look.star, look.theme)


@look_every(0.5)
def busy(drawing: Drawing, seen: Layout | None) -> None:
    """Say what is being drawn, and show it once it is there. seen: what is on the page already, the map or the sketch."""
    if drawing.finished or drawing.shown is not seen:
        st.rerun(scope="app")
    st.badge(drawing.stage, icon=":material/hourglass_top:", color="blue", help="Kept afterwards: the same tools have the same map.")


def _focus(index: ToolIndex, layout: Layout, look: map_chart.Look, tool: str | None, overlay: Overlay) -> map_chart.Focus:
    """Return what the map draws the eye to. A figure that changes is drawn anew, so it stays as it is for as long as it can.

    A tool that was clicked is marked by the click itself. Where the figure changes, it shows the part of the map that was seen before,
    moved if the tool or the question would be outside.
    """
    figure, folder = (index.fingerprint, look, overlay), session.opened().folder
    before, where, focus = session.value("overlap_focus") or (None, folder, map_chart.Focus())
    clicked = _clicked_key()
    drawn_around = is_drawn_around(session.value(MAP_KEY))  # what is chosen so would be let go of by another figure
    if before == figure and (drawn_around or (tool == clicked if clicked is not None else tool == focus.ring)):
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
    """Return the key of the mark that is clicked on the map, None where a line is drawn around some."""
    state: Any = session.value(MAP_KEY)
    return None if is_drawn_around(state) else next(iter(marks_in(state)), None)


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
