"""Pictures: widths are shares of the combined score, labels are text and never markup."""

from __future__ import annotations

import base64
import re

from dashboard.charts import COLOURS, bar_image, stage_bars


def test_a_bars_pieces_are_as_wide_as_what_each_stage_adds() -> None:
    address = bar_image({"dense": 1 / 61, "sparse": 1 / 122}, 2 / 61)
    svg = base64.b64decode(address.removeprefix("data:image/svg+xml;base64,")).decode()
    widths = [float(width) for width in re.findall(r'y="4" width="([\d.]+)"', svg)]
    assert abs((widths[0] + 1) / (widths[1] + 1) - 2) < 0.1
    assert [colour in svg for colour in (COLOURS["dense"], COLOURS["sparse"])] == [True, True]


def test_a_tool_that_no_stage_ranks_has_an_empty_bar() -> None:
    svg = base64.b64decode(bar_image({"dense": 0.0, "sparse": 0.0}, 2 / 61).split(",")[1]).decode()
    assert svg.count('width="0.0"') == 2


def test_stage_bars_have_one_bar_a_pass_and_one_colour_a_stage() -> None:
    labels = {"dense": "#1 .71", "sparse": "#2 6.2"}
    figure = stage_bars([("whole question", {"dense": 0.016, "sparse": 0.015}, labels), ("part ①", {"dense": 0.01}, labels)], 2 / 61)
    assert [trace.name for trace in figure.data] == ["meaning", "words"]
    assert list(figure.data[0].x) == [0.016, 0.01]
    assert list(figure.data[1].x) == [0.015, 0.0]
    assert figure.data[0].marker.color == COLOURS["dense"]


def test_labels_are_text_never_markup() -> None:
    figure = stage_bars([("<b>x</b>", {"dense": 0.01}, {"dense": "<i>1</i>"})], 2 / 61)
    assert list(figure.data[0].y) == ["&lt;b&gt;x&lt;/b&gt;"]
    assert list(figure.data[0].text) == ["&lt;i&gt;1&lt;/i&gt;"]


def test_the_same_figures_make_the_same_chart() -> None:
    bars = [("whole question", {"dense": 0.016}, {"dense": "#1 .71"})]
    assert stage_bars(bars, 0.03).to_json() == stage_bars(bars, 0.03).to_json()
