"""What an author keeps beside the draft: a note on a tool, and a scratch list. Nobody else sees either."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, delete, insert, select

from curator_core.database import Store
from curator_core.people import Person
from curator_core.store_tables import kept, now

_NOTE, _SCRATCH = "note", "scratch"


@dataclass(frozen=True, slots=True)
class Note:
    """A text that an author kept. name: the tool it is about, or what an entry of the scratch list is called by the program."""

    name: str
    text: str
    at: datetime


def notes(store: Store, person: Person) -> dict[str, Note]:
    """Return the person's notes by tool."""
    return {note.name: note for note in _read(store, person, _NOTE)}


def write_note(store: Store, person: Person, tool: str, text: str) -> None:
    """Keep a note on a tool in place of the one before; an empty one is removed."""
    _write(store, person, _NOTE, tool, text)


def scratch(store: Store, person: Person) -> tuple[Note, ...]:
    """Return the person's scratch list, oldest first."""
    return _read(store, person, _SCRATCH)


def add_scratch(store: Store, person: Person, text: str) -> Note:
    """Put a text onto the scratch list."""
    name = uuid.uuid4().hex
    _write(store, person, _SCRATCH, name, text)
    return Note(name, text, now())


def remove_scratch(store: Store, person: Person, name: str) -> None:
    """Take an entry off the scratch list."""
    _write(store, person, _SCRATCH, name, "")


def _mine(store: Store, person: Person, kind: str) -> tuple[ColumnElement[Any], ...]:
    return kept.c.registry == store.registry, kept.c.author == person.name, kept.c.kind == kind


def _read(store: Store, person: Person, kind: str) -> tuple[Note, ...]:
    with store.reading() as connection:
        rows = connection.execute(select(kept).where(*_mine(store, person, kind)).order_by(kept.c.at, kept.c.name))
        return tuple(Note(row.name, row.value, row.at) for row in rows)


def _write(store: Store, person: Person, kind: str, name: str, text: str) -> None:
    store.require(person, "author", "keep notes")
    with store.writing() as connection:
        connection.execute(delete(kept).where(*_mine(store, person, kind), kept.c.name == name))
        if text:
            row = {"registry": store.registry, "author": person.name, "kind": kind, "name": name, "value": text, "at": now()}
            connection.execute(insert(kept).values(**row))
