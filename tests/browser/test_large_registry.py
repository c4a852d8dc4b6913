"""A registry of thousands, in a folder that cannot be written: it opens, answers, sends little, and says that it is read-only.

Whether its pages stall the browser depends on what else the machine does: `make soak` measures that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.workbench import Screen, Workbench

SEAL_TOOLS = Path(__file__).parents[3] / "shared" / "data" / "seal_tools"
MOST_BYTES = 5_000_000

pytestmark = pytest.mark.skipif(not (SEAL_TOOLS / "tools.json").exists(), reason="the public registry is not beside the project")


def test_pages_on_four_thousand_tools_send_little_and_refuse_to_save_into_a_read_only_folder(
    start: Callable[[Path], Workbench], visit: Callable[[Workbench], Screen]
) -> None:
    screen = visit(start(SEAL_TOOLS))
    screen.go("tools")
    assert "4,076 of 4,076 tools" in screen.text()
    assert_light(screen)
    tool = screen.page.locator("table tbody td").first.text_content() or ""
    assert tool

    screen.go("playground", q="estimate the price of a used car")
    assert screen.page.get_by_role("region", name="Tools that the agent is shown").count()
    assert_light(screen)

    screen.go("tools", tool=tool)
    screen.editor("Extra context").fill("some words")
    screen.wait_for_status("Extra context", "in your draft, not published yet")
    screen.publish()
    expect(screen.page.get_by_text(re.compile("read-only|cannot be written|nothing was saved")).first).to_be_visible()
    expect(screen.editor("Extra context")).to_have_value("some words")
    assert_light(screen)


def assert_light(screen: Screen) -> None:
    """Fail when the page was sent too much."""
    assert screen.received < MOST_BYTES
