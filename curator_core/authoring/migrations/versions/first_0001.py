"""Drafts, revisions, submissions and what else is kept of each author."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

Columns = Sequence[tuple[str, Any]]


def upgrade() -> None:
    _make("registries", [("registry", sa.Text)], [("made_at", sa.String)])
    _make_history()
    _make_authoring()


def _make_history() -> None:
    _make(
        "revisions",
        [("registry", sa.Text), ("number", sa.Integer)],
        [("kind", sa.String), ("author", sa.Text), ("at", sa.String), ("reason", sa.Text), ("before", sa.String), ("after", sa.String)],
        [("files", sa.Text), ("approved_by", sa.Text), ("receipt", sa.Text), ("intent", sa.String)],
        sa.UniqueConstraint("intent"),
    )
    _make(
        "changes",
        [("registry", sa.Text), ("number", sa.Integer), ("position", sa.Integer)],
        [("tool", sa.Text), ("field", sa.String)],
        [("old", sa.Text), ("new", sa.Text)],
    )
    op.create_index("changes_of_a_tool", "changes", ["registry", "tool", "number"])
    op.create_index("changes_of_a_field", "changes", ["registry", "field", "number"])
    _make(
        "contents",
        [("registry", sa.Text), ("sha256", sa.String)],
        [("depth", sa.Integer), ("head", sa.Integer), ("tail", sa.Integer), ("data", sa.LargeBinary)],
        [("base", sa.String)],
    )
    who = [("machine", sa.String), ("at", sa.String), ("author", sa.Text), ("reason", sa.Text)]
    _make(
        "intents",
        [("registry", sa.Text), ("id", sa.String)],
        [*who, ("before", sa.String), ("after", sa.String), ("files", sa.Text), ("edits", sa.Text), ("aside", sa.Text)],
        [("submission", sa.String), ("approved_by", sa.Text), ("receipt", sa.Text)],
    )


def _make_authoring() -> None:
    author = [("registry", sa.Text), ("author", sa.Text)]
    _make("drafts", author, [("version", sa.Integer), ("done", sa.Integer), ("updated_at", sa.String)], [("base_revision", sa.Integer)])
    _make("draft_steps", [*author, ("position", sa.Integer)], [("at", sa.String), ("discards", sa.Boolean), ("edits", sa.Text)])
    _make("kept", [*author, ("kind", sa.String), ("name", sa.Text)], [("value", sa.Text), ("at", sa.String)])
    _make(
        "submissions",
        [("registry", sa.Text), ("id", sa.String)],
        [("author", sa.Text), ("at", sa.String), ("note", sa.Text), ("edits", sa.Text), ("state", sa.String), ("answer", sa.Text)],
        [("base_revision", sa.Integer), ("receipt", sa.Text), ("decided_by", sa.Text), ("decided_at", sa.String), ("revision", sa.Integer)],
    )
    op.create_index("submissions_by_state", "submissions", ["registry", "state"])


def _make(table: str, keys: Columns, must: Columns, may: Columns = (), *constraints: sa.Constraint) -> None:
    op.create_table(
        table,
        *(sa.Column(name, kind(), primary_key=True, autoincrement=False) for name, kind in keys),
        *(sa.Column(name, kind(), nullable=False) for name, kind in must),
        *(sa.Column(name, kind()) for name, kind in may),
        *constraints,
    )
