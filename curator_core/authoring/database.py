"""The database behind the store: opened, set aside when it is damaged, brought up to date, and used in short transactions."""

from __future__ import annotations

import sqlite3
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, inspect, make_url, select, text
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from curator_core.authoring.people import Person, person_of, require
from curator_core.authoring.store_tables import SCHEMA, metadata, now, registries
from curator_core.errors import RegistryError, StoreError
from curator_core.files import locking
from curator_core.files.config import Config, load_config

BUSY_SECONDS = 20.0
CONNECT_SECONDS = 5.0  # a server that does not answer would keep a page waiting for minutes
_MIGRATIONS = Path(__file__).parent / "migrations"
_DAMAGE = (11, 26)  # SQLITE_CORRUPT, SQLITE_NOTADB
_ENDINGS = (".sqlite", ".sqlite3", ".db")  # a file that is no database and is not called one is somebody's own
_SHARED_DRIVES = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "fuse.sshfs", "fuse.rclone", "vboxsf", "virtiofs")
OWN_ACTS = ("change a draft", "keep notes")  # they concern nobody but the author
_LOCK_KEY = 7226113  # any number that no other program on the server is likely to lock


@dataclass(frozen=True)
class Store:
    """Drafts, revisions and what else is kept of one registry, which stays in its folder.

    registry: what it is called in the database. place: where that is, without a password. notices: what the authors should know of it.
    down: why it cannot be used, "" if it can; then it is empty and takes nothing, so that the files can be looked at all the same.
    """

    folder: Path
    registry: str
    engine: Engine
    place: str
    notices: tuple[str, ...] = ()
    down: str = ""

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that writes, one at a time a registry. Raises StoreError; then nothing of it was kept."""
        if self.down:
            raise StoreError(self.down)
        with self._said("nothing was kept"), _transaction(self.engine) as connection:
            connection.execute(select(registries.c.registry).where(registries.c.registry == self.registry).with_for_update())
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that reads, as of one moment. Raises StoreError."""
        with self._said("it cannot be read"), self.engine.connect() as connection, connection.begin():
            yield connection

    def rules(self) -> Config:
        """Return what curator.toml says now. Raises RegistryError when it cannot be read: nobody writes by rules that nobody knows."""
        return load_config(self.folder)

    def person(self, name: str) -> Person:
        """Return the person with the roles that curator.toml gives now."""
        return person_of(name, self.rules().people)

    def require(self, person: Person, role: str, act: str) -> None:
        """Raise Forbidden unless the person has the role, and curator.toml gives it now: no caller can give more than it does.

        Where curator.toml cannot be read, an author's own drafts and notes are kept all the same, and anything else raises RegistryError.
        """
        require(person, role, act)
        try:
            allowed = self.person(person.name)
        except RegistryError:
            if act in OWN_ACTS:
                return
            raise
        require(allowed, role, act)

    def close(self) -> None:
        """Let go of the database; the store is not to be used again."""
        self.engine.dispose()

    @contextmanager
    def _said(self, outcome: str) -> Iterator[None]:
        try:
            yield
        except SQLAlchemyError as error:
            raise StoreError(f"{self.place}: {_reason(error)}; {outcome}. {_advice(error)}") from error


def open_file(path: Path) -> tuple[Engine, tuple[str, ...]]:
    """Open a SQLite file, made when it is not there; a damaged one is set aside first. Return it with what to tell the authors.

    Raises OSError, or SQLAlchemyError where the place does not take a database.
    """
    notices: tuple[str, ...] = ()
    with locking.locked(path, BUSY_SECONDS):
        fault = _fault(path)
        if fault:
            kept = _set_aside(path)
            notices = (
                f"The database of drafts and revisions was damaged and is set aside as {kept}; a new one begins. The registry's files are "
                f"as they were. Drafts that were not published are in the file set aside ({fault}).",
            )
        engine = create_engine(URL.create("sqlite", database=str(path)), connect_args={"timeout": BUSY_SECONDS})
        _tune(engine)
        with _closed_on_failure(engine):
            _choose_journal(engine, path)
            migrate(engine, str(path))
    return engine, notices


def open_server(url: str) -> Engine:
    """Connect to a database server, PostgreSQL through psycopg. Raises StoreError."""
    shown = url.split("@")[-1]
    try:
        parsed = make_url(url)
        if parsed.drivername in ("postgres", "postgresql"):
            parsed = parsed.set(drivername="postgresql+psycopg")
        shown = parsed.render_as_string(hide_password=True)
        waits = {"connect_timeout": round(CONNECT_SECONDS)} if parsed.get_backend_name() == "postgresql" else {}
        engine = create_engine(parsed, pool_pre_ping=True, connect_args=waits)
        with _closed_on_failure(engine):
            migrate(engine, shown)
    except ModuleNotFoundError as error:
        raise StoreError(f'{shown}: {error}; install it, for PostgreSQL with pip install "tool-curator[postgres]"') from error
    except (ArgumentError, NoSuchModuleError) as error:
        raise StoreError(f"{shown}: this is no database ({error}); write postgresql://user@host/name") from error
    except SQLAlchemyError as error:
        raise StoreError(f"{shown}: {_reason(error)}. {_advice(error)}") from error
    return engine


