"""Where in a document tools are listed: each list with the server it is of, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from curator_core.files.json_source import JsonFault, broken, kind_of
from curator_core.formats.entry import Form
from curator_core.formats.gateway import GATEWAY
from curator_core.formats.gemini import GEMINI
from curator_core.formats.own import OWN

_SCHEMAS = ("inputSchema", "input_schema", "parameters", "parametersJsonSchema", "args_schema", "parsed_description")
_TEXTS = ("description", "title", "annotations", "roles", "group", "tags", "examples", "extra_context", "type", "strict")
_GIVE = "give a list of tools, each with a name and a description"


@dataclass(frozen=True, slots=True)
class Lot:
    """One list of tools. where: its path, "" for the document itself. server: whose it is, "" where nothing says.

    shape: what the list is called, "" where its entries tell. form: how all entries are written, None where each tells for itself.
    more: it is one page, and further tools exist. whole: it is a list, not one tool alone.
    """

    entries: Sequence[Any]
    where: str = ""
    server: str = ""
    shape: str = ""
    form: Form | None = None
    more: bool = False
    whole: bool = True
    name: str = ""


def lots_of(value: Any) -> list[Lot]:
    """Return the lists of tools in a JSON value. Raises JsonFault with the reason where there is none."""
    if (said := _model_answer(value)) is not None:
        raise JsonFault(*said)
    found = _lots(value, "", "")
    if found is None:
        raise JsonFault(*_refusal(value))
    return found


def _lots(value: Any, where: str, server: str) -> list[Lot] | None:
    if isinstance(value, list):
        return _of_list(value, where, server)
    if not isinstance(value, dict):
        return None
    for reader in (_envelope, _tools_key, _named_lists, _one_tool, _mapping):
        if (found := reader(value, where, server)) is not None:
            return found
    return None


def _of_list(values: list[Any], where: str, server: str) -> list[Lot] | None:
    holders = [(i, one) for i, one in enumerate(values) if isinstance(one, dict) and not _is_tool(one) and _holds(one)]
    if holders and not any(map(_is_tool, values)):
        found = [lot for i, one in holders for lot in _lots(one, _under(where, i), server) or ()]
        return found or None
    if not values or any(_is_tool(one) or (isinstance(one, dict) and isinstance(one.get("name"), str)) for one in values):
        return [Lot(values, where, server)]
    return None


def _holds(value: dict[str, Any]) -> bool:
    keys = ("result", "tools", "function_declarations", "functionDeclarations", "tool_list", "functions", "function")
    return any(isinstance(value.get(key), (dict, list)) for key in keys)


def _is_tool(value: Any) -> bool:
    """Say whether an object is one tool: wrapped, or with a name and what only tools have, or nothing else."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("function"), dict):
        return True
    known = any(key in value for key in _SCHEMAS) or {*value} <= {"name", *_TEXTS}
    return "name" in value and (known or (isinstance(value["name"], str) and "description" in value and not _holds(value)))


def _envelope(value: dict[str, Any], where: str, server: str) -> list[Lot] | None:
    if not isinstance(value.get("result"), dict):
        return None
    found = _lots(value["result"], _under(where, "result"), server)
    return found and [replace(lot, shape=f"{lot.shape or 'MCP tools/list'} in a JSON-RPC envelope") for lot in found]


