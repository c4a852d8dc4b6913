"""What was typed is there again: after a refresh, on another page, in another tab; after a killed server: test_restart."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from curator_core import load_registry
from tests.browser.workbench import Screen, Workbench

TYPED = "typed and never published"


def test_text_that_was_typed_is_there_after_a_refresh_with_its_time(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance")
    screen.editor("Extra context").fill(TYPED)
    screen.page.wait_for_timeout(1200)
    screen.reload()
    expect(screen.editor("Extra context")).to_have_value(TYPED)
    expect(screen.page.get_by_text("Draft: 1 edit in 1 place · since").first).to_be_visible()


def test_a_refresh_in_the_middle_of_a_word_keeps_what_was_typed(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance")
    screen.editor("Extra context").fill("half a wo")
    screen.reload()
    expect(screen.editor("Extra context")).to_have_value("half a wo")


def test_switching_pages_while_typing_keeps_the_text(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance")
    screen.editor("Extra context").press_sequentially(" and more")
    typed = screen.editor("Extra context").input_value()
    screen.open("Synonyms").reload().go("tools", tool="get_attendance")
    expect(screen.editor("Extra context")).to_have_value(typed)


def test_a_second_tab_shows_the_draft_and_both_work_on_the_same_one(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance")
    before = screen.editor("Extra context").input_value()
    screen.editor("Extra context").fill(TYPED)
    screen.wait_for_status("Extra context", "in your draft, not published yet")
    second = Screen(screen.page.context.new_page(), screen.workbench)
    second.go("tools", tool="get_attendance")
    expect(second.editor("Extra context")).to_have_value(TYPED)
    second.page.get_by_role("button", name="Undo last", exact=True).click()
    second.settle()
    expect(second.editor("Extra context")).to_have_value(before)
    screen.open("Synonyms").open("Tools")
    expect(screen.editor("Extra context")).to_have_value(before)
    screen.page.get_by_role("button", name="Redo", exact=True).click()
    screen.settle()
    expect(screen.editor("Extra context")).to_have_value(TYPED)


def test_ctrl_s_keeps_the_new_text_even_if_the_page_is_left_at_once(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance")
    screen.editor("Extra context").fill("new words")
    screen.editor("Extra context").press("Control+s")
    expect(screen.page.get_by_text("Kept in your draft: 1 edit.")).to_be_visible()
    screen.reload()
    expect(screen.editor("Extra context")).to_have_value("new words")


def test_edits_of_tools_in_turn_a_filter_typed_between_and_a_click_on_publish_lose_no_letter(
    small: Workbench, visit: Callable[..., Screen]
) -> None:
    screen = visit(small).go("tools", tool="pay_fees")
    screen.editor("Description").fill("one")
    screen.choose("Tool", "renew_book")
    expect(screen.editor("Description")).to_have_value("Keep a book")
    screen.editor("Description").fill("two")
    screen.page.get_by_label("Find tools").fill("pay")
    screen.choose("Tool", "pay_fees")
    expect(screen.editor("Description")).to_have_value("one")
    screen.editor("Description").fill("one, again")
    screen.editor("Extra context").fill("typed last")
    screen.publish("all of it")
    expect(screen.page.get_by_text("Published 3 edits as revision")).to_be_visible(timeout=20_000)
    tools = {tool.name: (tool.description, tool.extra_context) for tool in load_registry(small.folder).tools}
    assert tools == {"pay_fees": ("one, again", "typed last"), "renew_book": ("two", "")}


def test_a_draft_is_nobody_else_s_until_it_is_published(campus: Workbench, visit: Callable[..., Screen]) -> None:
    mine, theirs = visit(campus), visit(campus)
    mine.go("tools", tool="hostel_room_details")
    mine.editor("Extra context").fill(TYPED)
    mine.wait_for_status("Extra context", "in your draft, not published yet")
    theirs.go("tools", tool="hostel_room_details")
    expect(theirs.page.get_by_text("Draft:")).to_have_count(0)
    assert theirs.editor("Extra context").input_value() != TYPED
