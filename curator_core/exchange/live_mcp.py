"""The tools of a live MCP server, asked with the official SDK: over the pipes of a command that is started, or over streamable HTTP.

Only an explicit command comes here: a server is a program of somebody else's, and it runs with the rights of whoever starts it.
"""

from __future__ import annotations

import io
import logging
import os
import shlex
import threading
from collections import deque
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from curator_core.errors import Problem, RegistryError
from curator_core.text import plural

TIMEOUT_SECONDS = 30.0
MOST_PAGES, MOST_TOOLS = 1000, 100_000
_KEPT_BYTES, _LINES, _LINE_LETTERS = 4000, 5, 300  # of what a server writes to its stderr: the end of it
_HOW_TO_GET = "install it with: pip install 'tool-curator[mcp]'"


@dataclass(frozen=True, slots=True)
class LiveTools:
    """What a server answered. server: its own name; tools: as tools/list gives them; said: the end of what it wrote to its stderr."""

    server: str
    tools: tuple[dict[str, Any], ...]
    said: str = ""


def tools_of_command(command: str | Sequence[str], timeout_seconds: float = TIMEOUT_SECONDS) -> LiveTools:
    """Start a server, ask it for all its tools, and stop it. command: as a shell would part it, or in parts.

    Raises RegistryError within the timeout, and some seconds for stopping it, when it cannot be started, ends, or does not answer; with the
    end of its stderr.
    """
    parts = shlex.split(command) if isinstance(command, str) else list(command)
    where = f"the server {shlex.join(parts)}"
    if not parts:
        raise _refused("the server", "there is no command", "give one, such as: python server.py")
    with _stderr_of_server() as (errors, tail):
        from mcp.client.stdio import StdioServerParameters, stdio_client

        outcome = _asked(stdio_client(StdioServerParameters(command=parts[0], args=parts[1:]), errlog=errors), timeout_seconds)
    return _answered(outcome, where, bytes(tail).decode("utf-8", "replace"))


def tools_of_url(url: str, timeout_seconds: float = TIMEOUT_SECONDS, headers: Mapping[str, str] | None = None) -> LiveTools:
    """Ask a server on the network for all its tools, over streamable HTTP. Raises RegistryError as tools_of_command."""
    if not url.startswith(("http://", "https://")):
        raise _refused(f"the server {url}", "this is no address of HTTP", "give one that begins with http:// or https://")
    _require_sdk()
    return _answered(_asked(_over_http(url, headers or {}), timeout_seconds), f"the server {url}", "")


@asynccontextmanager
async def _over_http(url: str, headers: Mapping[str, str]) -> AsyncIterator[Any]:
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    async with create_mcp_http_client(headers=dict(headers)) as client, streamable_http_client(url, http_client=client) as streams:
        yield streams


@dataclass(frozen=True, slots=True)
class _Failure:
    found: str
    fix: str


def _answered(outcome: LiveTools | _Failure, where: str, said: str) -> LiveTools:
    """Return what a server answered; raise with the end of its stderr where it did not."""
    if isinstance(outcome, LiveTools):
        return replace(outcome, said=said)
    lines = [line.strip()[:_LINE_LETTERS] for line in said.strip().splitlines()[-_LINES:]]
    wrote = f"; it wrote to its stderr: {' | '.join(lines)}" if lines else ""
    raise _refused(where, outcome.found + wrote, outcome.fix)


def _asked(transport: Any, timeout_seconds: float) -> LiveTools | _Failure:
    import anyio

    strange: list[Exception] = []
    try:
        with _quiet(), ThreadPoolExecutor(1) as apart:  # whoever asks may be inside an event loop, as in a notebook
            return apart.submit(anyio.run, _ask, transport, timeout_seconds, strange).result()
    except TimeoutError:
        found, fix = f"it did not answer within {timeout_seconds:g} s", "see that it starts by itself; --timeout gives it longer"
    except Exception as error:  # noqa: BLE001 - whatever a foreign program makes the SDK raise is one clear message
        found, fix = f"it gave no list of tools ({_cause(error)})", "see that it starts by itself and speaks MCP on its standard output"
    odd = "; its standard output holds lines that are no messages, which belong on its stderr" if strange else ""
    return _Failure(found + odd, fix)


async def _ask(transport: Any, timeout_seconds: float, strange: list[Exception]) -> LiveTools:
    import anyio
    from mcp import Client

    async def heard(message: Any) -> None:
        if isinstance(message, Exception) and not strange:
            strange.append(message)

    with anyio.fail_after(timeout_seconds):
        async with Client(transport, message_handler=heard, mode="legacy", read_timeout_seconds=timeout_seconds) as client:
            tools: list[dict[str, Any]] = []
            cursors: set[str | None] = set()
            cursor: str | None = None
            while cursor not in cursors and len(cursors) < MOST_PAGES and len(tools) < MOST_TOOLS:
                cursors.add(cursor)
                page = await client.list_tools(cursor=cursor)
                tools += [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in page.tools]
                cursor = page.next_cursor
                if cursor is None:
                    return LiveTools(client.server_info.name if client.server_info else "", tuple(tools))
    raise RuntimeError(f"its pages do not end: {plural(len(tools), 'tool')} on {plural(len(cursors), 'page')}")


@contextmanager
def _stderr_of_server() -> Iterator[tuple[io.TextIOWrapper, deque[int]]]:
    """Give a file for a server's stderr, and the end of what is written there: a server that floods it fills neither disk nor memory."""
    _require_sdk()
    tail: deque[int] = deque(maxlen=_KEPT_BYTES)
    reading, writing = os.pipe()

    def drain() -> None:
        with os.fdopen(reading, "rb", buffering=0) as pipe:
            while some := pipe.read(65536):
                tail.extend(some[-_KEPT_BYTES:])

    reader = threading.Thread(target=drain, name="mcp-stderr", daemon=True)
    reader.start()
    errors = os.fdopen(writing, "w", encoding="utf-8")
    try:
        yield errors, tail
    finally:
        errors.close()
        reader.join(2)  # a grandchild may hold the pipe open


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the SDK's own log, a traceback for each line that is no message, off the terminal: what matters of it is in the error."""
    log = logging.getLogger("mcp")
    before, handler = log.propagate, logging.NullHandler()
    log.propagate = False
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.propagate = before


def _require_sdk() -> None:
    try:
        import mcp  # noqa: F401
    except ImportError as error:
        raise _refused("a live MCP server", "the official MCP SDK is not installed", _HOW_TO_GET) from error


def _cause(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}".removeprefix("MCPError: ").removeprefix("RuntimeError: ")


def _refused(where: str, found: str, fix: str) -> RegistryError:
    return RegistryError([Problem(where, found, fix)])
