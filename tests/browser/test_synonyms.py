"""Synonyms in the browser: phrases are edited like any text, and their effect is on screen before saving."""

from __future__ import annotations

import json
import re

from playwright.sync_api import expect

from tests.browser.workbench import Screen


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
    assert (after["saved"], after["edited"]) == (before["saved"], "1")

    screen.publish()
    screen.wait_for_status("Phrases", "as published")
    on_disk = json.loads((screen.workbench.folder / "domain_synonyms.json").read_text())
    assert on_disk["grievance"][-1] == "zorbing petition"


def test_a_new_term_is_written_previewed_and_added(screen: Screen) -> None:
    screen.go("synonyms")
    screen.page.get_by_role("button", name="Add a term").click()
    screen.page.get_by_label("Term", exact=True).last.fill("timetable")
    screen.editor("What users say for it").fill("class plan\n\nwhen is my lecture")
    screen.page.get_by_text(re.compile("Reaches [0-9]+ tool")).wait_for()
    screen.page.get_by_role("button", name="Add this term").click()
    screen.settle()
    expect(screen.editor("Phrases")).to_have_value("class plan\nwhen is my lecture")
