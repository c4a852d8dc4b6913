"""`tool-curator mcp` as an agent sees it: the official SDK's client asks it for tools."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest

if TYPE_CHECKING:
    from mcp import Client

pytestmark = pytest.mark.model

TOOLS: list[dict[str, Any]] = [
    {"name": "renew.card", "description": "Renew a library card.", "parameters": {"type": "object", "properties": {"card": {}}}},
    {"name": "shelve_books", "description": "Put returned books on their shelves.", "roles": ["staff"]},
    {"name": "pay_fine", "description": "Pay the fine for a late book.", "extra_context": "overdue charge"},
]


def write(folder: Path, *tools: dict[str, Any]) -> None:
    (folder / "tools.json").write_text(json.dumps({"schema_version": 1, "name": "library", "tools": tools}), encoding="utf-8")


async def talk(folder: Path) -> dict[str, Any]:
    """Ask the server as an agent would, and give what it said; the folder changes, breaks and recovers meanwhile."""
    from mcp import Client, StdioServerParameters  # takes seconds, also where these tests are left out

    command = [sys.executable, "-c", "from curator_core.cli import main; main()", "mcp", str(folder)]
    said: dict[str, Any] = {}

    async def ask(client: Client, **arguments: Any) -> Any:
        answer = await client.call_tool("find_tools", arguments)
        return answer.structured_content if not answer.is_error else answer.content[0].text  # type: ignore[union-attr]

    with anyio.fail_after(100):
        async with Client(StdioServerParameters(command=command[0], args=command[1:])) as client:
            said["tools"] = [tool.model_dump(by_alias=True, exclude_none=True) for tool in (await client.list_tools()).tools]
            said["fine"] = await ask(client, query="an overdue charge", top_k=1)
            said["staff"] = await ask(client, query="books on shelves", role="staff")
            said["ghost"] = await ask(client, query="books on shelves", role="ghost")
            (folder / "tools.json").write_text("{broken")
            said["broken"] = await ask(client, query="an overdue charge", top_k=1)
            write(folder, *TOOLS, {"name": "lend_laptop", "description": "Borrow a laptop for a day."})
            said["later"] = await ask(client, query="borrow a laptop", top_k=1)
    return said


def test_find_tools_answers_the_official_client_and_follows_the_files(tmp_path: Path) -> None:
    write(tmp_path, *TOOLS)
    with ThreadPoolExecutor(1) as apart:  # browser tests may have left an event loop in this thread
        said = apart.submit(anyio.run, talk, tmp_path).result()
    (declared,) = said["tools"]
    assert declared["name"] == "find_tools" and set(declared["inputSchema"]["properties"]) == {"query", "role", "top_k"}
    (fine,) = said["fine"]["tools"]
    assert fine["name"] == "pay_fine" and "overdue" not in json.dumps(fine), "extra context is not for the agent"
    assert {"name", "description", "inputSchema"} <= set(fine) and said["fine"]["unsure"] is False and said["fine"]["no_tool"] is False
    assert said["staff"]["tools"][0]["name"] == "shelve_books"
    assert {tool["name"] for tool in said["staff"]["tools"]} == {"shelve_books", "renew_card", "pay_fine"}
    assert "ghost" in said["ghost"] and "staff" in said["ghost"]
    assert said["broken"] == said["fine"], "what was read before is served on"
    assert said["later"]["tools"][0]["name"] == "lend_laptop"
