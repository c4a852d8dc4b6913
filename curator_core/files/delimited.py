"""Tables as spreadsheets save and copy them: columns known by their names, and each record with the line it begins on."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_LARGEST = 1_000_000  # characters of a cell
_APART = re.compile(r"[|;,\n]")
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_SEPARATORS = ("\t", ",", ";", "|")
_HINT = re.compile(r"\s*sep=.[ \t]*\r?\n", re.IGNORECASE)  # Excel's own first line, which names the separator
_RULE = re.compile(r"[\s:-]*")  # the line below the names in a table of Markdown
_FAULTS = 50  # after so many records that cannot be read, the rest is no table
UNQUOTED = "put quotes around a cell that holds one, and double it inside"  # what to do about most faults
Record = tuple[int, list[str]]
Fault = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Table:
    """What was read. columns: the field of each column, "" where it is none that is known; header: the line that names them, None
    without one. unused: the names of the others. records: line and cells of each further line that is not blank. faults: lines whose
    quotes do not close, or that cannot be read for another reason, which is said.
    """

    columns: tuple[str, ...]
    header: int | None
    unused: tuple[str, ...]
    records: tuple[Record, ...]
    faults: tuple[Fault, ...] = ()

    def too_wide(self, cells: Sequence[str]) -> bool:
        """Say whether a record has more cells than there are columns."""
        return any(cell.strip() for cell in cells[len(self.columns) :])


def read_table(text: str, names: Mapping[str, str], must: str, second: str) -> Table:
    """Return a table with commas, semicolons, tabs or | between its cells; also one of Markdown.

    names: how columns may be called, in small letters with blanks, and their field. must: the field without which a first line names
    no columns; then each line is one cell of this field as a whole, or, where there are tabs, the second cell is of the field `second`.
    """
    if hint := _HINT.match(text):
        text = "\n" + text[hint.end() :]
    separator = _separator(text, names, must)
    faults: list[Fault] = []
    lines = list(_records(text, separator, faults))
    if separator == "|":
        lines = [(line, [*map(str.strip, cells)]) for line, cells in lines if not all(map(_RULE.fullmatch, cells))]
    named = [names.get(_name(cell), "") for cell in lines[0][1]] if lines else []
    if must not in named:
        return Table((must, second) if separator else (must,), None, (), tuple(lines), tuple(faults))
    columns = tuple(column if column not in named[:place] else "" for place, column in enumerate(named))
    unused = tuple(cell.strip() for cell, column in zip(lines[0][1], columns, strict=True) if not column and cell.strip())
    return Table(columns, lines[0][0], unused, tuple(lines[1:]), tuple(faults))


def _records(text: str, separator: str, faults: list[Fault]) -> Iterator[Record]:
    """Yield each record that is not blank; where one cannot be read, note it and go on with the next line."""
    csv.field_size_limit(_LARGEST)
    lines, start = io.StringIO(text, newline="").readlines(), 0
    while start < len(lines) and len(faults) < _FAULTS:
        reader, before = _reader(lines[start:], separator), 0
        try:
            for cells in reader:
                if any(cell.strip() for cell in cells):
                    yield start + before + 1, cells
                before = reader.line_num
            return
        except csv.Error as error:
            faults.append((start + before + 1, str(error)))
            start += before + 1


def _reader(lines: Sequence[str], separator: str) -> Any:
    if separator:
        return csv.reader(lines, delimiter=separator, strict=True)
    return csv.reader(lines, delimiter="\x1f", quoting=csv.QUOTE_NONE, strict=True)  # each line is one cell, whatever stands in it


def _separator(text: str, names: Mapping[str, str], must: str) -> str:
    """Return what parts the cells: what makes the first line a line of column names, else a tab if there is one, else nothing."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    fields = {sign: [names[name] for name in map(_name, first.split(sign)) if name in names] for sign in _SEPARATORS}
    best = max(fields, key=lambda sign: len(fields[sign]))
    return best if must in fields[best] else "\t" if "\t" in text else ""


def _name(cell: str) -> str:
    return cell.strip().strip('"').strip().casefold().replace("_", " ")


def listed(cell: str) -> list[str]:
    """Return the entries of a cell: with | ; , or line ends between them, or a JSON list."""
    if cell.startswith("["):
        try:
            value = json.loads(cell)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
            return value
    return [entry.strip() for entry in _APART.split(cell) if entry.strip()]


def joined(entries: Sequence[str]) -> str:
    """Return a cell that `listed` reads as these entries."""
    plain = all(entry == entry.strip() and entry and not _APART.search(entry) and entry[0] != "[" for entry in entries)
    return " | ".join(entries) if plain else json.dumps(list(entries), ensure_ascii=False)


def guarded(cell: str) -> str:
    """Return a cell that starts no formula in a spreadsheet: what could has a ' before it."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def unguarded(cell: str) -> str:
    """Return what a guarded cell says."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell
