"""JSON texts as people write them: read with exact complaints, and changed in one place with the rest kept byte for byte."""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

MAX_DEPTH = 200  # far deeper than any schema, and safe for every recursive reader that comes later

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BARE = re.compile(r"[A-Za-z_$][\w$]*\s*:")
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


class JsonFault(ValueError):
    """A text that is not usable JSON: `found` says what and at which line and column, `fix` what to do."""

    def __init__(self, found: str, fix: str) -> None:
        super().__init__(f"{found}; {fix}")
        self.found, self.fix = found, fix


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file as text, and what it takes to write it back as it was."""

    text: str
    encoding: str = "utf-8"
    bom: bytes = b""

    def encode(self, text: str) -> bytes:
        """Return a changed text as the bytes of this file."""
        return self.bom + text.encode(self.encoding)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A key that stands twice in one object; the last one counts. line: where it stands again, counted from 1."""

    key: str
    line: int


def decode(data: bytes) -> Decoded:
    """Read bytes as text by their byte-order mark, UTF-8 without one. Raises JsonFault with the line of what is not text."""
    bom, encoding = next(((bom, name) for bom, name in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    try:
        return Decoded(data[len(bom) :].decode(encoding), encoding, bom)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, len(bom) + error.start) + 1
        wrong = data[len(bom) + error.start]
        raise JsonFault(f"line {line}: byte 0x{wrong:02X} is not {encoding.upper()} text", "save the file as UTF-8") from None


def parse(text: str) -> tuple[Any, tuple[Duplicate, ...]]:
    """Return the value of a JSON text and the keys that stand twice in an object. Raises JsonFault with line and column."""
    if not text.strip():
        raise JsonFault("the file is empty", "write JSON into it, such as {}")
    twice = False

    def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        members = dict(found)
        twice = twice or len(members) != len(found)
        return members

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=_refuse_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise JsonFault(f"line {error.lineno}, column {error.colno}: {error.msg[0].lower()}{error.msg[1:]}", _advice(error)) from None
    except RecursionError:
        raise _too_deep(text) from None
    except _Constant as constant:
        raise _not_a_number(text, str(constant)) from None
    except ValueError:  # of int(): Python reads no more than some thousand digits
        raise _too_many_digits(text) from None
    if depth_exceeds(value, MAX_DEPTH):
        raise _too_deep(text)
    return value, tuple(_duplicates(text)) if twice else ()


class _Constant(Exception):
    """NaN, Infinity, or a number as large was met."""


def _refuse_constant(name: str) -> NoReturn:
    raise _Constant(name)


def _finite(text: str) -> float:
    number = float(text)
    if abs(number) == float("inf"):
        raise _Constant(text)
    return number


def _advice(error: json.JSONDecodeError) -> str:
    """Return what to do about a syntax error, as far as the text around it tells."""
    text, position = error.doc, error.pos
    before, after = text[:position].rstrip(), text[position:].lstrip()
    if after.startswith(("//", "/*", "#")):
        return "JSON has no comments; remove it"
    if (before.endswith(",") and after[:1] in ("]", "}")) or (after[:1] == "," and after[1:].lstrip()[:1] in ("]", "}")):
        return "remove the comma before the closing bracket"
    if error.msg.startswith("Invalid control character"):
        return "write line breaks and tabs inside a text as \\n and \\t"
    if after.startswith("'"):
        return 'write keys and texts in double quotes: "name"'
    if error.msg.startswith("Expecting property name") and _BARE.match(after):
        return 'write the key in double quotes: "name"'
    if after.startswith(("True", "False", "None")):
        return "JSON writes true, false and null"
    if error.msg.startswith("Extra data"):
        return "the document ended before this; remove what follows, or put it into one list"
    if not after:
        return "the text ends too early; close what is open"
    return "correct the JSON at this place"


def line_at(text: str, position: int) -> int:
    """Return the line, counted from 1, on which a position stands."""
    return text.count("\n", 0, position) + 1


def _not_a_number(text: str, name: str) -> JsonFault:
    position = _position(text, re.escape(name))
    if name[-1].isdigit():
        return JsonFault(f"{_place(text, position)}: the number {name[:40]} is too large", "write a smaller number, or a text")
    return JsonFault(f"{_place(text, position)}: {name} is not JSON", "write a number, a text or null")


def _too_many_digits(text: str) -> JsonFault:
    position = _position(text, rf"\d{{{sys.get_int_max_str_digits() + 1},}}")
    found = f"{_place(text, position)}: a number of more than {sys.get_int_max_str_digits():,} digits"
    return JsonFault(found, "write a shorter number, or a text")


def _position(text: str, pattern: str) -> int:
    """Return where a pattern stands first outside of texts, 0 where nowhere."""
    found = re.finditer(rf'"(?:[^"\\]|\\.)*"|({pattern})', text)
    return next((one.start() for one in found if one.group(1)), 0)


def _place(text: str, position: int) -> str:
    return f"line {line_at(text, position)}, column {position - text.rfind(chr(10), 0, position)}"


def _too_deep(text: str) -> JsonFault:
    depth = 0
    for token in _TOKEN.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token.group(), 0)
        if depth > MAX_DEPTH:
            line = line_at(text, token.start())
            return JsonFault(f"line {line}: brackets are nested more than {MAX_DEPTH} deep", "make the document flatter")
    return JsonFault(f"brackets are nested more than {MAX_DEPTH} deep", "make the document flatter")


def depth_exceeds(value: Any, limit: int) -> bool:
    """Tell whether lists and objects stand in each other deeper than this."""
    level = [value] if isinstance(value, (dict, list)) else []
    depth = 0
    while level:
        depth += 1
        if depth > limit:
            return True
        level = [
            child
            for parent in level
            for child in (parent.values() if type(parent) is dict else parent)
            if type(child) is dict or type(child) is list
        ]
    return False


def _duplicates(text: str) -> Iterator[Duplicate]:
    """Yield each repeated key with the line of its repetition; walks the whole text, so it is only asked when there is one."""
    open_: list[set[str] | None] = []
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in "{[":
            open_.append(set() if word == "{" else None)
        elif word in "}]":
            open_.pop()
        elif open_ and (keys := open_[-1]) is not None and word[0] == '"' and _is_key(text, token.end()):
            key = json.loads(word)
            if key in keys:
                yield Duplicate(key, line_at(text, token.start()))
            keys.add(key)


_COLON = re.compile(r"\s*:")


def _is_key(text: str, end: int) -> bool:
    return _COLON.match(text, end) is not None


def kind_of(value: Any) -> str:
    """Name a JSON value as its author would."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    return f"the number {value}" if isinstance(value, (int, float)) else "a list" if isinstance(value, list) else "an object"


def quoted(text: str) -> str:
    """Return a text in quotes, cut at 40 characters."""
    shown = text.encode("utf-8", "backslashreplace").decode()
    return f'"{shown[:40]}…"' if len(shown) > 40 else f'"{shown}"'


def broken(value: Any) -> bool:
    """Tell whether a JSON value holds a lone surrogate anywhere."""
    if isinstance(value, str):
        return not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict):
        return any(broken(key) or broken(inner) for key, inner in value.items())
    return isinstance(value, list) and any(map(broken, value))
