"""Tools as OpenAI's APIs and those like them take them: functions, in a wrapper or without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curator_core.formats.entry import Entry, Form, renamed, schema_of
from curator_core.tool import Tool


def _claims(entry: Entry) -> bool:
    return isinstance(entry.get("function"), Mapping) or ("parameters" in entry and entry.get("type") == "function")


def _plain(entry: Entry) -> dict[str, Any]:
    function = entry.get("function")
    inner = function if isinstance(function, Mapping) else {key: value for key, value in entry.items() if key != "type"}
    return renamed(inner, {})


def _declare(tool: Tool, name: str) -> dict[str, Any]:
    function = {"name": name, "description": tool.description, "parameters": schema_of(tool), **OPENAI.kept(tool)}
    return {"type": "function", "function": function}


def _is_flat(entry: Entry) -> bool:
    return isinstance(entry.get("parameters"), Mapping) and "name" in entry


def _declare_flat(tool: Tool, name: str) -> dict[str, Any]:
    return {"name": name, "description": tool.description, "parameters": schema_of(tool), **FUNCTIONS.kept(tool)}


OPENAI = Form("OpenAI tools", _claims, _plain, _declare, ("strict",))
FUNCTIONS = Form("OpenAI functions", _is_flat, _plain, _declare_flat, ("strict",))
