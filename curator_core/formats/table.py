"""Tools as a table: read from what spreadsheets save and copy, and written so that no cell can start a formula there."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from typing import Any

from curator_core.errors import Problem
from curator_core.files.delimited import UNQUOTED, Table, guarded, joined, listed, read_table, unguarded
from curator_core.files.json_source import JsonFault, parse
from curator_core.formats.entry import as_json
from curator_core.text import plural
from curator_core.tool import TOOL_FIELDS, Tool

_HEAD = 100_000  # characters among which the names of the columns stand
_LISTS = ("roles", "tags", "examples")
_OBJECTS = ("parameters", "more")
_NAMES = {
    **{field.replace("_", " "): field for field in TOOL_FIELDS},
    **dict.fromkeys(
        ("tool", "tool name", "function", "function name", "operation", "operationid", "class name", "类名", "工具", "工具名称"), "name"
    ),
    **dict.fromkeys(("desc", "summary", "tool description", "function description", "api info", "说明", "描述", "简介"), "description"),
    **dict.fromkeys(("extra", "context", "keywords"), "extra_context"),
    **dict.fromkeys(("role",), "roles"),
    **dict.fromkeys(("server", "family", "category"), "group"),
    **dict.fromkeys(("tag", "labels"), "tags"),
    **dict.fromkeys(("example", "example questions"), "examples"),
    **dict.fromkeys(("input schema", "inputschema", "schema", "json schema"), "parameters"),
    "other fields": "more",
}
_LOOSE = _NAMES | dict.fromkeys(("api", "api name", "title", "label", "api名称", "名称"), "name")
Row = tuple[str, dict[str, Any], tuple[Problem, ...]]


def read_rows(name: str, text: str) -> tuple[list[Row], tuple[Problem, ...]] | None:
    """Return each row as an entry of tools.json with its place and problems, and those of the table; None where no columns are named.

    There must be columns for the name and the description; they may be called as the fields are, or in a few usual ways.
    """
    table = _table(text)
    if table is None:
        return None
    problems = [Problem(f"{name}, line {line}", f"it cannot be read ({why})", UNQUOTED) for line, why in table.faults]
    if table.unused:
        found = f"columns that are not used: {', '.join(table.unused)}"
        fields = ", ".join(field.replace("_", " ") for field in TOOL_FIELDS)
        problems.append(Problem(f"{name}, line {table.header}", found, f"there are {fields}", "warning"))
    return list(_rows(name, table)), tuple(problems)


def _table(text: str) -> Table | None:
    for names in (_NAMES, _LOOSE):
        head = read_table(text[:_HEAD], names, "name", "description")
        if head.header is not None and "description" in head.columns:
            return read_table(text, names, "name", "description")
    return None


def _rows(name: str, table: Table) -> Iterator[Row]:
    for line, cells in table.records:
        where = f"{name}, line {line}"
        if table.too_wide(cells):
            found = f"{plural(len(cells), 'cell')}, but {plural(len(table.columns), 'column')}"
            yield where, {}, (Problem(where, found, "put quotes around a cell that holds the sign between the columns"),)
            continue
        entry: dict[str, Any] = {}
        problems = []
        for column, cell in zip(table.columns, map(unguarded, cells), strict=False):
            if column in _LISTS:
                entry[column] = listed(cell.strip())
            elif column in _OBJECTS:
                try:
                    entry[column] = parse(cell)[0] if cell.strip() else None
                except JsonFault as fault:
                    problems.append(Problem(where, f"{column}: {fault.found}", f"{fault.fix}; the tool is used without it"))
            elif column:
                entry[column] = cell if column == "description" else cell.strip()
        more = entry.pop("more", None)
        yield where, (more if isinstance(more, dict) else {}) | entry, tuple(problems)


def write_rows(tools: Iterable[Tool], separator: str = ",") -> str:
    """Return the tools as a table that `read_rows` reads as the same."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=separator)
    writer.writerow(field.replace("_", " ") for field in TOOL_FIELDS)
    for tool in tools:
        writer.writerow([guarded(_cell(field, getattr(tool, field))) for field in TOOL_FIELDS])
    return out.getvalue()


def _cell(field: str, value: Any) -> str:
    if field in _LISTS:
        return joined(value)
    if field in _OBJECTS:
        return json.dumps(as_json(value), ensure_ascii=False) if value or (field == "parameters" and value is not None) else ""
    return str(value)
