"""Small documents of every format, and random changes of their bytes and values."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import strategies as some

_SCHEMA = {"type": "object", "properties": {"day": {"type": "string"}}, "$defs": {"X": {"$ref": "#/$defs/X"}}}
_TOOL = {"name": "pay", "description": "Pay a fee"}
_OPERATION = {
    "operationId": "x",
    "parameters": [{"name": "a", "in": "query", "schema": {"$ref": "#/components/schemas/X"}}],
    "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/X"}}}},
    "tags": ["t"],
}
VALUES: dict[str, Any] = {
    "mcp": {"jsonrpc": "2.0", "result": {"tools": [{**_TOOL, "inputSchema": _SCHEMA}], "nextCursor": "2"}},
    "servers": [{"server_name": "a", "tools": [{**_TOOL, "inputSchema": _SCHEMA}]}, {"name": "b", "tools": {"c": {"tools": [_TOOL]}}}],
    "gateway": {"server_name": "a", "tool_list": [{"name": "a", "parsed_description": {"main": "A"}, "schema": _SCHEMA}]},
    "openai": [{"type": "function", "function": {**_TOOL, "parameters": _SCHEMA}}],
    "anthropic": [{**_TOOL, "input_schema": _SCHEMA}],
    "gemini": [{"functionDeclarations": [{**_TOOL, "parameters": {"type": "OBJECT", "properties": {"a": {"type": "STRING"}}}}]}],
    "langchain": {"_note": "x", "one": [{**_TOOL, "args_schema": _SCHEMA}], "two": [{**_TOOL, "args": {"a": {"type": "string"}}}]},
    "bfcl": [{**_TOOL, "parameters": {"type": "dict", "properties": {"a": {"type": "tuple"}}}}],
    "bedrock": {"toolConfig": {"tools": [{"toolSpec": {**_TOOL, "inputSchema": {"json": _SCHEMA}}}]}},
    "listed": {"data": [{"name": "s", "tools": [{**_TOOL, "args": [{"name": "a", "type": "str", "required": True}]}]}]},
    "data set": {"query": "q", "tools": json.dumps([{**_TOOL, "parameters": _SCHEMA}])},
    "own": {"schema_version": 1, "name": "r", "tools": [{**_TOOL, "roles": ["a"], "tags": "t", "examples": []}]},
    "descriptions": {"a": "A", "b": "B", "c": None},
    "openapi": {"openapi": "3.0.0", "info": {"title": "T"}, "paths": {"/a/{b}": {"get": _OPERATION, "parameters": [{"$ref": "#/x"}]}}}
    | {"components": {"schemas": {"X": {"type": "object", "properties": {"x": {"$ref": "#/components/schemas/X"}}, "required": ["x"]}}}},
    "synonyms": {"settings": {"analysis": {"filter": {"s": {"synonyms": ["a => b", "c, d"]}}}}},
    "synonyms set": {"synonyms_set": [{"id": "1", "synonyms": "a, b => c"}]},
}
TEXTS: dict[str, str] = {
    "csv": 'name,description,parameters,roles\na,"A\nb",{},x|y\nb,B,,\n',
    "tsv": "tool\tdesc\na\tA\n",
    "solr": "# rules\na, b => c\nd\\,e, f\n",
    "events": f'event: message\ndata: {json.dumps(VALUES["mcp"])}\n\n: ping\nid: 2\ndata: {{"a":\ndata: 1}}\n\n',
    "python": "tools = [\n {'name': 'a', 'description': \"A\" 'b', 'parameters': {'type': 'object', 'x': None, 'y': -1.5}},  # c\n]\n",
    "fenced": f"So:\n```json\n{json.dumps(VALUES['openai'])}\n```\n",
    "bars": "| name | description | tags |\n|---|:-:|---|\n| a | A | x;y |\n",
    "rendered": "a - A\nb(x: int) -> str - B\n",
    "json lines": "".join(json.dumps(value) + "\n" for value in (VALUES["openai"][0], VALUES["bfcl"][0], _TOOL)),
    "yaml": "openapi: 3.0.0\ninfo: &i {title: T}\npaths:\n  /a:\n    get: {operationId: no, x: *i}\n    <<: {post: {summary: 12:30}}\n",
    **{name: json.dumps(value, indent=1) for name, value in VALUES.items()},
}
_ODD = some.sampled_from(
    [None, True, 0, -1.5, "", "x", "\ud800", "$ref", [], {}, [None], {"$ref": "#"}, {"type": "object"}, {"name": 1}, [[]]]
)
_BYTES = some.sampled_from(
    [
        b"",
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b",",
        b":",
        b"\n",
        b"\\",
        b"\x00",
        b"\xff",
        b"&a ",
        b"*a",
        b"- ",
        b"=>",
        b"NaN",
        b"9" * 400,
        b"1e999",
        b"'",
        b"data:",
        b"```",
        b"|",
    ]
)


@some.composite
def texts(draw: some.DrawFn, name: str) -> bytes:
    """The text of a format with a few places cut out, doubled or overwritten."""
    data = TEXTS[name].encode("utf-8", "surrogatepass")
    for _ in range(draw(some.integers(1, 4))):
        start = draw(some.integers(0, len(data)))
        end = min(len(data), start + draw(some.integers(0, 12)))
        data = data[:start] + draw(_BYTES) + data[start if draw(some.booleans()) else end :]
    return data


@some.composite
def values(draw: some.DrawFn, name: str) -> Any:
    """The value of a format with a few of its parts replaced, renamed or taken out."""
    value = json.loads(json.dumps(VALUES[name]))
    for _ in range(draw(some.integers(1, 4))):
        holder: Any = value
        for _ in range(draw(some.integers(0, 6))):
            inner = holder[draw(some.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))]
            if not isinstance(inner, (dict, list)) or not inner:
                break
            holder = inner
        if not holder:
            continue
        key = draw(some.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
        if isinstance(holder, dict) and draw(some.booleans()):
            holder[draw(some.sampled_from(["name", "tools", "parameters", "x", "$ref", "description", "properties", "paths"]))] = (
                holder.pop(key)
            )
        else:
            holder[key] = copy.deepcopy(draw(_ODD))
    return value
