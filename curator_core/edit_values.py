"""What an edit may say: its field is known, and its values are of the type that the field holds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import NoneType
from typing import Any

from curator_core.errors import CuratorError
from curator_core.tool import BESIDE_TOOLS, TOOL_FIELDS, Edit, TestQuery, Tool, as_texts

FIELDS = (*TOOL_FIELDS, "tool", "test_query", *BESIDE_TOOLS)


def checked(edit: Edit) -> Edit:
    """Return the edit with lists as tuples. Raises CuratorError for what is no edit, an unknown field or a value of the wrong type."""
    if not isinstance(edit, Edit):
        raise CuratorError(f"found {edit!r} where an edit is expected; use Edit(tool, field, old, new) or registry.edit(tool, field, new)")
    if not isinstance(edit.tool, str):
        raise CuratorError(f"edit of {edit.tool!r}: the tool is {type(edit.tool).__name__}; use its key, which is a text")
    if edit.field not in FIELDS:
        raise CuratorError(f"edit of {edit.tool!r}: there is no field {edit.field!r}; choose one of: {', '.join(FIELDS)}")
    fits, wanted = _KINDS[edit.field]
    for name, value, right in (("new", edit.new, fits(edit.new)), ("old", edit.old, isinstance(edit.old, _SEEN[edit.field]))):
        if not right:
            raise CuratorError(f"edit of {edit.tool or 'the registry'!r}, {edit.field}: {name} is {value!r}; use {wanted}")
    if edit.field == "tool" and (edit.old is None) == (edit.new is None):
        raise CuratorError(f"edit of {edit.tool!r}: a tool is added (old None) or deleted (new None); change its fields one by one")
    if edit.field in _LISTS:
        return replace(edit, old=_tupled(edit.old), new=_tupled(edit.new))
    return edit


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_texts(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(_is_text(entry) for entry in value)


def _is_schema(value: object) -> bool:
    try:
        return value is None or (isinstance(value, Mapping) and bool(json.dumps(value, default=_plain)))
    except (TypeError, ValueError):  # it holds what no JSON can
        return False


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be kept as JSON")


def _is_tool(value: object) -> bool:
    if not isinstance(value, Tool):
        return value is None
    return all(_KINDS[field][0](getattr(value, field)) for field in TOOL_FIELDS)


def _is_test_query(value: object) -> bool:
    if not isinstance(value, TestQuery):
        return value is None
    texts = (value.query, value.note, *(() if value.role is None else (value.role,)))
    lists = (value.forbidden, value.tags, *(() if value.expected is None else (value.expected,)))
    return all(map(_is_text, texts)) and all(map(_is_texts, lists)) and isinstance(value.critical, bool)


def _tupled(value: Any) -> Any:
    return as_texts(value) if isinstance(value, list) else value


_LISTS = ("roles", "tags", "examples", "synonyms")
_KINDS: Mapping[str, tuple[Callable[[object], bool], str]] = {
    **dict.fromkeys(("name", "description", "extra_context", "group"), (_is_text, "a text")),
    **dict.fromkeys(("roles", "tags", "examples"), (_is_texts, "a list of texts")),
    "parameters": (_is_schema, "a JSON Schema object or None"),
    "more": (lambda value: value is not None and _is_schema(value), "an object"),
    "unresolved": (lambda value: value is None or _is_text(value), "a text or None"),
    "settings": (
        lambda value: value is None or isinstance(value, (bool, int, float)) or _is_text(value),
        "true, false, a number, a name or None",
    ),
    "tool": (_is_tool, "a Tool or None, its fields of the types that Tool names"),
    "synonyms": (lambda value: value is None or _is_texts(value), "a list of phrases or None"),
    "test_query": (_is_test_query, "a TestQuery or None, its fields of the types that TestQuery names"),
}
# What `old` may be: whatever a registry holds, letters included that nobody may write any more; None where there was nothing.
_SEEN: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("name", "description", "extra_context", "group"), (str,)),
    **dict.fromkeys(("roles", "tags", "examples"), (list, tuple)),
    "parameters": (Mapping, NoneType),
    "more": (Mapping,),
    "unresolved": (str, NoneType),
    "settings": (bool, int, float, str, NoneType),
    "tool": (Tool, NoneType),
    "synonyms": (list, tuple, NoneType),
    "test_query": (TestQuery, NoneType),
}
