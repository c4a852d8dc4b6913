"""The workbench and browsers of the browser tests, for the long runs."""

from tests.browser.conftest import browser, cache_dir, small, small_workbench, visit, windows

__all__ = ["browser", "cache_dir", "small", "small_workbench", "visit", "windows"]
