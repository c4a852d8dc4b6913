"""Run by Alembic: the migrations of the store, on the connection that the caller opened."""

from __future__ import annotations

from alembic import context

from curator_core.authoring.store_tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
