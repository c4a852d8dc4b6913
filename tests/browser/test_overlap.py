"""The map in the browser: a click opens the tool under the pointer in every colouring, and what was zoomed into stays."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SAMPLES
from tests.browser.workbench import Screen, Workbench

WHERE = """(key) => {
  const plot = document.querySelector(".js-plotly-plot"), box = plot.getBoundingClientRect(), { xaxis, yaxis } = plot._fullLayout;
  for (const trace of plot.data) {
    const at = Array.from(trace.customdata ?? []).indexOf(key);
    if (at >= 0) return [box.left + xaxis._offset + xaxis.l2p(trace.x[at]), box.top + yaxis._offset + yaxis.l2p(trace.y[at])];
  }
}"""
RANGE = "() => document.querySelector('.js-plotly-plot')._fullLayout.xaxis.range.map((end) => Math.round(end * 1000))"
NAMES = "() => document.querySelector('.js-plotly-plot').data.map((trace) => trace.name)"


@pytest.fixture
def map_screen(screen: Screen) -> Screen:
    screen.go("overlap").ready()
    screen.page.locator(".js-plotly-plot .main-svg").first.wait_for()
    expect(screen.page.get_by_text("Comparing tools")).to_have_count(0, timeout=60_000)
    return screen.settle()


def click(screen: Screen, key: str) -> None:
    x, y = screen.page.evaluate(WHERE, key)
    screen.page.mouse.move(x - 3, y - 2)
    screen.page.mouse.move(x, y)
    screen.page.wait_for_timeout(150)  # plotly looks for the mark under the pointer at most so often
    screen.page.mouse.click(x, y)
    screen.settle()


def colour_by(screen: Screen, colouring: str) -> None:
    screen.page.get_by_role("radiogroup", name="Colour by").get_by_text(colouring, exact=True).click()
    screen.settle()


def zoom_into(screen: Screen, key: str, away: str = "") -> Any:
    """Turn the wheel over a tool, at least ten steps and until the other tool is out of view; return the ends of the map's width."""
    x, y = screen.page.evaluate(WHERE, key)
    screen.page.mouse.move(x, y)
    before = ranges(screen)
    for step in range(40):
        if step >= 10 and not (away and in_view(screen, away)):
            break
        screen.page.mouse.wheel(0, -240)
        screen.page.wait_for_timeout(100)
    screen.page.wait_for_timeout(1000)  # until the page has told the server
    screen.settle()
    zoomed = ranges(screen)
    assert zoomed != before
    return zoomed


def opened(screen: Screen) -> str:
    return screen.page.get_by_role("combobox", name="Tool", exact=True).input_value()


def ranges(screen: Screen) -> Any:
    return screen.page.evaluate(RANGE)


def test_a_click_opens_the_tool_under_the_pointer_in_every_colouring(map_screen: Screen) -> None:
    for colouring in ("cluster", "group", "role"):
        colour_by(map_screen, colouring)
        for key in ("submit_grievance", "get_attendance", "add_publication"):
            click(map_screen, key)
            assert opened(map_screen) == key, colouring
            expect(map_screen.page.get_by_text("Nearest tools in the original space")).to_be_visible()
            expect(map_screen.page.get_by_role("link", name="Edit this tool")).to_have_attribute("href", f"tools?tool={key}")


def test_what_was_zoomed_into_stays_when_tools_are_clicked(map_screen: Screen) -> None:
    zoomed = zoom_into(map_screen, "submit_grievance")
    for key in ("submit_grievance", "assign_grievance"):
        click(map_screen, key)
        assert opened(map_screen) == key
        assert ranges(map_screen) == zoomed


def test_what_was_zoomed_into_stays_when_ring_colour_or_star_change_until_all_is_asked_for(map_screen: Screen) -> None:
    zoomed = zoom_into(map_screen, "submit_grievance", away="get_attendance")
    map_screen.choose("Tool", "assign_grievance")
    assert ranges(map_screen) == zoomed
    for colouring in ("group", "cluster"):
        colour_by(map_screen, colouring)
        assert ranges(map_screen) == zoomed
    ask(map_screen, "send a formal grievance")
    assert ranges(map_screen) == zoomed
    assert not in_view(map_screen, "get_attendance")
    map_screen.choose("Tool", "get_attendance")  # the map moves there, and comes no closer
    moved = ranges(map_screen)
    assert moved != zoomed
    assert moved[1] - moved[0] == pytest.approx(zoomed[1] - zoomed[0], abs=2)
    assert in_view(map_screen, "get_attendance")
    box = map_screen.page.locator(".js-plotly-plot").bounding_box()
    assert box is not None
    map_screen.page.mouse.dblclick(box["x"] + 4, box["y"] + 8)
    map_screen.page.wait_for_timeout(800)
    assert all(in_view(map_screen, key) for key in ("submit_grievance", "get_attendance", "add_publication"))


