"""Tools as the registry of an MCP gateway keeps them: a docstring in parts, and a schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curator_core.formats.entry import Entry, Form, renamed, schema_of
from curator_core.tool import Tool

_PARTS = "parsed_description"


def _claims(entry: Entry) -> bool:
    return _PARTS in entry


def _plain(entry: Entry) -> dict[str, Any]:
    plain = renamed(entry, {"schema": "parameters"})
    parts = plain.get(_PARTS)
    if isinstance(parts, Mapping) and "description" not in plain:
        plain["description"] = parts.get("main")
        rest = {key: value for key, value in parts.items() if key != "main"}
        plain |= {_PARTS: rest}
        if not rest:
            del plain[_PARTS]
    return plain


def _declare(tool: Tool, name: str) -> dict[str, Any]:
    kept = GATEWAY.kept(tool)
    parts = kept.pop(_PARTS, None)
    rest = parts if isinstance(parts, dict) else {}
    return {"name": name, _PARTS: {"main": tool.description, **rest}, "schema": schema_of(tool), **kept}


GATEWAY = Form("tools of an MCP gateway", _claims, _plain, _declare, (_PARTS,))
