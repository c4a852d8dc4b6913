"""Fixtures for the workbench's tests: a small registry folder, the app on it with the fake encoder, nothing outside a temporary folder."""

from __future__ import annotations

import functools
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from curator_core import Person
from curator_core.authoring import drafts
from dashboard import identity, resources
from dashboard.jobs import Jobs
from dashboard.runs import Runs
from tests.core.authors import empty_database  # noqa: F401
from tests.core.fakes import FakeEncoder

AUTHOR = "Asha"
APP = Path(resources.__file__).with_name("app.py")
TOOLS = [
    {"name": "get_attendance", "description": "Show how many classes a student was in.", "roles": ["student"]},
    {"name": "submit_grievance", "description": "Send a formal grievance to the committee.", "group": "care"},
    {"name": "pay_fees", "description": "Pay tuition fees online.", "extra_context": "challan, dues"},
    {"name": "renew_book", "description": "Keep a borrowed library book for two more weeks."},
    {"name": "list_clubs", "description": "All clubs of the campus.", "roles": ["student", "faculty"]},
]
QUERIES = [
    {"query": "how many classes did I miss", "expected": ["get_attendance"], "tags": ["paraphrase"]},
    {"query": "send a grievance", "expected": ["submit_grievance"], "tags": ["exact"]},
    {"query": "kept for measuring", "expected": ["pay_fees"], "tags": ["held_out"]},
]


def write_registry(folder: Path, tools: list[dict[str, Any]] | None = None) -> Path:
    """Write a registry folder that the tests may change."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {"schema_version": 1, "name": "small", "tools": TOOLS if tools is None else tools}
    (folder / "tools.json").write_text(json.dumps(content, indent=2), encoding="utf-8")
    (folder / "domain_synonyms.json").write_text(json.dumps({"grievance": ["formal complaint"]}), encoding="utf-8")
    (folder / "test_queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in QUERIES), encoding="utf-8")
    return folder


@pytest.fixture
def folder(tmp_path: Path, empty_database: Path) -> Path:  # noqa: F811
    """A registry that the tests may change, its store with all tables already: the migrations have tests of their own."""
    folder = write_registry(tmp_path / "small")
    (folder / ".curator").mkdir()
    shutil.copy(empty_database, folder / ".curator")
    return folder


@pytest.fixture
def encoder() -> FakeEncoder:
    return FakeEncoder(dimension=64)


@pytest.fixture(scope="session", autouse=True)
def read_once() -> Iterator[None]:
    """Look for components in the installed packages once, and compile each page once, as a server does: AppTest does it at every run."""
    compiled = ScriptCache()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", functools.cache(manifest_scanner.scan_component_manifests))
        for module in (app_test, local_script_runner):
            patch.setattr(module, "ScriptCache", lambda: compiled)
        yield


@pytest.fixture(autouse=True)
def fresh_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, encoder: FakeEncoder) -> Iterator[None]:
    """Start each test as a new process would: nothing shared yet, the fake model, no folder."""
    monkeypatch.setattr(resources, "load_encoder", lambda *_: encoder)
    monkeypatch.setattr(resources, "default_cache_dir", lambda: tmp_path / "cache")
    monkeypatch.delenv("TOOL_CURATOR_FOLDER", raising=False)
    monkeypatch.setattr(identity, "usual_name", lambda: AUTHOR)
    resources.workbench.clear()
    yield
    end_process()


def end_process() -> None:
    """Leave what is kept on disk only."""
    resources.workbench().close()
    resources.workbench.clear()


def edit(at: AppTest, key: str, field: str, new: Any, author: str = AUTHOR) -> AppTest:
    """Put an edit into the author's draft, as the Tools page does in another tab."""
    registry, store = at.session_state["session_overlay"].registry, resources.workbench().store(at.session_state["session_opened"].folder)
    drafts.add(store, Person(author), [registry.edit(key, field, new)])
    return at.run()


def first_button(at: AppTest, name: str) -> Any:
    """Return the first button of a list whose lines have keys of that name."""
    return next(button for button in at.button if button.key.startswith(f"{name}_"))


@pytest.fixture
def app(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    """Open a page of the workbench on the small registry by its address; further keyword arguments are the address's parameters.

    state: values that the session has from the start.
    """

    def start(wait: bool = True, page: str = "playground", state: dict[str, Any] | None = None, **address: str) -> AppTest:
        monkeypatch.setenv("TOOL_CURATOR_FOLDER", str(folder))
        at = AppTest.from_file(str(APP), default_timeout=30)
        if page != "home":
            at.switch_page(f"views/{page}.py")
        for name, value in address.items():
            at.query_params[name] = value
        for name, value in (state or {}).items():
            at.session_state[name] = value
        at.run()
        return settled(at) if wait else at

    return start


def settled(at: AppTest) -> AppTest:
    """Wait for what runs in the background and run again, until a run has begun nothing more."""
    waited: list[Any] = []
    for _ in range(6):
        running = in_background()
        assert all(one.wait(30) for one in running)
        if waited and all(any(one is known for known in waited) for one in running):
            return at
        waited = running
        at.run()
        assert not at.exception, at.exception
    raise AssertionError("the page begins something new at every run")


def in_background() -> list[Any]:
    """Return what the process works out or has worked out: indexes, maps and jobs of every kind."""
    shared = resources.workbench()
    jobs = [job for kind in vars(shared).values() if isinstance(kind, Jobs | Runs) for job in kind.all()]
    return [*shared._snapshots.values(), *shared.drawings._kept.values(), *jobs]
