"""The map in the browser: a click opens the tool under the pointer in every colouring, and what was zoomed into stays."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.workbench import Screen

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
    expect(screen.page.get_by_text("Naming the clusters")).to_have_count(0, timeout=60_000)
    return screen.settle()


def click(screen: Screen, key: str) -> None:
    x, y = screen.page.evaluate(WHERE, key)
    screen.page.mouse.move(x - 3, y - 2)
    screen.page.mouse.move(x, y)
    screen.page.wait_for_timeout(150)  # plotly looks for the mark under the pointer at most so often
    screen.page.mouse.click(x, y)
    screen.settle()


def opened(screen: Screen) -> str:
    return screen.page.get_by_role("combobox", name="Tool", exact=True).input_value()


def ranges(screen: Screen) -> Any:
    return screen.page.evaluate(RANGE)


@pytest.mark.parametrize("colouring", ["Cluster", "Group", "Role"])
def test_a_click_opens_the_tool_under_the_pointer_in_every_colouring(map_screen: Screen, colouring: str) -> None:
    map_screen.page.get_by_role("radiogroup", name="Colour by").get_by_text(colouring, exact=True).click()
    map_screen.settle()
    for key in ("submit_grievance", "get_attendance", "add_publication"):
        click(map_screen, key)
        assert opened(map_screen) == key
        expect(map_screen.page.get_by_text("Nearest tools in the original space")).to_be_visible()
        expect(map_screen.page.get_by_role("link", name="Edit this tool")).to_have_attribute("href", f"tools?tool={key}")


def test_what_was_zoomed_into_stays_when_tools_are_clicked(map_screen: Screen) -> None:
    x, y = map_screen.page.evaluate(WHERE, "submit_grievance")
    map_screen.page.mouse.move(x, y)
    before = ranges(map_screen)
    map_screen.page.mouse.wheel(0, -240)
    map_screen.page.wait_for_timeout(600)
    zoomed = ranges(map_screen)
    assert zoomed != before
    for key in ("submit_grievance", "assign_grievance"):
        click(map_screen, key)
        assert opened(map_screen) == key
        assert ranges(map_screen) == zoomed


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
    field = map_screen.page.get_by_role("searchbox", name="A question on the map")
    field.fill("send a formal grievance")
    field.press("Enter")
    map_screen.settle()
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
