"""`tool-curator mcp`: the registry as an MCP server, so that an agent asks for the tools it needs instead of carrying all of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator_core.commands.command_line import Folder, Profile, Sets, complain, open_curator
from curator_core.errors import CuratorError

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from curator_core.curator import Curator

_ABOUT = (
    "Find the tools that fit what the user wants. Give the user's words as the query. Each answer has names, descriptions and schemas, "
    "best first. unsure = true: nothing may fit. no_tool = true: probably none applies, note says why: "
    "ask back instead of calling one."
)


def mcp_command(
    folder: Folder,
    profile: Profile = None,
    set_: Sets = None,
) -> None:
    """Serve the registry over MCP on the standard input and output: find_tools(query, role, top_k)."""
    try:
        import mcp  # noqa: F401
    except ImportError as error:
        raise CuratorError("the official MCP SDK is not installed; install it with: pip install 'tool-curator[mcp]'") from error
    served = Served(folder, profile, set_)
    server_of(served).run("stdio")


class Served:
    """A registry that is served. Files that change on disk are read at the next question; while they cannot be, the last state stays."""

    def __init__(self, folder: Path, profile: str | None = None, sets: list[str] | None = None) -> None:
        self._folder, self._profile, self._sets = folder, profile, sets
        self.curator: Curator = open_curator(folder, profile, sets)

    def find(self, query: str, role: str | None, top_k: int | None) -> dict[str, Any]:
        """Return the tools for a question as MCP declares tools. Raises CuratorError for a role that does not exist."""
        self._refresh()
        trace = self.curator.curate(query, role=role or None, top_k=top_k)
        tools = self.curator.declarations(trace, "mcp")
        return {"tools": list(tools), "unsure": trace.confidence.low_confidence, "no_tool": tools.no_tool, "note": tools.note}

    def _refresh(self) -> None:
        from curator_core.curator import Curator
        from curator_core.files.folder import changed_files, load_registry
        from curator_core.index import build_index

        registry = self.curator.index.registry
        if not changed_files(registry, self._folder):
            return
        try:
            fresh = load_registry(self._folder, strict=False)
        except CuratorError as error:
            complain(f"the files changed and cannot be read; serving what was read before: {error}")
            return
        index = build_index(fresh, self.curator.index.encoder, previous=self.curator.index)
        self.curator = Curator(index, self.curator.settings)


def server_of(served: Served) -> MCPServer[Any]:
    """Return the MCP server of a registry."""
    from mcp.server import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    server: MCPServer[Any] = MCPServer("tool-curator", instructions=_ABOUT)

    @server.tool(description=_ABOUT)
    def find_tools(query: str, role: str | None = None, top_k: int | None = None) -> dict[str, Any]:
        try:
            return served.find(query, role, top_k)
        except CuratorError as error:
            raise ToolError(str(error)) from error  # what the agent is told; anything else is a fault and is logged

    return server
