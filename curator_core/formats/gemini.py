"""Function declarations as Gemini's API takes them.

Its own schema has types in capitals and few keywords. What it cannot say goes into parametersJsonSchema, which takes any JSON Schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curator_core.formats.entry import Entry, Form, renamed, schema_of, with_types
from curator_core.tool import Tool

_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
_JSON_SCHEMA = ("parametersJsonSchema", "parameters_json_schema")
_KNOWN = {"type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required", "items"}
_KNOWN |= {"minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering", "default"}
_KNOWN |= {"minimum", "maximum"}


def _claims(entry: Entry) -> bool:
    parameters = entry.get("parameters")
    capital = isinstance(parameters, Mapping) and parameters.get("type") == "OBJECT"
    return capital or any(key in entry for key in _JSON_SCHEMA)


def _plain(entry: Entry) -> dict[str, Any]:
    plain = renamed(entry, dict.fromkeys(_JSON_SCHEMA, "parameters"))
    if isinstance(plain.get("parameters"), Mapping) and "type_" in plain["parameters"]:  # as Vertex's own library prints it
        plain["parameters"] = _without_strokes(plain["parameters"])
    if isinstance(entry.get("parameters"), Mapping):
        plain["parameters"] = with_types(plain["parameters"], lambda name: name.lower() if name.lower() in _TYPES else name)
    return renamed(plain, {})


def _without_strokes(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_strokes(one) for one in schema]
    if not isinstance(schema, Mapping):
        return schema
    properties = schema.get("properties")
    plain = {key.removesuffix("_") if key in ("type_", "format_") else key: _without_strokes(value) for key, value in schema.items()}
    return plain | ({"properties": {n: _without_strokes(one) for n, one in properties.items()}} if isinstance(properties, Mapping) else {})


def _declare(tool: Tool, name: str) -> dict[str, Any]:
    declared = {"name": name, "description": tool.description}
    schema = schema_of(tool)
    if tool.parameters is not None and not (schema.get("properties") and _fits(schema)):
        return {**declared, "parametersJsonSchema": schema, **GEMINI.kept(tool)}
    if schema.get("properties"):  # the API refuses an object without any property
        declared["parameters"] = with_types(schema, str.upper)
    return {**declared, **GEMINI.kept(tool)}


def _fits(schema: Any) -> bool:
    """Say whether Gemini's own schema can say the same."""
    if not isinstance(schema, Mapping) or not schema.keys() <= _KNOWN or schema.get("type") not in _TYPES:
        return False
    properties, several, items = schema.get("properties", {}), schema.get("anyOf", []), schema.get("items")
    if (
        not isinstance(properties, Mapping)
        or not isinstance(several, list)
        or not all(isinstance(one, str) for one in schema.get("enum", []))
    ):
        return False
    whole = "properties" not in schema or properties
    return bool(whole) and all(map(_fits, (*properties.values(), *several, *([] if items is None else [items]))))


GEMINI = Form("Gemini function declarations", _claims, _plain, _declare, ("response", "responseJsonSchema", "behavior"))
