"""One writer a folder: a lock that lies outside of it, so that a folder under version control stays clean."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from filelock import BaseFileLock


@contextmanager
def locked(folder: Path, seconds: float) -> Iterator[bool]:
    """Hold the folder's lock; False where locks cannot be kept. Raises TimeoutError when another holds it longer than this."""
    lock = _acquired(folder, seconds)
    try:
        yield lock is not None
    finally:
        if lock is not None:
            lock.release()


def _acquired(folder: Path, seconds: float) -> BaseFileLock | None:
    from filelock import FileLock

    from curator_core.files.places import default_cache_dir

    name = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    try:
        locks = default_cache_dir() / "locks"
        locks.mkdir(parents=True, exist_ok=True)
        lock = FileLock(locks / f"{name}.lock")
        lock.acquire(timeout=seconds)
    except TimeoutError:
        raise
    except (OSError, NotImplementedError):  # a home that cannot be written, or a disk without locks
        return None
    return lock
