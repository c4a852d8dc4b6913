"""The theme's colours where a browser test cannot see them: text on canvas tables, charts, badges and buttons, by the WCAG formula."""

from __future__ import annotations

import tomllib
from itertools import product
from pathlib import Path

import pytest

from dashboard.charts import BAD, COLOURS, GOOD
from dashboard.overlap import map_chart

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit" / "config.toml").read_text(encoding="utf-8"))["theme"]
MODES = ("light", "dark")
NAMES = ("blue", "orange", "violet", "yellow", "green", "red", "gray")
TEXT, FORM = 4.5, 3.0  # WCAG 2.1: 1.4.3 for texts, 1.4.11 for controls and the marks of charts
WHITE = "#ffffff"
CAPTION, EDITOR_HELP = 0.6, 0.72  # opacity of captions and table headers (Streamlit's own), and of what stands around an editor


def luminance(colour: str) -> float:
    """Return the relative luminance of #rrggbb."""
    shares = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def faded(colour: str, ground: str, opacity: float) -> str:
    """Return what a half transparent colour looks like on a ground."""
    parts = ((int(colour[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(front * opacity + back * (1 - opacity)):02x}" for front, back in parts)


def test_the_formula_gives_the_known_ends() -> None:
    assert contrast("#000000", WHITE) == pytest.approx(21)
    assert contrast("#777777", WHITE) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("mode", "ground"), list(product(MODES, ("backgroundColor", "secondaryBackgroundColor"))))
def test_texts_captions_and_table_headers_can_be_read(mode: str, ground: str) -> None:
    colours = THEME[mode]
    text, back = colours["textColor"], colours[ground]
    assert contrast(text, back) >= TEXT
    assert contrast(faded(text, back, CAPTION), back) >= TEXT
    assert contrast(faded(text, back, EDITOR_HELP), back) >= TEXT


@pytest.mark.parametrize("mode", MODES)
def test_a_marked_row_of_a_table_can_be_read(mode: str) -> None:
    colours = THEME[mode]
    marked = faded(colours["primaryColor"], colours["backgroundColor"], 0.1)
    assert contrast(colours["textColor"], marked) >= TEXT


@pytest.mark.parametrize(("mode", "name"), list(product(MODES, NAMES)))
def test_badges_and_coloured_words_can_be_read(mode: str, name: str) -> None:
    colours = THEME[mode]
    for ground in (f"{name}BackgroundColor", "backgroundColor", "secondaryBackgroundColor"):
        assert contrast(colours[f"{name}TextColor"], colours[ground]) >= TEXT


@pytest.mark.parametrize("mode", MODES)
def test_buttons_and_chosen_values_can_be_read_and_controls_stand_out(mode: str) -> None:
    colours = THEME[mode]
    assert contrast(WHITE, colours["primaryColor"]) >= TEXT  # Streamlit writes white on it, in both modes
    assert contrast(colours["primaryColor"], colours["backgroundColor"]) >= FORM
    assert contrast(colours["primaryColor"], colours["secondaryBackgroundColor"]) >= FORM


@pytest.mark.parametrize("stage", COLOURS)
def test_a_stages_label_can_be_read_on_its_colour(stage: str) -> None:
    assert contrast(WHITE, COLOURS[stage]) >= TEXT  # the bars of a tool, and the flags in the answer


@pytest.mark.parametrize(("mode", "colour"), list(product(MODES, (*COLOURS.values(), GOOD, BAD, *map_chart.MARK_COLOURS))))
def test_marks_and_bars_stand_out_from_the_ground(mode: str, colour: str) -> None:
    assert contrast(colour, THEME[mode]["backgroundColor"]) >= FORM


@pytest.mark.parametrize("mode", MODES)
def test_names_on_the_map_have_the_colour_of_texts(mode: str) -> None:
    assert map_chart.INK[mode][0] == THEME[mode]["textColor"]


@pytest.mark.parametrize("mode", MODES)
def test_each_stage_has_one_colour_in_charts_and_badges(mode: str) -> None:
    colours = THEME[mode]
    names = {"dense": "blue", "sparse": "orange", "anchor": "violet", "split": "yellow", "low_confidence": "gray"}
    assert {stage: colours[f"{name}Color"] for stage, name in names.items()} == COLOURS
    assert (colours["greenColor"], colours["redColor"]) == (GOOD, BAD)
    assert THEME["chartCategoricalColors"] == list(COLOURS.values())
