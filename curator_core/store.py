"""Open the store of a registry: drafts, revisions and what waits for review, in a database beside its files or wherever it says."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from curator_core.authoring import publishing
from curator_core.authoring.database import Store, open_empty, open_file, open_server, register
from curator_core.errors import RegistryError, StoreError
from curator_core.files.config import StorePlace, load_config

__all__ = ["Store", "open_store", "store_that_is_down"]

FOLDER, FILE = ".curator", "store.sqlite"
HERE = "."  # what a registry is called in a database of its own: folder and database move together
VARIABLE = "TOOL_CURATOR_STORE"


@dataclass(frozen=True, slots=True)
class _Opened:
    engine: Engine
    place: str
    registry: str
    notices: tuple[str, ...] = ()


def open_store(folder: str | Path, url: str | None = None) -> Store:
    """Open the store of a registry folder, made when there is none.

    It lies in `.curator/store.sqlite` of the folder unless url, the environment's TOOL_CURATOR_STORE or [store] in curator.toml name
    another file or a database server. What a process that died while publishing left behind is completed, and what changed in the
    files since the last revision becomes one. Raises RegistryError (curator.toml), StoreError; a damaged file is only a notice.
    """
    path = Path(folder)
    config = load_config(path).store
    chosen = url or os.environ.get(VARIABLE) or config.url or config.path
    found = _elsewhere(path, chosen, config) if chosen else _beside(path)
    store = Store(path, found.registry, found.engine, found.place, found.notices)
    try:
        register(found.engine, found.registry)
        publishing.catch_up(store)
    except RegistryError:  # the registry cannot be read now: its reader says so, and its drafts are there all the same
        pass
    except SQLAlchemyError as error:
        store.close()
        raise StoreError(f"{found.place}: {error}") from error
    except BaseException:
        store.close()
        raise
    return store


def store_if_any(folder: str | Path) -> Store | None:
    """Return the store of a registry folder, None where there is none yet: whoever only reads makes no database and no revision."""
    path = Path(folder)
    config = load_config(path).store
    chosen = os.environ.get(VARIABLE) or config.url or config.path or ""
    if "://" not in chosen or chosen.startswith("sqlite:///"):
        file = path / Path(chosen.removeprefix("sqlite:///")).expanduser() if chosen else path / FOLDER / FILE
        if not file.is_file():
            return None
    found = _elsewhere(path, chosen, config) if chosen else _beside(path)
    return Store(path, found.registry, found.engine, found.place, found.notices)


def store_that_is_down(folder: str | Path, reason: str) -> Store:
    """Return a store for a registry whose own cannot be opened: it is empty, and refuses whatever is to be kept with the reason."""
    return Store(Path(folder), HERE, open_empty(), "nowhere", down=reason)


def _beside(folder: Path) -> _Opened:
    """Open the database in the registry's folder; where nothing can be written, a temporary one."""
    path = folder / FOLDER / FILE
    try:
        path.parent.mkdir(exist_ok=True)
        ignore = path.parent / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        engine, notices = open_file(path)
        return _Opened(engine, str(path), HERE, notices)
    except (OSError, SQLAlchemyError) as error:
        reason = str(getattr(error, "orig", None) or error)
    path = Path(tempfile.mkdtemp(prefix="tool-curator-")) / FILE
    engine, _ = open_file(path)
    said = f"{folder / FOLDER}: drafts cannot be kept there ({reason}); until this program ends they are in {path}. "
    return _Opened(engine, str(path), HERE, (f"{said}Choose another place in curator.toml: [store] path",))


def _elsewhere(folder: Path, chosen: str, config: StorePlace) -> _Opened:
    registry = config.id or str(folder.resolve())
    if "://" in chosen and not chosen.startswith("sqlite:///"):
        engine = open_server(chosen)
        return _Opened(engine, engine.url.render_as_string(hide_password=True), registry)
    path = Path(chosen.removeprefix("sqlite:///"))
    try:
        path = folder / path.expanduser()
        path = path / FILE if path.is_dir() or chosen.endswith("/") else path
        path.parent.mkdir(parents=True, exist_ok=True)
        engine, notices = open_file(path)
    except (OSError, RuntimeError, SQLAlchemyError) as error:  # RuntimeError: there is no such user in "~user"
        raise StoreError(f"{path}: {getattr(error, 'orig', None) or error}; choose another place in curator.toml, [store]") from error
    return _Opened(engine, str(path), registry, notices)
