"""A registry of thousands, in a folder that cannot be written: it opens, answers, sends little, and says that it is read-only.

Whether its pages stall the browser, and when its first map is there, depends on what else the machine does: `make soak` measures that.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dashboard.tools.tool_table import ROWS_PER_PAGE
from tests.browser.conftest import SEAL_TOOLS
from tests.browser.workbench import Screen, Workbench

MOST_BYTES = 5_000_000
MOST_MAP_BYTES = 900_000
QUERIES = 20
MARKS = "() => document.querySelector('.js-plotly-plot').data.reduce((sum, trace) => sum + (trace.customdata?.length ?? 0), 0)"

pytestmark = pytest.mark.skipif(not (SEAL_TOOLS / "tools.json").exists(), reason="the public registry is not beside the project")


def copied(parent: Path) -> Path:
    """Copy the registry: drafts are kept in its folder, wherever this user may write."""
    folder = parent / "seal_tools"
    shutil.copytree(SEAL_TOOLS, folder, ignore=shutil.ignore_patterns(".curator"))
    return folder


@pytest.fixture
def read_only(tmp_path: Path) -> Path:
    """A copy that cannot be written, with some of its questions: what all of them come to would be worked out beside what is tested."""
    folder = copied(tmp_path)
    queries = folder / "test_queries.jsonl"
    queries.chmod(0o644)
    queries.write_text("".join(queries.read_text(encoding="utf-8").splitlines(keepends=True)[:QUERIES]), encoding="utf-8")
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    return folder


def test_pages_on_four_thousand_tools_send_little_and_refuse_to_save_into_a_read_only_folder(
    read_only: Path, start: Callable[[Path], Workbench], visit: Callable[[Workbench], Screen], cache_dir: Path
) -> None:
    screen = visit(start(read_only))
    screen.go("tools")
    assert "4,076 of 4,076 tools" in screen.text()
    table = screen.page.get_by_role("region", name="The tools that the filter leaves")
    expect(table.locator("table")).to_have_attribute("aria-rowcount", str(ROWS_PER_PAGE + 1))  # and the head
    assert screen.received < MOST_BYTES
    tool = table.locator("tbody td").first.text_content() or ""
    assert tool

    screen.go("playground", q="estimate the price of a used car")
    assert screen.page.get_by_role("region", name="Tools that the agent is shown").count()
    assert screen.received < MOST_BYTES

    screen.go("overlap").ready()
    expect(screen.page.locator(".js-plotly-plot .annotation").nth(10)).to_be_visible(timeout=60_000)  # the clusters' names
    assert screen.page.evaluate(MARKS) > 4_000  # tools with the same text are one mark
    assert screen.settle().received < MOST_MAP_BYTES
    assert list(cache_dir.glob("map-*.json"))

    screen.go("tools", tool=tool)
    screen.editor("Extra context").fill("some words")
    screen.wait_for_status("Extra context", "in your draft, not published yet")
    screen.publish()
    expect(screen.page.get_by_text(re.compile("read-only|cannot be written|nothing was saved")).first).to_be_visible()
    expect(screen.editor("Extra context")).to_have_value("some words")
    assert screen.received < MOST_BYTES
