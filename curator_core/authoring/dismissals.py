"""Clashes that somebody has dismissed with a reason, for everybody who works on the registry, until either tool's text changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select

from curator_core.authoring.database import Store
from curator_core.authoring.people import Person
from curator_core.authoring.store_tables import kept, now
from curator_core.errors import CuratorError

_KIND = "dismissed clash"

Mark = tuple[str, str, str, str]  # both keys, then what identifies each one's text


@dataclass(frozen=True, slots=True)
class Dismissal:
    """Why a pair is no clash to act on. mark: which pair, with which texts (curator_core.collisions.clashes, mark_of)."""

    mark: Mark
    reason: str
    author: str
    at: datetime

    @property
    def tools(self) -> tuple[str, str]:
        """The pair."""
        return self.mark[0], self.mark[1]


def dismiss_clash(store: Store, person: Person, mark: Mark, reason: str) -> None:
    """Put a pair away. Raises CuratorError without a reason, Forbidden for somebody who may not write."""
    store.require(person, "author", "dismiss clashes")
    if not reason.strip():
        raise CuratorError(f"{mark[0]} and {mark[1]}: say why this clash is none, so that others need not look again")
    with store.writing() as connection:
        connection.execute(delete(kept).where(kept.c.registry == store.registry, kept.c.kind == _KIND, kept.c.name == list(mark)))
        row = {"registry": store.registry, "author": person.name, "kind": _KIND, "name": list(mark), "value": reason.strip(), "at": now()}
        connection.execute(insert(kept).values(**row))


def bring_back(store: Store, person: Person, mark: Mark) -> None:
    """Show a dismissed pair again, whoever dismissed it."""
    store.require(person, "author", "bring clashes back")
    with store.writing() as connection:
        connection.execute(delete(kept).where(kept.c.registry == store.registry, kept.c.kind == _KIND, kept.c.name == list(mark)))


def dismissed_clashes(store: Store) -> dict[Mark, Dismissal]:
    """Return what is dismissed, oldest first."""
    with store.reading() as connection:
        query = select(kept).where(kept.c.registry == store.registry, kept.c.kind == _KIND).order_by(kept.c.at, kept.c.name)
        found = (Dismissal(_mark(row.name), row.value, row.author, row.at) for row in connection.execute(query))
        return {one.mark: one for one in found}


def _mark(name: list[str]) -> Mark:
    a, b, of_a, of_b = name
    return a, b, of_a, of_b
