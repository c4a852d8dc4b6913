"""Nothing runs that is text, nothing is lost or overwritten unseen, and the page is there before the model is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.workbench import Screen, Workbench

HOSTILE = "<img src=x onerror=\"document.title='ran'\"> **bold** $x$ [link](javascript:alert(1)) :red[red]"


def test_markup_in_a_registry_is_shown_as_text_and_nothing_of_it_runs(
    tmp_path: Path, start: Callable[[Path], Workbench], visit: Callable[[Workbench], Screen]
) -> None:
    tools = [{"name": "<b>bold</b>_tool", "description": HOSTILE, "extra_context": "# Head"}, {"name": "plain", "description": "Plain"}]
    (tmp_path / "hostile").mkdir()
    (tmp_path / "hostile" / "tools.json").write_text(json.dumps({"schema_version": 1, "name": "*hostile*", "tools": tools}))
    (tmp_path / "hostile" / "domain_synonyms.json").write_text(json.dumps({"plain": [HOSTILE]}))
    screen = visit(start(tmp_path / "hostile"))

    screen.go("tools", tool="<b>bold</b>_tool")
    expect(screen.editor("Description")).to_have_value(HOSTILE)
    assert "*hostile*" in screen.text()
    screen.go("playground", q=f"bold {HOSTILE}", tool="<b>bold</b>_tool")
    assert "<b>bold</b>_tool" in screen.text()
    screen.go("synonyms", term="plain")
    expect(screen.editor("Phrases")).to_have_value(HOSTILE)
    assert screen.page.title() != "ran"
    assert screen.page.locator("main img, main b, main a[href^='javascript']").count() == 0


def test_a_page_opens_and_answers_by_words_before_the_model_is_there(
    tmp_path: Path, start: Callable[..., Workbench], visit: Callable[[Workbench], Screen]
) -> None:
    (tmp_path / "small").mkdir()
    tools = [{"name": "pay_fees", "description": "Pay tuition fees"}, {"name": "renew_book", "description": "Keep a book"}]
    (tmp_path / "small" / "tools.json").write_text(json.dumps({"schema_version": 1, "name": "small", "tools": tools}))
    screen = visit(start(tmp_path / "small", tmp_path / "nothing kept"))
    screen.page.goto(f"{screen.workbench.url}/tools?tool=pay_fees", wait_until="domcontentloaded")
    expect(screen.page.get_by_text("Loading the model").or_(screen.page.get_by_text("Reading tools")).first).to_be_visible(timeout=20_000)
    expect(screen.editor("Description")).to_have_value("Pay tuition fees")
    screen.ready()


def test_a_text_that_somebody_else_changed_on_disk_is_shown_beside_mine_and_not_overwritten(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance")
    path = screen.workbench.folder / "extra_context.json"
    screen.editor("Extra context").fill("my words")
    screen.wait_for_status("Extra context", "in your draft, not published yet")
    theirs = json.loads(path.read_text()) | {"get_attendance": "words of a colleague"}
    path.write_text(json.dumps(theirs))

    screen.publish()
    assert json.loads(path.read_text())["get_attendance"] == "words of a colleague"
    expect(screen.page.get_by_label("Yours", exact=True).first).to_have_value("my words")
    expect(screen.page.get_by_label("On disk now", exact=True).first).to_have_value("words of a colleague")
    expect(screen.editor("Extra context")).to_have_value("my words")


def test_a_change_on_disk_of_another_text_is_told_and_survives_my_saving(screen: Screen) -> None:
    screen.go("tools", tool="get_attendance")
    path = screen.workbench.folder / "extra_context.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"submit_grievance": "words of a colleague"}))
    screen.editor("Extra context").fill("my words")
    screen.wait_for_status("Extra context", "in your draft, not published yet")
    assert "Changed on disk" in screen.text()

    screen.publish()
    screen.wait_for_status("Extra context", "as published")
    on_disk = json.loads(path.read_text())
    assert (on_disk["get_attendance"], on_disk["submit_grievance"]) == ("my words", "words of a colleague")
