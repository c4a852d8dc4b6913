"""J1: from Home's list of what fails to a published fix, in at most four clicks besides typing; the whole effect is there before it."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from tests.browser.workbench import Screen

TOOL, QUESTION = "notify_parents", "text the mother of that boy"
MOST_CLICKS, LINES = 4, 5


def fix(page: Page, question: str) -> None:
    """Click on a line's button once all lines have theirs: before that the block around the list has a single one, of another line."""
    buttons = page.get_by_role("button", name="Fix", exact=True)
    expect(buttons).to_have_count(LINES, timeout=120_000)
    line = page.get_by_test_id("stHorizontalBlock").filter(has_text=question).filter(has=buttons)
    line.last.get_by_role("button", name="Fix", exact=True).click()


def test_a_failing_query_is_fixed_and_published_from_home_in_four_clicks(screen: Screen) -> None:
    page, clicks = screen.page, 0
    screen.go().ready()
    fix(page, QUESTION)
    clicks += 1
    screen.settle()
    before = screen.rank(QUESTION)
    assert before["published"] == "13"

    editor = screen.editor("Extra context")
    editor.press("Control+End")
    editor.press_sequentially(", text the mother or father of a boy or girl")
    screen.wait_for_status("Extra context", "in your draft, not published yet")
    moved = screen.rank(QUESTION)
    assert moved["published"] == "13"
    assert int(moved["with edits"]) <= 5
    assert moved["change"].startswith("▲")
    expect(page.get_by_text(re.compile(r"Test queries \(363\): .*[1-9]\d* fixed · 0 broke"))).to_be_visible(timeout=60_000)

    page.get_by_role("button", name="Publish", exact=True).click()
    clicks += 1
    screen.settle()
    page.get_by_label("Why? A few words for the history").fill("parents are called mother and father")
    page.get_by_role("button", name="Publish now", exact=True).click()
    clicks += 1
    screen.settle()
    assert clicks <= MOST_CLICKS
    written = json.loads((screen.workbench.folder / "extra_context.json").read_text(encoding="utf-8"))
    assert written[TOOL].endswith("text the mother or father of a boy or girl")

    screen.open("Home")
    expect(page.get_by_text("Tools whose test queries fail")).to_be_visible(timeout=60_000)
    expect(page.get_by_text(QUESTION)).to_have_count(0)


def test_a_tried_phrase_goes_from_home_into_the_draft_in_two_clicks_with_the_effect_it_promised(screen: Screen) -> None:
    tool, question, page = "submit_grievance", "prof insulted me in front of the whole class", screen.page
    screen.go().ready()
    fix(page, question)
    advice = page.get_by_test_id("stVerticalBlock").filter(has=page.get_by_text("What would it take?")).last
    expect(advice).to_contain_text(re.compile(rf"{tool} is .*combined score to pass"), timeout=30_000)
    expect(advice).to_contain_text(
        re.compile(r"This question: \d+ → [1-5] · the tool's other test queries: 1 fixed, 0 broke"), timeout=60_000
    )
    expect(advice).to_contain_text("Other tools: 0 fixed, 0 broke of")
    advice.get_by_role("button", name="Add", exact=True).first.click()
    screen.wait_for_status("Extra context", "in your draft, not published yet")
    expect(page.get_by_text(re.compile(r"Test queries \(\d+\): 2 fixed · 0 broke"))).to_be_visible(timeout=60_000)
    assert int(screen.rank(question)["with edits"]) <= 5

    page.get_by_role("button", name="Undo last", exact=True).click()
    screen.wait_for_status("Extra context", "as published")
