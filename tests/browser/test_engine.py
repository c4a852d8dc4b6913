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


def test_the_profile_that_serves_the_test_queries_is_shown_with_its_reason_and_one_click_puts_it_into_the_draft(
    screen: Screen,
) -> None:
    page = screen.go("engine").ready().page
    page.get_by_role("tab", name="Profiles").click()
    expect(page.get_by_text("tuned puts the right tool among the first 5 for")).to_be_visible(timeout=150_000)
    expect(page.get_by_text("90% of the right tools are given with: seed")).to_be_visible(timeout=30_000)
    expect(page.get_by_role("region", name="Figures of both profiles on the test queries")).to_be_visible(timeout=30_000)
    page.get_by_role("tab", name="No tool").click()
    expect(page.get_by_text("nine in ten of the 329 test queries")).to_be_visible(timeout=30_000)
    page.get_by_role("tab", name="Profiles").click()
    page.get_by_role("button", name="Switch to tuned").click()
    expect(page.get_by_text("Draft: 1 edit in 1 place").first).to_be_visible(timeout=30_000)
    page.get_by_role("button", name="Undo last").click()
    expect(page.get_by_text("Draft: 1 edit in 1 place").first).not_to_be_visible(timeout=30_000)


def test_each_stage_is_shown_with_what_it_is_worth_and_one_by_tag(screen: Screen) -> None:
    page = screen.go("engine").ready().page
    page.get_by_role("tab", name="Stages").click()
    table = page.get_by_role("region", name="Each stage with the figures of the test queries without it and with it")
    expect(table).to_be_visible(timeout=150_000)
    expect(page.get_by_role("region", name="One stage by tag")).to_be_visible(timeout=30_000)
    expect(page.get_by_text("What each stage is worth on your test queries")).to_be_visible()
