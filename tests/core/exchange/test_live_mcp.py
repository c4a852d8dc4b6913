"""Live MCP servers: real ones over pipes and HTTP; and those that hang, flood, or die, each a clear error within its timeout."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curator_core import RegistryError, load_registry
from curator_core.cli import app
from curator_core.exchange.live_mcp import tools_of_command, tools_of_url

pytestmark = pytest.mark.process

SERVER = """
import sys
from mcp.server import MCPServer

print("the depot opens", file=sys.stderr)
server = MCPServer("depot")


@server.tool(description="Open the gate of the depot.")
def open_gate(number: int) -> str:
    return "open"


@server.tool(description="List the parcels that wait.")
def list_parcels() -> list[str]:
    return []


server.run(*sys.argv[1:2], **({"port": int(sys.argv[2])} if sys.argv[2:] else {}))
"""
PAGES = """
import json, sys

for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "initialize":
        version = asked["params"]["protocolVersion"]
        told = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "pages", "version": "1"}}
    elif asked.get("method") == "tools/list":
        page = int((asked.get("params") or {}).get("cursor") or 1)
        told = {"tools": [{"name": f"tool_{page}", "inputSchema": {"type": "object"}}]}
        told |= {"nextCursor": str(page % LAST + 1)} if ENDLESS or page < LAST else {}
    else:
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": told}), flush=True)
"""
HANGS = "import sys; print('waiting for the moon', file=sys.stderr, flush=True); sys.stdin.read()"
BAD = {
    "hangs": (HANGS, "did not answer within 4 s; it wrote to its stderr: waiting for the moon"),
    "dies": ("import sys; print('no key given', file=sys.stderr); sys.exit(3)", "Connection closed); it wrote to its stderr: no key given"),
    "floods lines": ("while True: print('hello ' * 200)", "lines that are no messages"),
    "floods one line": ("import sys\nwhile True: sys.stdout.write('x' * 10000)", "did not answer within 4 s"),
    "floods stderr": ("import sys\nwhile True: sys.stderr.write('help ' * 2000)", "it wrote to its stderr: "),
    "turns in circles": (PAGES.replace("LAST", "3").replace("ENDLESS", "True"), "its pages do not end: 4 tools on 4 pages"),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("server") / "depot.py"
    path.write_text(SERVER)
    return path


def test_a_server_on_pipes_is_imported_by_the_command_and_again_there_is_nothing_to_do(server: Path, tmp_path: Path) -> None:
    arguments = ["import", "--stdio", f"{sys.executable} {server} stdio", "--to", str(tmp_path / "town")]
    answer = CliRunner().invoke(app, arguments)
    assert answer.exit_code == 0 and "2 new: open_gate, list_parcels" in answer.output, answer.output
    assert "the server wrote: the depot opens" in answer.output
    tool = load_registry(tmp_path / "town").tool("open_gate")
    assert (tool.description, tool.group) == ("Open the gate of the depot.", "depot")
    assert tool.parameters is not None and tool.parameters["required"] == ["number"]
    assert "nothing to do" in CliRunner().invoke(app, [*arguments, "--check"]).output


def test_all_pages_of_a_server_are_read() -> None:
    pages = PAGES.replace("LAST", "3").replace("ENDLESS", "False")
    found = tools_of_command([sys.executable, "-c", pages], 20)
    assert (found.server, [tool["name"] for tool in found.tools]) == ("pages", ["tool_1", "tool_2", "tool_3"])


def test_a_server_can_be_asked_from_within_an_event_loop_as_in_a_notebook() -> None:
    pages = PAGES.replace("LAST", "1").replace("ENDLESS", "False")

    async def ask() -> int:
        return len(tools_of_command([sys.executable, "-c", pages], 20).tools)

    with ThreadPoolExecutor(1) as apart:
        assert apart.submit(asyncio.run, ask()).result() == 1


def test_servers_that_hang_flood_turn_in_circles_or_die_give_a_clear_error_in_time() -> None:
    answering = [BAD[kind][0] for kind in ("dies", "turns in circles")]  # the others would go on for ever

    def ask(code: str) -> tuple[str, float]:
        begun = time.monotonic()
        with pytest.raises(RegistryError) as caught:
            tools_of_command([sys.executable, "-c", code], 30 if code in answering else 4)
        return str(caught.value), time.monotonic() - begun

    with ThreadPoolExecutor(len(BAD)) as pool:  # together: most of their time is waiting
        found = dict(zip(BAD, pool.map(ask, (code for code, _ in BAD.values())), strict=True))
    for kind, (_, said) in BAD.items():
        message, seconds = found[kind]
        assert said in message, (kind, message)
        assert len(message) < 2500 and seconds < 30, (kind, seconds)


@pytest.mark.parametrize(
    ("command", "said"), [("no_such_program_of_ours --x", "No such file"), ("", "there is no command"), ("true", "Connection closed")]
)
def test_what_is_no_server_is_said(command: str, said: str) -> None:
    with pytest.raises(RegistryError, match=said):
        tools_of_command(command, 5)


@pytest.fixture
def address(server: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, str(server), "streamable-http", str(port)], stderr=subprocess.DEVNULL)
    try:
        while not listens(port):
            assert process.poll() is None, "the server ended before it listened"
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(10)


def listens(port: int) -> bool:
    with socket.socket() as there:
        return there.connect_ex(("127.0.0.1", port)) == 0


def test_a_server_on_streamable_http_is_asked_and_one_that_is_not_there_is_said(address: str) -> None:
    found = tools_of_url(address, 20)
    assert (found.server, len(found.tools)) == ("depot", 2)
    with pytest.raises(RegistryError, match=r"it gave no list of tools|did not answer"):
        tools_of_url(address.replace("/mcp", "/other"), 5)
    with pytest.raises(RegistryError, match="no address of HTTP"):
        tools_of_url("ftp://depot")


def test_one_kind_of_source_is_asked_for(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["import", "--to", str(tmp_path), "--stdio", "a", "--http", "http://b"])
    assert answer.exit_code == 2 and "--stdio COMMAND, or --http URL" in answer.output
