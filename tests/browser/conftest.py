from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, Playwright, sync_playwright

from curator_core import Curator, build_index, evaluate, load_encoder, load_registry
from tests.browser.windows import Windows
from tests.browser.workbench import CHROMIUM_FLAGS, Screen, Workbench, browser_path
from tests.conftest import made_once

SAMPLES = Path(__file__).parents[2] / "sample_registries"
SEAL_TOOLS = Path(__file__).parents[3] / "shared" / "data" / "seal_tools"
SMALL = ({"name": "pay_fees", "description": "Pay tuition fees"}, {"name": "renew_book", "description": "Keep a book"})

LONGEST = ("test_large_registry.py", "test_two_authors.py", "test_pages.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=place)
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.timeout(300))
            item.add_marker(pytest.mark.flaky(reruns=2))  # Chromium may be late on a busy machine; the report says when and how


def place(item: pytest.Item) -> tuple[bool, bool]:
    """Begin with what takes longest, so that no worker sits alone with it at the end while the others have nothing left."""
    return Path(__file__).parent not in item.path.parents, item.path.name not in LONGEST


@pytest.fixture(scope="session")
def cache_dir(request: pytest.FixtureRequest, shared: Path, bundled_cache: Path) -> Path:
    """A cache folder for all workers of this run, with the model's quick form and the vectors of what is opened as it is delivered.

    One that is set is used, for quick repeats.
    """
    if given := os.environ.get("TOOL_CURATOR_CACHE"):
        return Path(given)
    folder = shared / "workbench-cache"
    with FileLock(shared / "workbench-cache.lock"):
        if not folder.exists():
            kept = made_once(request, shared, "vectors", lambda folder: embed(folder, bundled_cache))
            begun = Path(shutil.copytree(kept, shared / "workbench-cache-unfinished"))
            shutil.copytree(bundled_cache / "models", begun / "models")
            begun.rename(folder)
    return folder


def embed(folder: Path, bundled: Path) -> None:
    """Keep the vectors of the campus sample, with its questions, and of the large registry, where it is there, in a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOOL_CURATOR_CACHE", str(bundled))
        encoder = load_encoder("bundled")
        registry = load_registry(SAMPLES / "campus")
        evaluate(Curator(build_index(registry, encoder, folder)), registry.test_queries)
        if SEAL_TOOLS.exists():
            build_index(load_registry(SEAL_TOOLS), encoder, folder)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """The one that a run can have: its loop goes on in the main thread until it ends."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    path = browser_path()
    if path is None:
        pytest.fail("no Chromium on PATH; `make chromium` installs it")
    running = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
    yield running
    running.close()


@pytest.fixture(scope="session")
def campus(tmp_path_factory: pytest.TempPathFactory, cache_dir: Path) -> Iterator[Workbench]:
    """One workbench on a copy of the campus sample, for all tests: the model is loaded once."""
    folder = tmp_path_factory.mktemp("registry") / "campus"
    shutil.copytree(SAMPLES / "campus", folder, ignore=shutil.ignore_patterns(".curator"))
    workbench = Workbench(folder, cache_dir, folder.parent / "workbench.log", lasting=True)
    workbench.wait_until_up()
    yield workbench
    workbench.stop()


@pytest.fixture(scope="session")
def small_workbench(tmp_path_factory: pytest.TempPathFactory, cache_dir: Path) -> Iterator[Workbench]:
    folder = write_small(tmp_path_factory.mktemp("registry") / "small")
    workbench = Workbench(folder, cache_dir, folder.parent / "workbench.log", lasting=True)
    workbench.wait_until_up()
    yield workbench
    workbench.stop()


@pytest.fixture
def small(small_workbench: Workbench) -> Workbench:
    """One workbench on two tools, for all tests; the history goes on from one to the next, so each has authors of its own."""
    write_small(small_workbench.folder)
    return small_workbench


def write_small(folder: Path) -> Path:
    """Write the registry of two tools."""
    folder.mkdir(exist_ok=True)
    for left in folder.glob("*.json*"):
        left.unlink()
    (folder / "tools.json").write_text(json.dumps({"schema_version": 1, "name": "small", "tools": SMALL}, indent=2))
    return folder


@pytest.fixture
def start(tmp_path: Path, cache_dir: Path) -> Iterator[Callable[..., Workbench]]:
    """Start a workbench of its own on a folder; it ends with the test."""
    started: list[Workbench] = []

    def start_one(folder: Path, cache: Path = cache_dir) -> Workbench:
        started.append(Workbench(folder, cache, tmp_path / f"workbench-{len(started)}.log"))
        started[-1].wait_until_up()
        return started[-1]

    yield start_one
    for one in started:
        one.stop()


@pytest.fixture(scope="session")
def windows(browser: Browser) -> Windows:
    return Windows(browser)


@pytest.fixture
def visit(windows: Windows) -> Iterator[Callable[..., Screen]]:
    """Open a page in an empty browser window on a workbench; it is checked for exception boxes and closed with the test."""
    screens: list[Screen] = []

    def visit_one(workbench: Workbench, author: str = "") -> Screen:
        page = windows.take(workbench.url)
        name = author or f"Author {uuid.uuid4().hex[:8]}"  # drafts are kept on disk: each test is an author of its own
        page.context.add_cookies([{"name": "tool_curator_name", "value": quote(name), "url": workbench.url}])
        screens.append(Screen(page, workbench))
        return screens[-1]

    yield visit_one
    for screen in screens:
        screen.check().leave()
        if screen.workbench.lasting:
            windows.give_back(screen.workbench.url, screen.page)
        else:
            screen.page.context.close()


@pytest.fixture
def screen(campus: Workbench, visit: Callable[[Workbench], Screen]) -> Screen:
    """A new browser window, so a session of its own, on the campus sample as it is delivered."""
    shutil.copytree(SAMPLES / "campus", campus.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".curator"))
    return visit(campus)
