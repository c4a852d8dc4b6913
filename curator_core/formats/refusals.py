"""Why a document is no list of tools: what it is instead, and what to give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curator_core.files.json_source import kind_of

Said = tuple[str, str]
_GIVE = "give a list of tools, each with a name and a description"
_ASK = "ask each server for its tools/list, and give the answers"
_AS_OPENAPI = "export it as OpenAPI"
_SERVERS = ("mcpServers", "mcp_servers", "context_servers", "servers", "mcp", "registry")
_STARTS = {"command", "url", "httpUrl", "serverUrl", "packages", "remotes", "transport", "image"}
_DEPTH, _MOST = 4, 200  # how far and how wide settings are searched for servers
BESIDE = ("prompts", "resources", "resourceTemplates", "resource_templates")  # what MCP servers list beside tools


def refusal(value: Any) -> Said:
    """Return what a value without a list of tools is, and what to give instead."""
    if isinstance(value, dict):
        return known_kind(value) or (_keys(value), _GIVE)
    return _of_list(value) if isinstance(value, list) else (f"found {kind_of(value)}, not a list of tools", _GIVE)


def known_kind(value: dict[str, Any]) -> Said | None:
    """Return what an object is known to be instead of tools, None where it may be anything."""
    return next((said for said in (reason(value) for reason in _REASONS) if said), None)


def model_answer(value: Any) -> Said | None:
    """Say that a value is what a model answered, or the calls it made: both name tools without describing any."""
    if isinstance(value, list):
        said = "these are calls of tools, not the tools" if value and all(map(_is_call, value)) else ""
    elif isinstance(value, dict) and not value.get("tools"):
        parts = value.get("content") or value.get("tool_calls") if value.get("role") == "assistant" else None
        parts = parts or value.get("choices") or (value.get("output") if value.get("object") == "response" else None)
        said = "this is a model's answer, not a list of tools" if isinstance(parts, list) else ""
        said = "this is a call of a tool, not the tool" if _is_call(value) else said
    else:
        return None
    return (said, "give the list of tools that was sent to the model") if said else None


def built_in(entry: Any) -> Said | None:
    """Say that an entry names a tool of the provider or a server instead of describing a tool; None for all others."""
    if not isinstance(entry, dict) or not isinstance(entry.get("type"), str) or {"name", "description", "function"} & entry.keys():
        return None
    if entry["type"] == "mcp":
        label = entry.get("server_label") or entry.get("server_url")
        return f"an MCP server{f' ({label})' if isinstance(label, str) else ''}, not a tool", _ASK
    if entry["type"] == "function":
        return None
    said = (
        f"{kind_of(entry['type']).removeprefix('the text ')} is a tool that is built into the provider's API, without name and description"
    )
    return said, "it stays with the agent; only tools that are described can be searched"


def _of_list(values: list[Any]) -> Said:
    entries = [one for one in values if isinstance(one, dict)]
    if any("query" in one for one in entries):
        where = "load it on the page Test queries, or name it test_queries.jsonl in the registry's folder"
        return "this lists test questions, not tools", where
    if any({"command", "packages", "server"} & one.keys() for one in entries):
        return "this lists servers, not tools", _ASK
    if any({"openapi", "swagger"} & one.keys() for one in entries):
        return "a list of OpenAPI documents", "give each as a file of its own"
    if (said := next(filter(None, map(built_in, entries)), None)) is not None:
        return said
    if values and all(isinstance(one, str) for one in values):
        return f"names alone, the first is {kind_of(values[0])}", _GIVE
    return f"a list whose entries have no name, the first is {kind_of(next(iter(values), None))}", _GIVE


def _is_call(value: Any) -> bool:
    """Say whether an object calls a tool, as OpenAI (arguments as a text) or Anthropic (input) write it."""
    if not isinstance(value, dict):
        return False
    function = value.get("function")
    text = isinstance(function, dict) and isinstance(function.get("arguments"), str) and not {"description", "parameters"} & function.keys()
    return text or (value.get("type") == "tool_use" and isinstance(value.get("input"), dict))


def _configuration(value: dict[str, Any]) -> Said | None:
    """Recognise the settings of an agent's program, in which servers stand, however deep."""
    names = _server_names(value, 0)
    if names is None and not ({"command", "packages", "remotes", "mcpServers", "servers", "context_servers"} & value.keys()):
        return None
    shown = ", ".join([*(name[:40] for name in (names or [])[:4]), *(["…"] if len(names or []) > 4 else [])])
    return f"this lists servers, not tools{f' ({len(names)}: {shown})' if names else ''}", _ASK


