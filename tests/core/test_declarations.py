from __future__ import annotations

import json
import re
from typing import Any

import pytest

from curator_core import Curator, CuratorError, Registry, Tool, UnknownName, build_index, import_tools, legal_names
from curator_core.declarations import Cost, declaration, declaration_cost, declarations_of
from tests.core.fakes import FakeEncoder

SCHEMA = {"type": "object", "properties": {"day": {"type": "string"}}}
REGISTRY = Registry(tools=(Tool("a", "Does a", extra_context="for retrieval", parameters=SCHEMA), Tool("b", "Does b")))


def test_a_declaration_has_name_description_and_parameters_and_no_extra_context() -> None:
    declared = declaration(REGISTRY.tool("a"))
    assert declared == {"type": "function", "function": {"name": "a", "description": "Does a", "parameters": SCHEMA}}
    assert declaration(REGISTRY.tool("b"))["function"]["parameters"] == {"type": "object", "properties": {}}


def test_the_cost_is_that_of_all_declarations_together() -> None:
    one, two = (declaration_cost(REGISTRY, [key], FakeEncoder()) for key in ("a", "b"))
    both = declaration_cost(REGISTRY, ["a", "b"], FakeEncoder())
    assert both.tools == 2 and both.characters == one.characters + two.characters
    assert both.tokens is not None and both.tokens == (one.tokens or 0) + (two.tokens or 0) > 0
    assert declaration_cost(REGISTRY, ["a"]).tokens is None


def test_no_tools_cost_nothing_and_unknown_ones_are_an_error() -> None:
    assert declaration_cost(REGISTRY, [], FakeEncoder()).tokens == 0
    with pytest.raises(UnknownName):
        declaration_cost(REGISTRY, ["zz"])


def test_a_share_is_counted_in_tokens_and_in_characters_where_there_are_none() -> None:
    assert Cost(1, 300, 20).share_of(Cost(4, 900, 80)) == 0.25
    assert Cost(1, 300, None).share_of(Cost(4, 900, None)) == pytest.approx(1 / 3)
    assert Cost(0, 0, 0).share_of(Cost(0, 0, 0)) == 0


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("openai", {"type": "function", "function": {"name": "a", "description": "Does a", "parameters": SCHEMA, "strict": True}}),
        ("anthropic", {"name": "a", "description": "Does a", "input_schema": SCHEMA, "strict": True}),
        (
            "gemini",
            {
                "name": "a",
                "description": "Does a",
                "parameters": {"type": "OBJECT", "properties": {"day": {"type": "STRING"}}},
            },
        ),
        ("mcp", {"name": "a", "description": "Does a", "inputSchema": SCHEMA, "annotations": {"title": "A"}}),
    ],
)
def test_an_answer_is_declared_as_each_api_takes_it(format: Any, expected: dict[str, Any]) -> None:
    tool = Tool("a", "Does a", "for retrieval", parameters=SCHEMA, more={"strict": True, "annotations": {"title": "A"}, "origin": {}})
    curator = Curator(build_index(Registry(tools=(tool, Tool("b", "Does b"))), FakeEncoder()))
    trace = curator.curate("does a")
    assert trace.tools == ("a", "b")
    first, second = curator.declarations(trace, format)
    assert first == expected
    assert second["name" if format != "openai" else "type"] in ("b", "function") and "retrieval" not in json.dumps([first, second])
    assert import_tools({"functionDeclarations": [first]} if format == "gemini" else [first]).tools[0].parameters == SCHEMA
    assert curator.declarations(trace) == curator.declarations(trace, "openai")
    with pytest.raises(CuratorError, match="there are: openai, anthropic, gemini, mcp"):
        curator.declarations(trace, "xml")  # type: ignore[arg-type]


def test_gemini_gets_as_json_schema_what_its_own_cannot_say() -> None:
    schema = {"type": "object", "properties": {"x": {"type": ["string", "null"]}, "type": {"type": "string", "enum": ["a"]}}}
    registry = Registry(
        tools=(Tool("a", parameters=schema), Tool("b", parameters={"type": "object", "properties": {"type": {"type": "null"}}}))
    )
    a, b = declarations_of(registry, ["a", "b"], "gemini")
    assert a["parametersJsonSchema"] == schema and "parameters" not in a
    assert b["parameters"] == {"type": "OBJECT", "properties": {"type": {"type": "NULL"}}}


def test_names_are_made_legal_and_equal_ones_told_apart_by_their_tool_alone() -> None:
    long = "x" * 70
    tools = (
        *(Tool(name) for name in ("plain-name_1", "get user/by id", "点菜", "7up", long, long + "y", "a.b", "a b", "a_b")),
        *(Tool("search", group=group) for group in ("files", "mail")),
        *(Tool("twice"), Tool("twice")),
    )
    registry = Registry(tools=tools)
    names = legal_names(registry)
    assert list(names) == list(registry.keys) and len(set(names.values())) == len(tools)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name) for name in names.values())
    assert (names["plain-name_1"], names["get user/by id"], names["7up"], names["a_b"]) == ("plain-name_1", "get_user_by_id", "_7up", "a_b")
    assert (names["search@files"], names["search@mail"], names["twice#1"], names["twice#2"]) == (
        "files_search",
        "mail_search",
        "twice_1",
        "twice_2",
    )
    assert names[long].startswith("x" * 55 + "_") and names["点菜"].startswith("tool_")
    assert legal_names(registry, ["search@mail", "a_b"]) == {"search@mail": "mail_search", "a_b": "a_b"}
    fewer = legal_names(Registry(tools=tools[:5]))
    assert all(names[key] == name for key, name in fewer.items())
