"""What is drawn over the map, as figures are asked: sizes, lines, arrows, and the same in words."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from curator_core import Layout, Registry, Settings, Tool, build_index, lay_out
from dashboard.overlap.map_chart import map_figure, spots
from dashboard.overlap.map_choice import is_drawn_around, marks_in, tools_on
from dashboard.overlap.map_overlay import Overlay, in_words, moved_tools, nearest_keys, overlaid
from tests.core.fakes import FakeEncoder

REGISTRY = Registry(tools=tuple(Tool(name, f"text of {name}") for name in ("bus", "fees", "menu", "rain", "room", "shop", "taxi")))


@pytest.fixture
def layout() -> Layout:
    return lay_out(build_index(REGISTRY, FakeEncoder(dimension=64)))


def drawn(layout: Layout, overlay: Overlay, star: tuple[float, float] | None = None, shown: tuple[str, ...] = REGISTRY.keys) -> go.Figure:
    marks = spots(layout, shown, ("",) * len(layout.keys))
    return overlaid(map_figure(marks, {}, ("",), star=star), layout, shown, overlay, star, "light")


def place(layout: Layout, key: str) -> tuple[float, float]:
    x, y = layout.positions[layout.keys.index(key)].tolist()
    return x, y


def test_a_mark_is_larger_the_more_often_its_tool_comes_and_says_how_often(layout: Layout) -> None:
    figure = drawn(layout, Overlay(returned=(("bus", 9), ("fees", 1))))
    (trace,) = figure.data
    size, text = (dict(zip(trace.customdata, values, strict=True)) for values in (trace.marker.size, trace.hovertext))
    assert size["bus"] > size["fees"] > size["menu"] == size["rain"]
    assert text["bus"].endswith("returned for 9 test queries")


def test_clashes_are_lines_below_the_marks_between_tools_that_are_shown(layout: Layout) -> None:
    figure = drawn(layout, Overlay(clashes=(("bus", "taxi"), ("bus", "fees"))), shown=("bus", "taxi", "rain"))
    line = figure.data[0]
    assert (line.mode, line.customdata) == ("lines", None)
    assert list(zip(line.x, line.y, strict=True)) == [place(layout, "bus"), place(layout, "taxi"), (None, None)]


def test_dotted_lines_lead_from_the_question_to_the_nearest_tools(layout: Layout) -> None:
    figure = drawn(layout, Overlay(near=("menu", "room")), star=(0.1, 0.2))
    line = figure.data[0]
    assert line.line.dash == "dot"
    assert list(zip(line.x, line.y, strict=True))[0::3] == [(0.1, 0.2), (0.1, 0.2)]
    assert len(drawn(layout, Overlay(near=("menu",))).data) == 1  # without a star there is no line


def test_an_arrow_leads_from_where_a_tool_stood_to_where_the_draft_puts_it(layout: Layout) -> None:
    index = build_index(REGISTRY, FakeEncoder(dimension=64))
    edits = [REGISTRY.edit("bus", "description", "text of taxi"), REGISTRY.edit("menu", "name", "meals")]
    after = lay_out(build_index(REGISTRY.with_edits(edits), FakeEncoder(dimension=64), previous=index), layout)
    moved = dict(moved_tools(layout, after, {"menu": "meals"}))
    assert moved == {"bus": place(layout, "bus"), "meals": place(layout, "menu")}
    overlay = Overlay(moved=tuple(moved.items()))
    arrows = [note for note in drawn(after, overlay, shown=after.keys).layout.annotations if note.showarrow]
    assert [((one.ax, one.ay), (one.x, one.y)) for one in arrows] == [(moved[key], place(after, key)) for key in moved]


def test_everything_that_is_drawn_is_said_in_words() -> None:
    assert in_words(Overlay()) == ""
    said = in_words(Overlay((("bus", 1),), (("bus", "taxi"),), ("menu",), (("bus", (0.0, 0.0)),)))
    assert said.startswith("The larger a mark") and "1 line between" in said and "dotted lines" in said
    assert said.endswith("1 arrow: where your draft moves a tool to.")


def test_a_questions_lines_lead_to_the_nearest_in_the_original_space() -> None:
    index = build_index(REGISTRY, FakeEncoder(dimension=64))
    near = nearest_keys(index, "text of fees", None, Settings())
    assert (near[0], len(near)) == ("fees", 5)
    assert np.unique(near).size == 5


def test_a_click_is_told_from_a_line_drawn_around_marks() -> None:
    point = {"customdata": ["bus"]}
    clicked = {"selection": {"points": [point], "lasso": []}}
    around = {"selection": {"points": [point, {"customdata": "taxi"}, {}], "lasso": [{"x": [0, 1], "y": [0, 1]}]}}
    assert (marks_in(clicked), is_drawn_around(clicked)) == (("bus",), False)
    assert (marks_in(around), is_drawn_around(around)) == (("bus", "taxi"), True)
    assert (marks_in(None), is_drawn_around(None)) == ((), False)


def test_all_tools_of_one_text_are_on_the_mark_that_is_drawn_around() -> None:
    tools = (*REGISTRY.tools, Tool("bus", "text of bus", group="other"))
    layout = lay_out(build_index(Registry(tools=tools), FakeEncoder(dimension=64)))
    assert tools_on(layout, ["bus@other"]) >= {"bus@other"}
    assert tools_on(layout, ["fees", "gone"]) == {"fees"}


def test_dragging_draws_around_marks_where_that_is_asked_for(layout: Layout) -> None:
    around, moving = (drawn(layout, Overlay(lasso=lasso)).layout for lasso in (True, False))
    assert (around.dragmode, around.clickmode) == ("lasso", "event")  # what Streamlit would set, drawing all marks again
    assert (moving.dragmode, moving.clickmode) == ("pan", "event+select")
