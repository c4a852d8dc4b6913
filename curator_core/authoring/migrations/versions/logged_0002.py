"""Questions that users asked, as they were loaded from logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002logged"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "logged_batches",
        sa.Column("registry", sa.Text(), primary_key=True, autoincrement=False),
        sa.Column("id", sa.String(), primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("at", sa.String(), nullable=False),
        sa.Column("content", sa.String(), nullable=False),
    )
    op.create_table(
        "logged_questions",
        sa.Column("registry", sa.Text(), primary_key=True, autoincrement=False),
        sa.Column("batch", sa.String(), primary_key=True, autoincrement=False),
        sa.Column("position", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
    )
