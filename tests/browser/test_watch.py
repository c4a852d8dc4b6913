"""What others do is told within seconds on a page that stands, and takes nothing from what is being typed."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.workbench import Screen, Workbench

KEPT = "in your draft, not published yet"


def write(screen: Screen, tool: str, text: str) -> Screen:
    screen.go("tools", tool=tool)
    screen.editor("Description").fill(text)
    screen.wait_for_status("Description", KEPT)
    return screen


def test_what_a_colleague_publishes_is_told_while_one_types_and_nothing_typed_is_lost(
    small: Workbench, visit: Callable[..., Screen]
) -> None:
    asha, binod = visit(small, "Asha"), visit(small, "Binod")
    asha.go("tools", tool="pay_fees")
    write(binod, "renew_book", "Keep a book for two more weeks").publish("users say weeks")
    box = asha.editor("Description")
    box.click()
    box.press("End")
    news = asha.page.get_by_role("button", name="Published meanwhile")
    for _ in range(40):  # go on typing without a pause, so that the box always has what the server does not
        asha.page.keyboard.type(" more", delay=40)
        if news.count():
            break
    expect(news).to_be_visible()
    typed = box.input_value()
    assert typed.startswith("Pay tuition fees more") and asha.focused() == "Description"
    asha.wait_for_status("Description", KEPT)
    news.click()
    expect(asha.page.get_by_text(re.compile(r"Binod, revision \d+: “users say weeks” \(1 edit: renew_book\)"))).to_be_visible()
    asha.page.get_by_role("button", name="Take it over").click()
    asha.settle()
    expect(box).to_have_value(typed)
    expect(news).to_have_count(0)
    asha.go("tools", tool="renew_book")
    expect(asha.editor("Description")).to_have_value("Keep a book for two more weeks")


def test_another_tab_s_edit_is_told_and_shown_by_a_click(small: Workbench, visit: Callable[..., Screen]) -> None:
    first = visit(small, "Chitra")
    first.go("tools", tool="pay_fees").ready()
    write(Screen(first.page.context.new_page(), small), "pay_fees", "from the other tab")
    news = first.page.get_by_role("button", name="Draft changed")
    expect(news).to_be_visible(timeout=10_000)
    expect(first.editor("Description")).to_have_value("Pay tuition fees")
    news.click()
    first.page.get_by_role("button", name="Show it").click()
    first.settle()
    expect(first.editor("Description")).to_have_value("from the other tab")


def test_notes_and_scratch_list_are_there_after_a_refresh_and_in_another_tab(small: Workbench, visit: Callable[..., Screen]) -> None:
    asha = visit(small, "Dev")
    asha.go("tools", tool="pay_fees")
    asha.page.get_by_text("Notes for yourself").first.click()
    asha.editor("Notes for yourself").fill("ask the bursar")
    asha.editor("Notes for yourself").press("Control+s")
    asha.page.wait_for_timeout(1200)
    asha.go("playground", scratch_open="true")
    asha.editor("Questions, one a line").fill("how do I pay\nrenew a book")
    asha.page.wait_for_timeout(1300)
    asha.reload()
    expect(asha.editor("Questions, one a line")).to_have_value("how do I pay\nrenew a book")
    second = Screen(asha.page.context.new_page(), small)
    second.go("tools", tool="pay_fees")
    second.page.get_by_text("Notes for yourself").first.click()
    expect(second.editor("Notes for yourself")).to_have_value("ask the bursar")
    second.go("playground", scratch_open="true")
    expect(second.editor("Questions, one a line")).to_have_value("how do I pay\nrenew a book")
