"""Test queries as a table: read from what spreadsheets save and copy, and written so that no cell can start a formula there."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from curator_core.errors import Problem
from curator_core.files.delimited import UNQUOTED, Table, guarded, joined, listed, read_table, unguarded
from curator_core.queries.query_rows import FIELDS, QueryFile, QueryRow, row_of
from curator_core.text import plural
from curator_core.tool import TestQuery

NO_TOOL = "(no tool)"
_NO_TOOL = (NO_TOOL, "no tool", "none", "-", "–")
_NAMES = {name: name for name in FIELDS} | {
    **dict.fromkeys(("question", "utterance", "text", "test query", "user query"), "query"),
    **dict.fromkeys(("tool", "tools", "expected tool", "expected tools", "right tool", "right tools"), "expected"),
    **dict.fromkeys(("must not appear", "forbidden tool", "forbidden tools"), "forbidden"),
    **dict.fromkeys(("tag", "label", "labels"), "tags"),
    **dict.fromkeys(("notes", "comment", "comments"), "note"),
}
_YES, _NO = ("true", "yes", "y", "1", "x"), ("", "false", "no", "n", "0")


def read_csv(name: str, text: str) -> QueryFile:
    """Return the test queries of a table with commas, semicolons or tabs between its cells.

    Its first line names the columns. Without such a line each line is one question, as a whole; of a table that was copied with tabs
    the second column then names the expected tools. Several tools or tags stand in one cell, with | ; or , between them, or as a JSON
    list; an empty cell of expected = nobody has judged it, "(no tool)" = no tool applies.
    """
    table = read_table(text, _NAMES, "query", "expected")
    rows: list[QueryRow] = []
    problems = [Problem(f"{name}, line {line}", f"it cannot be read ({why})", UNQUOTED) for line, why in table.faults]
    if table.unused:
        found = f"columns that are not used: {', '.join(table.unused)}"
        problems.append(Problem(f"{name}, line {table.header}", found, f"there are {', '.join(FIELDS)}", "warning"))
    for line, cells in table.records:
        row, found_in_it = _row(f"{name}, line {line}", line, table, cells)
        problems += found_in_it
        rows += [row] if row else []
    return QueryFile("csv", tuple(rows), tuple(problems))


def write_csv(cases: Iterable[TestQuery]) -> str:
    """Return the test queries as a table that `read_csv` reads as the same; what could start a formula has a ' before it."""
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(FIELDS)
    for case in cases:
        expected = "" if case.expected is None else _joined(case.expected) or NO_TOOL
        critical = "true" if case.critical else ""
        cells = (case.query, expected, _joined(case.forbidden), case.role or "", _joined(case.tags), critical, case.note)
        writer.writerow([guarded(cell) for cell in cells])
    return out.getvalue()


def _row(where: str, line: int, table: Table, cells: list[str]) -> tuple[QueryRow | None, tuple[Problem, ...]]:
    if table.too_wide(cells):
        found = f"{plural(len(cells), 'cell')}, but {plural(len(table.columns), 'column')}"
        return None, (Problem(where, found, "put quotes around a cell that holds the sign between the columns"),)
    entry: dict[str, Any] = {}
    for column, cell in zip(table.columns, cells, strict=False):
        if column:
            entry[column] = _value(column, unguarded(cell).strip())
    if (critical := entry.get("critical")) not in (None, True, False):
        return None, (Problem(where, f'critical is "{critical}"', "write true or false, or leave it empty"),)
    return row_of(where, line, {"query": "", **entry})


def _value(column: str, cell: str) -> Any:
    if column in ("query", "note"):
        return cell
    if column == "role":
        return cell or None
    if column == "critical":
        return True if cell.casefold() in _YES else False if cell.casefold() in _NO else cell
    if column == "expected" and not cell:
        return None
    if column == "expected" and cell.casefold() in _NO_TOOL:
        return []
    return listed(cell)


def _joined(entries: Sequence[str]) -> str:
    lone = len(entries) == 1 and entries[0].casefold() in _NO_TOOL
    return json.dumps(list(entries), ensure_ascii=False) if lone else joined(entries)
