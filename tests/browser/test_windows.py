"""A browser window that goes from test to test brings nothing of one into the other, beside the workbench's own files."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.windows import Windows
from tests.browser.workbench import Workbench

LEFT = "() => [localStorage.length, sessionStorage.length, document.cookie, history.length]"
FETCHED = """() => performance.getEntriesByType("resource").filter((one) => one.name.endsWith(".js"))
  .map((one) => one.transferSize > 0)"""


def test_a_window_is_empty_for_the_next_test_and_keeps_the_scripts(browser: Browser, small: Workbench) -> None:
    windows = Windows(browser)
    page = windows.take(small.url)
    page.goto(small.url)
    assert any(page.evaluate(FETCHED))
    page.context.add_cookies([{"name": "tool_curator_name", "value": "Gita", "url": small.url}])
    page.evaluate("() => { localStorage.left = 1; sessionStorage.left = 1; }")
    page.context.new_page().goto(f"{small.url}/_stcore/health")

    windows.give_back(small.url, page)
    assert windows.take(small.url) is page and page.context.pages == [page]
    assert page.context.cookies() == [] and page.evaluate(LEFT) == [0, 0, "", 1]
    page.goto(small.url)
    fetched = page.evaluate(FETCHED)
    assert fetched and not any(fetched)
    page.context.close()


def test_a_window_that_is_in_use_or_was_on_another_workbench_is_not_given(browser: Browser, small: Workbench) -> None:
    windows = Windows(browser)
    one, other = windows.take(small.url), windows.take(small.url)
    assert one.context != other.context
    windows.give_back(small.url, one)
    elsewhere = windows.take("http://127.0.0.1:9")
    assert elsewhere.context not in (one.context, other.context)
    for page in (one, other, elsewhere):
        page.context.close()
