"""J2: spot the pair that clashes most, see what decides its swaps, separate the two in one step, and take it back."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.workbench import Screen

PAIR = ("attendance_shortage", "get_attendance")
LIST = "Pairs of tools that take each other's questions, worst first"
NEW_NAME = "get_attendance_percentage"


def first_pair(screen: Screen) -> tuple[str, str, str]:
    """Return the tools and the swaps of the first row of the list of clashes, once the list is there."""
    table = screen.page.get_by_role("region", name=LIST)
    expect(table).to_be_visible(timeout=60_000)
    screen.settle().page.wait_for_timeout(400)  # the table's text, for screen readers, follows its picture a little later
    first = table.locator("tbody tr").first.locator("td").all_text_contents()
    cells = dict(zip(table.locator("thead th").all_text_contents(), first, strict=True))
    return cells["tool"], cells["and tool"], cells["swaps"]


def test_the_first_clash_is_separated_with_its_effect_before_saving_and_comes_back_on_undo(screen: Screen) -> None:
    page = screen.go("overlap").ready().page
    page.get_by_role("tab", name="Clashes").click()
    assert first_pair(screen) == (*PAIR, "2")
    expect(page.get_by_text(f"The name rule decides 2 of 2 swaps: it puts {PAIR[1]} first")).to_be_visible()

    screen.click_row(LIST, 1)
    expect(screen.page.get_by_role("combobox", name="Look at the pair")).to_have_value("get_mess_menu · update_mess_menu")
    screen.click_row(LIST, 0)
    screen.choose("Change the text of", PAIR[1]).choose("How", "Rename it")
    phrase = page.get_by_role("textbox", name="Phrase, or the new name")
    phrase.fill(NEW_NAME)
    phrase.press("Enter")
    expect(page.get_by_text(re.compile("^swaps 2 → 0 ·"))).to_be_visible()
    expect(page.get_by_text(re.compile("^Elsewhere: .* 0 broke"))).to_be_visible()

    page.get_by_role("button", name="Into the draft").click()
    expect(page.get_by_role("combobox", name="Look at the pair")).to_have_value(f"{PAIR[0]} · {NEW_NAME}", timeout=60_000)
    assert PAIR[0] not in first_pair(screen)

    page.get_by_role("button", name="Undo last", exact=True).click()
    expect(page.get_by_role("combobox", name="Look at the pair")).to_have_value(" · ".join(PAIR), timeout=60_000)
    assert first_pair(screen) == (*PAIR, "2")

    page.get_by_role("button", name="Dismiss the pair").click()  # without a reason
    expect(page.get_by_text("Not done")).to_be_visible()
