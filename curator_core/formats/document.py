"""A source as a value: JSON, JSON Lines, a stream of events, Python's data or YAML decoded, a table or another text left as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from curator_core.errors import Problem
from curator_core.files.json_source import Duplicate, JsonFault, decode, parse
from curator_core.formats.langchain import LINE
from curator_core.formats.python_text import looks_like_python, parse_python, unassigned
from curator_core.formats.yaml_text import parse_yaml

MAX_BYTES = 200_000_000
MAX_LINES = 500_000  # of JSON, each a value of its own
_YAML = re.compile(r"(---|%YAML|-\s|[\"'\w$][^,=>\n\t]{0,100}:(\s|$))")
_SOURCE = "give the JSON, YAML or CSV behind it"
_FOREIGN = (
    (b"PK\x03\x04", "a zip archive or a workbook of Excel", "unpack it, or save the sheet as CSV"),
    (b"PK\x05\x06", "an empty zip archive", "give the files themselves"),
    (b"\xd0\xcf\x11\xe0", "a workbook of an older Excel", "save the sheet as CSV"),
    (b"\x1f\x8b", "a gzip archive", "unpack it"),
    (b"BZh", "a bzip2 archive", "unpack it"),
    (b"\xfd7zXZ", "an xz archive", "unpack it"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive", "unpack it"),
    (b"7z\xbc\xaf", "a 7z archive", "unpack it"),
    (b"%PDF", "a PDF", _SOURCE),
    (b"\x89PNG", "a picture", _SOURCE),
    (b"\xff\xd8\xff", "a picture", _SOURCE),
    (b"SQLite format 3", "a database of SQLite", "export the table as CSV or JSON"),
    (b"PAR1", "a Parquet file", "save it as CSV or JSON Lines"),
)
_TAR = (257, b"ustar")
_TOML = re.compile(r"\[\[?[A-Za-z_][\w.\-\" ]*\]\]?\s*(#.*)?\n", re.ASCII)
_FENCE = re.compile(r"^```[\w-]*[ \t]*\r?\n(.*?)^```[ \t]*\r?$", re.DOTALL | re.MULTILINE)
_EVENT = re.compile(r"(event|data|id|retry)?:|$")


@dataclass(frozen=True, slots=True)
class Document:
    """One source. name: for messages. value: what its JSON or YAML says; None for other texts, which stand in text.

    lines: where each entry of value stands on a line of its own, that line, counted from 1. written: how, for the shape's name.
    problems: what is wrong with the text itself.
    """

    name: str
    value: Any = None
    text: str = ""
    lines: tuple[int, ...] | None = None
    written: str = ""
    problems: tuple[Problem, ...] = ()


def read_document(name: str, data: bytes | str) -> Document:
    """Return what a file or pasted text says. Raises JsonFault with line and column for what cannot be read."""
    if len(data) > MAX_BYTES:
        raise JsonFault(f"{len(data):,} bytes", f"up to {MAX_BYTES:,} are read; give the tools in several files")
    text = _text(data).removeprefix("\ufeff")
    text = unassigned(_unfenced(text[_body(text) :]))
    begin = text.lstrip()
    if not begin:
        raise JsonFault("there is nothing in it", "give a list of tools")
    if begin.startswith("<"):
        raise JsonFault("this is a web page or XML", _SOURCE)
    if _is_toml(name, begin):
        listed = "mcp_servers" in text or "mcpServers" in text
        raise JsonFault("this lists servers, not tools" if listed else "this is TOML", "give a list of tools as JSON, YAML or CSV")
    if begin[0] in "{[":
        return _json(name, text)
    if (events := _events(text)) is not None:
        return _json_lines(name, events, "")
    first = _first_line(text)[:20_000].strip()
    is_rendered = first[:1].isalnum() and LINE.fullmatch(first)  # pay(day: str) - Pay a fee
    if name.casefold().endswith((".yaml", ".yml")) or (_YAML.match(first) and not is_rendered):
        return _yaml(name, text)
    return Document(name, text=text)


def _text(data: bytes | str) -> str:
    if isinstance(data, str):
        return data
    for start, what, fix in _FOREIGN:
        if data.startswith(start):
            raise JsonFault(f"this is {what}", fix)
    if data[_TAR[0] : _TAR[0] + len(_TAR[1])] == _TAR[1]:
        raise JsonFault("this is a tar archive", "unpack it")
    return decode(data).text


def _body(text: str) -> int:
    """Return where the body begins of what `curl -i` prints."""
    if not text.startswith("HTTP/"):
        return 0
    return next((found.end() for found in re.finditer(r"\r?\n\r?\n", text)), 0)


def _unfenced(text: str) -> str:
    """Return what stands in the one fence of a Markdown text, as chats give it, on the lines where it stands."""
    if "```" not in text or text.lstrip()[:1] in ("{", "["):
        return text
    fences = list(_FENCE.finditer(text))
    return "\n" * text.count("\n", 0, fences[0].start(1)) + fences[0].group(1) if len(fences) == 1 else text


def _is_toml(name: str, begin: str) -> bool:
    return name.casefold().endswith(".toml") or (_TOML.match(begin) is not None and "=" in begin)


def _events(text: str) -> list[tuple[int, str]] | None:
    """Return line and data of each event of a text as servers stream it, None where it is none."""
    begin = text[:10_000].splitlines()
    if not any(line.startswith("data:") for line in begin) or not all(map(_EVENT.match, begin[:-1])):
        return None
    _refuse_many(text.count("\n"))
    lines = text.splitlines()
    if not all(map(_EVENT.match, lines)):
        return None
    events: list[tuple[int, list[str]]] = []
    inside = False
    for number, line in enumerate(lines, 1):
        if line.startswith("data:"):
            if not inside:
                events.append((number, []))
            events[-1][1].append(line.removeprefix("data:").removeprefix(" "))
        inside = line.startswith("data:") or (inside and bool(line))
    found = [(number, "\n".join(parts)) for number, parts in events if any(parts) and parts != ["[DONE]"]]
    return found if found and all(data.lstrip()[:1] in ("{", "[") for _, data in found) else None


def _first_line(text: str) -> str:
    return next((line for line in _lines(text) if line.strip() and not line.startswith("#")), "")


def _json(name: str, text: str) -> Document:
    first = list(islice((line for line in _lines(text) if line.strip()), 2))
    if len(first) > 1 and _is_whole(first[0]) and first[1].lstrip().startswith(("{", "[", '"')):
        _refuse_many(text.count("\n"))
        return _json_lines(name, [(number, line) for number, line in enumerate(_lines(text), 1) if line.strip()], "JSON Lines of ")
    try:
        value, twice = parse(text)
    except JsonFault:
        if not looks_like_python(text):
            raise
        value, twice = parse_python(text)
    return Document(name, value, problems=_doubled(name, twice))


def _lines(text: str) -> Iterator[str]:
    """Yield the lines one by one: a document of many lines need not be held twice."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def _refuse_many(lines: int) -> None:
    if lines > MAX_LINES:
        raise JsonFault(f"{lines:,} lines, each with JSON of its own", f"up to {MAX_LINES:,} are read; give the tools in several files")


