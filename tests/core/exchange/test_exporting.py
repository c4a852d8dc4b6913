"""A registry in the formats that others read: read back it is the same, and what a format cannot hold is said."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from curator_core import EXPORT_FORMATS, CuratorError, Registry, TestQuery, Tool, UnknownName, export_registry, import_tools, save_registry
from curator_core.cli import main
from curator_core.queries.query_files import read_query_file
from tests.laws import examples

SCHEMA = {"type": "object", "properties": {"day": {"type": "string"}, "type": {"type": "number"}}, "required": ["day"]}
TOOLS = (
    Tool("pay", "=Pay\n“a” fee", parameters=SCHEMA),
    Tool(
        "show_all",
        "",
        parameters={**SCHEMA, "$defs": {"X": {"type": ["null", "string"]}}},
    ),
    Tool("no_parameters", "Nothing to pass, Größe 点"),
    Tool("open", "Anything", parameters={"type": "object"}),
)
FULL = Tool(
    "full", "Has all", "words", ("a", "b, c"), "desk", ("t",), ("how, when?", "why"), SCHEMA, {"annotations": {"x": 1}, "origin": {}}
)
OWN = ("registry", "jsonl", "csv", "tsv")
MORE = {
    "mcp": {"annotations": {"readOnlyHint": True}, "title": "T"},
    "openai": {"strict": True},
    "anthropic": {"cache_control": {"type": "ephemeral"}},
    "gemini": {"response": {"type": "STRING"}},
    "bedrock": {"strict": True},
    "langchain": {"return_direct": False},
    "gateway": {"parsed_description": {"args": "x"}},
    "bfcl": {"response": {"type": "dict"}},
}


@pytest.mark.parametrize("format", [name for name, one in EXPORT_FORMATS.items() if one.holds == "tools"])
def test_what_is_exported_is_imported_as_the_same(format: str) -> None:
    chosen, tools = EXPORT_FORMATS[format], TOOLS
    if format == "descriptions":
        tools = tuple(replace(tool, parameters=None) for tool in tools)
    tools = (replace(tools[0], more=MORE.get(format, {})), *tools[1:])
    if "tags" in chosen.fields:
        tools = (replace(tools[0], tags=("t", "u")), *tools[1:])
    if "group" in chosen.fields:
        tools = (*tools, *(replace(tool, group="mail") for tool in tools[:2]))
    tools = (*tools, FULL) if format in OWN else tools
    exported = export_registry(Registry("r", tools), format)
    assert exported.left_out == ()
    again = import_tools(exported.text)
    assert again.tools == tools
    assert export_registry(again, format).text == exported.text


text = some.text(some.characters(codec="utf-8", exclude_characters="\x00"), max_size=8)
word = some.text("ab=@'|,;[\"- \t", max_size=4).map(lambda value: f"x{value}y")
tools = some.builds(
    Tool,
    word,
    text,
    text.map(str.strip),
    *(some.lists(word, max_size=2).map(tuple), word, *(some.lists(word, max_size=2).map(tuple) for _ in range(2))),
    some.one_of(some.none(), some.dictionaries(text, text, max_size=2)),
)


@pytest.mark.parametrize("format", OWN)
@given(tool=tools)
def test_own_formats_hold_every_tool(format: str, tool: Tool) -> None:
    again = import_tools(export_registry(Registry("r", (tool, Tool("b", "B"))), format).text)
    assert again.tools == (tool, Tool("b", "B"))


name = some.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True)
type_ = some.sampled_from(["string", "integer", "boolean", ["string", "null"]])
leaf = some.fixed_dictionaries({}, optional={"type": type_, "description": text, "default": text, "enum": some.lists(text, min_size=1)})
key = some.sampled_from(["type", "name", "a", "properties", "enum", "default", "args"])
nested = some.builds(lambda inner: {"type": "object", "properties": inner}, some.dictionaries(key, leaf, max_size=2))
listed = some.builds(lambda inner: {"type": "array", "items": inner}, leaf | nested)
parameters = some.none() | some.fixed_dictionaries(
    {"type": some.just("object"), "properties": some.dictionaries(key, leaf | nested | listed, min_size=1, max_size=3)},
    optional={"required": some.lists(key, max_size=2), "additionalProperties": some.booleans(), "description": text, "x-order": text},
)


@pytest.mark.parametrize("format", [name for name, one in EXPORT_FORMATS.items() if one.holds == "tools"])
@examples(8)
@given(drawn=some.dictionaries(name, some.tuples(text, parameters, some.sampled_from(["", "desk", "mail"])), min_size=2, max_size=3))
def test_every_format_gives_back_whatever_it_can_hold(format: str, drawn: dict[str, tuple[str, Any, str]]) -> None:
    fields = EXPORT_FORMATS[format].fields
    whole = (Tool(name, said, parameters=schema, group=group) for name, (said, schema, group) in drawn.items())
    tools = [Tool(**{field: getattr(tool, field) for field in ("name", *fields) if field != "more"}) for tool in whole]
    exported = export_registry(Registry("r", tuple(tools)), format)
    assert exported.left_out == ()
    assert {tool.name: tool for tool in import_tools(exported.text).tools} == {tool.name: tool for tool in tools}


def test_what_a_format_cannot_hold_is_said() -> None:
    tools = (FULL, Tool("search", "A", group="files"), Tool("search", "B", group="mail"), Tool("ask a", "C"))
    registry = Registry("r", tools, {"fee": ("dues",)}, (TestQuery("q", ("full",)),))
    exported = export_registry(registry, "openai")
    assert exported.left_out == (
        "extra context of 1 tool",
        "roles of 1 tool",
        "group of 3 tools",
        "tags of 1 tool",
        "examples of 1 tool",
        "other fields: annotations of 1 tool",
        "3 names: search@files → files_search, search@mail → mail_search, ask a → ask_a",
        "1 synonym, with a format of its own",
        "1 test query, with a format of its own",
    )
    assert [one["function"]["name"] for one in json.loads(exported.text)] == ["full", "files_search", "mail_search", "ask_a"]
    assert not [said for said in export_registry(registry, "mcp-servers").left_out if "names" in said or "group" in said]
    assert export_registry(registry, "mcp", ["ask a"]).left_out[0].startswith("1 synonym,")
    with pytest.raises(UnknownName, match="there are: registry, jsonl"):
        export_registry(registry, "xml")
    with pytest.raises(CuratorError, match="half a letter"):
        export_registry(Registry("r", (Tool("a", "\ud800"),)), "csv")


@pytest.mark.parametrize("format", ["solr", "elasticsearch"])
def test_synonyms_are_read_back_with_their_order_and_odd_signs(format: str) -> None:
    synonyms = {"ipad": ("tablet", "slate, big"), "slate": ("tablet",), "a=>b": ("#c", "d\\e"), "CV": ("résumé",)}
    exported = export_registry(Registry("r", synonyms={**synonyms, "x": (), "leave": ("leave",)}), format)
    assert import_tools(exported.text).synonyms == synonyms
    assert exported.left_out == ("2 terms without a phrase of their own (x, leave)",)


def test_no_cell_starts_a_formula() -> None:
    exported = export_registry(Registry("r", (Tool("@a", "=1+1", "+2", group="-3"),)), "csv")
    assert "'@a,'=1+1,'+2" in exported.text and ",'-3," in exported.text


def test_test_queries_are_exported_in_three_formats() -> None:
    queries = (TestQuery("how do I pay", ("pay",)), TestQuery("sun", (), note="none"))
    registry = Registry("r", TOOLS, test_queries=queries)
    texts = {name: export_registry(registry, name) for name in ("queries-csv", "queries-jsonl", "qrels", "topics")}
    for name in ("queries-csv", "queries-jsonl"):
        assert tuple(row.case for row in read_query_file(f"q{texts[name].suffix}", texts[name].text).rows) == queries
    read = read_query_file("a.qrels", texts["qrels"].text, "topics", texts["topics"].text)
    assert read.rows[0].case == queries[0] and "no tool applies" in texts["qrels"].left_out[0]


def test_the_command_writes_to_the_output_or_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save_registry(Registry("r", (Tool("pay", "Pay", "dues"), Tool("grade", "Grade", roles=("staff",)))), tmp_path / "r")

    def run(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["tool-curator", "export", str(tmp_path / "r"), *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return (int(ended.value.code or 0), *capsys.readouterr())

    status, out, err = run("--format", "mcp")
    assert status == 0 and [one["name"] for one in json.loads(out)["tools"]] == ["pay", "grade"]
    assert "mcp cannot hold: extra context of 1 tool" in err
    assert run("--format", "csv", "--role", "staff", "--out", tmp_path / "x.csv")[1:] == ("", "")
    assert import_tools(tmp_path / "x.csv").keys == ("pay", "grade")
    assert run("--format", "xml")[0] == 2


def test_one_changed_word_leaves_everything_else_of_a_foreign_file_as_it_was() -> None:
    entry = {
        "_meta": {"ui": {"visibility": ["model"]}},
        "annotations": {"title": "Größe", "readOnlyHint": False},
        "description": "Create a ticket.",
        "inputSchema": {
            "properties": {"b": {"type": "string"}, "a": {"type": "number"}},
            "required": ["b"],
            "type": "object",
            "x-order": [2, 1],
        },
        "name": "create",
        "outputSchema": {"type": "object"},
    }
    registry = import_tools({"tools": [entry]})
    exported = export_registry(registry.with_edits([registry.edit("create", "description", "Create an issue.")]), "mcp")
    (after,) = json.loads(exported.text)["tools"]
    assert after == {**entry, "description": "Create an issue."} and exported.left_out == ()
    assert "Größe" in exported.text and list(after["inputSchema"]["properties"]) == ["b", "a"]
