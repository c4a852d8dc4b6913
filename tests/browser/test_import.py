"""J3 in the browser: a hundred MCP tools come in, a malformed list is refused with its line, and the same file changes nothing."""

from __future__ import annotations

import json
import os
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.workbench import Screen

TOOLS = [
    {
        "name": f"shelf_{number:03d}_{verb}",
        "description": f"{verb.capitalize()} the boxes of shelf {number} in the store room.",
        "inputSchema": {"type": "object", "properties": {"box": {"type": "string"}}},
    }
    for number in range(25)
    for verb in ("count", "empty", "label", "move")
]
BROKEN = '{"tools": [\n  {"name": "shelf_lost",\n   "description": "no end}\n]}'


def give(screen: Screen, path: Path) -> None:
    screen.page.locator('input[type="file"]').set_input_files(path)
    screen.settle()


def picture(screen: Screen, name: str) -> None:
    if folder := os.environ.get("PICTURES"):
        screen.page.screenshot(path=f"{folder}/{name}.png")


def test_a_hundred_tools_are_imported_and_published_and_the_same_file_is_nothing_to_do(screen: Screen, tmp_path: Path) -> None:
    good, bad = tmp_path / "shelves.json", tmp_path / "broken.json"
    good.write_text(json.dumps({"tools": TOOLS}), encoding="utf-8")
    bad.write_text(BROKEN, encoding="utf-8")
    page = screen.go("exchange").ready().page
    give(screen, bad)
    expect(page.get_by_text("This holds no tools that can be used")).to_be_visible()
    expect(page.get_by_role("region", name="Why nothing can be used")).to_contain_text("line 3, column")
    page.get_by_role("button", name="Remove broken.json").click()
    give(screen.settle(), good)
    expect(page.get_by_text("shelves.json: MCP tools/list, 100 tools")).to_be_visible()
    expect(page.get_by_text("100 new", exact=True).first).to_be_visible()
    picture(screen, "import")
    page.get_by_role("button", name="Into the draft: 100 new").click()
    expect(page.get_by_text("Draft: 100 edits in 100 places").first).to_be_visible()
    screen.settle().publish("the store room's tools")
    before = (screen.workbench.folder / "tools.json").read_bytes()
    assert b'"shelf_024_move"' in before
    give(screen, good)
    expect(page.get_by_role("button", name="Nothing to do")).to_be_disabled()
    expect(page.get_by_text("100 same", exact=True).first).to_be_visible()
    assert (screen.workbench.folder / "tools.json").read_bytes() == before
    picture(screen, "again")
