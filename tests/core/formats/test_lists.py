"""Where tools stand in documents of gateways, providers and logs: each list with its server, pages of one list put together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curator_core import Tool, import_tools, read_source

SCHEMA = {"type": "object", "properties": {"day": {"type": "string", "description": "Which day"}}, "required": ["day"]}
PAY = Tool("pay", "Pay a fee", parameters=SCHEMA)
BARE = {"name": "pay", "description": "Pay a fee"}
MCP = {**BARE, "inputSchema": SCHEMA}
SHOW = {"name": "show", "description": "Show all", "inputSchema": SCHEMA}
LISTED = [{"name": "day", "type": "str", "description": "Which day", "required": True}]
UNDERLINED = {"type_": "OBJECT", "properties": {"day": {"type_": "STRING", "description": "Which day"}}, "required": ["day"]}
SPECIFIED = {"toolSpec": {**BARE, "inputSchema": {"json": SCHEMA}}}

PLACES: list[tuple[Any, str, str]] = [
    ({"tools": [SPECIFIED]}, "Bedrock tools", ""),
    ({"toolConfig": {"tools": [SPECIFIED], "toolChoice": {"auto": {}}}}, "Bedrock tools", ""),
    ({"type": "session.update", "session": {"tools": [{"type": "function", **BARE, "parameters": SCHEMA}]}}, "OpenAI tools", ""),
    ({"contents": [], "tools": {"function_declarations": [{**BARE, "parameters": SCHEMA}]}}, "Gemini function declarations", ""),
    ({"function_declarations": [{**BARE, "parameters": UNDERLINED}]}, "Gemini function declarations", ""),
    ({"success": True, "data": [{"name": "desk", "status": "connected", "tools": [MCP], "prompts": []}]}, "MCP tools/list", "desk"),
    ({"mcpServers": {"desk": {"command": "x", "tools": [MCP]}}}, "MCP tools/list", "desk"),
    ({"tools": [{**MCP, "mcp_info": {"server_name": "desk"}}], "error": None}, "MCP tools/list", "desk"),
    ({"desk": {"result": {"tools": [MCP]}}}, "MCP tools/list in a JSON-RPC envelope", "desk"),
    ({"server": {"name": "x"}, "tools": [{**BARE, "args": LISTED}]}, "plain tools", ""),
    ({"tools": {"pay": {"description": "Pay a fee", "parameters": LISTED}}}, "tools by name", ""),
    ([{**BARE, "arguments": [{"name": "day", "type": "string", "desc": "Which day", "optional": False}]}], "plain tools", ""),
]


@pytest.mark.parametrize(("value", "shape", "server"), PLACES, ids=[f"{i} {shape}" for i, (_, shape, _) in enumerate(PLACES)])
def test_tools_are_found_where_they_stand(value: Any, shape: str, server: str) -> None:
    found = read_source(json.dumps(value))
    (tool,) = found.registry.tools
    assert (found.shape, tool.name, tool.description, tool.parameters, tool.group) == (shape, "pay", "Pay a fee", SCHEMA, server)


def pages(*cursors: str) -> list[dict[str, Any]]:
    return [{"tools": [tool], **({"nextCursor": cursor} if cursor else {})} for tool, cursor in zip((MCP, SHOW), cursors, strict=False)]


def test_all_pages_of_a_list_are_the_whole_list_and_a_missing_one_is_said(tmp_path: Path) -> None:
    whole = pages("2", "")
    answers = [{"jsonrpc": "2.0", "id": number, "result": page} for number, page in enumerate(whole)]
    for source in (whole, answers, "\n".join(map(json.dumps, answers))):
        found = read_source(source)
        assert found.registry.keys == ("pay", "show") and found.complete and found.problems == ()
    for number, page in enumerate(whole):
        (tmp_path / f"page{number}.json").write_text(json.dumps(page))
    together = read_source(tmp_path)
    assert together.registry.keys == ("pay", "show") and together.complete
    for source in (pages("2", "3"), pages("2")):
        found = read_source(source)
        assert not found.complete and "more tools exist (nextCursor)" in found.problems[-1].found


def test_a_page_of_one_server_is_not_made_whole_by_another_server() -> None:
    found = read_source({"files": pages("2")[0], "mail": {"tools": [SHOW]}})
    assert not found.complete and found.registry.keys == ("pay", "show")


def test_silence_says_nothing_where_an_entry_cannot_be_used() -> None:
    assert read_source({"tools": [MCP]}).complete
    assert not read_source({"tools": [MCP, {**SHOW, "description": ["x"]}]}).complete


def test_an_object_with_a_name_and_a_description_is_one_tool_and_not_a_list_of_its_fields() -> None:
    tool = import_tools({**BARE, "owner": "desk", "since": "2020"}).tools[0]
    assert (tool.name, tool.more) == ("pay", {"owner": "desk", "since": "2020"})
    found = read_source({"pay": "Pay a fee", "show": 7, "add": "Add a fee"})
    assert found.registry.keys == ("pay", "add") and 'tool 2 "show": description is the number 7' in str(found.problems[0])


def test_a_rule_of_synonyms_that_cannot_be_read_is_listed_and_the_others_count() -> None:
    found = read_source("# rules\ntablet => ipad\njust a word\na => b => c\nfee, dues\n", "synonyms.txt")
    assert (found.shape, found.registry.synonyms) == ("synonyms of Solr", {"ipad": ("tablet",), "fee": ("dues",), "dues": ("fee",)})
    assert [problem.where for problem in found.problems] == ["synonyms.txt, line 3", "synonyms.txt, line 4"]
    assert all("a rule is: a, b => c" in problem.fix for problem in found.problems)