def _is_whole(line: str) -> bool:
    try:
        return isinstance(parse(line)[0], (dict, list))
    except JsonFault:
        return False


def _json_lines(name: str, lines: Sequence[tuple[int, str]], written: str) -> Document:
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
    return Document(name, values, lines=tuple(numbers), written=written, problems=tuple(problems))


def _yaml(name: str, text: str) -> Document:
    try:
        documents, twice, comments = parse_yaml(text)
    except JsonFault as fault:
        said = "" if name.casefold().endswith((".yaml", ".yml")) else "read as YAML, "
        raise JsonFault(said + fault.found, fault.fix) from None
    value = documents[0] if len(documents) == 1 else documents
    if not isinstance(value, (dict, list)):
        return Document(name, text=text)
    return Document(name, value, problems=(*_doubled(name, twice), *_lost(name, comments)))


def _lost(name: str, comments: tuple[int, ...]) -> Iterable[Problem]:
    if comments:
        found = f"its comments, the first on line {comments[0]}, cannot be kept: a registry is JSON"
        yield Problem(name, found, "keep the file, or write what matters into extra context", "warning")


def _doubled(name: str, twice: Iterable[Duplicate]) -> tuple[Problem, ...]:
    return tuple(_twice(f"{name}, line {one.line}", one.key) for one in twice)


def _twice(where: str, key: str) -> Problem:
    return Problem(where, f'key "{key}" stands twice in one object', "the last one counts; remove the others", "warning")
