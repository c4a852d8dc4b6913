"""Tool lists of every shape, small and written by hand: recognised, read, and complained about entry by entry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curator_core import Registry, RegistryError, Tool, import_tools, read_source, save_registry

SCHEMA = {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}
PAY = Tool("pay", "Pay a fee", parameters=SCHEMA)
MCP = {"name": "pay", "description": "Pay a fee", "inputSchema": SCHEMA}
FUNCTION = {"name": "pay", "description": "Pay a fee", "parameters": SCHEMA}
SHOUTED = {"type": "OBJECT", "properties": {"day": {"type": "STRING"}}, "required": ["day"]}
BARE = {"name": "pay", "description": "Pay a fee"}

SHAPES: list[tuple[Any, str]] = [
    ({"tools": [MCP]}, "MCP tools/list"),
    ([MCP], "MCP tools"),
    ({"jsonrpc": "2.0", "id": 1, "result": {"tools": [MCP]}}, "MCP tools/list in a JSON-RPC envelope"),
    (MCP, "one tool (MCP tools)"),
    ([{"type": "function", "function": FUNCTION}], "OpenAI tools"),
    ({"model": "m", "messages": [], "tools": [{"type": "function", "function": FUNCTION}]}, "OpenAI tools"),
    ([{"type": "function", **FUNCTION}], "OpenAI tools"),
    ({"functions": [FUNCTION]}, "OpenAI functions"),
    ([{**BARE, "input_schema": SCHEMA}], "Anthropic tools"),
    ({"tools": [{"functionDeclarations": [{**BARE, "parameters": SHOUTED}]}]}, "Gemini function declarations"),
    ([{"function_declarations": [{**BARE, "parametersJsonSchema": SCHEMA}]}], "Gemini function declarations"),
    ([{**BARE, "args_schema": SCHEMA}], "LangChain tools"),
    ([{**BARE, "parameters": {**SCHEMA, "type": "dict"}}], "BFCL function documents"),
    ({"schema_version": 1, "name": "own", "tools": [FUNCTION]}, "tools.json of a registry"),
    ({"pay": {"description": "Pay a fee", "inputSchema": SCHEMA}}, "tools by name"),
    (f"{json.dumps(MCP)}\n\n{json.dumps(MCP | {'name': 'b'})}\n", "JSON Lines of MCP tools"),
    (f"tools:\n- name: pay\n  description: Pay a fee\n  inputSchema: {json.dumps(SCHEMA)}\n", "MCP tools/list"),
    (
        f"name\tdescription\tparameters\npay\tPay a fee\t{json.dumps(json.dumps(SCHEMA))[1:-1].replace(chr(92), '')}\n",
        "a table (CSV or TSV)",
    ),
]


@pytest.mark.parametrize(("source", "shape"), SHAPES, ids=[f"{number} {shape}" for number, (_, shape) in enumerate(SHAPES)])
def test_each_shape_is_named_and_gives_the_same_tool(source: Any, shape: str) -> None:
    found = read_source(source)
    assert found.shape == shape
    assert found.registry.tools[0] == PAY
    again = read_source(json.dumps(source)) if not isinstance(source, str) else read_source(source.encode("utf-16"))
    assert (again.shape, again.registry.tools) == (shape, found.registry.tools)


def test_names_with_descriptions_alone_are_tools() -> None:
    found = read_source({"pay": "Pay a fee", "show": "Show all"})
    assert (found.shape, found.registry.tools) == ("{name: description}", (Tool("pay", "Pay a fee"), Tool("show", "Show all")))
    assert import_tools({"tools": {"pay": "Pay a fee", "show": "Show all"}}).tools == found.registry.tools
    assert import_tools('\ufeff{"pay": "Pay a fee", "show": "Show all"}').tools == found.registry.tools
    assert read_source("pay - Pay a fee\nshow(day: str) - Show all").registry.tools == found.registry.tools
    assert read_source("pay(day: str) -> str - Pay a fee\nshow() - Show all\n").registry.tools == found.registry.tools


def test_a_gateway_keeps_a_docstring_in_parts() -> None:
    entry = {"name": "pay", "parsed_description": {"main": "Pay a fee", "args": "day: when"}, "schema": SCHEMA}
    tool = import_tools({"server_name": "desk", "tool_list": [entry]}).tools[0]
    assert tool == Tool("pay", "Pay a fee", group="desk", parameters=SCHEMA, more={"parsed_description": {"args": "day: when"}})


def test_other_fields_are_kept() -> None:
    tool = import_tools([MCP | {"annotations": {"readOnlyHint": True}, "_meta": {"x": [1]}}]).tools[0]
    assert tool.more == {"annotations": {"readOnlyHint": True}, "_meta": {"x": [1]}}


def test_equal_names_of_several_servers_are_both_kept_and_the_clash_is_reported() -> None:
    servers = {"files": {"tools": [MCP]}, "mail": {"tools": [MCP | {"description": "Pay by mail"}]}}
    for source in (servers, {"servers": servers}, [{"server_name": name, **one} for name, one in servers.items()]):
        found = read_source(source)
        assert found.registry.keys == ("pay@files", "pay@mail") and found.shape == "MCP tools of 2 servers"
        assert any("the name stands 2 times" in problem.found and "group mail" in problem.found for problem in found.problems)
    assert import_tools({"tools": [MCP, MCP]}).keys == ("pay#1", "pay#2")
    entries = [{**BARE, "server": "files"}, {**BARE, "server": "mail"}]
    assert import_tools(entries).tools == tuple(Tool("pay", "Pay a fee", group=name) for name in ("files", "mail"))


def test_lists_among_other_things_are_read_and_the_same_tool_counts_once() -> None:
    declared = {"functionDeclarations": [FUNCTION]}
    assert import_tools({"tools": [declared, {"googleSearch": {}}]}).keys == ("pay",)
    log = [{"jsonrpc": "2.0", "method": "initialize"}, {"id": 1, "result": {"serverInfo": {}}}, {"id": 2, "result": {"tools": [MCP]}}]
    assert import_tools(log).keys == ("pay",)
    chats = "".join(json.dumps({"messages": [], "tools": [{"type": "function", "function": FUNCTION}]}) + "\n" for _ in range(3))
    found = read_source(chats)
    assert found.registry.keys == ("pay",) and found.shape == "JSON Lines of OpenAI tools in 3 lists"
    assert [one.found for one in found.problems] == ["1 of the tools stand in another list too, with the same words: pay"]
    assert import_tools([{"id": "q1", "question": "?", "function": [{**BARE, "parameters": {**SCHEMA, "type": "dict"}}]}]).tools == (PAY,)


def test_bad_entries_are_listed_with_place_and_reason_and_good_ones_load() -> None:
    texts = [{"name": "ok", "description": "fine"}, {"name": "a"}, {"name": "b", "description": None}, {"name": "d", "description": ["x"]}]
    found = read_source({"tools": [*texts, {"name": 7}, {"description": "nameless"}, "just a text", None]}, "mine.json")
    assert [tool.name for tool in found.registry.tools] == ["ok", "a", "b"]
    said = [str(problem) for problem in found.problems]
    assert said[0].startswith('mine.json, tool 4 "d": description is a list')
    assert [one.split(";")[0] for one in said[1:5]] == [
        "mine.json, tool 5: its name is the number 7",
        'mine.json, tool 6: it has no "name"',
        'mine.json, tool 7: found the text "just a text"',
        "mine.json, tool 8: found null",
    ]
    assert [one.split(";")[0] for one in said[5:]] == ['mine.json, tool 2 "a": no description', 'mine.json, tool 3 "b": no description']


def test_lines_and_rows_are_named_by_their_line() -> None:
    lines = read_source('{"name": "a", "description": "A."}\n{"name": 3}\n{"name": \n{"name": "b", "description": "B."}', "x.jsonl")
    assert [tool.name for tool in lines.registry.tools] == ["a", "b"]
    assert {problem.where for problem in lines.problems} == {"x.jsonl, line 2", "x.jsonl, line 3"}
    rows = read_source('name,description,parameters\na,"two\nlines",{}\n,nameless,\nb,B.,{"x\nc,C.,,x\n', "x.csv")
    assert [tool.name for tool in rows.registry.tools] == ["a", "b"] and rows.registry.tools[0].description == "two\nlines"
    assert {problem.where for problem in rows.problems} == {"x.csv, line 4", "x.csv, line 5", "x.csv, line 6"}


REFUSED: list[tuple[Any, str]] = [
    ({"mcpServers": {"a": {"command": "npx"}}}, "this lists servers, not tools"),
    ({"servers": [{"name": "a", "description": "b", "packages": []}]}, "this lists servers, not tools"),
    ({"jsonrpc": "2.0", "id": 1, "error": {"code": -1, "message": "no auth"}}, "a server's error"),
    ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, "not the answer"),
    ({"id": "1", "object": "chat.completion", "choices": [{"message": {"content": "Hi"}}]}, "a model's answer"),
    ({"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [{"type": "text", "text": "Hi"}]}, "a model's answer"),
    ([{"id": "c", "type": "function", "function": {"name": "pay", "arguments": "{}"}}], "calls of tools, not the tools"),
    ({"type": "tool_use", "id": "t", "name": "pay", "input": {}}, "a call of a tool, not the tool"),
    ({"tools": None}, 'an object with "tools"'),
    ({"type": "object", "properties": {}}, "JSON Schema"),
    ({"info": {"_postman_id": "1"}, "item": []}, "Postman"),
    ([{"query": "q", "expected": []}], "test questions"),
    ({"name": "x", "version": "1.0", "dependencies": {}}, 'an object with "name"'),
    ([1, 2], "no name"),
    ({"openapi": "3.1.0", "info": {"title": "x"}}, "without operations"),
    ("", "nothing in it"),
    ("<html>", "web page"),
    (b"PK\x03\x04xx", "Excel"),
    (b"\xff", "not UTF-8 text"),
    ('[{"name":"a",}]', "line 1, column 14.*remove the comma"),
    ('[{"name":"a"} // c\n]', "no comments"),
    ('{"name":"a","weight":NaN}', "NaN is not JSON"),
    ("[" * 100_000 + "]" * 100_000, "nested more than 200 deep"),
    ("- " * 300 + "x\n", "nested more than 200 deep"),
    ("a: &a [*a]\n", "inside what it names"),
    ("tools: !!python/object:os.system [x]\n", "the tag"),
    (
        "\n".join(["a0: &a0 [x, x]", *(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]" for n in range(1, 30))]),
        "more than 2,000,000 values",
    ),
    ("one two three\nfour\n", "no list of tools is recognised"),
    ("day,amount\n1,2\n", "no list of tools is recognised"),
    ("no_such_file.json", "no such file"),
    (7, "found int"),
]


@pytest.mark.parametrize(("source", "reason"), REFUSED, ids=[reason for _, reason in REFUSED])
def test_what_is_no_tool_list_is_refused_with_the_reason(source: Any, reason: str) -> None:
    with pytest.raises(RegistryError, match=reason):
        import_tools(source)


def test_doubled_keys_are_reported_and_half_letters_refused_by_name() -> None:
    found = read_source('{"get_user": "first",\n"get_user": "second"}', "x.json")
    assert found.registry.tools == (Tool("get_user", "second"),)
    assert "x.json, line 2" in {problem.where for problem in found.problems}
    assert "half a letter" in str(read_source("x => y\na\ud800 => b\n").problems[0])
    assert read_source({"name": "\ud800", "tools": [MCP]}).registry.name == ""
    assert "half a letter" in str(read_source('[{"name": "a"}, {"name": "b", "description": "\\ud800"}]').problems[0])


def test_yaml_keeps_texts_that_older_readers_turn_into_something_else() -> None:
    text = "tools:\n- name: no\n  description: 12:30\n- {name: 0123, description: 2024-01-01}\n- {name: yes, description: off}\nx: 1\n"
    assert import_tools(text).tools == (Tool("no", "12:30"), Tool("0123", "2024-01-01"), Tool("yes", "off"))
    merged = "base: &b {description: Same}\ntools:\n- {<<: *b, name: a}\n- {<<: *b, name: b, description: Own}\n"
    assert import_tools(merged).tools == (Tool("a", "Same"), Tool("b", "Own"))


def test_comments_of_yaml_cannot_be_kept_which_is_said_and_what_stands_in_a_text_is_none() -> None:
    tools = "tools:\n- name: pay  # all of it\n  description: |\n    # Paying\n    Pay a fee.\n\n"
    text = f"# ours\n{tools}  # by hand\n- {{name: b, description: '#b'}}\n"
    found = read_source(text, "x.yaml")
    assert found.registry.tools == (Tool("pay", "# Paying\nPay a fee.\n"), Tool("b", "#b"))
    assert [problem.found for problem in found.problems] == ["its comments, the first on line 1, cannot be kept: a registry is JSON"]


def test_operations_are_called_by_their_id_or_by_method_and_path() -> None:
    ref = {"$ref": "#/components/schemas/Pet"}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Pets"},
        "paths": {
            "/pets/{petId}": {
                "parameters": [{"name": "petId", "in": "path", "required": True, "schema": {"type": "string"}}],
                "get": {"summary": "Show a pet", "tags": ["pets"]},
                "put": {"operationId": "twice", "requestBody": {"required": True, "content": {"application/json": {"schema": ref}}}},
            },
            "/pets": {"post": {"operationId": "twice", "description": "Add."}, "get": {"operationId": "listPets", "description": "List."}},
        },
        "components": {
            "schemas": {"Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "kin": ref}}}
        },
    }
    show, change, add, list_ = import_tools(document).tools
    assert [tool.name for tool in (show, change, add, list_)] == ["get_pets_by_petId", "put_pets_by_petId", "post_pets", "listPets"]
    assert (show.description, show.tags, show.group, show.more) == ("Show a pet", ("pets",), "Pets", {"operation": "GET /pets/{petId}"})
    assert show.parameters == {"type": "object", "properties": {"petId": {"type": "string"}}, "required": ["petId"]}
    assert change.parameters is not None and list(change.parameters["properties"]) == ["petId", "name", "kin"]
    assert change.parameters["required"] == ["petId", "name"] and change.parameters["properties"]["kin"] == {"$ref": "#/$defs/Pet"}
    assert change.parameters["$defs"]["Pet"]["properties"]["kin"] == {"$ref": "#/$defs/Pet"}
    assert add.parameters is None


def test_an_operation_that_refers_to_very_many_schemas_is_cut_and_said() -> None:
    schemas = {f"S{i}": {"type": "object", "properties": {"next": {"$ref": f"#/components/schemas/S{i + 1}"}}} for i in range(50)}
    body = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}}
    document = {"openapi": "3.0.0", "info": {}, "paths": {"/x": {"post": {"summary": "X", "requestBody": body}}}}
    found = read_source({**document, "components": {"schemas": schemas}})
    assert found.problems[0].found == "1 operation refers to more than 30 schemas: POST /x"
    parameters = found.registry.tools[0].parameters
    assert parameters is not None and len(parameters["$defs"]) == 30 and parameters["$defs"]["S30"]["properties"] == {"next": {}}


def test_long_lines_are_read_in_no_time_or_refused() -> None:
    for text in ("a, " * 400_000 + "b => c\nd => e\n", "\\" * 200_000 + " => b\nc => d\n", "a" + "()" * 200_000 + "\n\n"):
        with pytest.raises(RegistryError):
            import_tools(text)
    found = read_source({"synonyms_set": [{"synonyms": "\\," * 10_000}, {"synonyms": "a => b"}]})
    assert found.problems[0].found == "a rule of 20,000 characters" and found.registry.synonyms == {"b": ("a",)}


def test_swagger_parameters_and_bodies_become_one_schema() -> None:
    body = {"name": "b", "in": "body", "schema": {"type": "array", "items": {"$ref": "#/definitions/X"}}}
    day = {"name": "day", "in": "query", "type": "string", "description": "Which day"}
    document = {"swagger": "2.0", "paths": {"/x": {"post": {"parameters": [day, body]}}}, "definitions": {"X": {"type": "integer"}}}
    tool = import_tools(document).tools[0]
    assert tool.parameters == {
        "type": "object",
        "properties": {
            "day": {"type": "string", "description": "Which day"},
            "body": {"type": "array", "items": {"$ref": "#/$defs/X"}},
        },
        "$defs": {"X": {"type": "integer"}},
    }


@pytest.mark.parametrize(
    "source",
    [
        "tablet => ipad\nbalance, remaining credit",
        {"synonyms_set": [{"id": "1", "synonyms": "tablet => ipad"}, {"synonyms": "balance, remaining credit"}]},
        {"settings": {"analysis": {"filter": {"s": {"type": "synonym", "synonyms": ["tablet => ipad", "balance, remaining credit"]}}}}},
        {"ipad": ["tablet"], "balance": ["remaining credit"], "remaining credit": ["balance"]},
    ],
)
def test_synonyms_are_read_from_every_form_with_their_direction(source: Any) -> None:
    found = read_source(source)
    assert found.registry.synonyms == {"ipad": ("tablet",), "balance": ("remaining credit",), "remaining credit": ("balance",)}
    assert found.registry.tools == ()


def test_files_of_a_folder_are_servers_pages_are_one_list_and_single_tools_have_no_server(tmp_path: Path) -> None:
    (tmp_path / "mail.json").write_text(json.dumps({"tools": [MCP]}))
    (tmp_path / "files.json").write_text(json.dumps({"tools": [MCP | {"description": "B"}]}))
    (tmp_path / "bad.json").write_text("{")
    found = read_source(tmp_path)
    assert found.registry.keys == ("pay@files", "pay@mail") and [origin.source for origin in found.origins] == ["files.json", "mail.json"]
    assert found.problems[0].where == "bad.json" and not found.complete
    for name, page in (("mail.json", {"tools": [MCP], "nextCursor": "2"}), ("files.json", {"tools": [MCP, MCP | {"name": "b"}]})):
        (tmp_path / name).write_text(json.dumps(page))
    (tmp_path / "bad.json").write_text(json.dumps(MCP | {"name": "alone"}))
    assert read_source(str(tmp_path)).registry.keys == ("alone", "pay", "b")


def test_a_registry_folder_is_imported_whole(tmp_path: Path) -> None:
    registry = Registry("own", (Tool("a", "A.", "words", ("staff",), tags=("t",), examples=("e",)),), {"fee": ("dues",)})
    save_registry(registry, tmp_path / "own")
    found = read_source(tmp_path / "own")
    assert (found.shape, found.registry) == ("a registry folder", registry)
