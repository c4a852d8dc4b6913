"""A line drawn around marks of the map lists their tools beside it; a click in that list opens a tool and keeps the line."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.workbench import Screen

AROUND = ((-80, 0), (-60, -60), (0, -80), (60, -60), (80, 0), (60, 60), (0, 80), (-60, 60), (-80, 0))


def test_tools_that_are_drawn_around_are_listed_until_they_are_let_go_of(screen: Screen) -> None:
    page = screen.go("overlap").ready().page
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    page.get_by_text("draw around tools", exact=True).click()
    screen.settle().page.wait_for_timeout(500)
    box = page.locator(".js-plotly-plot").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x + AROUND[0][0], y + AROUND[0][1])
    page.mouse.down()
    for across, down in AROUND[1:]:
        page.mouse.move(x + across, y + down, steps=3)
    page.mouse.up()
    chosen = page.get_by_role("region", name="The tools that are drawn around on the map")
    expect(chosen).to_be_visible()
    screen.settle().click_row("The tools that are drawn around on the map", 0)
    expect(page.get_by_text("Nearest tools in the original space")).to_be_visible()
    expect(chosen).to_be_visible()
    page.mouse.dblclick(box["x"] + 4, box["y"] + 8)
    expect(chosen).to_have_count(0)
