"""One line of a file of test queries, from whatever format: the query, and which of its fields the file speaks of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from curator_core.errors import Problem
from curator_core.files.reading import read_test_query
from curator_core.tool import TestQuery

FIELDS = ("query", "expected", "forbidden", "role", "tags", "critical", "note")
Format = Literal["csv", "jsonl", "qrels"]


@dataclass(frozen=True, slots=True)
class QueryRow:
    """A test query as a file has it. line: where it begins, counted from 1. given: the fields that the file speaks of; where the
    registry has this question already, the others stay as they are there.
    """

    line: int
    case: TestQuery
    given: frozenset[str] = frozenset(FIELDS)


@dataclass(frozen=True, slots=True)
class QueryFile:
    """What was read. format: as which it was read; rows: the test queries, in order; problems: every line that is not used, and
    warnings of what is used but likely not as meant.
    """

    format: Format
    rows: tuple[QueryRow, ...] = ()
    problems: tuple[Problem, ...] = ()


def row_of(where: str, line: int, entry: Mapping[str, Any]) -> tuple[QueryRow | None, tuple[Problem, ...]]:
    """Return the row that an object of test_queries.jsonl's shape makes, None with the reason where it makes none."""
    query = entry.get("query")
    if isinstance(query, str) and not query.strip():
        return None, (Problem(where, "query is blank", "write the question as text"),)
    named = {**entry, "query": query.strip()} if isinstance(query, str) else dict(entry)
    case, problems = read_test_query(where, named)
    return (None if case is None else QueryRow(line, case, frozenset(entry).intersection(FIELDS))), problems
