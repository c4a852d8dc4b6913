"""Change a value inside a JSON text and leave every other byte alone; new parts are laid out like their neighbours."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

_SPACE = re.compile(r"[ \t\r\n]*")
_FIRST_BREAK = re.compile(r"\s*[\[{][ \t]*\r?\n([ \t]*)([\]}]?)")
_COLON = re.compile(r'"([ \t]*:[ \t]*)')
_ESCAPED_LETTER = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[0-7])[0-9a-fA-F]{4}")
_scan = json.JSONDecoder().raw_decode

REMOVED: Final = object()


@dataclass(frozen=True, slots=True)
class Style:
    """How a file is written. indent: None when it is all on one line. flat_lists: lists of texts stand on one line."""

    indent: str | None = "  "
    newline: str = "\n"
    colon: str = ": "
    escapes: bool = False
    flat_lists: bool = True

    @property
    def comma(self) -> str:
        """What stands between the items of one line."""
        return ", " if self.colon.endswith(" ") else ","


@dataclass(frozen=True, slots=True)
class Item:
    """An element, or a member with its key, by places in the text.

    lead: where the blanks before it start; start, end: the item; value: where its value starts; next: the comma or bracket after it.
    """

    lead: int
    start: int
    value: int
    end: int
    next: int
    parsed: Any
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """An object or list in a text, from bracket to bracket."""

    text: str
    start: int
    end: int
    items: tuple[Item, ...]


def style_of(text: str) -> Style:
    """Return how a JSON text is written."""
    broken = _FIRST_BREAK.match(text)
    colon = _COLON.search(text)
    return Style(
        indent=(broken[1] if not broken[2] else "  ") if broken else None,
        newline="\r\n" if "\r\n" in text else "\n",
        colon=colon[1] if colon else ": ",
        escapes=text.isascii() and _ESCAPED_LETTER.search(text) is not None,
        flat_lists=broken is None or '["' in text or "[\n" not in text.replace("\r", ""),
    )


def open_box(text: str, start: int) -> Box:
    """Return the object or list that starts at this place, with its items."""
    items: list[Item] = []
    lead, position = start + 1, _skip(text, start + 1)
    while text[position] not in "]}":
        items.append(_item(text, lead, position, is_member=text[start] == "{"))
        position = items[-1].next
        if text[position] == ",":
            lead, position = position + 1, _skip(text, position + 1)
    return Box(text, start, position + 1, tuple(items))


def _item(text: str, lead: int, start: int, is_member: bool) -> Item:
    key, value = None, start
    if is_member:
        key, end = _scan(text, start)
        value = _skip(text, _skip(text, end) + 1)
    parsed, end = _scan(text, value)
    return Item(lead, start, value, end, _skip(text, end), parsed, key)


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def root(text: str) -> Box:
    """Return the outermost object or list of a text."""
    return open_box(text, _skip(text, 0))


def member(box: Box, key: str | None) -> Item | None:
    """Return the member of this key that counts, which is the last one."""
    return next((item for item in reversed(box.items) if item.key == key), None)


def raw(box: Box, item: Item) -> str:
    """Return an item's own text."""
    return box.text[item.start : item.end]


def with_value(box: Box, item: Item, value: str) -> str:
    """Return a member's text with another value text."""
    return box.text[item.start : item.value] + value


def renamed(box: Box, item: Item, key: str, value: str, style: Style) -> str:
    """Return a member's text with another key, if it is another, and another value text."""
    if key == item.key:
        return with_value(box, item, value)
    _, end = _scan(box.text, item.start)
    return json.dumps(key, ensure_ascii=style.escapes) + box.text[end : item.value] + value


def rebuilt(box: Box, wanted: Sequence[tuple[Item | None, str]], style: Style) -> str:
    """Return the text of the box with these items in place of its own: each with the old item it stands for, None for a new one."""
    text, items = box.text, box.items
    spread = text[box.start] == "{" or any(part.startswith("{") for _, part in wanted)
    first, between, trail, tail = _layout(box, style, spread)
    parts = [text[box.start]]
    for place, (item, part) in enumerate(wanted):
        lead = first if place == 0 else between
        if item is not None and (item is items[0]) == (place == 0):
            lead = text[item.lead : item.start]
        last = place == len(wanted) - 1
        own = item is not None and item is not items[-1]
        after = tail if last else text[item.end : item.next] if item is not None and own else trail
        parts += [lead, part, after, "" if last else ","]
    return "".join([*parts, text[box.end - 1]])


def _layout(box: Box, style: Style, spread: bool) -> tuple[str, str, str, str]:
    """Return what stands before the first item, before the others, before a comma, and before the closing bracket."""
    text, items = box.text, box.items
    if not items:
        if style.indent is None or not spread:
            return "", style.comma[1:], "", ""
        base = style.newline + line_indent(text, box.start)
        return base + style.indent, base + style.indent, "", base
    first, tail = text[box.start + 1 : items[0].start], text[items[-1].end : box.end - 1]
    if len(items) > 1:
        return first, text[items[0].next + 1 : items[1].start], text[items[0].end : items[0].next], tail
    return first, first if "\n" in first else style.comma[1:], "", tail


def line_indent(text: str, position: int) -> str:
    """Return the blanks at the start of the line on which a position stands."""
    start = text.rfind("\n", 0, position) + 1
    return text[start : _skip(text, start)] if _skip(text, start) <= position else ""


