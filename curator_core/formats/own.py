"""Tools as tools.json has them, and as plain objects with a name and a description."""

from __future__ import annotations

from typing import Any

from curator_core.formats.entry import Entry, Form, as_json
from curator_core.tool import TOOL_FIELDS, Tool


def _claims(entry: Entry) -> bool:
    return "name" in entry


def _declare(tool: Tool, name: str) -> dict[str, Any]:
    values = {field: as_json(getattr(tool, field)) for field in TOOL_FIELDS if field != "more"}
    said = {field: value for field, value in values.items() if value or field == "description"}
    said |= {"parameters": values["parameters"]} if tool.parameters is not None else {}
    return {**said, "name": name, **{key: as_json(value) for key, value in tool.more.items() if key not in said}}


OWN = Form("plain tools", _claims, dict, _declare)
