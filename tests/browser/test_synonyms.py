"""Synonyms in the browser: phrases are edited like any text, and their effect is on screen before saving."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.browser.workbench import Screen

TABLE = "The synonym terms that the filter leaves"


def test_a_phrase_written_for_a_term_moves_the_tools_that_have_the_term(screen: Screen) -> None:
    question = "zorbing petition"
    screen.go("playground", q=question)
    screen.open("Synonyms").choose("Term", "grievance")
    before = screen.rank(question)
    editor = screen.editor("Phrases")
    editor.press("Control+End")
    editor.press_sequentially("\nzorbing petition")
    screen.wait_for_status("Phrases", "in your draft, not published yet")
    after = screen.rank(question)
    assert (after["published"], after["with edits"]) == (before["published"], "1")

    screen.publish()
    screen.wait_for_status("Phrases", "as published")
    on_disk = json.loads((screen.workbench.folder / "domain_synonyms.json").read_text())
    assert on_disk["grievance"][-1] == "zorbing petition"


def test_a_new_term_is_written_previewed_and_added(screen: Screen) -> None:
    screen.go("synonyms")
    screen.page.get_by_role("button", name="Add a term").click()
    screen.page.get_by_label("Term", exact=True).last.fill("timetable")
    screen.editor("What users say for it").fill("class plan\n\nwhen is my lecture")
    screen.page.get_by_text(re.compile(r"^Reaches \d+ tool")).wait_for()
    screen.page.get_by_role("button", name="Add this term").click()
    screen.settle()
    expect(screen.editor("Phrases")).to_have_value("class plan\nwhen is my lecture")


def test_a_click_on_a_row_opens_its_term_and_tab_passes_the_list_without_opening_another(screen: Screen) -> None:
    screen.go("synonyms").ready()
    third = term_of_row(screen, 2)
    screen.click_row(TABLE, 2)
    chosen = screen.page.get_by_role("combobox", name="Term", exact=True)
    expect(chosen).to_have_value(third)
    screen.page.get_by_role("searchbox", name="Find terms").focus()
    for _ in range(6):
        screen.page.keyboard.press("Tab")
        screen.settle()
    expect(chosen).to_have_value(third)


def test_the_row_clicked_last_can_be_clicked_again_after_another_term_was_opened_and_the_arrow_keys_go_on_from_it(screen: Screen) -> None:
    screen.go("synonyms").ready()
    third, fourth = term_of_row(screen, 2), term_of_row(screen, 3)
    screen.click_row(TABLE, 2)
    screen.choose("Term", "grievance")
    screen.click_row(TABLE, 2)
    chosen = screen.page.get_by_role("combobox", name="Term", exact=True)
    expect(chosen).to_have_value(third)
    screen.page.get_by_role("searchbox", name="Find terms").focus()
    while not screen.page.evaluate("() => Boolean(document.activeElement.closest('canvas, table'))"):
        screen.page.keyboard.press("Tab")
    screen.page.keyboard.press("ArrowDown")
    expect(chosen).to_have_value(fourth)


def term_of_row(screen: Screen, row: int) -> str:
    """Return the term in a row of the list, counted from 0."""
    screen.page.wait_for_timeout(400)  # the table's text, for screen readers, follows its picture a little later
    rows = screen.page.get_by_role("region", name=TABLE).locator("tbody tr")
    return rows.nth(row).locator("td").first.text_content() or ""


def test_a_pasted_list_is_previewed_put_into_the_draft_and_taken_back_with_one_undo(screen: Screen) -> None:
    screen.go("synonyms", term="grievance").ready()
    before = screen.editor("Phrases").input_value()
    screen.page.get_by_role("button", name="Paste a list").click()
    screen.editor("Terms, and what users say for them").fill("Grievance: help cell\nlibrary card => book pass\nwhat is this")
    expect(screen.page.get_by_text("1 new term · 1 extended · 0 the same · 1 place not read")).to_be_visible()
    expect(screen.page.get_by_text('line 3: found "what is this"')).to_be_visible()
    screen.page.get_by_role("button", name="Put them into the draft").click()
    expect(screen.editor("Phrases")).to_have_value(f"{before}\nhelp cell")
    expect(screen.page.get_by_text("97 of 97 terms")).to_be_visible()
    screen.page.get_by_role("button", name="Undo last", exact=True).click()
    expect(screen.editor("Phrases")).to_have_value(before)
    expect(screen.page.get_by_text("96 of 96 terms")).to_be_visible()
