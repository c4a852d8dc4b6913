"""Several files changed in one step: after any kill, all of them are old or all of them are new.

New contents go to temporary files beside the old ones; then one journal that lists them is put in place: from then on the save counts.
Then each file is replaced, and the journal removed. Whoever reads the folder next finishes a journal that is still there.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from curator_core.errors import NotWritable, Problem, RegistryError
from curator_core.files import locking

JOURNAL = ".tool-curator.journal"
TEMP_PREFIX, TEMP_SUFFIX = ".tool-curator-", ".tmp"
LOCK_SECONDS = 20.0
READ_ATTEMPTS = 100
_TICK_NS = 2_000_000_000  # the slowest clock of a file system in use (FAT)

Mark = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A file as it was read. mark: device, inode, size and time of change in ns.

    aged: the file was not changed just before it was read, so that an equal mark means an equal file (clocks of disks tick slowly).
    """

    data: bytes
    mark: Mark = (0, 0, 0, 0)
    aged: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One file of a save: the temporary file that becomes the target, and the SHA-256 of its content."""

    target: str
    temp: str
    sha256: str


def read_files(folder: Path, names: Sequence[str]) -> dict[str, Snapshot | None]:
    """Read several files as of one moment, None for those that are absent; an unfinished save is finished or dropped first.

    Raises OSError for a file that cannot be read, RegistryError for a journal that cannot be followed.
    """
    for _ in range(READ_ATTEMPTS):
        settle(folder)
        steps = _journal(folder)  # still there only where nothing can be written: then the new contents lie in the temporary files
        waiting = {step.target: folder / step.temp for step in steps or () if (folder / step.temp).exists()}
        paths = {name: waiting.get(name, folder / name) for name in names}
        files = {name: _read(path) for name, path in paths.items()}
        steady = all(mark(paths[name]) == (read.mark if read else None) for name, read in files.items())
        if steady and _journal(folder) == steps:
            return files
        time.sleep(0.02)
    fix = "wait until the other program is done, then try again"
    raise RegistryError([Problem(str(folder), "its files keep changing while they are read", fix)])


def is_current(path: Path, snapshot: Snapshot | None) -> bool:
    """Tell whether a file still is what was read; looks into it only when its mark does not settle that. Raises OSError."""
    if snapshot is not None and snapshot.aged and mark(path) == snapshot.mark:
        return True
    return has_content(path, snapshot)


def has_content(path: Path, snapshot: Snapshot | None) -> bool:
    """Tell whether a file holds exactly what was read, or is as absent as it was. Raises OSError."""
    found = _read(path)
    return (found.data if found else None) == (snapshot.data if snapshot else None)


def mark(path: Path) -> Mark | None:
    """Return what tells a file from its next version without reading it, None if there is no file."""
    try:
        return _mark(path.stat())
    except FileNotFoundError:
        return None


def _mark(found: os.stat_result) -> Mark:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _read(path: Path) -> Snapshot | None:
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            return Snapshot(file.read(), _mark(found), time.time_ns() - found.st_mtime_ns > _TICK_NS)
    except FileNotFoundError:
        return None


@contextmanager
def saving(folder: Path) -> Iterator[None]:
    """Hold the folder for a save, with earlier saves settled. Raises NotWritable while another program saves."""
    try:
        with locking.locked(folder, LOCK_SECONDS):
            settle(folder, locked=True)
            yield
    except TimeoutError:
        raise NotWritable(f"{folder}: another program is saving this registry; nothing was saved, try again") from None


def replace_files(folder: Path, files: Mapping[str, bytes]) -> dict[str, Snapshot]:
    """Replace these files in one step, inside `saving(folder)`, and return them as they are now on disk.

    Raises NotWritable; until the step counts, nothing has changed.
    """
    steps: list[Step] = []
    written: dict[str, Snapshot] = {}
    try:
        _require_writable(folder)
        for name, data in files.items():
            step = Step(name, _temp_name(), hashlib.sha256(data).hexdigest())
            steps.append(step)
            written[name] = Snapshot(data, _write(folder, step.temp, data, like=folder / name))
        _write_journal(folder, steps)
    except OSError as error:
        _drop(folder, steps)
        raise NotWritable(refusal(folder, error, "nothing was saved")) from error
    try:
        _carry_out(folder, steps)
    except OSError as error:
        if all((folder / step.temp).exists() for step in steps):  # not one file is replaced yet: take it all back
            _drop(folder, steps)
            raise NotWritable(refusal(folder, error, "nothing was saved")) from error
        raise NotWritable(refusal(folder, error, "the save is complete once the registry is loaded again")) from error
    return written


def settle(folder: Path, locked: bool = False) -> None:
    """Finish a save that was killed after its journal was in place; drop the leftovers of one that was killed before.

    A folder that cannot be written stays as it is; a save in progress is left alone.
    """
    committed = (folder / JOURNAL).exists()
    if not committed and not any(_temps(folder)):
        return
    # Readers only wait when there is a journal: temporary files alone are a live saver's, or waste that can lie until the next load.
    try:
        if locked:
            _tidy(folder)
        else:
            with locking.locked(folder, LOCK_SECONDS if committed else 0) as held:
                if held or committed:
                    _tidy(folder)
    except TimeoutError:
        return
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT):
            raise


def _tidy(folder: Path) -> None:
    _require_writable(folder)
    steps = _journal(folder)
    if steps is not None:
        _carry_out(folder, steps)
    for temp in _temps(folder):
        temp.unlink(missing_ok=True)


def _carry_out(folder: Path, steps: Sequence[Step]) -> None:
    """Replace each file whose temporary file is still there, then remove the journal; doing it twice is the same as once."""
    waiting = [step for step in steps if (folder / step.temp).exists()]
    for step in waiting:
        found = _read(folder / step.temp)
        if found and hashlib.sha256(found.data).hexdigest() != step.sha256:
            fix = f"restore {step.target} from version control, then remove {JOURNAL}"
            raise RegistryError([Problem(str(folder / step.temp), "an unfinished save is damaged", fix)])
    for step in waiting:
        with suppress(FileNotFoundError):  # somebody else finished this step
            (folder / step.temp).replace(folder / step.target)
    _sync(folder)
    (folder / JOURNAL).unlink(missing_ok=True)
    _sync(folder)


def _journal(folder: Path) -> list[Step] | None:
    """Return the steps of a save that counts but is not finished, None if there is none."""
    found = _read(folder / JOURNAL)
    if found is None:
        return None
    try:
        steps = [Step(step["target"], step["temp"], step["sha256"]) for step in json.loads(found.data)["files"]]
    except (ValueError, KeyError, TypeError):
        steps = []
    if not steps or not all(_is_plain(step.target) and _is_plain(step.temp) and step.temp.startswith(TEMP_PREFIX) for step in steps):
        fix = "remove it; the files beside it are then used as they are"
        raise RegistryError([Problem(str(folder / JOURNAL), "it is not a journal of this program", fix)])
    return steps


def _is_plain(name: object) -> bool:
    """Tell whether a name stays inside the folder, whoever wrote the journal."""
    return isinstance(name, str) and bool(name) and name not in (".", "..") and not set(name) & set("/\\:\0")


def _temps(folder: Path) -> list[Path]:
    return [folder / name for name in os.listdir(folder) if name.startswith(TEMP_PREFIX) and name.endswith(TEMP_SUFFIX)]  # noqa: PTH208


def _temp_name() -> str:
    return f"{TEMP_PREFIX}{uuid.uuid4().hex}{TEMP_SUFFIX}"


def _write(folder: Path, name: str, data: bytes, like: Path | None = None) -> Mark:
    """Write a new file through to the disk, with the access rights of the file that it will replace."""
    if like is not None and like.exists() and not os.access(like, os.W_OK):
        raise PermissionError(errno.EACCES, "the file is read-only", str(like))
    handle = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(handle, rest) :]
        os.fsync(handle)
        written = _mark(os.fstat(handle))
    finally:
        os.close(handle)
    if like is not None and like.exists():
        (folder / name).chmod(like.stat().st_mode & 0o7777)
    return written


def _require_writable(folder: Path) -> None:
    """Raise PermissionError for a folder that is marked read-only, also to a superuser whom the system would let through."""
    if not os.access(folder, os.W_OK) or (os.name != "nt" and not folder.stat().st_mode & 0o222):
        raise PermissionError(errno.EACCES, "the folder is read-only", str(folder))


def _write_journal(folder: Path, steps: Sequence[Step]) -> None:
    temp = _temp_name()
    try:
        _write(folder, temp, json.dumps({"version": 1, "files": [asdict(step) for step in steps]}, indent=1).encode())
        _sync(folder)
        (folder / temp).replace(folder / JOURNAL)
        _sync(folder)
    except OSError:
        with suppress(OSError):
            (folder / temp).unlink(missing_ok=True)
        raise


def _drop(folder: Path, steps: Sequence[Step]) -> None:
    """Take back a save that does not count; what cannot be removed now is swept by the next load."""
    with suppress(OSError):
        (folder / JOURNAL).unlink(missing_ok=True)
        for step in steps:
            (folder / step.temp).unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """Make the folder's own list of files last; Windows has no such call."""
    if os.name != "nt":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def refusal(folder: Path, error: OSError, outcome: str) -> str:
    """Say which path refused a write, why, what that means and what to do."""
    path = error.filename or folder
    reason = error.strerror or type(error).__name__
    return f"{path}: cannot be written ({reason}); {outcome}. Make it writable, make room on the disk, or save to another folder"
