"""The files of a registry as they were at each revision: kept once by content, and as the difference from the one before."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from curator_core.authoring.store_tables import contents
from curator_core.errors import StoreError
from curator_core.registry import Registry

LONGEST_CHAIN = 50
Shas = Mapping[str, str]


def files_of(registry: Registry) -> dict[str, bytes]:
    """Return the files that a registry was loaded from, absent ones left out."""
    known = registry._provenance
    return {file: read.data for file, read in known.source.files.items() if read} if known else {}


def shas_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of each file's content."""
    return {file: hashlib.sha256(data).hexdigest() for file, data in sorted(files.items())}


def fingerprint(shas: Shas) -> str:
    """Return one text for the content of all files of a registry; the same as long as not a byte differs."""
    return hashlib.sha256("".join(f"{file}\0{sha}\n" for file, sha in sorted(shas.items())).encode()).hexdigest()


def keep(connection: Connection, registry: str, files: Mapping[str, bytes], previous: Shas) -> dict[str, str]:
    """Keep the files' contents that are not kept yet; previous: what the files were before. Return each file's SHA-256."""
    shas = shas_of(files)
    known = _rows(connection, registry, {*shas.values(), *previous.values()})
    for file, sha in shas.items():
        if sha in known:
            continue
        base = previous.get(file)
        depth = known[base].depth + 1 if base in known else LONGEST_CHAIN
        row = _whole(files[file])
        if base is not None and depth < LONGEST_CHAIN:
            with suppress(StoreError):  # what cannot be read is nothing to build on
                row = _difference(base, depth, content(connection, registry, base), files[file])
        connection.execute(insert(contents).values(registry=registry, sha256=sha, **row))
        known |= _rows(connection, registry, {sha})
    return shas


def content(connection: Connection, registry: str, sha: str) -> bytes:
    """Return a kept content. Raises StoreError when it is not there or not what it was."""
    chain = []
    wanted: str | None = sha
    while wanted is not None:
        row = _rows(connection, registry, {wanted}).get(wanted)
        if row is None:
            raise StoreError(f"the content {sha[:12]} is not kept any more; load a later revision")
        chain.append(row)
        wanted = row.base
    data = b""
    try:
        for row in reversed(chain):
            data = data[: row.head] + zlib.decompress(row.data) + data[len(data) - row.tail :]
    except zlib.error:
        data = b""
    if hashlib.sha256(data).hexdigest() != sha:
        raise StoreError(f"the content {sha[:12]} is damaged; load another revision")
    return data


def drop_others(connection: Connection, registry: str, used: Iterable[str]) -> int:
    """Drop every content that is not in use; what rests on a dropped one is made whole first. Return how many went."""
    keeping = set(used)
    rows = connection.execute(select(contents.c.sha256, contents.c.base).where(contents.c.registry == registry)).all()
    for sha, base in rows:
        if sha in keeping and base is not None and base not in keeping:
            row = _whole(content(connection, registry, sha))
            connection.execute(update(contents).where(contents.c.registry == registry, contents.c.sha256 == sha).values(**row))
    gone = [sha for sha, _ in rows if sha not in keeping]
    for start in range(0, len(gone), 500):
        part = gone[start : start + 500]
        connection.execute(delete(contents).where(contents.c.registry == registry, contents.c.sha256.in_(part)))
    return len(gone)


def _rows(connection: Connection, registry: str, shas: set[str]) -> dict[str, Any]:
    found = connection.execute(select(contents).where(contents.c.registry == registry, contents.c.sha256.in_(shas)))
    return {row.sha256: row for row in found}


def _whole(data: bytes) -> dict[str, Any]:
    return {"base": None, "depth": 0, "head": 0, "tail": 0, "data": zlib.compress(data)}


def _difference(base: str, depth: int, old: bytes, new: bytes) -> dict[str, Any]:
    """Return a content as what lies between its common beginning and end with another; an edit in one place makes it small."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle = zlib.compress(new[head : len(new) - tail])
    if len(middle) > len(new) // 8 and len(middle) > 4096:
        return _whole(new)
    return {"base": base, "depth": depth, "head": head, "tail": tail, "data": middle}


def _common(a: bytes, b: bytes) -> int:
    """Return how many bytes two contents begin with alike; halving, since comparing slices is fast and a loop is not."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