def ask(screen: Screen, question: str) -> None:
    field = screen.page.get_by_role("searchbox", name="A question on the map")
    field.fill(question)
    field.press("Enter")
    screen.settle()


def in_view(screen: Screen, key: str) -> bool:
    x, y = screen.page.evaluate(WHERE, key)
    box = screen.page.locator(".js-plotly-plot").bounding_box()
    assert box is not None
    return bool(box["x"] <= x <= box["x"] + box["width"] and box["y"] <= y <= box["y"] + box["height"])


def test_the_selector_opens_a_tool_as_a_click_does_and_clicks_go_on_working(map_screen: Screen) -> None:
    click(map_screen, "submit_grievance")
    map_screen.choose("Tool", "get_attendance")
    marked = map_screen.page.evaluate(NAMES)
    assert len(marked) > 0
    ring = "() => { const ring = document.querySelector('.js-plotly-plot').data.at(-1); return [ring.x[0], ring.y[0]]; }"
    place = map_screen.page.evaluate(
        """(key) => { for (const trace of document.querySelector(".js-plotly-plot").data) {
          const at = Array.from(trace.customdata ?? []).indexOf(key); if (at >= 0) return [trace.x[at], trace.y[at]]; } }""",
        "get_attendance",
    )
    assert map_screen.page.evaluate(ring) == place
    for key in ("add_publication", "submit_grievance"):
        click(map_screen, key)
        assert opened(map_screen) == key


def test_a_typed_question_is_a_star_with_the_nearest_tools_beside_it(map_screen: Screen) -> None:
    ask(map_screen, "send a formal grievance")
    assert "your question" in map_screen.page.evaluate(NAMES)
    near = map_screen.page.get_by_role("region", name="The tools nearest to the question")
    expect(near.locator("tbody tr").first).to_contain_text("grievance")


def test_a_click_on_a_pair_opens_that_tool(map_screen: Screen) -> None:
    map_screen.page.get_by_role("tab", name="Closest pairs").click()
    map_screen.settle()
    table = map_screen.page.get_by_test_id("stDataFrame").first
    cells = map_screen.page.get_by_role("region", name="The closest pairs of tools, closest first").locator("tbody tr").first.locator("td")
    map_screen.page.wait_for_timeout(400)
    pair = cells.all_text_contents()
    box = table.bounding_box()
    assert box is not None
    for column, x in ((2, 230), (1, 90)):
        map_screen.page.mouse.click(box["x"] + x, box["y"] + 46)
        map_screen.settle()
        assert opened(map_screen) == pair[column]


PLACES = """() => Object.fromEntries(document.querySelector(".js-plotly-plot").data.flatMap((trace) =>
  Array.from(trace.customdata ?? []).map((key, at) => [key, [trace.x[at], trace.y[at], trace.marker.color, trace.marker.symbol]])))"""


def test_after_a_restart_and_an_edit_from_outside_every_other_tool_is_where_it_was_in_its_colour(
    start: Callable[[Path], Workbench], visit: Callable[[Workbench], Screen], tmp_path: Path
) -> None:
    shutil.copytree(SAMPLES / "campus", tmp_path / "campus", ignore=shutil.ignore_patterns(".curator"))
    seen = []
    for old, new in (("", ""), ("semester fee", "hostel room")):
        file = tmp_path / "campus" / "tools.json"
        file.write_text(file.read_text(encoding="utf-8").replace(old or "semester fee", new or "semester fee", 1), encoding="utf-8")
        workbench = start(tmp_path / "campus")
        screen = visit(workbench)
        screen.go("overlap").ready()
        screen.page.locator(".js-plotly-plot .main-svg").first.wait_for()
        seen.append(screen.settle().page.evaluate(PLACES))
        workbench.stop()
    before, after = seen
    assert before.keys() == after.keys()
    assert len([key for key in before if before[key] != after[key]]) == 1
