"""Drafts that are handed over: somebody else looks at them under a link, and approves or sends them back."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Update, insert, select, update

from curator_core.authoring import drafts
from curator_core.authoring.database import Store
from curator_core.authoring.edit_json import from_json, to_json
from curator_core.authoring.people import Person
from curator_core.authoring.store_tables import now, submissions
from curator_core.errors import CuratorError, Forbidden, UnknownName
from curator_core.tool import Edit

State = Literal["waiting", "approved", "sent back", "replaced", "withdrawn", "published"]
OPEN = ("waiting", "approved")


@dataclass(frozen=True, slots=True)
class Submission:
    """A draft as it was handed over. id: stands in its link. receipt: the figures before and after, as the author's page gave them.

    state: "replaced" by a later one of the same author. answer: what the one who decided said. revision: where it was published.
    """

    id: str
    author: str
    at: datetime
    note: str
    edits: tuple[Edit, ...]
    base_revision: int | None = None
    receipt: Any = None
    state: State = "waiting"
    decided_by: str = ""
    decided_at: datetime | None = None
    answer: str = ""
    revision: int | None = None


def submit(store: Store, person: Person, note: str = "", receipt: Any = None) -> Submission:
    """Hand over the person's draft; one that still waits is replaced by it. The draft stays, and can be worked on.

    receipt: anything that JSON can hold. Raises CuratorError when the draft is empty.
    """
    store.require(person, "author", "hand over a draft")
    with store.writing() as connection:
        draft = drafts.read_in(connection, store, person.name)
        if not draft.edits:
            raise CuratorError(f"the draft of {person.name} is empty; there is nothing to hand over")
        open_ones = submissions.c.state.in_(OPEN)
        mine = submissions.c.registry == store.registry, submissions.c.author == person.name
        connection.execute(update(submissions).where(*mine, open_ones).values(state="replaced"))
        id = secrets.token_urlsafe(9)
        what = {"edits": to_json(draft.edits), "base_revision": draft.base_revision, "receipt": receipt}
        who = {"registry": store.registry, "id": id, "author": person.name, "at": now(), "note": note}
        connection.execute(insert(submissions).values(**who, **what, state="waiting", answer=""))
        return read_in(connection, store, id)


def read(store: Store, id: str) -> Submission:
    """Return what was handed over under this id. Raises UnknownName."""
    with store.reading() as connection:
        return read_in(connection, store, id)


def waiting(store: Store, state: State = "waiting") -> tuple[Submission, ...]:
    """Return what waits to be decided, oldest first; state: or what is in another state."""
    with store.reading() as connection:
        which = select(submissions).where(submissions.c.registry == store.registry, submissions.c.state == state)
        return tuple(_submission(row) for row in connection.execute(which.order_by(submissions.c.at)))


def of_author(store: Store, person: Person, limit: int = 20) -> tuple[Submission, ...]:
    """Return what a person handed over, newest first."""
    with store.reading() as connection:
        which = select(submissions).where(submissions.c.registry == store.registry, submissions.c.author == person.name)
        return tuple(_submission(row) for row in connection.execute(which.order_by(submissions.c.at.desc()).limit(limit)))


def approve(store: Store, person: Person, id: str, note: str = "") -> Submission:
    """Approve what another person handed over; its author or a reviewer can publish it then."""
    return _decide(store, person, id, "approved", note)


def send_back(store: Store, person: Person, id: str, note: str) -> Submission:
    """Send back what another person handed over, with a note that says why."""
    if not note.strip():
        raise CuratorError("send back: there is no note; write what is to be changed")
    return _decide(store, person, id, "sent back", note)


def withdraw(store: Store, person: Person, id: str) -> Submission:
    """Take back what this person handed over; the draft stays."""
    store.require(person, "author", "take back a draft")
    with store.writing() as connection:
        found = _open_in(connection, store, id)
        if not person.is_same(found.author):
            raise Forbidden(f"{found.author} handed this draft over, not {person.name}; a reviewer can send it back")
        connection.execute(_one(store, id).values(state="withdrawn"))
        return read_in(connection, store, id)


def read_in(connection: Connection, store: Store, id: str) -> Submission:
    """Return what was handed over, inside a transaction."""
    row = connection.execute(select(submissions).where(submissions.c.registry == store.registry, submissions.c.id == id)).first()
    if row is None:
        raise UnknownName(f"nothing was handed over under {id!r} for this registry; look at the list of what waits")
    return _submission(row)


def settle_in(connection: Connection, store: Store, id: str | None, author: str, edits: Sequence[Edit], revision: int) -> None:
    """Say where a submission was published, inside a transaction; without an id, any of the author's that holds just these edits."""
    mine = submissions.c.author == author, submissions.c.state.in_(OPEN), submissions.c.edits == to_json(edits)
    which = (submissions.c.id == id,) if id else mine
    connection.execute(
        update(submissions).where(submissions.c.registry == store.registry, *which).values(state="published", revision=revision)
    )


def _decide(store: Store, person: Person, id: str, state: State, note: str) -> Submission:
    store.require(person, "reviewer", "decide on a draft")
    with store.writing() as connection:
        found = read_in(connection, store, id)
        if person.is_same(found.author):
            raise Forbidden(f"{person.name} handed this draft over; it takes another person to decide on it")
        if found.state not in ("waiting", "approved"):
            by = f" by {found.decided_by}" if found.decided_by else ""
            raise CuratorError(
                f"this draft is {found.state}{by}; only one that waits, or is approved and not yet published, can be decided on"
            )
        one = update(submissions).where(submissions.c.registry == store.registry, submissions.c.id == id)
        connection.execute(one.values(state=state, decided_by=person.name, decided_at=now(), answer=note))
        return read_in(connection, store, id)


def _open_in(connection: Connection, store: Store, id: str) -> Submission:
    """Return what can still be decided. Raises CuratorError."""
    found = read_in(connection, store, id)
    if found.state not in OPEN:
        by = f" by {found.decided_by}" if found.decided_by else ""
        raise CuratorError(f"this draft is {found.state}{by}; only one that waits, or is approved and not yet published, can be decided on")
    return found


def _one(store: Store, id: str) -> Update:
    return update(submissions).where(submissions.c.registry == store.registry, submissions.c.id == id)


def _submission(row: Any) -> Submission:
    return Submission(
        row.id, row.author, row.at, row.note, from_json(row.edits), row.base_revision, row.receipt, row.state, row.decided_by or "",
        row.decided_at, row.answer, row.revision,
    )  # fmt: skip
