"""The workbench and browsers of the browser tests, for the long runs."""

from tests.browser.conftest import browser, cache_dir, playwright, small, small_workbench, start, visit, windows

__all__ = ["browser", "cache_dir", "playwright", "small", "small_workbench", "start", "visit", "windows"]
