"""The tables of the store. What people write is kept as JSON text: any letter survives in any database."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Boolean, Column, Index, Integer, LargeBinary, MetaData, String, Table, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

SCHEMA = "0002logged"  # the newest migration


class AsJson(TypeDecorator[Any]):
    """A value as JSON text in ASCII; equal values are equal texts, so that they can be looked up."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else json.dumps(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


class Moment(TypeDecorator[datetime]):
    """A time as ISO 8601 text in UTC, which sorts as time does."""

    impl = String
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        return None if value is None else value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        return None if value is None else datetime.fromisoformat(value)


def now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


def _key(name: str, kind: Any = AsJson) -> Column[Any]:
    return Column(name, kind, primary_key=True, autoincrement=False)


def _must(name: str, kind: Any = AsJson) -> Column[Any]:
    return Column(name, kind, nullable=False)


metadata = MetaData()

registries = Table("registries", metadata, _key("registry"), _must("made_at", Moment))

revisions = Table(
    "revisions",
    metadata,
    _key("registry"),
    _key("number", Integer),
    _must("kind", String),
    _must("author"),
    _must("at", Moment),
    _must("reason"),
    _must("before", String),
    _must("after", String),
    Column("files", AsJson),  # file -> SHA-256 of its content; None once compacted
    Column("approved_by", AsJson),
    Column("receipt", AsJson),
    Column("intent", String, unique=True),
)

changes = Table(
    "changes",
    metadata,
    _key("registry"),
    _key("number", Integer),
    _key("position", Integer),
    _must("tool"),
    _must("field", String),
    Column("old", AsJson),
    Column("new", AsJson),
    Index("changes_of_a_tool", "registry", "tool", "number"),
    Index("changes_of_a_field", "registry", "field", "number"),
)

contents = Table(
    "contents",
    metadata,
    _key("registry"),
    _key("sha256", String),
    Column("base", String),  # the content that this one differs from; None: it is whole
    _must("depth", Integer),
    _must("head", Integer),
    _must("tail", Integer),
    _must("data", LargeBinary),
)

drafts = Table(
    "drafts",
    metadata,
    _key("registry"),
    _key("author"),
    _must("version", Integer),
    _must("done", Integer),
    Column("base_revision", Integer),
    _must("updated_at", Moment),
)

draft_steps = Table(
    "draft_steps",
    metadata,
    _key("registry"),
    _key("author"),
    _key("position", Integer),
    _must("at", Moment),
    _must("discards", Boolean),
    _must("edits"),
)

kept = Table(
    "kept",
    metadata,
    _key("registry"),
    _key("author"),
    _key("kind", String),
    _key("name"),
    _must("value"),
    _must("at", Moment),
)

submissions = Table(
    "submissions",
    metadata,
    _key("registry"),
    _key("id", String),
    _must("author"),
    _must("at", Moment),
    _must("note"),
    Column("base_revision", Integer),
    _must("edits"),
    Column("receipt", AsJson),
    _must("state", String),
    Column("decided_by", AsJson),
    Column("decided_at", Moment),
    _must("answer"),
    Column("revision", Integer),
    Index("submissions_by_state", "registry", "state"),
)

logged_batches = Table(
    "logged_batches",
    metadata,
    _key("registry"),
    _key("id", String),
    _must("name"),
    _must("author"),
    _must("at", Moment),
    _must("content", String),  # SHA-256 of the questions and their counts
)

logged_questions = Table(
    "logged_questions",
    metadata,
    _key("registry"),
    _key("batch", String),
    _key("position", Integer),
    _must("question"),
    _must("count", Integer),
)

intents = Table(
    "intents",
    metadata,
    _key("registry"),
    _key("id", String),
    _must("machine", String),
    _must("at", Moment),
    _must("author"),
    _must("reason"),
    _must("before", String),
    _must("after", String),
    _must("files"),
    _must("edits"),
    _must("aside"),
    Column("submission", String),
    Column("approved_by", AsJson),
    Column("receipt", AsJson),
)
