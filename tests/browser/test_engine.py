"""Settings in the browser: a change is shown before it is written, changes only its line, and is there after F5."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.workbench import Screen


def test_saving_a_setting_changes_only_its_line_and_survives_a_reload(screen: Screen) -> None:
    file = screen.workbench.folder / "curator.toml"
    before = file.read_text()
    file.write_text(before + "\n[settings]\n# agreed\ntop_k = 15\nrrf_k = 40\n")
    before = file.read_text()
    screen.go("engine")
    field = screen.page.get_by_role("textbox", name="Tools returned")
    expect(field).to_have_value("15")
    field.fill("12")
    field.press("Enter")
    screen.settle()
    expect(screen.page.get_by_test_id("stCode")).to_contain_text("+top_k = 12")
    assert file.read_text() == before
    screen.page.get_by_role("button", name="Save settings").click()
    screen.settle()
    assert file.read_text() == before.replace("top_k = 15", "top_k = 12")
    screen.reload()
    expect(screen.page.get_by_role("textbox", name="Tools returned")).to_have_value("12")


def test_a_value_out_of_range_is_refused_beside_its_field(screen: Screen) -> None:
    screen.go("engine")
    field = screen.page.get_by_role("textbox", name="BM25 b", exact=True)
    field.fill("7")
    field.press("Tab")
    expect(screen.page.get_by_text("bm25_b = 7.0: allowed is 0.0 to 1.0")).to_be_visible()
    expect(screen.page.get_by_role("button", name="Save settings")).to_be_disabled()
