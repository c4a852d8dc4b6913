"""Documents that people take for a list of tools: settings of agents, other descriptions of APIs, what servers list beside tools."""

from __future__ import annotations

import json
from typing import Any

import pytest

from curator_core import RegistryError, import_tools, read_source

SERVER = {"command": "npx", "args": ["-y", "files"]}
SETTINGS: dict[str, tuple[Any, str]] = {
    "Claude, Cursor, Gemini": ({"theme": "dark", "mcpServers": {"files": SERVER, "mail": {"url": "https://x"}}}, "(2: files, mail)"),
    "VS Code, its own file": (
        {"inputs": [{"id": "k", "type": "promptString"}], "servers": {"files": {"type": "http", "url": "x"}}},
        "files",
    ),
    "VS Code, among settings": ({"editor.tabSize": 2, "mcp": {"servers": {"files": SERVER}}}, "files"),
    "by project": ({"projects": {"/home/x": {"mcpServers": {"files": SERVER}, "history": []}}}, "(1: files)"),
    "Zed": ({"context_servers": {"files": {"command": {"path": "x"}}}}, "files"),
    "opencode": ({"$schema": "https://x/config.json", "mcp": {"files": {"type": "local", "command": ["npx"]}}}, "files"),
    "a proxy": ({"mcp_servers": {"files": {"url": "https://x", "transport": "sse"}}, "model_list": []}, "files"),
    "a list": ({"name": "x", "schema": "v1", "mcpServers": [{"name": "files", "command": "npx"}]}, "files"),
    "a registry's page": ({"servers": [{"server": {"name": "io.x/files", "description": "d"}, "_meta": {}}]}, "(1: io.x/files)"),
    "a registry's entry": ({"name": "io.x/files", "description": "d", "version": "1", "packages": [{}]}, "servers, not tools"),
    "a catalog": ({"registry": {"files": {"description": "d", "image": "x", "tools": [{"name": "read"}]}}}, "files"),
}


@pytest.mark.parametrize("whose", SETTINGS)
def test_settings_of_an_agent_list_servers_not_tools(whose: str) -> None:
    value, named = SETTINGS[whose]
    with pytest.raises(RegistryError, match="this lists servers, not tools") as caught:
        import_tools(json.dumps(value))
    assert named in str(caught.value)


OTHERS: list[tuple[Any, str]] = [
    ({"prompts": [{"name": "greet", "description": "Greets", "arguments": []}]}, "this lists prompts, not tools"),
    ({"jsonrpc": "2.0", "id": 1, "result": {"prompts": [{"name": "greet", "description": "Greets"}]}}, "this lists prompts, not tools"),
    ({"resources": [{"uri": "file:///x", "name": "x", "description": "d"}]}, "this lists resources, not tools"),
    ({"resourceTemplates": [{"uriTemplate": "x", "name": "x", "description": "d"}]}, "this lists resources, not tools"),
    ({"tools": [{"type": "web_search"}, {"type": "file_search"}]}, '"web_search" is a tool that is built into the provider'),
    ([{"type": "mcp", "server_label": "wiki", "server_url": "https://x"}], "an MCP server (wiki), not a tool"),
    ({"tools": ["pay", "show"]}, 'names alone, the first is the text "pay"'),
    (["pay", "show"], "names alone"),
    ({"info": {"name": "x", "schema": "https://schema.getpostman.com/json/v2.1"}, "item": []}, "this is a Postman collection"),
    ({"collection": {"info": {"_postman_id": "1"}, "item": []}}, "this is a Postman collection"),
    ({"id": "1", "name": "x", "order": [], "requests": [{"name": "a"}]}, "old collection of Postman"),
    ({"id": "1", "name": "x", "values": [], "_postman_variable_scope": "environment"}, "an environment"),
    ({"_type": "export", "__export_format": 4, "resources": [{"_id": "1", "name": "a", "url": "x"}]}, "Insomnia"),
    ({"log": {"version": "1.2", "entries": []}}, "HAR"),
    ({"data": {"__schema": {"types": []}}}, "GraphQL"),
    ({"asyncapi": "2.6.0", "info": {"title": "x"}, "channels": {}}, "AsyncAPI"),
    ({"swaggerVersion": "1.2", "apiVersion": "1", "apis": [{"path": "/x"}]}, "Swagger 1"),
    ({"kind": "discovery#restDescription", "discoveryVersion": "v1", "name": "drive", "resources": {}}, "discovery document"),
    ({"schema_version": "v1", "name_for_model": "todo", "description_for_model": "x", "api": {"url": "x"}}, "this describes a plugin"),
    ({"required": ["a"], "properties": {"a": {}}}, "JSON Schema"),
    ({"$defs": {"A": {}}}, "JSON Schema"),
    ([{"openapi": "3.0.0", "paths": {}}, {"openapi": "3.0.0", "paths": {}}], "a list of OpenAPI documents"),
    ({"tag": "v1", "distance": 0, "node": "abc", "dirty": False, "branch": "main"}, 'an object with "tag"'),
    ({"name": "x", "description": "d", "scripts": {}, "dependencies": {}}, 'an object with "name"'),
]


@pytest.mark.parametrize(("value", "said"), OTHERS, ids=[said for _, said in OTHERS])
def test_what_is_something_else_is_called_by_its_name(value: Any, said: str) -> None:
    for source in (value, json.dumps(value).encode()):
        with pytest.raises(RegistryError) as caught:
            import_tools(source)
        assert said in str(caught.value), str(caught.value)


def test_what_a_server_lists_beside_its_tools_is_no_hindrance() -> None:
    tools = [{"name": "pay", "description": "Pay", "inputSchema": {"type": "object"}}]
    value = {"tools": tools, "prompts": [{"name": "greet", "description": "Greets"}], "resources": []}
    assert import_tools(value).keys == import_tools({"x": value, "prompts": value["prompts"]}).keys == ("pay",)


def test_tools_that_are_built_into_an_api_are_listed_and_the_others_load() -> None:
    own = {"type": "function", "name": "pay", "description": "Pay", "parameters": {"type": "object"}}
    found = read_source({"tools": [{"type": "web_search"}, own, {"type": "mcp", "server_label": "wiki"}]}, "x.json")
    assert (found.shape, found.registry.keys) == ("OpenAI tools", ("pay",))
    assert [problem.where for problem in found.problems] == ["x.json, tool 1", "x.json, tool 3"]
    assert "it stays with the agent" in found.problems[0].fix and "an MCP server (wiki)" in found.problems[1].found


def test_an_empty_list_is_said_and_a_list_of_which_nothing_can_be_used_is_refused_with_every_reason() -> None:
    for empty in ({"tools": []}, [], {"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}, "name,description\n"):
        found = read_source(empty)
        assert found.registry.tools == () and "there are no tools in it" in found.problems[-1].found
    with pytest.raises(RegistryError) as caught:
        import_tools({"tools": [{"name": 7}, "text"]})
    assert len(caught.value.problems) == 2