def open_empty() -> Engine:
    """Open an empty database that is nowhere, for a store that cannot be used."""
    path = Path(tempfile.mkdtemp(prefix="tool-curator-")) / "empty.sqlite"
    engine = create_engine(URL.create("sqlite", database=str(path)))
    metadata.create_all(engine)
    return engine


def register(engine: Engine, registry: str) -> None:
    """Give a registry its row, which writers of a database server lock."""
    with _transaction(engine, alone=True) as connection:
        if connection.execute(select(registries).where(registries.c.registry == registry)).first() is None:
            connection.execute(insert(registries).values(registry=registry, made_at=now()))


def migrate(engine: Engine, shown: str) -> None:
    """Bring the tables up to date. Raises StoreError for a database of a newer version of this program, which is left as it is."""
    if _version(engine) == SCHEMA:
        return
    from alembic import command
    from alembic.config import Config as Alembic
    from alembic.script import ScriptDirectory

    alembic = Alembic()
    alembic.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    alembic.set_main_option("path_separator", "os")
    with _transaction(engine, alone=True) as connection:
        found = _version(engine, connection)
        known = {script.revision for script in ScriptDirectory.from_config(alembic).walk_revisions()}
        if found is not None and found not in known:
            raise StoreError(
                f"{shown}: made by a newer Tool Curator (schema {found}, this one knows {SCHEMA}); update, or choose another store"
            )
        alembic.attributes["connection"] = connection
        command.upgrade(alembic, "head")


@contextmanager
def _closed_on_failure(engine: Engine) -> Iterator[None]:
    try:
        yield
    except BaseException:
        engine.dispose()
        raise


def _version(engine: Engine, connection: Connection | None = None) -> str | None:
    if connection is None:
        with engine.connect() as opened, opened.begin():
            return _version(engine, opened)
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


@contextmanager
def _transaction(engine: Engine, alone: bool = False) -> Iterator[Connection]:
    """Open a writing transaction; alone: no other one of this kind on the whole server at the same time."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        if alone and engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})
        yield connection


def _tune(engine: Engine) -> None:
    """Make SQLite transactions begin as what they are: a reader that turns writer midway would be refused instead of waiting."""

    @event.listens_for(engine, "connect")
    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous=FULL")

    @event.listens_for(engine, "begin")
    def begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN")


def _choose_journal(engine: Engine, path: Path) -> None:
    """Use a write-ahead log where all users share one machine's memory; elsewhere it would damage the file."""
    mode = "DELETE" if on_shared_drive(path) else "WAL"
    connection = engine.raw_connection()
    try:
        connection.cursor().execute(f"PRAGMA journal_mode={mode}")
    except sqlite3.OperationalError:  # the disk cannot do it, or somebody is using the file: what is set stays
        pass
    finally:
        connection.close()


def on_shared_drive(path: Path, mounts: str = "/proc/self/mounts") -> bool:
    """Tell whether a path lies on a drive that several machines use, as far as the system says."""
    where = str(path.resolve())
    if where.startswith("\\\\"):
        return True
    try:
        lines = [line.split() for line in Path(mounts).read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return False
    kinds = {line[1].replace("\\040", " "): line[2] for line in lines if len(line) > 2}
    above = [mount for mount in kinds if where == mount or where.startswith(mount.rstrip("/") + "/")]
    return bool(above) and kinds[max(above, key=len)] in _SHARED_DRIVES


def _fault(path: Path) -> str:
    """Return what is wrong with a database file, "" if it is sound or not there. Raises StoreError when it belongs to something else."""
    if not path.exists() or path.stat().st_size == 0:
        return ""
    connection = None
    try:
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS)
        found = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.DatabaseError as error:
        damaged = error.sqlite_errorcode & 0xFF in _DAMAGE
        if damaged and path.suffix in _ENDINGS:
            return str(error)
        advice = "move it away" if damaged else "let go of it"
        raise StoreError(f"{path}: {error}; {advice}, or choose another place in curator.toml, [store]") from error
    finally:
        if connection is not None:
            connection.close()
    if found == "ok" and tables and "alembic_version" not in tables:
        raise StoreError(f"{path}: this is the database of another program; choose another place in curator.toml, [store]")
    return "" if found == "ok" else found.splitlines()[-1]


def _set_aside(path: Path) -> Path:
    """Give a damaged file and what belongs to it a name of its own; return the file."""
    stamp = f"{now():%Y%m%d-%H%M%S}-{uuid.uuid4().hex[:8]}"
    kept = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
    for ending in ("", "-wal", "-shm", "-journal"):
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(kept.with_name(kept.name + ending))
    return kept


def _reason(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).strip().splitlines()[0]


def _advice(error: SQLAlchemyError) -> str:
    cause = getattr(error, "orig", None)
    if isinstance(cause, sqlite3.Error) and getattr(cause, "sqlite_errorcode", 0) & 0xFF in _DAMAGE:
        return "The database is damaged: start again, and it is set aside; the registry's files are not concerned"
    return "Try again; if it stays so, check the disk or the server, or choose another place in curator.toml, [store]"
