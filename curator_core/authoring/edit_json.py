"""Edits as JSON and back, so that drafts and revisions keep them as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from curator_core.tool import Edit, TestQuery, Tool

_RECORDS: Mapping[str, type[Tool] | type[TestQuery]] = {"tool": Tool, "test_query": TestQuery}
_LISTS = ("roles", "tags", "examples", "synonyms")


def to_json(edits: Iterable[Edit]) -> list[dict[str, Any]]:
    """Return edits as what JSON can hold."""
    return [{"tool": edit.tool, "field": edit.field, "old": plain(edit.old), "new": plain(edit.new)} for edit in edits]


def from_json(entries: Iterable[Mapping[str, Any]]) -> tuple[Edit, ...]:
    """Return the edits that `to_json` made these entries of."""
    return tuple(edit_of(entry["tool"], entry["field"], entry["old"], entry["new"]) for entry in entries)


def edit_of(tool: str, field: str, old: Any, new: Any) -> Edit:
    """Return the edit whose plain values these are."""
    return Edit(tool, field, _value(field, old), _value(field, new))


def plain(value: Any) -> Any:
    """Return a value of an edit with records and mappings as dicts, and tuples as lists."""
    if isinstance(value, (Tool, TestQuery)):
        return {spec.name: plain(getattr(value, spec.name)) for spec in fields(value)}
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def _value(field: str, value: Any) -> Any:
    if value is None:
        return None
    if field in _RECORDS:
        return _RECORDS[field](**value)
    return tuple(value) if field in _LISTS else value
