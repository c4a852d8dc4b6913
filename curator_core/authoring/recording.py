"""How revisions lie in the store: added inside a transaction, and read back with their edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Select, insert, select

from curator_core.authoring import snapshots
from curator_core.authoring.database import Store
from curator_core.authoring.edit_json import edit_of, to_json
from curator_core.authoring.store_tables import changes, now, revisions
from curator_core.errors import StoreError, UnknownName
from curator_core.files import locking
from curator_core.tool import Edit

Kind = Literal["first", "published", "outside", "set aside"]


@dataclass(frozen=True, slots=True)
class Revision:
    """One step of a registry's history. number: counts from 1. edits: what changed, with old and new values.

    kind: "first" is how the registry was found; "published" by an author; "outside" by an editor or git; "set aside" changes no file,
    it keeps the texts of an author who let another's stand. before, after: fingerprints of the files. receipt: whatever figures the
    publisher gave.
    """

    number: int
    kind: Kind
    author: str
    at: datetime
    reason: str = ""
    edits: tuple[Edit, ...] = ()
    before: str = ""
    after: str = ""
    approved_by: str = ""
    receipt: Any = None


@dataclass(frozen=True, slots=True)
class Head:
    """The files of the latest revision: file -> SHA-256, and its number, 0 before the first."""

    number: int = 0
    fingerprint: str = ""
    files: Mapping[str, str] | None = None


@contextmanager
def alone(store: Store, seconds: float) -> Iterator[None]:
    """Keep other publishers away from the folder. Raises TimeoutError when one is at work for longer than this."""
    with locking.locked(store.folder / ".curator" / "publishing", seconds):
        yield


def record(
    connection: Connection,
    store: Store,
    kind: Kind,
    author: str,
    edits: Sequence[Edit],
    files: Mapping[str, str] | None = None,
    **more: Any,
) -> Revision:
    """Add a revision; files: what they are now, None = as before. more: reason, approved_by, receipt, intent. Return it."""
    last = head(connection, store)
    new = snapshots.fingerprint(files) if files is not None else last.fingerprint
    number = last.number + 1
    values = {"kind": kind, "author": author, "at": now(), "reason": "", **more}
    row = {"before": last.fingerprint, "after": new, "files": dict(last.files or {} if files is None else files)}
    connection.execute(insert(revisions).values(registry=store.registry, number=number, **row, **values))
    rows = [{"registry": store.registry, "number": number, "position": at, **entry} for at, entry in enumerate(to_json(edits))]
    if rows:
        connection.execute(insert(changes), rows)
    return one_in(connection, store, number)


def head(connection: Connection, store: Store) -> Head:
    """Return the latest revision's number and files."""
    query = select(revisions.c.number, revisions.c.after, revisions.c.files).where(revisions.c.registry == store.registry)
    row = connection.execute(query.order_by(revisions.c.number.desc()).limit(1)).first()
    return Head(row.number, row.after, row.files) if row else Head()


def of_intent(connection: Connection, store: Store, id: str) -> Revision:
    """Return the revision that an intent became, inside a transaction. Raises StoreError when it became none."""
    found = listed(connection, store, select(revisions).where(revisions.c.registry == store.registry, revisions.c.intent == id))
    if not found:
        raise StoreError(
            f"{store.folder}: another machine took this publishing for dead; the files are written, and noticed as from outside"
        )
    return found[0]


def latest_in(connection: Connection, store: Store) -> Revision:
    """Return the latest revision, inside a transaction."""
    return one_in(connection, store, head(connection, store).number)


def numbered(store: Store, number: int) -> Select[Any]:
    """Select one revision."""
    return select(revisions).where(revisions.c.registry == store.registry, revisions.c.number == number)


def one_in(connection: Connection, store: Store, number: int) -> Revision:
    """Return one revision. Raises UnknownName."""
    found = listed(connection, store, numbered(store, number))
    if not found:
        raise unknown(connection, store, number)
    return found[0]


def unknown(connection: Connection, store: Store, number: int) -> UnknownName:
    """Return the error for a revision that does not exist."""
    return UnknownName(f"there is no revision {number}; the latest is {head(connection, store).number}")


def listed(connection: Connection, store: Store, query: Select[Any]) -> tuple[Revision, ...]:
    """Return the revisions that a query selects, each with its edits."""
    rows = connection.execute(query).all()
    edits: dict[int, list[Edit]] = {row.number: [] for row in rows}
    which = select(changes).where(changes.c.registry == store.registry, changes.c.number.in_(edits))
    for row in connection.execute(which.order_by(changes.c.number, changes.c.position)):
        edits[row.number].append(edit_of(row.tool, row.field, row.old, row.new))
    return tuple(
        Revision(
            row.number,
            row.kind,
            row.author,
            row.at,
            row.reason,
            tuple(edits[row.number]),
            row.before,
            row.after,
            row.approved_by or "",
            row.receipt,
        )
        for row in rows
    )
