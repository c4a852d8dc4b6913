"""Vectors per text on disk: one SQLite file per model, so that an edit embeds one text and a restart embeds none.

SQLite because it is atomic (a reader sees old or new, also after a kill), takes several writers, and holds plain bytes: nothing is ever
unpickled. Every row carries a checksum over its key and bytes, so damage below SQLite's notice cannot bring back a wrong vector either.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeVar
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from curator_core.files.places import default_cache_dir as default_cache_dir  # part of this module's face

Vector = npt.NDArray[np.float32]
Kind = Literal["document", "query"]  # a text has one vector as a tool's and another as a question
T = TypeVar("T")

RECIPE = "vectors 1"  # raise when vectors of the same model and text come out differently (normalisation, batching, byte order)
MAX_BYTES = 2_000_000_000
KEPT_ASIDE = 3
CHUNK = 500  # keys a SELECT: well below SQLite's limit of variables
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS manifest (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS vectors (key BLOB NOT NULL UNIQUE, vector BLOB NOT NULL, checksum INTEGER NOT NULL)",
)


class _Damaged(Exception):
    """The file is readable SQLite, but not what this class wrote."""


class VectorCache:
    """Vectors of one model by text, those of tools (documents) and those of questions (queries) apart.

    folder: where the file lies; None keeps nothing, not even in memory. It is made when missing.
    notices: plain sentences about what went wrong, each once: damage that was set aside, or a folder that cannot be written.
    Neither get nor put fails because of the disk: without it, vectors are kept in memory for as long as this object lives.
    Safe for several threads and processes; no connection or lock is held between calls.
    """

    def __init__(
        self, folder: Path | None, model_fingerprint: str, dimension: int, *, max_bytes: int = MAX_BYTES, busy_seconds: float = 5.0
    ) -> None:
        self.folder = folder
        self.dimension = dimension
        self.notices: list[str] = []
        self._manifest = {"format": "tool-curator vectors", "recipe": RECIPE, "model": model_fingerprint, "dimension": str(dimension)}
        self._max_bytes = max_bytes
        self._busy_seconds = busy_seconds
        self._memory: dict[bytes, Vector] = {}
        self._readable = self._writable = folder is not None
        self._lock = threading.Lock()

    @property
    def path(self) -> Path | None:
        """Return the database file of this model and recipe, or None when nothing is kept on disk."""
        name = hashlib.sha256(f"{RECIPE}\n{self._manifest['model']}".encode()).hexdigest()[:16]
        return None if self.folder is None else self.folder / f"vectors-{name}.sqlite"

    def get(self, texts: Iterable[str], kind: Kind = "document") -> dict[str, Vector]:
        """Return the known vectors by text: float32 (dimension,), read-only. Unknown texts are left out."""
        keys = {text: _key(text, kind) for text in texts}
        found = {key: self._memory[key] for key in keys.values() if key in self._memory}
        wanted = list(dict.fromkeys(key for key in keys.values() if key not in found))
        if wanted and self._readable:
            found.update(self._guarded(lambda path: self._read(path, wanted), writing=False) or {})
        return {text: found[key] for text, key in keys.items() if key in found}

    def put(self, texts: Sequence[str], vectors: Vector, kind: Kind = "document") -> None:
        """Keep one vector per text; vectors: float32 (n, dimension). All of them are kept, or none. Raises ValueError on another shape."""
        if vectors.shape != (len(texts), self.dimension):
            raise ValueError(f"vectors have shape {vectors.shape}; {len(texts)} texts need ({len(texts)}, {self.dimension})")
        if self.folder is None or not texts:
            return
        raw = np.ascontiguousarray(vectors, dtype="<f4")
        rows = [
            (key, blob, _checksum(key, blob))
            for key, blob in ((_key(text, kind), row.tobytes()) for text, row in zip(texts, raw, strict=True))
        ]
        stored = self._guarded(lambda path: self._write(path, rows), writing=True) if self._writable else None
        if not stored:
            self._memory.update((key, _vector(blob)) for key, blob, _ in rows)

    # -- one call on the file

    def _read(self, path: Path, keys: list[bytes]) -> dict[bytes, Vector]:
        found: dict[bytes, Vector] = {}
        if not path.exists():
            return found
        with closing(self._connect(path, create=False)) as connection:
            connection.execute("BEGIN")  # one read lock for all chunks: never half of somebody's write
            if not self._has_tables(connection):
                return found
            for start in range(0, len(keys), CHUNK):
                chunk = keys[start : start + CHUNK]
                marks = ",".join("?" * len(chunk))
                for key, blob, checksum in connection.execute(f"SELECT key, vector, checksum FROM vectors WHERE key IN ({marks})", chunk):
                    found[key] = self._checked(key, blob, checksum)
        return found

    def _write(self, path: Path, rows: list[tuple[bytes, bytes, int]]) -> bool:
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect(path, create=True)) as connection:
            connection.execute("BEGIN IMMEDIATE")
            if not self._has_tables(connection):
                for statement in _SCHEMA:
                    connection.execute(statement)
                connection.executemany("INSERT INTO manifest VALUES (?, ?)", self._manifest.items())
            self._make_room(connection)
            connection.executemany("INSERT OR REPLACE INTO vectors (key, vector, checksum) VALUES (?, ?, ?)", rows)
            connection.execute("COMMIT")
        return True

    def _connect(self, path: Path, create: bool) -> sqlite3.Connection:
        # mode=rw also for reading: after a kill, whoever comes next must be able to roll back; SQLite reads on where it cannot write
        return sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={'rwc' if create else 'rw'}", uri=True, timeout=self._busy_seconds, isolation_level=None
        )

    def _has_tables(self, connection: sqlite3.Connection) -> bool:
        """Say whether the file was filled before; raise _Damaged when it belongs to another model, recipe or program."""
        if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return False
        found = dict(connection.execute("SELECT name, value FROM manifest"))
        for name, value in self._manifest.items():
            if found.get(name) != value:
                raise _Damaged(f"its {name} is {found.get(name)!r} instead of {value!r}")
        return True

    def _checked(self, key: object, blob: object, checksum: object) -> Vector:
        if not isinstance(key, bytes) or not isinstance(blob, bytes) or len(blob) != 4 * self.dimension:
            raise _Damaged("an entry has the wrong length")
        if checksum != _checksum(key, blob):
            raise _Damaged("an entry has the wrong checksum")
        return _vector(blob)

    def _make_room(self, connection: sqlite3.Connection) -> None:
        """Drop the quarter that was written longest ago when the file is full."""
        pages, free, size = (connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size"))
        if (pages - free) * size > self._max_bytes:
            oldest = "SELECT rowid FROM vectors ORDER BY rowid LIMIT (SELECT count(*) / 4 + 1 FROM vectors)"
            connection.execute(f"DELETE FROM vectors WHERE rowid IN ({oldest})")

    # -- what can go wrong

    def _guarded(self, call: Callable[[Path], T], writing: bool) -> T | None:
        """Run one call on the file; on damage set the file aside and run it once more; on any other trouble go on in memory."""
        path = self.path
        assert path is not None
        for attempt in (1, 2):
            inode = _inode(path)
            try:
                return call(path)
            except (_Damaged, sqlite3.Error, OSError, UnicodeError) as error:
                moved_away = inode != _inode(path)  # another process set it aside while we worked
                if attempt == 1 and (moved_away or (_is_damage(error) and self._set_aside(path, error))):
                    continue
                self._go_on_in_memory(path, error, writing)
                return None
        return None

    def _set_aside(self, path: Path, error: Exception) -> bool:
        aside = path.with_name(f"{path.stem}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%S%f}-{uuid4().hex[:6]}")
        try:
            for journal in ("-journal", "-wal", "-shm"):  # left beside it, SQLite would play them back into the new file
                path.with_name(path.name + journal).unlink(missing_ok=True)
            path.replace(aside)
            for old in sorted(path.parent.glob(f"{path.stem}.damaged-*"))[:-KEPT_ASIDE]:
                old.unlink(missing_ok=True)
        except OSError as reason:
            self._notice(f"cache file {path} is damaged ({error}) and cannot be moved ({reason.strerror}); delete it")
            return False
        self._notice(f"cache file {path} was damaged ({error}): set aside as {aside.name} and rebuilt")
        return True

    def _go_on_in_memory(self, path: Path, error: Exception, writing: bool) -> None:
        with self._lock:
            first = self._writable  # whichever failed first is told, once
            self._writable = False
            self._readable = self._readable and writing
        if first:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            self._notice(f"cannot {'write' if writing else 'read'} cache file {path} ({reason}): working in memory")

    def _notice(self, sentence: str) -> None:
        with self._lock:
            if sentence not in self.notices:
                self.notices.append(sentence)


def _key(text: str, kind: Kind) -> bytes:
    raw = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).digest() if kind == "document" else hashlib.blake2b(raw, digest_size=32, person=b"query").digest()


def _checksum(key: bytes, blob: bytes) -> int:
    return zlib.crc32(blob, zlib.crc32(key))


def _vector(blob: bytes) -> Vector:
    return np.frombuffer(blob, dtype="<f4")  # over bytes: read-only


def _inode(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except OSError:
        return None


def _is_damage(error: Exception) -> bool:
    """Say whether the file's content is at fault: not SQLite, malformed, or with other tables than ours."""
    if isinstance(error, (_Damaged, UnicodeError)):  # UnicodeError: damaged names, which sqlite3 cannot even report
        return True
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
