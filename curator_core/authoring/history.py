"""What happened to a registry: who changed what, when and why; outside changes noticed, old files let go."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, and_, or_, select, update

from curator_core.authoring import snapshots
from curator_core.authoring.database import Store
from curator_core.authoring.differences import changes_between
from curator_core.authoring.edit_json import edit_of
from curator_core.authoring.people import Person
from curator_core.authoring.recording import Kind, Revision, alone, head, listed, numbered, one_in, record, unknown
from curator_core.authoring.store_tables import changes, intents, revisions
from curator_core.errors import CuratorError, StoreError
from curator_core.files.folder import load_registry
from curator_core.files.journal import Snapshot
from curator_core.files.reading import read_registry
from curator_core.registry import Registry
from curator_core.tool import Edit

OUTSIDE = "outside"
KEPT_REVISIONS = 1000


@dataclass(frozen=True, slots=True)
class Change:
    """One edit in the history of a tool: which revision made it, whose and when."""

    number: int
    kind: Kind
    author: str
    at: datetime
    edit: Edit


def page(store: Store, before: int | None = None, limit: int = 50, author: str | None = None) -> tuple[Revision, ...]:
    """Return the latest revisions, newest first; before: those with a lower number."""
    query = select(revisions).where(revisions.c.registry == store.registry).order_by(revisions.c.number.desc()).limit(limit)
    query = query if before is None else query.where(revisions.c.number < before)
    query = query if author is None else query.where(revisions.c.author == author)
    with store.reading() as connection:
        return listed(connection, store, query)


def revision(store: Store, number: int) -> Revision:
    """Return one revision. Raises UnknownName."""
    with store.reading() as connection:
        return one_in(connection, store, number)


def latest(store: Store) -> int:
    """Return the number of the latest revision, 0 before the first."""
    with store.reading() as connection:
        return head(connection, store).number


def of_tool(store: Store, tool: str, field: str | None = None, limit: int = 50) -> tuple[Change, ...]:
    """Return the latest changes of a tool, also under the names that it had before, or of a synonym's term; newest first."""
    found: list[Change] = []
    seen: set[tuple[str, int]] = set()
    below: int | None = None
    with store.reading() as connection:
        while len(found) < limit and (tool, below or 0) not in seen:
            seen.add((tool, below or 0))
            was = renamed(connection, store, tool, below)
            found += _changes(connection, store, tool, field, was[0] if was else 0, below, limit - len(found))
            if was is None:
                break
            below, tool = was[0] + 1, was[1]
    return tuple(dict.fromkeys(found))


def registry_at(store: Store, number: int) -> Registry:
    """Return the registry as its files were after a revision. Raises UnknownName, or StoreError when its files were compacted away."""
    with store.reading() as connection:
        row = connection.execute(numbered(store, number)).first()
        if row is None:
            raise unknown(connection, store, number)
        if row.files is None:
            raise StoreError(f"revision {number}: its files were compacted away; what it changed is still in its edits")
        files = {file: Snapshot(snapshots.content(connection, store.registry, sha)) for file, sha in row.files.items()}
    return read_registry(store.folder, files)


def notice_outside(store: Store, registry: Registry | None = None) -> Revision | None:
    """Make a revision of what changed in the files since the last one, None when nothing did or somebody is publishing just now.

    registry: as just loaded, if it is at hand. Raises RegistryError when the files cannot be read, StoreError.
    """
    try:
        with alone(store, 0):
            return notice(store, registry or load_registry(store.folder, strict=False))
    except TimeoutError:
        return None


def notice(store: Store, registry: Registry) -> Revision | None:
    """Do what notice_outside does, inside `alone(store)`."""
    files = snapshots.files_of(registry)
    shas = snapshots.shas_of(files)
    found = snapshots.fingerprint(shas)
    with store.reading() as connection:
        last = head(connection, store)
        waits = connection.execute(select(intents.c.id).where(intents.c.registry == store.registry)).first()
    if found == last.fingerprint or waits is not None:
        return None
    edits: tuple[Edit, ...] = ()
    reason = ""
    try:
        edits = changes_between(registry_at(store, last.number), registry) if last.number else ()
    except StoreError as error:
        reason = f"what changed cannot be told: {error}"
    with store.writing() as connection:
        if head(connection, store) != last:  # somebody else was faster
            return None
        kept = snapshots.keep(connection, store.registry, files, last.files or {})
        kind: Kind = "outside" if last.number else "first"
        return record(connection, store, kind, OUTSIDE if last.number else "", edits, files=kept, reason=reason)


def compact(store: Store, person: Person, keep: int = KEPT_REVISIONS) -> int:
    """Let go of the files of all but the latest revisions, and give the room back to the disk; return how many contents went.

    Who, when, why and what (old and new values) stay for every revision; `registry_at` works for those that are kept.
    """
    store.require(person, "reviewer", "compact the history")
    if keep < 1:
        raise CuratorError(f"compact: keep is {keep}; keep at least 1 revision, new ones are compared with it")
    with store.writing() as connection:
        oldest = head(connection, store).number - keep
        mine = revisions.c.registry == store.registry
        connection.execute(update(revisions).where(mine, revisions.c.number <= oldest).values(files=None))
        used = [*connection.execute(select(revisions.c.files).where(mine, revisions.c.number > oldest)).scalars()]
        used += connection.execute(select(intents.c.files).where(intents.c.registry == store.registry)).scalars().all()
        gone = snapshots.drop_others(connection, store.registry, {sha for files in used for sha in (files or {}).values()})
    if store.engine.dialect.name == "sqlite":
        # Somebody who is reading now keeps the room from being given back; the next compaction does it.
        with store.engine.connect() as free, suppress(sqlite3.OperationalError):
            free.connection.cursor().execute("VACUUM")
    return gone


def renamed(connection: Connection, store: Store, tool: str, below: int | None) -> tuple[int, str] | None:
    """Return the revision that gave a tool this name, and its name before."""
    query = select(changes.c.number, changes.c.tool).join(revisions, same_revision())
    query = query.where(
        changes.c.registry == store.registry, changes.c.field == "name", changes.c.new == tool, revisions.c.kind != "set aside"
    )
    query = query if below is None else query.where(changes.c.number < below)
    row = connection.execute(query.order_by(changes.c.number.desc()).limit(1)).first()
    return (row.number, row.tool) if row else None


def _changes(
    connection: Connection, store: Store, tool: str, field: str | None, least: int, below: int | None, limit: int
) -> Iterator[Change]:
    query = select(changes, revisions.c.kind, revisions.c.author, revisions.c.at).join(revisions, same_revision())
    query = query.where(changes.c.registry == store.registry, changes.c.tool == tool, changes.c.number >= least)
    query = query if below is None else query.where(changes.c.number < below)
    query = query if field is None else query.where(or_(changes.c.field == field, changes.c.field == "tool"))
    order = changes.c.number.desc(), (changes.c.position + 0).desc()  # + 0: in the key's own order SQLite reads all, whatever the tool
    for row in connection.execute(query.order_by(*order).limit(limit)):
        yield Change(row.number, row.kind, row.author, row.at, edit_of(row.tool, row.field, row.old, row.new))


def same_revision() -> Any:
    return and_(revisions.c.registry == changes.c.registry, revisions.c.number == changes.c.number)
