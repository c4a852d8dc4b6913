"""Several files changed in one step: after any kill, all of them are old or all of them are new."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curator_core.errors import Problem, RegistryError

JOURNAL = ".tool-curator.journal"
TEMP_PREFIX, TEMP_SUFFIX = ".tool-curator-", ".tmp"
LOCK_SECONDS = 20.0
READ_ATTEMPTS = 50


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A file as it was read. mark: device, inode, size and time of change in ns; equal marks mean an unchanged file."""

    data: bytes
    mark: tuple[int, int, int, int]


def mark(path: Path) -> tuple[int, int, int, int] | None:
    """Return what tells a file from its next version without reading it, None if there is no file."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def read_files(folder: Path, names: Sequence[str]) -> dict[str, Snapshot | None]:
    """Read several files as of one moment, None for those that are absent; an unfinished save is finished or dropped first.

    Raises OSError for a file that cannot be read, RegistryError for a journal that cannot be followed.
    """
    for _ in range(READ_ATTEMPTS):
        settle(folder)
        pending = _pending(folder)  # still there only in a folder that cannot be written
        files = {name: _read(folder / pending.get(name, name)) or _read(folder / name) for name in names}
        steady = all((files[name].mark if files[name] else None) == mark(folder / pending.get(name, name)) for name in names) or pending
        if steady and _pending(folder) == pending:
            return files
        time.sleep(0.02)
    fix = "wait until the other program is done, then try again"
    raise RegistryError([Problem(str(folder), "its files keep changing while they are read", fix)])


def _read(path: Path) -> Snapshot | None:
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        return None
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(file.fileno())
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(21, "it is a folder", str(path))
        return Snapshot(file.read(), (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns))


def settle(folder: Path) -> None:
    """Finish a save that was killed after its journal was written; drop the leftovers of one that was killed before."""


def _pending(folder: Path) -> dict[str, str]:
    return {}
