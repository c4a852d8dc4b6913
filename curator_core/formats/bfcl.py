"""Function documents of the Berkeley Function-Calling Leaderboard: one a line, with types that are no JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curator_core.formats.entry import Entry, Form, renamed, schema_of, with_types
from curator_core.tool import Tool

_IN = {"dict": "object", "float": "number", "tuple": "array", "list": "array", "bool": "boolean", "int": "integer", "str": "string"}


def _claims(entry: Entry) -> bool:
    parameters = entry.get("parameters")
    return isinstance(parameters, Mapping) and parameters.get("type") == "dict"


def _plain(entry: Entry) -> dict[str, Any]:
    plain = renamed(entry, {})
    plain["parameters"] = with_types(plain["parameters"], lambda name: _IN.get(name, name))
    return renamed(plain, {})


def _declare(tool: Tool, name: str) -> dict[str, Any]:
    out = {"object": "dict", "number": "float"}
    parameters = with_types(schema_of(tool), lambda name: out.get(name, name))
    return {"name": name, "description": tool.description, "parameters": parameters, **BFCL.kept(tool)}


BFCL = Form("BFCL function documents", _claims, _plain, _declare, ("response",))
