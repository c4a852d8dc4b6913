"""Where in a document tools are listed: each list with the server it is of, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from curator_core.files.json_source import JsonFault, broken, parse
from curator_core.formats.entry import Form
from curator_core.formats.gateway import GATEWAY
from curator_core.formats.gemini import GEMINI
from curator_core.formats.own import OWN
from curator_core.formats.refusals import BESIDE, known_kind, model_answer, other_api, refusal

_SCHEMAS = ("inputSchema", "input_schema", "parameters", "parametersJsonSchema", "args_schema", "parsed_description")
_TEXTS = ("description", "title", "annotations", "roles", "group", "tags", "examples", "extra_context", "type", "strict")
_SECTIONS = {"toolConfig", "tool_config", "session", "data", "result", "results", "items", "response", "config", "functions"}
_NO_NAMES = {
    "$schema",
    "$id",
    "$ref",
    "$defs",
    "openapi",
    "swagger",
    "jsonrpc",
    "method",
    "version",
    "schema_version",
    "kind",
    "apiVersion",
}


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
    if (said := model_answer(value) or (other_api(value) if isinstance(value, dict) else None)) is not None:
        raise JsonFault(*said)
    found = _lots(value, "", "")
    if found is None:
        raise JsonFault(*refusal(value))
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
    return any(isinstance(value.get(key), (dict, list)) for key in keys) or _written_out(value.get("tools")) is not None


def _written_out(value: Any) -> list[Any] | None:
    """Return the list that a text holds, as data sets of questions keep the tools of each."""
    if not isinstance(value, str) or not value.lstrip().startswith("["):
        return None
    try:
        found = parse(value)[0]
    except JsonFault:
        return None
    return found if isinstance(found, list) else None


def _is_tool(value: Any) -> bool:
    """Say whether an object is one tool: wrapped, or with a name and what only tools have, or nothing else."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("function"), dict) or isinstance(value.get("toolSpec"), dict):
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
        if _holds(tools):
            return _lots(tools, _under(where, "tools"), server)
        return _by_name(tools, _under(where, "tools"), server) or _mapping(tools, where, server)
    tools = _written_out(tools) or tools
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
    return next((name for name in names if isinstance(name, str) and name.strip() and not broken(name)), "")


def _by_name(value: dict[str, Any], where: str, server: str) -> list[Lot] | None:
    """Read {server: {"tools": …}}, {server: [tools]} or {name: tool without its name}."""
    lots: list[Lot] = []
    servers = all(isinstance(inner, (dict, list)) for inner in value.values())  # else these are sections of one list
    for name, inner in value.items():
        if _may_hold(name, inner):
            own = name if servers and name not in _SECTIONS else ""
            found = _lots(inner, _under(where, name), server or own)
            lots += [lot if lot.server or not own else replace(lot, server=own) for lot in found or ()]
    if lots:
        return lots
    tools = {
        name: one for name, one in value.items() if isinstance(one, dict) and ("description" in one or any(k in one for k in _SCHEMAS))
    }
    if not tools or len(tools) < len(value):
        return None
    return [Lot([{"name": name, **one} for name, one in tools.items()], where, server, "tools by name")]


def _may_hold(name: str, inner: Any) -> bool:
    """Say whether a member of an object holds tools: not prompts and resources, which have names and descriptions too."""
    if isinstance(inner, dict):
        return _holds(inner)
    if not isinstance(inner, list) or (name in BESIDE and not any(isinstance(one, dict) and one.keys() & {*_SCHEMAS} for one in inner)):
        return False
    return any(_is_tool(one) or (isinstance(one, dict) and _holds(one)) for one in inner)


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
    schema = any(key in value for key in _SCHEMAS) and ("name" in value or "description" in value)
    wrapped = isinstance(value.get("function"), dict) or isinstance(value.get("toolSpec"), dict)
    plain = isinstance(value.get("name"), str) and ({*value} <= {"name", *_TEXTS} or _describes(value))
    return [Lot([value], where, server, whole=False)] if schema or wrapped or plain else None


def _describes(value: dict[str, Any]) -> bool:
    """Say whether an object with a name and a description is a tool with fields of its own, rather than a package or a server."""
    return (
        isinstance(value.get("description"), str)
        and not (_NO_NAMES | {"dependencies", "scripts", "jobs", "info"}) & value.keys()
        and (known_kind(value) is None)
    )


def _mapping(value: dict[str, Any], where: str, server: str) -> list[Lot] | None:
    """Read {name: description}; at most a few values may be something else."""
    others = [one for one in value.values() if not isinstance(one, str) and one is not None]
    if where or not value or len(others) * 2 >= len(value) or _NO_NAMES & value.keys() or {*value} <= {"tools", "nextCursor"}:
        return None
    said = [one for one in value.values() if isinstance(one, str)]
    if others and (known_kind(value) is not None or sum(" " in one for one in said) * 2 < len(said)):
        return None  # figures beside single words are facts about something
    return [Lot([{"name": name, "description": text} for name, text in value.items()], where, server, "{name: description}")]


def _under(where: str, key: object) -> str:
    step = f"[{key}]" if isinstance(key, int) else str(key)
    return f"{where}{step}" if not where or isinstance(key, int) else f"{where}.{step}"


def each(lot: Lot, lines: Sequence[int] | None = None) -> Iterator[tuple[str, Any]]:
    """Yield the place and the entry of each tool: its line in JSON Lines, else its number and the path of its list."""
    inside = f"{lot.where}, " if lot.where not in ("", "tools") else ""
    for i, entry in enumerate(lot.entries):
        yield (f"line {lines[i]}" if lines and not lot.where else f"{inside}tool {i + 1}" if lot.whole else lot.where), entry
