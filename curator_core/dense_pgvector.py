"""The dense stage in PostgreSQL with the extension pgvector: the vectors lie in one table for all processes, not in each one's memory.

Optional (`pip install "tool-curator[pgvector]"`), and slower than the FAISS index in the process as long as that fits; the README's
"Beyond one machine" has the figures. Answers are the same: the server compares in float32, as `DenseVectors.near` does, and what that
leaves open is compared exactly.
"""

from __future__ import annotations

import weakref
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from curator_core.dense import DenseVectors, Rows
from curator_core.errors import ModelUnavailable, StoreError
from curator_core.index import ToolIndex
from curator_core.kept_similarities import KeptSimilarities
from curator_core.records import Ints, frozen
from curator_core.settings import Settings

if TYPE_CHECKING:
    from psycopg import Connection

HNSW_UP_TO = 2_000  # numbers of a vector that pgvector's graph index takes; it takes 4,000 of half the precision
_INSTALL = 'pip install "tool-curator[pgvector]"'


class PgVectors(DenseVectors):
    """The tools' vectors in a table: position, key, roles, embedding. One connection, used by one thread at a time."""

    def __init__(self, connection: Connection[Any], table: str, shape: tuple[int, int]) -> None:
        self.size, self._shape = shape[0], shape
        self._connection, self.table = connection, table
        self._kept = KeptSimilarities()
        weakref.finalize(self, connection.close)

    @cached_property
    def rows(self) -> Rows:
        """The vectors (n, d), read-only; read from the table when somebody asks for all of them, and then held."""
        return frozen(self._read("true"))

    @cached_property
    def _flat(self) -> Any:
        return DenseVectors(self.rows).faiss

    def _near(self, queries: Rows, positions: Ints | None) -> Rows:
        return self._products(queries) if positions is None else self._compared(queries, "position = ANY(%(some)s)", positions)

    def nearest(self, query: NDArray[np.float32], count: int, role: str | None = None, ef_search: int | None = None) -> list[int]:
        """Return the positions of the tools most like the query, the most alike first, equal ones in order of position.

        role: only tools that it may see. ef_search: ask the graph of `add_graph` instead of comparing all; how many tools it keeps in
        view, at least `count` and at most 1,000: more find more of the true nearest, and take longer.
        """
        seen = "roles = '{}' OR %(role)s = ANY(roles)" if role is not None else "true"
        ties = ", position" if ef_search is None else ""
        asked = f"SELECT position FROM {self.table} WHERE {seen} ORDER BY embedding <#> %(query)s{ties} LIMIT %(count)s"
        with self._connection.transaction():
            for setting in ["enable_indexscan = off"] if ef_search is None else _graph_settings(max(count, ef_search)):
                self._ask(f"SET LOCAL {setting}")
            return [position for (position,) in self._ask(asked, query=query, role=role, count=count).fetchall()]

    def add_graph(self) -> None:
        """Make pgvector's HNSW graph of the table, unless it has one; it takes minutes for 100,000 tools."""
        dimension, kind = self._shape[1], ("vector" if self._shape[1] <= HNSW_UP_TO else "halfvec")
        if kind == "halfvec":
            raise StoreError(f"{self.table}: vectors of {dimension:,} numbers; pgvector's graph takes {HNSW_UP_TO:,}. Compare all instead")
        self._ask(f"CREATE INDEX IF NOT EXISTS {self.table}_hnsw ON {self.table} USING hnsw (embedding vector_ip_ops)")

    @cached_property
    def _longest(self) -> float:
        longest = self._ask(f"SELECT coalesce(max(vector_norm(embedding)), 0) FROM {self.table}").fetchone()
        return 1.01 * float(longest[0])

    def _at(self, positions: Ints) -> Rows:
        if "rows" in self.__dict__ or not len(positions):
            return self.rows[positions] if len(positions) else np.zeros((0, self._shape[1]), np.float32)
        some, places = np.unique(positions, return_inverse=True)
        return self._read("position = ANY(%(some)s)", some)[places]

    def _products(self, queries: NDArray[Any]) -> NDArray[Any]:
        """Multiply all rows: in the server in single precision; the few of a small registry here in double."""
        return super()._products(queries) if queries.dtype == np.float64 else self._compared(queries, "true")

    def _compared(self, query: Rows, where: str, positions: Ints | None = None) -> Rows:
        """Return the inner products of the rows, as one string of numbers: a row each would take the most of the time."""
        if query.ndim > 1:
            return np.stack([self._compared(one, where, positions) for one in query])
        asked = f"SELECT string_agg(float8send(-(embedding <#> %(query)s)), ''::bytea ORDER BY position) FROM {self.table} WHERE {where}"
        found = self._ask(asked, query=query, some=None if positions is None else positions.tolist()).fetchone()[0]
        return np.frombuffer(found or b"", ">f8").astype(np.float32)

    def _read(self, where: str, positions: Ints | None = None) -> Rows:
        """Return rows as they are in the table, in order of position."""
        asked = f"SELECT string_agg(vector_send(embedding), ''::bytea ORDER BY position) FROM {self.table} WHERE {where}"
        found = self._ask(asked, some=None if positions is None else positions.tolist()).fetchone()[0]
        sent = np.dtype([("head", ">u4"), ("row", ">f4", (self._shape[1],))])
        return np.frombuffer(found or b"", sent)["row"].astype(np.float32)

    def _ask(self, question: str, **values: Any) -> Any:
        import psycopg

        try:
            return self._connection.execute(question, values, binary=True)
        except psycopg.Error as error:
            raise StoreError(
                f"PostgreSQL, table {self.table}: {error}; see that the server answers, then open the registry again"
            ) from error


