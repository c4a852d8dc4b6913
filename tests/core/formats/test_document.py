"""Texts as programs print them and people copy them: streams of events, fences, data of Python, tables with any separator; and archives."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from curator_core import RegistryError, Tool, import_tools, read_source

MCP = {"name": "feed", "description": "Feed the cat", "inputSchema": {"type": "object", "properties": {"cat": {"type": "string"}}}}
ANSWER = json.dumps({"jsonrpc": "2.0", "id": 2, "result": {"tools": [MCP]}})
OTHER = json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "hello"}})
FEED = Tool("feed", "Feed the cat", parameters=MCP["inputSchema"])  # type: ignore[arg-type]
PLAIN = (Tool("feed", "Feed the cat"), Tool("brush", "Brush the cat"))

PRINTED = {
    "one event": f"event: message\ndata: {ANSWER}\n\n",
    "data alone": f"data: {ANSWER}\n\n",
    "with an id and Windows' line ends": f"id: 7\r\nevent: message\r\ndata:{ANSWER}\r\n\r\n",
    "after a comment": f": ping\n\nevent: message\ndata: {ANSWER}\n\n",
    "after another message": f"event: message\ndata: {OTHER}\n\nevent: message\ndata: {ANSWER}\n\ndata: [DONE]\n",
    "in two lines": 'data: {"jsonrpc": "2.0", "id": 2,\ndata: "result": {"tools": [' + json.dumps(MCP) + "]}}\n\n",
    "below the head of an answer": f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{ANSWER}",
    "in a fence": f"```json\n{ANSWER}\n```\n",
    "in the one fence of a text": f"These are the tools:\n\n```\n{ANSWER}\n```\nShall I go on?\n",
}


@pytest.mark.parametrize("how", PRINTED)
def test_an_answer_is_found_however_it_was_printed(how: str) -> None:
    found = read_source(PRINTED[how].encode())
    assert (found.shape, found.registry.tools) == ("MCP tools/list in a JSON-RPC envelope", (FEED,))
    assert found.problems == ()


PYTHON = {
    "single quotes": "[{'name': 'feed', 'description': 'Feed the cat'}, {'name': 'brush', 'description': \"Brush the cat\", 'x': None}]",
    "given to a name": 'TOOLS = [\n  {"name": "feed", "description": "Feed the cat", "x": True},  # first\n'
    '  {"name": "brush", "description": "Brush " "the cat"},\n]\n',
    "JavaScript with quotes": "export const tools = [{'name': 'feed', 'description': 'Feed the cat', 'x': [true, -1.5]},"
    " {'name': 'brush', 'description': 'Brush the cat'}];",
}


@pytest.mark.parametrize("how", PYTHON)
def test_data_of_a_program_is_read_as_data(how: str) -> None:
    for source in (PYTHON[how], PYTHON[how].encode()):
        assert [(tool.name, tool.description) for tool in import_tools(source).tools] == [(tool.name, tool.description) for tool in PLAIN]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[{'name': 'a',\n 'run': print('x')}]", "line 2: found a part of a program (Call), not data"),
        ("[{'name': 'a',\n 'b': }]", "line 2, column 5: neither JSON nor Python's data"),
        ("\n\n[{'name': 'a', 1: 'b'}]", "line 3: a key that is no text"),
        ("{'a': " * 150 + "1", "neither JSON nor Python's data"),
        ("{'a': 1e999}", "not data"),
        ("[" * 90 + "'x'", "neither JSON nor Python's data"),
    ],
)
def test_a_program_is_not_run_and_said_by_its_line(text: str, said: str) -> None:
    with pytest.raises(RegistryError) as caught:
        import_tools(text.encode())
    assert said in str(caught.value), str(caught.value)


def test_a_key_that_stands_twice_in_a_dict_of_python_is_reported() -> None:
    found = read_source("[{'name': 'a', 'description': 'A',\n  'description': 'B'}]", "x.py")
    assert found.registry.tools == (Tool("a", "B"),)
    assert str(found.problems[0]).startswith('x.py, line 2: key "description" stands twice')


TABLES = {
    "semicolons": "name;description\nfeed;Feed the cat\nbrush;Brush the cat\n",
    "bars": "name|description\nfeed|Feed the cat\nbrush|Brush the cat\n",
    "Excel's hint": "sep=;\r\nname;description\r\nfeed;Feed the cat\r\nbrush;Brush the cat\r\n",
    "old line ends": "name,description\rfeed,Feed the cat\rbrush,Brush the cat\r",
    "Markdown": "| name | description |\n|:---|---|\n| feed | Feed the cat |\n| brush | Brush the cat |\n",
    "a mark of its bytes": "\ufeffTool Name,Description\nfeed,Feed the cat\nbrush,Brush the cat\n",
}


@pytest.mark.parametrize("how", TABLES)
def test_a_table_is_read_with_any_separator(how: str) -> None:
    for source in (TABLES[how], TABLES[how].removeprefix("\ufeff").encode("utf-16")):
        assert import_tools(source).tools == PLAIN


def test_lines_of_a_table_are_counted_with_the_hint() -> None:
    found = read_source("sep=;\nname;description\n;nameless\nfeed;Feed the cat\n", "x.csv")
    assert [problem.where for problem in found.problems] == ["x.csv, line 3"]


ARCHIVES: list[tuple[bytes, str]] = [
    (gzip.compress(ANSWER.encode()), "a gzip archive; unpack it"),
    (b"PK\x03\x04\x14", "a zip archive or a workbook of Excel"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1", "a workbook of an older Excel"),
    (b"BZh91AY&SY", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"tools.json" + b"\0" * 247 + b"ustar\x0000", "a tar archive"),
    (b"\x89PNG\r\n\x1a\n", "a picture"),
    (b"SQLite format 3\x00", "a database of SQLite"),
    (b"PAR1\x15", "a Parquet file"),
    (b"<?xml version='1.0'?>", "a web page or XML"),
    (b'[tool.x]\nname = "y"\n', "TOML"),
    (b'[mcp_servers.files]\ncommand = "npx"\n', "this lists servers, not tools"),
]


@pytest.mark.parametrize(("data", "said"), ARCHIVES, ids=[said for _, said in ARCHIVES])
def test_what_has_to_be_unpacked_or_converted_first_is_named(data: bytes, said: str) -> None:
    with pytest.raises(RegistryError) as caught:
        import_tools(data)
    assert said in str(caught.value)


@pytest.mark.parametrize("text", ["- **feed** - Feed the cat\n- **brush** - Brush\n", "tools:\n\t- name: feed\n"])
def test_what_only_looks_like_yaml_is_said_to_be_read_as_that(text: str) -> None:
    with pytest.raises(RegistryError, match=r"read as YAML, line \d, column \d"):
        import_tools(text.encode())


def test_tools_that_stand_as_a_text_in_each_row_of_a_data_set_are_read() -> None:
    def row(number: int, *tools: dict[str, Any]) -> str:
        return json.dumps({"id": number, "query": "?", "answers": "[]", "tools": json.dumps(tools)})

    rows = f"{row(1, MCP)}\n{row(2, MCP, {**MCP, 'name': 'brush'})}\n"
    assert [tool.name for tool in import_tools(rows).tools] == ["feed", "brush"]


def test_lines_that_are_too_many_are_refused_before_they_are_read() -> None:
    for line in ("{}\n", "data: {}\n"):
        with pytest.raises(RegistryError, match="500,001 lines, each with JSON of its own"):
            import_tools((line * 500_001).encode())
    with pytest.raises(RegistryError, match="no list of tools is recognised"):
        import_tools(b"lorem ipsum\n" * 20_000)
