"""Browser windows that go from test to test: what they have fetched and compiled stays, all that a test left in them goes."""

from __future__ import annotations

from playwright.sync_api import Browser, BrowserContext, Page

EMPTIED = "file_systems,indexeddb,websql,service_workers,cache_storage,storage_buckets"
WATCH_LONG_TASKS = """
window.longTasks = [];
new PerformanceObserver((list) => {
  for (const task of list.getEntries()) window.longTasks.push([task.startTime, task.duration]);
}).observe({ type: "longtask", buffered: true });
"""


class Windows:
    """The windows of one browser on the workbenches that all tests share, each with a cache, cookies and storage of its own.

    In a new window a page takes twice the processor time: Streamlit's scripts are fetched and compiled anew.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}

    def take(self, address: str) -> Page:
        """Return an empty page in a window that no other test uses now, one that has shown this address where there is one."""
        free = self._free.get(address)
        return free.pop() if free else open_window(self._browser).new_page()

    def give_back(self, address: str, page: Page) -> None:
        """Leave the workbench, so that nothing of it runs and writes any more, and empty the window for the next test."""
        for other in page.context.pages:
            if other != page:
                other.close()
        page.goto(f"{address}/_stcore/health")
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
        page.context.clear_cookies()
        page.mouse.move(0, 0)
        browsing = page.context.new_cdp_session(page)
        browsing.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": EMPTIED})
        browsing.send("Page.resetNavigationHistory")
        browsing.detach()
        self._free.setdefault(address, []).append(page)


def open_window(browser: Browser) -> BrowserContext:
    """Open a window of the usual size."""
    window = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    window.set_default_timeout(20_000)
    window.add_init_script(WATCH_LONG_TASKS)
    return window
