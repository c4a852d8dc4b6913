"""Parameters that a registry lists one by one, each with its name, as one JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KEYS = ("parameters", "arguments", "args")
_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean", "list": "array", "tuple": "array", "dict": "object"}
_KNOWN = {"string", "number", "integer", "boolean", "array", "object", "null"}


def with_schema(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry whose parameters are a JSON Schema object, where it lists them under one of the usual keys."""
    key = next((key for key in _KEYS if entry.get(key) is not None), None)
    listed = entry.get(key) if key else None
    if not isinstance(listed, list) or not all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in listed):
        return entry
    if key != "parameters" and not listed:
        return entry
    properties = {one["name"]: _property(one) for one in listed}
    required = [name for name in properties if any(one["name"] == name and _needed(one) for one in listed)]
    schema = {"type": "object", "properties": properties, **({"required": required} if required else {})}
    rest = {name: value for name, value in entry.items() if name != key}
    return {**rest, "parameters": schema if properties else None}


def _property(parameter: Mapping[str, Any]) -> dict[str, Any]:
    schema = parameter.get("schema")
    said = dict(schema) if isinstance(schema, Mapping) else {}
    kind = parameter.get("type")
    kind = _TYPES.get(kind.lower(), kind.lower()) if isinstance(kind, str) else None
    description = parameter.get("description", parameter.get("desc"))
    said |= {"type": kind} if kind in _KNOWN else {}
    said |= {"description": description} if isinstance(description, str) and description else {}
    return said | {key: parameter[key] for key in ("enum", "default", "items", "format") if key in parameter}


def _needed(parameter: Mapping[str, Any]) -> bool:
    return parameter.get("required") is True or parameter.get("optional") is False
