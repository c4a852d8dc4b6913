"""What an author keeps beside the draft: a note on a tool, and a scratch list. Nobody else sees either."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, insert, select

from curator_core.authoring import history
from curator_core.authoring.database import Store
from curator_core.authoring.people import Person
from curator_core.authoring.store_tables import kept, now
from curator_core.keys import key_before
from curator_core.tool import Edit

_NOTE, _SCRATCH = "note", "scratch"


@dataclass(frozen=True, slots=True)
class Note:
    """A text that an author kept. name: the tool it is about, under the name that it had then."""

    name: str
    text: str
    at: datetime


def notes(store: Store, person: Person) -> dict[str, Note]:
    """Return the person's notes by tool."""
    return {note.name: note for note in _read(store, person, _NOTE)}


def note_on(store: Store, person: Person, tool: str, unpublished: Sequence[Edit] = ()) -> Note | None:
    """Return the person's note on a tool, also one that was written under a name that the tool had before.

    unpublished: what leads from the published registry to the one that has the tool under this key.
    """
    kept, name = notes(store, person), key_before(unpublished, tool)
    names, below = [tool], None
    with store.reading() as connection:
        while kept and name is not None:
            names.append(name)
            was = history.renamed(connection, store, name, below)
            below, name = was or (None, None)
    return next((kept[name] for name in names if name in kept), None)


def write_note(store: Store, person: Person, tool: str, text: str, instead_of: str = "") -> None:
    """Keep a note on a tool in place of the one before; an empty one is removed. instead_of: the name that the one before is under."""
    store.require(person, "author", "keep notes")
    with store.writing() as connection:
        if instead_of and instead_of != tool:
            _write_in(connection, store, person, _NOTE, instead_of, "")
        _write_in(connection, store, person, _NOTE, tool, text)


def scratch(store: Store, person: Person) -> str:
    """Return the person's scratch list, one question a line."""
    return next((note.text for note in _read(store, person, _SCRATCH)), "")


def write_scratch(store: Store, person: Person, new: str, seen: str = "") -> str:
    """Keep the scratch list; lines that another tab added since this one saw it stay. seen: what the list was then. Return it."""
    store.require(person, "author", "keep notes")
    with store.writing() as connection:
        there = "".join(note.text for note in _read_in(connection, store, person, _SCRATCH))
        known = {*seen.splitlines(), *new.splitlines()}
        added = [line for line in there.splitlines() if line not in known]
        whole = "\n".join([*new.splitlines(), *added]) if added else new
        _write_in(connection, store, person, _SCRATCH, "", whole)
        return whole


def _mine(store: Store, person: Person, kind: str) -> tuple[ColumnElement[Any], ...]:
    return kept.c.registry == store.registry, kept.c.author == person.name, kept.c.kind == kind


def _read(store: Store, person: Person, kind: str) -> tuple[Note, ...]:
    with store.reading() as connection:
        return _read_in(connection, store, person, kind)


def _read_in(connection: Connection, store: Store, person: Person, kind: str) -> tuple[Note, ...]:
    rows = connection.execute(select(kept).where(*_mine(store, person, kind)).order_by(kept.c.at, kept.c.name))
    return tuple(Note(row.name, row.value, row.at) for row in rows)


def _write_in(connection: Connection, store: Store, person: Person, kind: str, name: str, text: str) -> None:
    connection.execute(delete(kept).where(*_mine(store, person, kind), kept.c.name == name))
    if text:
        row = {"registry": store.registry, "author": person.name, "kind": kind, "name": name, "value": text, "at": now()}
        connection.execute(insert(kept).values(**row))
