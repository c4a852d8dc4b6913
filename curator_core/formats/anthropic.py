"""Tools as Anthropic's API takes them."""

from __future__ import annotations

from typing import Any

from curator_core.formats.entry import Entry, Form, renamed, schema_of
from curator_core.tool import Tool


def _claims(entry: Entry) -> bool:
    return "input_schema" in entry


def _plain(entry: Entry) -> dict[str, Any]:
    return renamed(entry, {"input_schema": "parameters"})


def _declare(tool: Tool, name: str) -> dict[str, Any]:
    return {"name": name, "description": tool.description, "input_schema": schema_of(tool), **ANTHROPIC.kept(tool)}


ANTHROPIC = Form("Anthropic tools", _claims, _plain, _declare, ("type", "strict", "cache_control", "input_examples", "defer_loading"))
