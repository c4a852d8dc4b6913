"""The main job end to end: ask, edit, see the rank move before saving, save, and find it again."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.browser.workbench import Screen

QUESTION = "show the bunk ledger"
WORDS = "bunk ledger, show the bunk ledger"


def test_an_author_sees_the_rank_move_before_saving_and_finds_text_and_rank_again_after_a_reload(screen: Screen) -> None:
    screen.go("playground", q=QUESTION).ready()
    screen.open("Tools").choose("Tool", "get_attendance")
    before = screen.rank(QUESTION)
    assert before["published"] == before["with edits"] != "1"

    editor = screen.editor("Extra context")
    editor.press("Control+End")
    editor.press_sequentially(f" {WORDS}")
    screen.wait_for_status("Extra context", "in your draft, not published yet")
    moved = screen.rank(QUESTION)
    assert moved["published"] == before["published"]
    assert moved["with edits"] == "1"
    assert moved["change"].startswith("▲")

    screen.publish()
    on_disk = json.loads((screen.workbench.folder / "extra_context.json").read_text())
    assert on_disk["get_attendance"].endswith(WORDS)

    screen.reload().ready()
    expect(screen.editor("Extra context")).to_have_value(on_disk["get_attendance"])
    screen.go("playground", q=QUESTION, tool="get_attendance").ready()
    assert screen.page.get_by_text("get_attendance is 1st of").count()


def test_ctrl_s_keeps_the_text_that_was_just_typed_and_says_so(screen: Screen) -> None:
    screen.go("tools", tool="hostel_room_details").ready()
    editor = screen.editor("Description")
    before = (screen.workbench.folder / "tools.json").read_bytes()
    editor.fill("Tells what is left to pay for the room.")
    editor.press("Control+s")
    screen.wait_for_status("Description", "in your draft, not published yet")
    toast = screen.page.get_by_role("alertdialog", name="Kept in your draft: 1 edit.")
    expect(toast.get_by_role("alert")).to_have_text("Kept in your draft: 1 edit.")  # read out, under a name
    assert (screen.workbench.folder / "tools.json").read_bytes() == before
    screen.reload()
    expect(editor).to_have_value("Tells what is left to pay for the room.")


def test_typed_text_is_there_after_looking_at_another_page(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance").ready()
    screen.editor("Description").fill("Attendance, typed but never saved.")
    screen.page.wait_for_timeout(1200)
    screen.open("Synonyms").open("Tools")
    expect(screen.editor("Description")).to_have_value("Attendance, typed but never saved.")


def test_the_caret_stays_where_it_is_while_the_page_notes_the_text(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance").ready()
    editor = screen.editor("Description")
    editor.press("Control+Home")
    editor.press_sequentially("First. ")
    screen.wait_for_status("Description", "in your draft, not published yet")
    editor_text = editor.input_value()
    screen.page.keyboard.type("Second. ")
    expect(editor).to_have_value(editor_text.replace("First. ", "First. Second. "))


def test_undo_and_discard_bring_the_earlier_text_back_into_the_editor(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance").ready()
    editor = screen.editor("Description")
    saved = editor.input_value()
    for button in ("Undo last", "Discard"):
        editor.fill(f"Something else, before {button}.")
        screen.wait_for_status("Description", "in your draft, not published yet")
        screen.page.get_by_role("button", name=button, exact=True).click()
        screen.settle()
        expect(editor).to_have_value(saved)


def test_a_button_that_is_clicked_right_after_typing_acts_on_the_new_text(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance")
    screen.editor("Description").fill("Typed, then saved in the same breath.")
    screen.wait_for_status("Description", "in your draft, not published yet")
    screen.editor("Extra context").fill("typed a moment before the click")
    screen.publish()
    on_disk = json.loads((screen.workbench.folder / "extra_context.json").read_text())
    assert on_disk["get_attendance"] == "typed a moment before the click"
    expect(screen.editor("Extra context")).to_have_value("typed a moment before the click")


def test_a_tool_is_opened_from_the_list_and_typing_goes_to_that_tool(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance")
    screen.page.get_by_label("Find tools", exact=True).fill("hostel_room_details")
    screen.settle()
    screen.click_row("The tools that the filter leaves", 0)
    expect(screen.page.get_by_role("combobox", name="Tool", exact=True)).to_have_value("hostel_room_details")
    assert screen.page.url.endswith("tool=hostel_room_details")
    screen.editor("Extra context").fill("only here")
    screen.wait_for_status("Extra context", "in your draft, not published yet")
    screen.choose("Tool", "get_attendance")
    assert "only here" not in screen.editor("Extra context").input_value()
