"""How a format writes one tool, and what all formats share in reading and writing it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from curator_core.tool import Tool

Entry = Mapping[str, Any]
NO_PARAMETERS: Entry = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True)
class Form:
    """How one format writes a tool. shape: its name on screen, for several tools. claims: says whether an entry is written so.

    plain: the entry with the keys that tools.json has. declare: a tool under a name that the format allows, as the format writes it.
    more: which further fields of a tool the format can hold; a name that ends in - stands for all that begin so.
    """

    shape: str
    claims: Callable[[Entry], bool]
    plain: Callable[[Entry], dict[str, Any]]
    declare: Callable[[Tool, str], dict[str, Any]]
    more: Collection[str] = ()

    def holds(self, key: str) -> bool:
        """Say whether the format can hold this further field."""
        return key in self.more or any(name.endswith("-") and key.startswith(name) for name in self.more)

    def kept(self, tool: Tool) -> dict[str, Any]:
        """Return the further fields of a tool that the format can hold."""
        return {key: as_json(value) for key, value in tool.more.items() if self.holds(key)}


def renamed(entry: Entry, names: Mapping[str, str]) -> dict[str, Any]:
    """Return an entry with some keys called as tools.json calls them; an object without any property counts as no parameters."""
    plain = {names.get(key, key): value for key, value in entry.items()}
    if plain.get("parameters") == NO_PARAMETERS:
        plain["parameters"] = None
    return plain


def schema_of(tool: Tool) -> dict[str, Any]:
    """Return a tool's parameters as a JSON Schema object, an empty one where it has none."""
    return as_json(NO_PARAMETERS if tool.parameters is None else tool.parameters)  # type: ignore[no-any-return]


def as_json(value: Any) -> Any:
    """Return read-only mappings and tuples as the dicts and lists that JSON knows."""
    if isinstance(value, Mapping):
        return {key: as_json(inner) for key, inner in value.items()}
    return [as_json(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def with_types(schema: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON Schema with each "type" that is a text changed; properties that are called type are left alone."""
    if isinstance(schema, list):
        return [with_types(one, change) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    new: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "type" and isinstance(value, str):
            new[key] = change(value)
        elif key in ("properties", "$defs", "definitions") and isinstance(value, Mapping):
            new[key] = {name: with_types(inner, change) for name, inner in value.items()}
        else:
            new[key] = value if key in ("enum", "default", "example", "const", "required") else with_types(value, change)
    return new
