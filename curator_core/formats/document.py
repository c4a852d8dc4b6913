"""A source as a value: JSON, JSON Lines or YAML decoded, a table or another text left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from curator_core.errors import Problem
from curator_core.files.json_source import Duplicate, JsonFault, decode, parse
from curator_core.formats.yaml_text import parse_yaml

MAX_BYTES = 200_000_000
_YAML = re.compile(r"(---|%YAML|-\s|[\"'\w$][^,=>\n\t]{0,100}:(\s|$))")
_FOREIGN = (
    (b"PK\x03\x04", "a zip archive or a workbook of Excel", "unpack it, or save the sheet as CSV"),
    (b"\x1f\x8b", "a gzip archive", "unpack it"),
    (b"%PDF", "a PDF", "give the JSON, YAML or CSV behind it"),
)


@dataclass(frozen=True, slots=True)
class Document:
    """One source. name: for messages. value: what its JSON or YAML says; None for other texts, which stand in text.

    lines: of JSON Lines, the line of each entry of value, counted from 1. problems: what is wrong with the text itself.
    """

    name: str
    value: Any = None
    text: str = ""
    lines: tuple[int, ...] | None = None
    problems: tuple[Problem, ...] = ()


def read_document(name: str, data: bytes | str) -> Document:
    """Return what a file or pasted text says. Raises JsonFault with line and column for what cannot be read."""
    if len(data) > MAX_BYTES:
        raise JsonFault(f"{len(data):,} bytes", f"up to {MAX_BYTES:,} are read; give the tools in several files")
    if isinstance(data, bytes):
        for start, what, fix in _FOREIGN:
            if data.startswith(start):
                raise JsonFault(f"this is {what}", fix)
        data = decode(data).text
    text = data.removeprefix("\ufeff")
    begin = text.lstrip()
    if not begin:
        raise JsonFault("there is nothing in it", "give a list of tools")
    if begin.startswith("<"):
        raise JsonFault("this is a web page or XML", "give the JSON, YAML or CSV behind it")
    if begin[0] in "{[":
        return _json(name, text)
    if name.casefold().endswith((".yaml", ".yml")) or _YAML.match(_first_line(text)):
        return _yaml(name, text)
    return Document(name, text=text)


def _first_line(text: str) -> str:
    return next((line for line in text.splitlines() if line.strip() and not line.startswith("#")), "")


def _json(name: str, text: str) -> Document:
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) > 1 and _is_whole(lines[0][1]) and lines[1][1].lstrip().startswith(("{", "[", '"')):
        return _json_lines(name, lines)
    value, twice = parse(text)
    return Document(name, value, problems=_doubled(name, twice))


def _is_whole(line: str) -> bool:
    try:
        return isinstance(parse(line)[0], (dict, list))
    except JsonFault:
        return False


def _json_lines(name: str, lines: Iterable[tuple[int, str]]) -> Document:
    values: list[Any] = []
    numbers: list[int] = []
    problems: list[Problem] = []
    for number, line in lines:
        where = f"{name}, line {number}"
        try:
            value, twice = parse(line)
        except JsonFault as fault:
            problems.append(Problem(where, fault.found.removeprefix("line 1, "), fault.fix))
            continue
        values.append(value)
        numbers.append(number)
        problems += [_twice(where, one.key) for one in twice]
    return Document(name, values, lines=tuple(numbers), problems=tuple(problems))


def _yaml(name: str, text: str) -> Document:
    documents, twice = parse_yaml(text)
    value = documents[0] if len(documents) == 1 else documents
    if not isinstance(value, (dict, list)):
        return Document(name, text=text)
    return Document(name, value, problems=_doubled(name, twice))


def _doubled(name: str, twice: Iterable[Duplicate]) -> tuple[Problem, ...]:
    return tuple(_twice(f"{name}, line {one.line}", one.key) for one in twice)


def _twice(where: str, key: str) -> Problem:
    return Problem(where, f'key "{key}" stands twice in one object', "the last one counts; remove the others", "warning")
