"""What a document is: its shape named, its tools and synonyms read, or the reason why it holds none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from curator_core.errors import Problem
from curator_core.files.json_source import JsonFault, broken
from curator_core.files.reading import read_tool
from curator_core.formats import elasticsearch, langchain, openapi, solr, table
from curator_core.formats.anthropic import ANTHROPIC
from curator_core.formats.bedrock import BEDROCK
from curator_core.formats.bfcl import BFCL
from curator_core.formats.document import Document
from curator_core.formats.entry import Form
from curator_core.formats.gateway import GATEWAY
from curator_core.formats.gemini import GEMINI
from curator_core.formats.langchain import LANGCHAIN
from curator_core.formats.listed_parameters import with_schema
from curator_core.formats.lists import Lot, each, lots_of
from curator_core.formats.mcp import MCP
from curator_core.formats.openai import FUNCTIONS, OPENAI
from curator_core.formats.own import OWN
from curator_core.formats.refusals import built_in
from curator_core.tool import Tool

FORMS = (BEDROCK, GATEWAY, LANGCHAIN, MCP, ANTHROPIC, OPENAI, BFCL, GEMINI, FUNCTIONS, OWN)  # the first that claims an entry reads it


@dataclass(frozen=True, slots=True)
class Placed:
    """A tool with its place. stated: the fields that its source speaks of, be it to say that they are empty. lot: which list it is of."""

    tool: Tool
    where: str
    stated: frozenset[str]
    lot: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """What a document holds. open: servers of which it holds a page that others follow; closed: those of which it holds a last page.

    whole: it is a list, not one tool alone.
    """

    shape: str
    tools: tuple[Placed, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    open: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    whole: bool = True
    name: str = ""


def recognise(document: Document) -> Found:
    """Return what a document holds. Raises JsonFault with the reason where it is no list of tools and no synonyms."""
    if document.value is None:
        return _of_text(document)
    if (lines := elasticsearch.synonym_lines(document.value)) is not None:
        return _synonyms("synonyms of Elasticsearch", document.name, lines)
    if (own := _own_synonyms(document.value)) is not None:
        return Found("domain_synonyms.json", synonyms=own)
    if openapi.is_openapi(document.value):
        return _of_openapi(document)
    return _of_lots(document, lots_of(document.value))


def _of_openapi(document: Document) -> Found:
    operations, remarks = openapi.operations(document.value)
    placed, problems = _placed(_in(document.name, operations))
    said = [
        Problem(f"{document.name}, {where}", found, fix) if where else Problem(document.name, found, fix, "warning")
        for where, found, fix in remarks
    ]
    return Found(openapi.kind(document.value), placed, problems=(*document.problems, *problems, *said))


def _of_lots(document: Document, lots: Sequence[Lot]) -> Found:
    tools: list[Placed] = []
    problems = list(document.problems)
    forms: Counter[str] = Counter()
    for number, lot in enumerate(lots):
        entries = []
        for where, entry in each(lot, document.lines):
            if (said := built_in(entry)) is not None:
                problems.append(Problem(f"{document.name}, {where}", *said, "warning"))
                continue
            form = _form(entry, lot)
            forms[form.shape] += 1
            entries.append((where, _plain(form, entry, lot) if isinstance(entry, dict) else entry))
        placed, found = _placed(_in(document.name, entries), number)
        tools += placed
        problems += found
    open_, closed = (frozenset(lot.server for lot in lots if lot.whole and lot.more is more) for more in (True, False))
    name = lots[0].name if len(lots) == 1 else ""
    whole = all(lot.whole for lot in lots) and bool(lots)
    return Found(_shape(lots, forms, document), tuple(tools), {}, tuple(problems), open_, closed, whole, name)


def _form(entry: Any, lot: Lot) -> Form:
    if lot.form is not None and isinstance(entry, dict) and lot.form.claims(entry):
        return lot.form
    found = next((form for form in FORMS if isinstance(entry, dict) and form.claims(entry)), OWN)
    return lot.form if lot.form is not None and found in (FUNCTIONS, OWN) else found


def _plain(form: Form, entry: dict[str, Any], lot: Lot) -> dict[str, Any]:
    plain = form.plain(entry)
    return _with_server(plain if lot.form is OWN else with_schema(plain), lot)


def _with_server(plain: dict[str, Any], lot: Lot) -> dict[str, Any]:
    """Return an entry with the server that it, or its list, names as its group."""
    if plain.get("group") or lot.form is OWN:
        return plain
    own = plain.get("server")
    if isinstance(own, str) and own.strip():
        return {**{key: value for key, value in plain.items() if key != "server"}, "group": own}
    told = plain.get("mcp_info")  # as the gateway LiteLLM says it beside each tool
    named = told.get("server_name") if isinstance(told, dict) else None
    server = named if isinstance(named, str) and named.strip() and not broken(named) else lot.server
    return {**plain, "group": server} if server else plain


def _in(name: str, entries: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    return ((f"{name}, {where}" if where else name, entry) for where, entry in entries)


def _placed(entries: Iterable[tuple[str, Any]], lot: int = 0) -> tuple[tuple[Placed, ...], tuple[Problem, ...]]:
    tools: list[Placed] = []
    problems: list[Problem] = []
    for place, entry in entries:
        tool, found = read_tool(place, entry)
        problems += found
        if tool is not None:
            tools.append(Placed(tool, place, frozenset(entry), lot))
    return tuple(tools), tuple(problems)


def _shape(lots: Sequence[Lot], forms: Counter[str], document: Document) -> str:
    """Name what was recognised, as an author would."""
    form = forms.most_common(1)[0][0] if forms else OWN.shape
    servers = {lot.server for lot in lots if lot.server}
    kind = document.written
    if len(servers) > 1:
        return f"{kind}{form} of {len(servers)} servers"
    if len(lots) > 1:
        return f"{kind}{form} in {len(lots)} lists"
    if lots and not lots[0].whole:
        return f"one tool ({form})"
    return kind + ((lots[0].shape or form) if lots else form)


def _of_text(document: Document) -> Found:
    """Return what a text holds that is neither JSON nor YAML: a table, synonyms, or a list rendered by LangChain."""
    name, text = document.name, document.text
    if (lines := langchain.rendered(text)) is not None:
        placed, problems = _placed([(f"{name}, line {line}", tool) for line, tool in lines])
        return Found("lines of name - description (LangChain)", placed, problems=problems)
    rows = table.read_rows(name, text)
    if rows is not None:
        return _of_rows(*rows)
    if solr.looks_like_synonyms(text) and not name.casefold().endswith((".csv", ".tsv")):
        numbered = [(f"line {number}", line) for number, line in enumerate(text.splitlines(), 1)]
        return _synonyms("synonyms of Solr", name, numbered)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    raise JsonFault(
        f"no list of tools is recognised in a text that begins with “{first[:60]}”",
        "give JSON, JSON Lines, YAML, or a table whose first line names the columns name and description",
    )


def _of_rows(rows: Sequence[table.Row], about: tuple[Problem, ...]) -> Found:
    tools, problems = _placed((where, entry) for where, entry, _ in rows if entry)
    return Found("a table (CSV or TSV)", tools, problems=(*about, *(one for _, _, found in rows for one in found), *problems))


def _synonyms(shape: str, name: str, lines: Iterable[tuple[str, str]]) -> Found:
    rules, problems = solr.read_synonyms(name, lines)
    if not rules:
        raise JsonFault("synonyms without a rule", "a rule is: a, b => c, or: a, b, c")
    return Found(shape, synonyms=rules, problems=problems)


def _own_synonyms(value: Any) -> dict[str, tuple[str, ...]] | None:
    if not isinstance(value, dict) or not value or broken(value):
        return None
    if value.keys() <= {"tools", "functions", "names"}:
        return None  # a list of tools by their names alone
    texts = all(isinstance(said, list) and all(isinstance(one, str) for one in said) for said in value.values())
    return {term: tuple(said) for term, said in value.items()} if texts and any(value.values()) else None
