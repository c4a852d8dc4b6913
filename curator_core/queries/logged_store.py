"""Logged questions in the store, for all who work on a registry.

They may hold what people said of themselves, so they are never written to the registry's files.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, insert, select

from curator_core.authoring.database import Store
from curator_core.authoring.people import Person
from curator_core.authoring.store_tables import logged_batches, logged_questions, now
from curator_core.errors import CuratorError
from curator_core.queries.logged import LoggedQuestion, merged


@dataclass(frozen=True, slots=True)
class LoggedBatch:
    """What was loaded at once. name: as its author calls it, such as a day; questions: different ones; asked: how often in all."""

    id: str
    name: str
    author: str
    at: datetime
    questions: int
    asked: int


def keep_logged(store: Store, person: Person, name: str, questions: Sequence[LoggedQuestion]) -> LoggedBatch:
    """Keep the questions of a log. Raises CuratorError where exactly these were loaded before, so that no count is doubled."""
    store.require(person, "author", "load logged questions")
    content = hashlib.sha256(repr([(one.text, one.count) for one in questions]).encode("utf-8", "surrogatepass")).hexdigest()
    batch = LoggedBatch(uuid.uuid4().hex, name, person.name, now(), len(questions), sum(one.count for one in questions))
    with store.writing() as connection:
        here = logged_batches.c.registry == store.registry
        again = connection.execute(select(logged_batches.c.name).where(here, logged_batches.c.content == content)).scalar()
        if again is not None:
            raise CuratorError(f"exactly these questions were loaded before, as {again!r}; nothing was added")
        row = {"registry": store.registry, "id": batch.id, "name": name, "author": person.name, "at": batch.at, "content": content}
        connection.execute(insert(logged_batches).values(**row))
        rows = [
            {"registry": store.registry, "batch": batch.id, "position": position, "question": one.text, "count": one.count}
            for position, one in enumerate(questions)
        ]
        if rows:
            connection.execute(insert(logged_questions), rows)
    return batch


def logged_batches_of(store: Store) -> tuple[LoggedBatch, ...]:
    """Return what was loaded, the latest first."""
    counted = (
        select(logged_questions.c.batch, func.count().label("questions"), func.sum(logged_questions.c.count).label("asked"))
        .where(logged_questions.c.registry == store.registry)
        .group_by(logged_questions.c.batch)
        .subquery()
    )
    joined = select(logged_batches, counted.c.questions, counted.c.asked).outerjoin(counted, logged_batches.c.id == counted.c.batch)
    found = joined.where(logged_batches.c.registry == store.registry).order_by(logged_batches.c.at.desc(), logged_batches.c.id)
    with store.reading() as connection:
        rows = connection.execute(found)
        return tuple(LoggedBatch(row.id, row.name, row.author, row.at, row.questions or 0, int(row.asked or 0)) for row in rows)


def logged_questions_of(store: Store) -> tuple[LoggedQuestion, ...]:
    """Return all logged questions, each once, the most frequent first."""
    table = logged_questions
    found = select(table.c.question, table.c.count).where(table.c.registry == store.registry).order_by(table.c.batch, table.c.position)
    with store.reading() as connection:
        return merged((), (LoggedQuestion(row.question, row[1]) for row in connection.execute(found)))


def forget_logged(store: Store, person: Person, batch: str) -> None:
    """Remove what was loaded at once; an id that is not there is gone already."""
    store.require(person, "author", "remove logged questions")
    with store.writing() as connection:
        for table, column in ((logged_questions, logged_questions.c.batch), (logged_batches, logged_batches.c.id)):
            connection.execute(delete(table).where(table.c.registry == store.registry, column == batch))
