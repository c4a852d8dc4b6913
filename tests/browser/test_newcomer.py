"""A newcomer's first fix, from an empty start, with what the screen says and nothing else; then the same with the keyboard alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.workbench import Screen, Workbench

QUESTION = "can I stay out past curfew"
TOOL, WORD = "request_outpass", "curfew"


@pytest.fixture
def empty(tmp_path: Path, cache_dir: Path, visit: Callable[[Workbench], Screen]) -> Iterator[Screen]:
    """A browser window on a workbench that was started without a folder and has no recent registries; the model and vectors are there."""
    cache = tmp_path / "cache"
    cache.mkdir()
    for vectors in cache_dir.glob("vectors-*.sqlite"):
        shutil.copy(vectors, cache)
    shutil.copytree(cache_dir / "models", cache / "models")  # without it: test_safety
    workbench = Workbench(None, cache, tmp_path / "workbench.log")
    try:
        workbench.wait_until_up()
        yield visit(workbench).go()
    finally:
        workbench.stop()


def test_a_newcomer_gets_from_an_empty_start_to_an_edit_that_moves_a_rank(empty: Screen) -> None:
    page = empty.page
    expect(page.get_by_role("heading", name="Tool Curator")).to_be_visible()
    expect(page.get_by_text("How it goes, in three steps")).to_be_visible()
    page.get_by_role("button", name="Open campus").click()
    empty.ready()

    page.get_by_role("link", name=f"Ask {QUESTION}").click()
    empty.settle()
    expect(page.get_by_label("Question", exact=True)).to_have_value(QUESTION)
    empty.choose("Where is this tool?", TOOL)
    expect(page.get_by_text(f"{TOOL} is ").first).to_be_visible()
    page.get_by_role("link", name="Edit this tool").click()
    empty.settle()

    before = empty.rank(QUESTION)
    editor = empty.editor("Extra context")
    editor.press("Control+End")
    editor.press_sequentially(f" {WORD}")
    empty.wait_for_status("Extra context", "in your draft, not published yet")
    after = empty.rank(QUESTION)
    assert after["published"] == before["published"]
    assert after["change"].startswith("▲")

    empty.open("Help")
    page.get_by_text("Your last question").click()
    empty.settle()
    assert "1/(60+" in empty.text()


def test_the_same_with_the_keyboard_alone(empty: Screen) -> None:
    keyboard = empty.page.keyboard
    empty.tab_to("Open campus")
    keyboard.press("Enter")
    empty.ready()

    empty.tab_to("Playground")
    keyboard.press("Enter")
    empty.settle().tab_to("Question")
    keyboard.type(QUESTION)
    empty.settle().tab_to("Where is this tool?")
    keyboard.type(TOOL)
    expect(empty.page.get_by_role("option", name=TOOL)).to_be_visible()
    keyboard.press("Enter")
    empty.settle().tab_to("Edit this tool")
    keyboard.press("Enter")
    empty.settle()

    before = empty.rank(QUESTION)
    empty.tab_to("Extra context")
    keyboard.press("Control+End")
    keyboard.type(f" {WORD}")
    empty.wait_for_status("Extra context", "in your draft, not published yet")
    after = empty.rank(QUESTION)
    assert after["published"] == before["published"]
    assert after["change"].startswith("▲")
