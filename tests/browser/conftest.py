from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.workbench import CHROMIUM_FLAGS, Screen, Workbench

SAMPLES = Path(__file__).parents[2] / "sample_registries"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Vectors are embedded once for all tests; parallel workers share the folder."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if base.name.startswith("popen-") else base) / "vectors"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        pytest.fail("no chromium on PATH; `make chromium` installs it")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        yield running
        running.close()


@pytest.fixture
def registry_folder(tmp_path: Path) -> Path:
    """A copy of the sample registry that a test may change."""
    return Path(shutil.copytree(SAMPLES / "campus", tmp_path / "campus"))


@pytest.fixture
def start(tmp_path: Path, cache_dir: Path) -> Iterator[Callable[[Path], Workbench]]:
    """Start a workbench on a folder; it ends with the test."""
    started: list[Workbench] = []

    def start_one(folder: Path) -> Workbench:
        started.append(Workbench(folder, cache_dir, tmp_path / f"workbench-{len(started)}.log"))
        started[-1].wait_until_up()
        return started[-1]

    yield start_one
    for one in started:
        one.stop()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Callable[[Workbench], Screen]]:
    """Open a browser window on a workbench; it is checked for exception boxes and closed with the test."""
    screens: list[Screen] = []

    def visit_one(workbench: Workbench) -> Screen:
        context = browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
        context.set_default_timeout(20_000)
        screens.append(Screen(context.new_page(), workbench))
        return screens[-1]

    yield visit_one
    for screen in screens:
        screen.check()
        screen.page.context.close()


@pytest.fixture
def screen(registry_folder: Path, start: Callable[[Path], Workbench], visit: Callable[[Workbench], Screen]) -> Screen:
    """The workbench on a copy of the campus sample, in a browser."""
    return visit(start(registry_folder))
