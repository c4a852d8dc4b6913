"""J5 and J6: the page's figures are the command line's, and two settings or two tools are compared on one question."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import expect
from typer.testing import CliRunner

from curator_core.cli import app
from tests.browser.workbench import Screen


def test_the_figures_on_the_page_are_those_of_the_command_line_to_the_last_digit(screen: Screen, tmp_path: Path, cache_dir: Path) -> None:
    screen.go("compare").ready()
    expect(screen.page.get_by_text(re.compile("Both sides are the same"))).to_be_visible(timeout=120_000)
    with screen.page.expect_download() as waiting:
        screen.page.get_by_role("button", name="Figures after (JSON)").click()
    waiting.value.save_as(tmp_path / "after.json")
    shown = json.loads((tmp_path / "after.json").read_text(encoding="utf-8"))

    said = CliRunner().invoke(app, ["eval", str(screen.workbench.folder), "--json"], env={"TOOL_CURATOR_CACHE": str(cache_dir)})
    printed = json.loads(said.stdout)
    assert shown["metrics"] == printed["metrics"]
    assert shown["by_tag"] == printed["by_tag"]
    assert shown["no_tool"] == printed["no_tool"]
    table = screen.page.get_by_role("region", name="Each figure before and after, with the number of questions")
    row = table.locator("tbody tr").filter(has_text="recall@5").locator("td").all_text_contents()
    assert row[1:3] == [f"{printed['metrics']['recall@5']:.3f}".lstrip("0")] * 2


def test_two_settings_and_two_tools_are_compared_on_one_question(screen: Screen) -> None:
    screen.go("playground", q="show my attendance and also raise a grievance").ready()
    screen.page.get_by_role("switch", name="Compare").click(force=True)
    screen.settle()
    screen.page.get_by_label("Tools there").fill("3")
    screen.page.keyboard.press("Enter")
    screen.settle()
    expect(screen.page.get_by_text(re.compile("20 here, 3 there"))).to_be_visible()

    screen.go("playground", q="show my attendance and also raise a grievance", tool="submit_grievance")
    screen.choose("Compare with another tool", "get_attendance")
    told = screen.page.get_by_role("region", name="Both tools' figures, the one that stands first on top")
    expect(told).to_be_visible()
    expect(screen.page.get_by_text(re.compile("submit_grievance .*get_attendance|get_attendance .*submit_grievance")).first).to_be_visible()


def test_settings_of_one_side_are_named_and_move_the_figures(screen: Screen) -> None:
    screen.go("compare").ready()
    expect(screen.page.get_by_text(re.compile("Both sides are the same"))).to_be_visible(timeout=120_000)
    screen.page.get_by_role("button", name="Settings").last.click()
    screen.choose("Stages off on this side", "Word match")
    screen.page.keyboard.press("Escape")
    screen.settle()
    chips = screen.page.get_by_role("button", name=re.compile("broke [1-9]"))
    expect(chips).to_be_visible(timeout=120_000)
    listed = screen.page.get_by_role("region", name="What became of each question, worst first")
    expect(listed.locator("tbody tr").first.locator("td").first).to_have_text(re.compile("▼ broke"))