def _tools_key(value: dict[str, Any], where: str, server: str) -> list[Lot] | None:
    """Read an object with a list under one of the usual keys."""
    for key, form in (
        ("function_declarations", GEMINI),
        ("functionDeclarations", GEMINI),
        ("tool_list", GATEWAY),
        ("functions", None),
        ("function", None),
    ):
        if isinstance(value.get(key), list):
            return [Lot(value[key], _under(where, key), _server(value) or server, form=form)]
    tools = value.get("tools")
    if isinstance(tools, dict):
        return _by_name(tools, _under(where, "tools"), server) or _mapping(tools, where, server)
    if not isinstance(tools, list):
        return None
    inner = _of_list(tools, _under(where, "tools"), _server(value) or server)
    if inner is None or len(inner) != 1 or inner[0].form is not None:
        return inner
    own = "schema_version" in value
    name = value.get("name")
    listed = own or any(isinstance(one, dict) and "inputSchema" in one for one in tools)
    shape = "tools.json of a registry" if own else "MCP tools/list" if listed else ""
    return [
        replace(
            inner[0],
            server="" if own else inner[0].server,
            shape=shape,
            form=OWN if own else None,
            more=isinstance(value.get("nextCursor"), str) and bool(value["nextCursor"]),
            name=name if isinstance(name, str) and not broken(name) else "",
        )
    ]


def _server(value: Mapping[str, Any]) -> str:
    info = value.get("serverInfo")
    names: tuple[Any, ...] = (value.get("server_name"), value.get("server"), info.get("name") if isinstance(info, dict) else None)
    listed = value.get("tools")
    if isinstance(listed, list) and any(isinstance(one, dict) and "inputSchema" in one for one in listed):
        names = (*names, value.get("name"))
    return next((name for name in names if isinstance(name, str) and name.strip()), "")


def _by_name(value: dict[str, Any], where: str, server: str) -> list[Lot] | None:
    """Read {server: {"tools": …}}, {server: [tools]} or {name: tool without its name}."""
    lots: list[Lot] = []
    servers = all(isinstance(inner, (dict, list)) for inner in value.values())  # else these are sections of one list
    for name, inner in value.items():
        if (isinstance(inner, dict) and _holds(inner)) or (isinstance(inner, list) and any(map(_is_tool, inner))):
            found = _lots(inner, _under(where, name), server or (name if servers else ""))
            lots += [lot if lot.server or not servers else replace(lot, server=name) for lot in found or ()]
    if lots:
        return lots
    tools = {
        name: one for name, one in value.items() if isinstance(one, dict) and ("description" in one or any(k in one for k in _SCHEMAS))
    }
    if not tools or len(tools) < len(value):
        return None
    return [Lot([{"name": name, **one} for name, one in tools.items()], where, server, "tools by name")]


def _named_lists(value: dict[str, Any], where: str, server: str) -> list[Lot] | None:
    for key in ("servers", "mcpServers"):
        inner = value.get(key)
        found = (
            _by_name(inner, key, server) if isinstance(inner, dict) else _of_list(inner, key, server) if isinstance(inner, list) else None
        )
        if found and any(
            one
            for lot in found
            for one in lot.entries
            if isinstance(one, dict) and not ({"command", "url", "packages", "version"} & one.keys())
        ):
            return found
    if any(key in value for key in ("mcpServers", "servers", "openapi", "swagger")):
        return None
    return _by_name(value, where, server) if not _is_tool(value) else None


def _one_tool(value: dict[str, Any], where: str, server: str) -> list[Lot] | None:
    schema = any(key in value for key in _SCHEMAS) or isinstance(value.get("function"), dict)
    plain = isinstance(value.get("name"), str) and {*value} <= {"name", *_TEXTS}
    return [Lot([value], where, server, whole=False)] if schema or plain else None


def _mapping(value: dict[str, Any], where: str, server: str) -> list[Lot] | None:
    """Read {name: description}; at most a few values may be something else."""
    if where or not value or sum(isinstance(one, str) or one is None for one in value.values()) * 2 <= len(value):
        return None
    if any(key in value for key in ("jsonrpc", "$schema", "openapi", "swagger", "method", "version")) or {*value} <= {
        "tools",
        "nextCursor",
    }:
        return None
    return [Lot([{"name": name, "description": text} for name, text in value.items()], where, server, "{name: description}")]


def _under(where: str, key: object) -> str:
    step = f"[{key}]" if isinstance(key, int) else str(key)
    return f"{where}{step}" if not where or isinstance(key, int) else f"{where}.{step}"


