"""Tools as LangChain shows them: dumped with args_schema or args, or rendered as lines of "name - description"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from curator_core.formats.entry import Entry, Form, renamed, schema_of
from curator_core.tool import Tool

LINE = re.compile(r"(?P<name>[\w.-]+)(\(.*?\)( -> \S+)?)? - (?P<description>\S.*)")


def _claims(entry: Entry) -> bool:
    return "args_schema" in entry or isinstance(entry.get("args"), Mapping)


def _plain(entry: Entry) -> dict[str, Any]:
    if "args_schema" in entry:
        return renamed(entry, {"args_schema": "parameters"})
    arguments = entry["args"]
    rest = {key: value for key, value in entry.items() if key != "args"}
    return {**rest, "parameters": {"type": "object", "properties": arguments} if arguments else None}


def _declare(tool: Tool, name: str) -> dict[str, Any]:
    tags = list(tool.tags) or None
    return {"name": name, "description": tool.description, "args_schema": schema_of(tool), "tags": tags, **LANGCHAIN.kept(tool)}


def rendered(text: str) -> list[tuple[int, dict[str, str]]] | None:
    """Return line and tool of each line of a rendered list, None for another text."""
    first = text.lstrip()[:20_000].split("\n", 1)[0]
    if not LINE.fullmatch(first.strip()):
        return None
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if any(len(line) > 20_000 for _, line in lines):
        return None
    found = [(number, LINE.fullmatch(line.strip())) for number, line in lines]
    if not found or any(match is None for _, match in found):
        return None
    return [(number, {key: match[key] for key in ("name", "description")}) for number, match in found if match]


LANGCHAIN = Form("LangChain tools", _claims, _plain, _declare, ("return_direct", "metadata", "response_format"))
