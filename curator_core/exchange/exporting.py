"""A registry in the formats that others read; what a format cannot hold is said."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from curator_core.errors import CuratorError, UnknownName
from curator_core.exchange.declared_names import legal_names
from curator_core.exchange.importing import ORIGIN
from curator_core.files.json_source import broken
from curator_core.files.reading import SCHEMA_VERSION
from curator_core.formats.anthropic import ANTHROPIC
from curator_core.formats.bedrock import BEDROCK
from curator_core.formats.bfcl import BFCL
from curator_core.formats.elasticsearch import synonyms_set
from curator_core.formats.entry import Form
from curator_core.formats.gateway import GATEWAY
from curator_core.formats.gemini import GEMINI
from curator_core.formats.langchain import LANGCHAIN
from curator_core.formats.mcp import MCP
from curator_core.formats.openai import OPENAI
from curator_core.formats.own import OWN
from curator_core.formats.solr import unheld, write_lines
from curator_core.formats.table import write_rows
from curator_core.queries.query_csv import write_csv
from curator_core.queries.query_files import write_jsonl
from curator_core.queries.query_trec import write_qrels
from curator_core.registry import Registry
from curator_core.text import plural
from curator_core.tool import TOOL_FIELDS, Tool

Named = Mapping[str, tuple[str, Tool]]  # key -> the name it is exported under, and the tool
_BARE = ("name", "description", "parameters")


@dataclass(frozen=True, slots=True)
class Format:
    """A format to export to. title: on screen. suffix: of its files. write: makes the text of a registry and its named tools.

    fields: of a tool, which it holds. form: how it writes a tool, and with that which further fields it holds. legal: names must be legal.
    holds: what else: synonyms or test queries. servers: equal names are allowed in different groups.
    """

    title: str
    suffix: str
    write: Callable[[Registry, Named], str]
    fields: Collection[str] = _BARE
    form: Form | None = None
    legal: bool = False
    holds: str = "tools"
    servers: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """A registry as a text. left_out: what the format cannot hold, in plain words."""

    text: str
    suffix: str
    left_out: tuple[str, ...] = field(default=())


def export_registry(registry: Registry, format: str, keys: Iterable[str] | None = None) -> Exported:
    """Return a registry in one of EXPORT_FORMATS. keys: only these tools.

    Raises UnknownName for a format or key that does not exist, CuratorError for a letter that no file can hold.
    """
    if format not in EXPORT_FORMATS:
        raise UnknownName(f"no format {format!r} to export to; there are: {', '.join(EXPORT_FORMATS)}")
    chosen = EXPORT_FORMATS[format]
    wanted = list(registry.keys if keys is None else keys)
    tools = {key: registry.tool(key) for key in wanted}
    named = {key: (name, tools[key]) for key, name in _names(registry, tools, chosen).items()}
    text = chosen.write(registry, named)
    if broken(text):
        raise CuratorError(f"{registry.name}: a text holds half a letter (a lone surrogate), which no file can hold; correct it first")
    return Exported(text, chosen.suffix, tuple(_left_out(registry, named, chosen)))


def _names(registry: Registry, tools: Mapping[str, Tool], chosen: Format) -> dict[str, str]:
    """Return the name of each tool: its own where the format takes it, else a legal one."""
    if chosen.fields == TOOL_FIELDS:
        return {key: tool.name for key, tool in tools.items()}
    legal = legal_names(registry, tools)
    if chosen.legal:
        return legal
    counts = Counter((tool.name, tool.group if chosen.servers else "") for tool in registry.tools)
    once = {key for key, tool in tools.items() if counts[tool.name, tool.group if chosen.servers else ""] == 1}
    return {key: tool.name if key in once else legal[key] for key, tool in tools.items()}


def _left_out(registry: Registry, named: Named, chosen: Format) -> Iterable[str]:
    if chosen.holds == "synonyms":
        if gone := unheld(registry.synonyms):
            yield f"{plural(len(gone), 'term')} without a phrase of their own ({', '.join(gone[:5])})"
        return
    if chosen.holds == "test queries":
        yield from write_qrels(registry.test_queries).left_out if chosen.suffix == ".qrels" else ()
        return
    for name in TOOL_FIELDS[:-1]:
        count = sum(bool(getattr(tool, name)) for _, tool in named.values())
        if count and name not in chosen.fields:
            yield f"{name.replace('_', ' ')} of {plural(count, 'tool')}"
    if "more" not in chosen.fields:
        form = chosen.form
        more = Counter(key for _, tool in named.values() for key in tool.more if key != ORIGIN and not (form and form.holds(key)))
        if more:
            held = ", ".join(f"{key} of {plural(count, 'tool')}" for key, count in more.items())
            yield f"other fields: {held}"
    renamed = [f"{key} → {name}" for key, (name, tool) in named.items() if name != tool.name]
    if renamed:
        yield f"{plural(len(renamed), 'name')}: {', '.join(renamed[:5])}{', …' if len(renamed) > 5 else ''}"
    for what, count in (("synonym", len(registry.synonyms)), ("test query", len(registry.test_queries))):
        if count:
            yield f"{plural(count, what)}, with {'formats' if count > 1 else 'a format'} of {'their' if count > 1 else 'its'} own"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _lines(values: Iterable[Any]) -> str:
    return "".join(json.dumps(value, ensure_ascii=False, allow_nan=False) + "\n" for value in values)


def _declared(form: Form, named: Named) -> list[dict[str, Any]]:
    return [form.declare(tool, name) for name, tool in named.values()]


def _servers(form: Form, named: Named, key: str) -> list[dict[str, Any]]:
    servers: dict[str, list[dict[str, Any]]] = {}
    for name, tool in named.values():
        servers.setdefault(tool.group, []).append(form.declare(tool, name))
    return [{**({"server_name": group} if group else {}), key: tools} for group, tools in servers.items()]


def _own(registry: Registry, named: Named) -> str:
    return _json({"schema_version": SCHEMA_VERSION, "name": registry.name, "tools": _declared(OWN, named)})


_ALL = TOOL_FIELDS
EXPORT_FORMATS: Mapping[str, Format] = {
    "registry": Format("tools.json, with extra context in it", ".json", _own, _ALL),
    "jsonl": Format("JSON Lines, a tool a line", ".jsonl", lambda _, named: _lines(_declared(OWN, named)), _ALL),
    "csv": Format("a table (CSV)", ".csv", lambda _, named: write_rows(tool for _, tool in named.values()), _ALL),
    "tsv": Format("a table (TSV)", ".tsv", lambda _, named: write_rows((tool for _, tool in named.values()), "\t"), _ALL),
    "mcp": Format("MCP tools/list", ".json", lambda _, named: _json({"tools": _declared(MCP, named)}), form=MCP),
    "mcp-servers": Format(
        "MCP tools of several servers",
        ".json",
        lambda _, named: _json({"servers": _servers(MCP, named, "tools")}),
        (*_BARE, "group"),
        MCP,
        servers=True,
    ),
    "openai": Format("OpenAI tools", ".json", lambda _, named: _json(_declared(OPENAI, named)), form=OPENAI, legal=True),
    "anthropic": Format("Anthropic tools", ".json", lambda _, named: _json(_declared(ANTHROPIC, named)), form=ANTHROPIC, legal=True),
    "gemini": Format(
        "Gemini function declarations",
        ".json",
        lambda _, named: _json([{"functionDeclarations": _declared(GEMINI, named)}]),
        form=GEMINI,
        legal=True,
    ),
    "bedrock": Format("Bedrock tools", ".json", lambda _, named: _json(_declared(BEDROCK, named)), form=BEDROCK, legal=True),
    "langchain": Format("LangChain tools", ".json", lambda _, named: _json(_declared(LANGCHAIN, named)), (*_BARE, "tags"), LANGCHAIN),
    "gateway": Format(
        "registries of an MCP gateway",
        ".json",
        lambda _, named: _json(_servers(GATEWAY, named, "tool_list")),
        (*_BARE, "group"),
        GATEWAY,
        servers=True,
    ),
    "bfcl": Format("BFCL function documents", ".jsonl", lambda _, named: _lines(_declared(BFCL, named)), form=BFCL),
    "descriptions": Format(
        "{name: description}",
        ".json",
        lambda _, named: _json({name: tool.description for name, tool in named.values()}),
        ("name", "description"),
    ),
    "solr": Format(
        "synonyms of Solr", ".txt", lambda registry, _: "".join(f"{line}\n" for line in write_lines(registry.synonyms)), holds="synonyms"
    ),
    "elasticsearch": Format(
        "synonyms of Elasticsearch", ".json", lambda registry, _: _json(synonyms_set(registry.synonyms)), holds="synonyms"
    ),
    "queries-csv": Format("test queries (CSV)", ".csv", lambda registry, _: write_csv(registry.test_queries), holds="test queries"),
    "queries-jsonl": Format(
        "test queries (JSON Lines)", ".jsonl", lambda registry, _: write_jsonl(registry.test_queries), holds="test queries"
    ),
    "qrels": Format(
        "judgements (TREC qrels)", ".qrels", lambda registry, _: write_qrels(registry.test_queries).qrels, holds="test queries"
    ),
    "topics": Format("questions for qrels", ".tsv", lambda registry, _: write_qrels(registry.test_queries).topics, holds="test queries"),
}
