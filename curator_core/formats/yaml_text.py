"""YAML as plain JSON values, with limits: what a bomb, a cycle or an unknown tag would do is refused with its line.

Plain words are read as YAML 1.2 has them, so that no, 0123 and 12:30 stay the texts that their author wrote. Keys are always texts.
Events are read one by one: nothing recurses, however deep a document is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import yaml

from curator_core.files.json_source import MAX_DEPTH, Duplicate, JsonFault

MAX_VALUES = 2_000_000  # with what aliases stand for counted each time
MAX_CHARACTERS = 20_000_000

_TAG = "tag:yaml.org,2002:"
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,300})")
_FLOAT = re.compile(r"[-+]?(0|[1-9][0-9]*)?(\.[0-9]+|\.)?([eE][-+]?[0-9]{1,3})?")
_COMMENT = re.compile(r"\s*#")
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(slots=True)
class _Open:
    """An object or list that is being read. size: values in it. key: the key whose value comes next, None when a key comes next."""

    value: Any
    anchor: str | None
    line: int
    size: int = 1
    key: str | None = None
    merged: list[Any] = field(default_factory=list)


def parse_yaml(text: str) -> tuple[list[Any], tuple[Duplicate, ...], tuple[int, ...]]:
    """Return the documents of a YAML text, the keys that stand twice in an object, and the lines that are comments.

    Raises JsonFault with line and column.
    """
    if len(text) > MAX_CHARACTERS:
        raise JsonFault(f"{len(text):,} characters of YAML", f"up to {MAX_CHARACTERS:,} are read; save it as JSON")
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        said = getattr(error, "problem", None) or str(error).split("\n", 1)[0]
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise JsonFault(f"{place}{said}", "correct the YAML at this place") from None
    lines = enumerate(text.splitlines(), 1)
    return builder.documents, tuple(builder.twice), tuple(i for i, line in lines if _COMMENT.match(line) and i not in builder.inside)


class _Builder:
    def __init__(self) -> None:
        self.documents: list[Any] = []
        self.twice: list[Duplicate] = []
        self.open: list[_Open] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.inside: set[int] = set()  # lines within a text of several lines

    def take(self, event: Any) -> None:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.ScalarEvent):
            value = _scalar(event, line, is_key=self._at_key())
            self.inside.update(range(line + 1, event.end_mark.line + 2) if event.end_mark.line >= line else ())
            self._put(value, 1, line, event.anchor)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._start(event, line)
        elif isinstance(event, yaml.CollectionEndEvent):
            done = self.open.pop()
            for base in done.merged:
                done.value.update({key: value for key, value in base.items() if key not in done.value})
            self._put(done.value, done.size, done.line, done.anchor)
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in self.anchors:
                raise JsonFault(f"line {line}: *{event.anchor} stands inside what it names, or names nothing", "write it out")
            value, size = self.anchors[event.anchor]
            self._put(value, size, line, None)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.anchors.clear()

    def _at_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1].value, dict) and self.open[-1].key is None

    def _start(self, event: Any, line: int) -> None:
        if self._at_key():
            raise JsonFault(f"line {line}: a key that is a list or an object", "write a text as the key")
        if len(self.open) >= MAX_DEPTH:
            raise JsonFault(f"line {line}: nested more than {MAX_DEPTH} deep", "make the document flatter")
        if event.tag not in (None, "!", f"{_TAG}map", f"{_TAG}seq"):
            raise JsonFault(f"line {line}: the tag {event.tag}", "plain lists and objects are read; take the tag out")
        self.open.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else [], event.anchor, line))

    def _put(self, value: Any, size: int, line: int, anchor: str | None) -> None:
        if anchor is not None:
            self.anchors[anchor] = (value, size)
        if not self.open:
            self.documents.append(value)
            return
        parent = self.open[-1]
        parent.size += size
        if parent.size > MAX_VALUES:
            raise JsonFault(f"line {line}: more than {MAX_VALUES:,} values", "aliases multiply what they name; write less of them")
        if isinstance(parent.value, list):
            parent.value.append(value)
        elif parent.key is None:
            parent.key = _as_key(value, line)
        else:
            self._member(parent, parent.key, value, line)
            parent.key = None

    def _member(self, parent: _Open, key: str, value: Any, line: int) -> None:
        if key == "<<" and (isinstance(value, dict) or (isinstance(value, list) and all(isinstance(one, dict) for one in value))):
            parent.merged += [value] if isinstance(value, dict) else value
            return
        if key in parent.value:
            self.twice.append(Duplicate(key, line))
        parent.value[key] = value


def _as_key(value: Any, line: int) -> str:
    if not isinstance(value, str):  # an alias of something else
        raise JsonFault(f"line {line}: a key that is no text", "write a text as the key")
    return value


def _scalar(event: Any, line: int, is_key: bool) -> Any:
    text: str = event.value
    if is_key or (event.tag is None and not event.implicit[0]) or event.tag in ("!", f"{_TAG}str"):
        return text
    if event.tag is not None and event.tag.removeprefix(_TAG) not in ("int", "float", "bool", "null"):
        raise JsonFault(f"line {line}: the tag {event.tag}", "plain texts, numbers, true, false and null are read; take the tag out")
    if text in _WORDS:
        return _WORDS[text]
    readers: tuple[tuple[re.Pattern[str], Callable[[str], Any]], ...] = ((_INT, int), (_FLOAT, _finite))
    return next((read(text) for form, read in readers if form.fullmatch(text) and any(map(str.isdigit, text))), text)


def _finite(text: str) -> float | str:
    number = float(text)
    return number if abs(number) != float("inf") else text