def _server_names(value: Mapping[str, Any], depth: int) -> list[str] | None:
    for key in _SERVERS:
        held = value.get(key)
        one_by_one = dict(enumerate(held)) if isinstance(held, list) else held
        if isinstance(one_by_one, dict) and any(map(_is_server, one_by_one.values())):
            return [_server_name(name, one) for name, one in one_by_one.items()]
    inner = [one for one in value.values() if isinstance(one, dict)][:_MOST] if depth < _DEPTH else []
    return next((names for names in (_server_names(one, depth + 1) for one in inner) if names is not None), None)


def _is_server(value: Any) -> bool:
    return isinstance(value, dict) and (bool(_STARTS & value.keys()) or isinstance(value.get("server"), dict))


def _server_name(key: object, value: Any) -> str:
    held = value.get("server", value) if isinstance(value, dict) else None
    own = held.get("name") if isinstance(held, dict) else None
    return own if isinstance(own, str) else str(key)


def _json_rpc(value: dict[str, Any]) -> Said | None:
    error, result = value.get("error"), value.get("result")
    if isinstance(result, dict) and (said := _beside(result)):
        return said
    if "jsonrpc" in value and isinstance(error, dict):
        return f"this is a server's error, not its tools: {kind_of(error.get('message'))}", "correct what it says, and ask again"
    if "jsonrpc" in value and "method" in value:
        return f"this is a message ({kind_of(value['method'])}), not the answer to tools/list", "give the answer"
    return ("this is an answer, but not to tools/list", "give the answer to tools/list") if "jsonrpc" in value else None


def _beside(value: dict[str, Any]) -> Said | None:
    found = next((key for key in BESIDE if isinstance(value.get(key), list)), None)
    what = "resources" if found and found.startswith("resource") else found
    return (f"this lists {what}, not tools", "ask the server for tools/list, and give the answer") if found else None


def other_api(value: dict[str, Any]) -> Said | None:
    """Recognise collections and descriptions of APIs that are not OpenAPI."""
    collection = value.get("collection", value)
    info = collection.get("info") if isinstance(collection, dict) else None
    if isinstance(info, dict) and ("_postman_id" in info or "getpostman" in str(info.get("schema"))):
        return "this is a Postman collection", _AS_OPENAPI
    if any(key.startswith("_postman") for key in value) or {"requests", "order"} <= value.keys():
        return "this is an environment or an old collection of Postman", "export the collection as OpenAPI"
    return next(((found, fix) for keys, found, fix in _MARKS if all(_at(value, key) is not None for key in keys)), None)


def _at(value: Any, path: str) -> Any:
    for step in path.split("/"):
        value = value.get(step) if isinstance(value, dict) else None
    return value


_MARKS: Sequence[tuple[Sequence[str], str, str]] = (
    (("__export_format",), "this is an export of Insomnia", _AS_OPENAPI),
    (("log/entries",), "this is a recording of a browser (HAR)", _GIVE),
    (("data/__schema",), "this is a schema of GraphQL", _GIVE),
    (("__schema",), "this is a schema of GraphQL", _GIVE),
    (("asyncapi",), "this is AsyncAPI, which describes messages, not tools", _GIVE),
    (("swaggerVersion",), "this is Swagger 1, which is not read", "convert it to OpenAPI 2 or 3"),
    (("discoveryVersion",), "this is a discovery document of Google", "convert it to OpenAPI"),
    (("name_for_model", "api"), "this describes a plugin, whose tools stand in its OpenAPI document", "give that document"),
)


def _tools_inside(value: dict[str, Any]) -> Said | None:
    """Say what is wrong with a list that stands where tools should."""
    held = value.get("tools")
    return _of_list(held) if isinstance(held, list) and held else None


def _schema(value: dict[str, Any]) -> Said | None:
    parts = isinstance(value.get("properties"), dict) and ("required" in value or value.get("type") == "object")
    if "$schema" in value or parts or (value.keys() and value.keys() <= {"$defs", "definitions", "$id"}):
        return "this is a JSON Schema, which describes data, not tools", _GIVE
    return None


def _keys(value: dict[str, Any]) -> str:
    shown = ", ".join(f'"{key[:40]}"' for key in [*value][:6]) or "no keys"
    return f"no list of tools in an object with {shown}{', …' if len(value) > 6 else ''}"


_REASONS: Sequence[Callable[[dict[str, Any]], Said | None]] = (_tools_inside, _configuration, _json_rpc, other_api, _beside, _schema)
