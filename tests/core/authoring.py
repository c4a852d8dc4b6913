"""For tests of drafts and revisions: a small registry folder, its store on SQLite and PostgreSQL, and the people who work on it."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from curator_core import Person, Registry, Store, TestQuery, Tool, load_registry, open_store, save_registry
from curator_core.database import open_file

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


@pytest.fixture(params=["sqlite", "postgres"])
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
    """A PostgreSQL server of Debian's packages on a free port, as a user without rights; skipped where it is not installed."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    pytest.importorskip("psycopg")
    if not programs:
        pytest.skip("PostgreSQL is not installed")
    user = _unprivileged()
    data = Path(tempfile.mkdtemp(prefix="tool-curator-postgres-"))
    if user:
        os.chown(data, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    home = programs[-1].parent
    run: dict[str, Any] = {"user": user, "group": user, "extra_groups": [], "cwd": data} if user else {"cwd": data}
    init = [str(home / "initdb"), "-D", str(data / "db"), "-U", "curator", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"]
    subprocess.run(init, check=True, capture_output=True, **run)
    port = _free_port()
    options = ["-p", str(port), "-k", str(data), "-c", "fsync=off", "-c", "listen_addresses=127.0.0.1"]
    with (data / "log").open("wb") as log:
        server = subprocess.Popen([str(home / "postgres"), "-D", str(data / "db"), *options], stdout=log, stderr=log, **run)
    try:
        _wait_for(home, port, server)
        yield f"postgresql://curator@127.0.0.1:{port}/postgres"
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(data, ignore_errors=True)


def _unprivileged() -> str | None:
    """Return whom to run a server as: it refuses the superuser."""
    return None if os.getuid() else "postgres"


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _wait_for(home: Path, port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        if subprocess.run([str(home / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)], check=False).returncode == 0:
            return
        assert server.poll() is None, "PostgreSQL did not start"
        time.sleep(0.05)
    raise AssertionError("PostgreSQL did not get ready")


def on_disk(folder: Path, tool: str, field: str = "description") -> str:
    return str(getattr(load_registry(folder).tool(tool), field))
