"""Tools as the Model Context Protocol lists them."""

from __future__ import annotations

from typing import Any

from curator_core.formats.entry import Entry, Form, renamed, schema_of
from curator_core.tool import Tool


def _claims(entry: Entry) -> bool:
    return "inputSchema" in entry


def _plain(entry: Entry) -> dict[str, Any]:
    return renamed(entry, {"inputSchema": "parameters"})


def _declare(tool: Tool, name: str) -> dict[str, Any]:
    return {"name": name, "description": tool.description, "inputSchema": schema_of(tool), **MCP.kept(tool)}


MCP = Form(
    "MCP tools", _claims, _plain, _declare, ("title", "annotations", "outputSchema", "_meta", "icons", "execution", "securitySchemes", "x-")
)