def with_members(box: Box, changes: Mapping[str, Any], style: Style, order: Sequence[str] = ()) -> str:
    """Return the text of an object with some members set, or taken out (REMOVED). order: where new ones go among the known ones."""
    wanted: list[tuple[Item | None, str]] = []
    for item in box.items:
        new = changes.get(item.key, item.parsed) if item.key is not None else item.parsed
        if item.key not in changes or item is not member(box, item.key):
            if new is not REMOVED:
                wanted.append((item, raw(box, item)))
        elif new is not REMOVED:
            wanted.append((item, with_value(box, item, patched(box.text, item.value, item.end, item.parsed, new, style))))
    present = {item.key for item in box.items}
    for key, new in changes.items():
        if key not in present and new is not REMOVED:
            wanted.insert(_place(wanted, key, order), (None, member_text(box, key, new, style)))
    return rebuilt(box, wanted, style)


def _place(wanted: Sequence[tuple[Item | None, str]], key: str, order: Sequence[str]) -> int:
    """Return where a new member goes: after the last of those that come before it in the usual order, else at the end."""
    if key not in order:
        return len(wanted)
    earlier = set(order[: order.index(key)])
    places = [place for place, (_, part) in enumerate(wanted) if _scan(part, 0)[0] in earlier]
    return places[-1] + 1 if places else len(wanted)


def member_text(box: Box, key: str, value: Any, style: Style) -> str:
    """Return a new member for an object, written as its other members are."""
    style = _near(box, style)
    return json.dumps(key, ensure_ascii=style.escapes) + style.colon + item_text(box, value, style)


def item_text(box: Box, value: Any, style: Style) -> str:
    """Return a new value for a box: over several lines where its items, or for want of any the file, stand on several."""
    if not box.items:
        base = line_indent(box.text, box.start) + (style.indent or "")
        return written(value, style, base, spread=style.indent is not None)
    first = box.items[0]
    spread = "\n" in box.text[box.start : first.start]
    like = [item for item in box.items if isinstance(item.parsed, dict)]
    if like and isinstance(value, dict):
        spread = any("\n" in raw(box, item) for item in like)
    return written(value, _near(box, style), line_indent(box.text, first.start), spread)


def _near(box: Box, style: Style) -> Style:
    """Return the style with the blanks around colons that the box has, where files mix several."""
    found = _COLON.search(box.text, box.start, box.end) if box.items else None
    return replace(style, colon=found[1]) if found else style


def patched(text: str, start: int, end: int, old: Any, new: Any, style: Style) -> str:
    """Return the text of one value after a change: parts that stay equal stay as they are written."""
    if same(old, new):
        return text[start:end]
    if isinstance(old, dict) and isinstance(new, dict) and old and new:
        gone = dict.fromkeys((key for key in old if key not in new), REMOVED)
        changed = {key: value for key, value in new.items() if key not in old or not same(old[key], value)}
        return with_members(open_box(text, start), {**gone, **changed}, style)
    if isinstance(old, list) and isinstance(new, list) and old and new:
        box = open_box(text, start)
        return rebuilt(box, list(_aligned(box, new, style)), style)
    return written(new, style, line_indent(text, start), spread="\n" in text[start:end] or _starts_line(text, start))


def _starts_line(text: str, position: int) -> bool:
    """Tell whether a value, with its key, is the first thing on its line."""
    first = _skip(text, text.rfind("\n", 0, position) + 1)
    return first == position or text[first] == '"'


def _aligned(box: Box, new: Sequence[Any], style: Style) -> Iterator[tuple[Item | None, str]]:
    """Yield the items of a list after a change: kept where equal, changed in place where one stands for one."""
    olds, news = [_shape(item.parsed) for item in box.items], [_shape(value) for value in new]
    for kind, i, i_end, j, j_end in difflib.SequenceMatcher(None, olds, news, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from ((item, raw(box, item)) for item in box.items[i:i_end])
        elif i_end - i == j_end - j:
            for item, value in zip(box.items[i:i_end], new[j:j_end], strict=True):
                yield item, patched(box.text, item.value, item.end, item.parsed, value, style)
        else:
            yield from ((None, item_text(box, value, style)) for value in new[j:j_end])


def _shape(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def same(one: Any, other: Any) -> bool:
    """Tell whether two JSON values are equal; 1, 1.0 and true are not."""
    return bool(one == other) and _shape(one) == _shape(other)


def written(value: Any, style: Style, base: str = "", spread: bool = True) -> str:
    """Return a value as text; spread: over several lines, the further ones indented by base."""
    nested = isinstance(value, (dict, list)) and bool(value)
    flat = isinstance(value, list) and style.flat_lists and not any(isinstance(one, (dict, list)) for one in value)
    if not nested or not spread or flat or style.indent is None:
        return json.dumps(value, ensure_ascii=style.escapes, separators=(style.comma, style.colon), allow_nan=False)
    inner = base + style.indent
    if isinstance(value, dict):
        keys = (json.dumps(key, ensure_ascii=style.escapes) + style.colon for key in value)
        parts = [key + written(one, style, inner) for key, one in zip(keys, value.values(), strict=True)]
    else:
        parts = [written(one, style, inner) for one in value]
    open_, close = "{}" if isinstance(value, dict) else "[]"
    return open_ + ",".join(f"{style.newline}{inner}{part}" for part in parts) + f"{style.newline}{base}{close}"