def _refusal(value: Any) -> tuple[str, str]:
    """Say why a value is no list of tools, and what to give instead."""
    if not isinstance(value, (dict, list)):
        return f"found {kind_of(value)}, not a list of tools", _GIVE
    if isinstance(value, dict):
        return next((said for said in (reason(value) for reason in _REASONS) if said), (_keys(value), _GIVE))
    if any(isinstance(one, dict) and "query" in one for one in value):
        return (
            "this lists test questions, not tools",
            "load it on the page Test queries, or name it test_queries.jsonl in the registry's folder",
        )
    if any(isinstance(one, dict) and {"command", "packages", "server"} & one.keys() for one in value):
        return "this lists servers, not tools", _ASK
    first = next(iter(value), None)
    return f"a list whose entries have no name, the first is {kind_of(first)}", _GIVE


def _model_answer(value: Any) -> tuple[str, str] | None:
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


def _is_call(value: Any) -> bool:
    """Say whether an object calls a tool, as OpenAI (arguments as a text) or Anthropic (input) write it."""
    if not isinstance(value, dict):
        return False
    function = value.get("function")
    text = isinstance(function, dict) and isinstance(function.get("arguments"), str) and not {"description", "parameters"} & function.keys()
    return text or (value.get("type") == "tool_use" and isinstance(value.get("input"), dict))


_ASK = "ask each server for its tools/list, and give the answers"


def _servers(value: dict[str, Any]) -> tuple[str, str] | None:
    held = value.get("mcpServers", value.get("servers", value.get("context_servers")))
    if held is None and not ({"command", "packages", "remotes"} & value.keys()):
        return None
    names = (
        [*held]
        if isinstance(held, dict)
        else [one.get("name") for one in held or () if isinstance(one, dict)]
        if isinstance(held, list)
        else []
    )
    shown = ", ".join([*(str(name)[:40] for name in names[:4]), *(["…"] if len(names) > 4 else [])])
    return f"this lists servers, not tools{f' ({len(names)}: {shown})' if names else ''}", _ASK


def _json_rpc(value: dict[str, Any]) -> tuple[str, str] | None:
    error = value.get("error")
    if "jsonrpc" in value and isinstance(error, dict):
        return f"this is a server's error, not its tools: {kind_of(error.get('message'))}", "correct what it says, and ask again"
    if "jsonrpc" in value and "method" in value:
        return f"this is a message ({kind_of(value['method'])}), not the answer to tools/list", "give the answer"
    return ("this is an answer, but not to tools/list", "give the answer to tools/list") if "jsonrpc" in value else None


def _schema(value: dict[str, Any]) -> tuple[str, str] | None:
    if "$schema" in value or (value.get("type") == "object" and "properties" in value):
        return "this is a JSON Schema, which describes data, not tools", _GIVE
    return None


def _postman(value: dict[str, Any]) -> tuple[str, str] | None:
    info = value.get("info")
    return ("this is a Postman collection", "export it as OpenAPI") if isinstance(info, dict) and "_postman_id" in info else None


def _keys(value: dict[str, Any]) -> str:
    shown = ", ".join(f'"{key[:40]}"' for key in [*value][:6]) or "no keys"
    return f"no list of tools in an object with {shown}{', …' if len(value) > 6 else ''}"


_REASONS: Sequence[Callable[[dict[str, Any]], tuple[str, str] | None]] = (_servers, _json_rpc, _postman, _schema)


def each(lot: Lot, lines: Sequence[int] | None = None) -> Iterator[tuple[str, Any]]:
    """Yield the place and the entry of each tool: its line in JSON Lines, else its number and the path of its list."""
    inside = f"{lot.where}, " if lot.where not in ("", "tools") else ""
    for i, entry in enumerate(lot.entries):
        yield (f"line {lines[i]}" if lines and not lot.where else f"{inside}tool {i + 1}" if lot.whole else lot.where), entry
