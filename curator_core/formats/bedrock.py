"""Tools as Bedrock's Converse API takes them: a specification in a wrapper, its schema in another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curator_core.formats.entry import Entry, Form, renamed, schema_of
from curator_core.tool import Tool


def _claims(entry: Entry) -> bool:
    return isinstance(entry.get("toolSpec"), Mapping)


def _plain(entry: Entry) -> dict[str, Any]:
    plain = dict(entry["toolSpec"])
    held = plain.pop("inputSchema", None)
    return renamed({**plain, "parameters": held.get("json") if isinstance(held, Mapping) else held}, {})


def _declare(tool: Tool, name: str) -> dict[str, Any]:
    return {"toolSpec": {"name": name, "description": tool.description, "inputSchema": {"json": schema_of(tool)}, **BEDROCK.kept(tool)}}


BEDROCK = Form("Bedrock tools", _claims, _plain, _declare, ("strict",))
