"""Test queries in the browser: pinned, typed, pasted, published; and what a text typed a moment before a click becomes."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.workbench import Screen

LIST = "Test queries and how they stand"
PIN = 297  # where a row of the playground has its pin, in a window of 1440 pixels


def queries_of(screen: Screen) -> list[dict[str, object]]:
    text = (screen.workbench.folder / "test_queries.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def view(screen: Screen, name: str) -> Screen:
    screen.page.get_by_role("tab", name=name, exact=True).click()
    return screen.settle()


def rows(screen: Screen, table: str = LIST) -> Locator:
    return screen.page.get_by_role("region", name=table).locator("tbody tr")


def test_one_click_in_a_row_of_the_playground_makes_a_test_query_that_can_be_taken_back(screen: Screen) -> None:
    question = "zorbing for beginners"
    screen.go("playground", q=question).ready()
    screen.page.wait_for_timeout(400)
    tool = rows(screen, "Tools that the agent is shown, best first").nth(2).locator("td").nth(1).text_content()
    screen.click_row("Tools that the agent is shown, best first", 2, x=PIN)
    expect(screen.page.get_by_text("Draft: 1 edit in 1 place").first).to_be_visible()
    screen.open("Test queries")
    screen.ready().choose("Test query", question)
    expect(screen.page.get_by_role("button", name=f"Remove {tool}")).to_be_visible()
    screen.page.get_by_role("button", name="Undo last").click()
    screen.settle()
    expect(screen.page.get_by_text("Draft: 1 edit")).to_have_count(0)


def test_a_query_is_written_with_the_keyboard_alone_and_published_as_one_line(screen: Screen) -> None:
    before = queries_of(screen)
    screen.go("queries").ready()
    screen.page.get_by_role("button", name="New test query").focus()
    screen.page.keyboard.press("Enter")
    screen.settle()
    field = screen.page.get_by_label("New question")
    field.focus()
    screen.page.keyboard.type("can I go zorbing on saturday")
    screen.settle()
    screen.page.get_by_role("combobox", name="Expected tools").focus()
    screen.page.keyboard.type("get_mess")
    screen.page.keyboard.press("Enter")
    screen.page.keyboard.press("Escape")
    screen.settle()
    screen.tab_to("Add")
    screen.page.keyboard.press("Enter")
    screen.settle()
    expect(screen.editor("Question")).to_have_value("can I go zorbing on saturday")
    expect(screen.page.get_by_text(re.compile(r"lacks \d+ place|passes by \d+ place"))).to_be_visible(timeout=60_000)
    screen.publish()
    after = queries_of(screen)
    assert after[:-1] == before
    assert after[-1] == {"query": "can I go zorbing on saturday", "expected": ["get_mess_menu"]}


def test_a_text_typed_a_moment_before_another_query_is_opened_belongs_to_the_first_and_checked_rows_are_tagged_together(
    screen: Screen,
) -> None:
    screen.go("queries", test="mess menu today").ready()
    editor = screen.editor("Question")
    editor.press("Control+End")
    editor.press_sequentially(" please", delay=5)
    screen.page.wait_for_timeout(400)
    screen.click_row(LIST, 2)
    expect(screen.editor("Question")).to_have_value("what is my cgpa")
    screen.choose("Test query", "mess menu today please")
    expect(screen.editor("Question")).to_have_value("mess menu today please")
    expect(screen.page.get_by_text("Draft: 1 edit in 1 place").first).to_be_visible()
    for row in (0, 4):
        screen.click_row(LIST, row, x=16)
    screen.page.get_by_role("button", name="Tag many").click()
    expect(screen.page.get_by_text("the 2 that are marked")).to_be_visible()


def test_a_pasted_table_is_taken_over_once_and_comes_out_in_cells_that_cannot_start_a_formula(screen: Screen, tmp_path: Path) -> None:
    table = "query,expected\n=HYPERLINK(1),get_mess_menu\nzorbing tickets,get_mess_men\n,get_cgpa\n"
    view(screen.go("queries").ready(), "Paste and files")
    screen.page.get_by_label("Or paste").fill(table)
    expect(screen.page.get_by_text("2 new", exact=True)).to_be_visible(timeout=20_000)
    expect(screen.page.get_by_text("1 unreadable", exact=True)).to_be_visible()
    screen.settle().choose("Instead of unknown tool 1", "use get_mess_menu")
    screen.page.get_by_role("button", name="Take over: 2 new").click()
    screen.settle()
    expect(screen.page.get_by_text("Draft: 2 edits in 1 place").first).to_be_visible()
    screen.page.get_by_label("Or paste").fill(table.replace("get_mess_men\n", "get_mess_menu\n"))
    expect(screen.page.get_by_text("2 same", exact=True)).to_be_visible(timeout=20_000)
    expect(screen.page.get_by_role("button", name="Nothing to take over")).to_be_disabled()
    with screen.page.expect_download() as started:
        screen.page.get_by_role("button", name="Table (CSV)").click()
    started.value.save_as(tmp_path / "out.csv")
    text = (tmp_path / "out.csv").read_bytes().decode("utf-8-sig")
    assert text.startswith("query,expected,forbidden,role,tags,critical,note\r\n")
    assert "\r\n'=HYPERLINK(1),get_mess_menu," in text


def test_a_suggestion_for_a_failing_tool_is_tried_applied_and_taken_back(screen: Screen) -> None:
    view(screen.go("queries").ready(), "Suggestions").choose("For", "cgpa_simulator")
    screen.page.get_by_role("button", name="Try texts").click()
    expect(screen.page.get_by_text("open test queries put the right tool first")).to_be_visible(timeout=60_000)
    screen.page.get_by_role("button", name="Apply all that help (1)").click()
    expect(screen.page.get_by_text("Draft: 1 edit in 1 place").first).to_be_visible()
    screen.page.get_by_role("button", name="Undo last").click()
    screen.settle()
    expect(screen.page.get_by_text("Draft: 1 edit")).to_have_count(0)