def keep_in_postgres(index: ToolIndex, url: str) -> PgVectors:
    """Let an index ask PostgreSQL for its meaning match from now on, and let go of the vectors in memory; return where they are.

    url: postgresql://user@host/database. The table is named by the index's fingerprint, is written once, and is shared by all processes
    that have the same index. Raises StoreError, or ModelUnavailable for an index of words only.
    """
    vectors = index.dense(Settings())
    if vectors is None:
        raise ModelUnavailable("the index is made of words only; there are no vectors to keep. Build it with a model")
    connection, table = _connect(url), f"tool_vectors_{index.fingerprint[:24]}"
    kept = PgVectors(connection, table, vectors.rows.shape)
    with connection.transaction():
        kept._ask("SELECT pg_advisory_xact_lock(hashtext(%(name)s))", name=table)  # another process may be writing the same
        if kept._ask("SELECT to_regclass(%(name)s)", name=table).fetchone()[0] is None:
            _write(connection, table, index, vectors.rows)
    index._full = kept
    return kept


def _write(connection: Connection[Any], table: str, index: ToolIndex, rows: Rows) -> None:
    made = f"CREATE TABLE {table} (position integer PRIMARY KEY, key text, roles text[] NOT NULL, embedding vector({rows.shape[1]}))"
    connection.execute(made)
    with connection.cursor().copy(f"COPY {table} FROM STDIN (FORMAT BINARY)") as copy:
        copy.set_types(["int4", "text", "text[]", "vector"])
        for position, (key, row) in enumerate(zip(index.keys, rows, strict=True)):
            copy.write_row((position, key.replace("\0", ""), list(index.registry.by_key[key].roles), row))


def _connect(url: str) -> Connection[Any]:
    try:
        import psycopg
        from pgvector.psycopg import register_vector
    except ImportError as error:
        raise StoreError(f"vectors in PostgreSQL need two packages: {_INSTALL}") from error
    connection: Connection[Any] | None = None
    try:
        connection = psycopg.connect(url, autocommit=True)
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        register_vector(connection)
    except psycopg.Error as error:
        if connection is not None:
            connection.close()
        fix = "see that the server answers, that it has the extension pgvector, and that this user may create it and tables"
        raise StoreError(f"PostgreSQL cannot keep the vectors: {' '.join(str(error).split())}; {fix}") from error
    return connection


def _graph_settings(in_view: int) -> tuple[str, ...]:
    """Return what makes PostgreSQL ask the graph, on through it where a role leaves few of what is in view."""
    return f"hnsw.ef_search = {min(in_view, 1_000)}", "hnsw.iterative_scan = strict_order", "enable_seqscan = off", "enable_sort = off"
