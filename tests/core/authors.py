"""For tests of drafts and revisions: a small registry folder, its store on SQLite and PostgreSQL, and the people who work on it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator_core import Person, Registry, Store, TestQuery, Tool, load_registry, open_store, save_registry
from curator_core.authoring.database import open_file
from tests.core.postgres import postgres_or_skip

ASHA, BEN, VIEWER = Person("Asha"), Person("Ben"), Person("Vera", ("viewer",))
PAY = TestQuery("how do I pay", ("pay",))
REGISTRY = Registry(
    name="small",
    tools=(Tool("pay", "Pay fees."), Tool("show", "Show attendance."), Tool("renew", "Renew a book.", "library loan")),
    synonyms={"fees": ("dues",)},
    test_queries=(PAY,),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A saved registry, with nothing said about a store."""
    monkeypatch.delenv("TOOL_CURATOR_STORE", raising=False)
    save_registry(REGISTRY, tmp_path / "small")
    return tmp_path / "small"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def database(request: pytest.FixtureRequest) -> str | None:
    """The URL of a database; None: SQLite in the registry's folder."""
    return None if request.param == "sqlite" else request.getfixturevalue("postgres")


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables, so that not every test waits for the migrations."""
    path = tmp_path_factory.mktemp("database") / "store.sqlite"
    open_file(path)[0].dispose()
    return path


@pytest.fixture
def reopen(folder: Path, database: str | None, empty_database: Path) -> Iterator[Callable[[], Store]]:
    """Open the folder's store, again and again, as processes would."""
    stores: list[Store] = []
    if database is None:
        (folder / ".curator").mkdir()
        shutil.copy(empty_database, folder / ".curator")

    def open_it() -> Store:
        stores.append(open_store(folder, database))
        return stores[-1]

    yield open_it
    for store in stores:
        store.close()


@pytest.fixture
def store(reopen: Callable[[], Store]) -> Store:
    return reopen()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server that all tests share; skipped where it is not installed."""
    server = postgres_or_skip()
    server.start()
    yield server.url
    server.remove()


def on_disk(folder: Path, tool: str, field: str = "description") -> str:
    return str(getattr(load_registry(folder).tool(tool), field))
