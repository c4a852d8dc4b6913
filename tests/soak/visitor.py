"""One browser tab without a browser: a session over Streamlit's own websocket, with the runs that a page asks for by itself."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any
from urllib.parse import quote, urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

_PATIENCE_SECONDS, _TRIES = 10.0, 6  # after so long a person presses Enter again; Streamlit can lose an answer on an overloaded machine
_Claim = Callable[[Any], bool]


def act(acts: Coroutine[Any, Any, None]) -> None:
    """Have visitors act until they are through; in a thread of its own, since Playwright's loop may go on in the main one."""
    with ThreadPoolExecutor(1) as apart:
        apart.submit(asyncio.run, acts).result()


@dataclass
class Visitor:
    """A tab of one author.

    elements: what stands on the page by widget key, with the fragment it is in; troubles: exceptions that the page showed; runs: how
    many runs of the script were answered, those included that a page asks for by itself, such as its look for news; again: how often a
    request was repeated.
    """

    port: int
    author: str
    elements: dict[str, tuple[Any, str]] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    runs: int = 0
    again: int = 0
    _pages: dict[str, str] = field(default_factory=dict)
    _page: str = ""
    _query: str = ""
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _awaited: tuple[str, _Claim, asyncio.Future[None]] | None = None
    _repeats: dict[str, tuple[float, float]] = field(default_factory=dict)  # fragment -> (seconds between its runs, when the next is due)

    async def __aenter__(self) -> Visitor:
        cookie = {"Cookie": f"tool_curator_name={quote(self.author)}"}
        address = f"ws://127.0.0.1:{self.port}/_stcore/stream"
        self._socket: ClientConnection = await connect(address, additional_headers=cookie, max_size=None, compression=None)
        self._tasks = [asyncio.create_task(self._hear()), asyncio.create_task(self._repeat())]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for task in self._tasks:
            task.cancel()
        await self._socket.close()

    async def open(self, page: str, expected: str, **query: str) -> float:
        """Go to a page by its name in the address; return how long it took until `expected`, a widget's key, was there."""
        self._query, self._page = urlencode(query), self._pages.get(page, "")
        self._states.clear()
        self.elements.clear()
        message = BackMsg()
        message.rerun_script.page_name = "" if self._page else page
        return await self._run(message, expected)

    async def put(self, key: str, value: str, expected: str) -> float:
        """Fill a text input or choose in a list, also in the address; return how long the page took until `expected` was there anew."""
        self._query = urlencode({key: value})
        element, fragment = self.elements[key]
        return await self._change(WidgetState(id=element.id, string_value=value), expected, fragment)

    async def commit(self, key: str, text: str) -> float:
        """Type into an editor and leave it; return how long it took until the server had the text."""
        element, fragment = self.elements[key]
        value = json.dumps({"commit": {"text": text, "at": round(time.time() * 1000)}})
        answered = lambda element: json.loads(element.json)["value"] == text
        return await self._change(WidgetState(id=element.id, json_value=value), key, fragment, answered)

    async def click(self, key: str, expected: str) -> float:
        """Press a button; return how long the page took until `expected` was there."""
        element, fragment = self.elements[key]
        pressed = WidgetState(id=element.id, trigger_value=True)
        took = await self._change(pressed, expected, fragment)
        self._states.pop(element.id)
        return took

    async def see(self, key: str) -> float:
        """Wait until a widget comes to stand on the page by itself; return how long it took."""
        began = time.perf_counter()
        while key not in self.elements and time.perf_counter() - began < _TRIES * _PATIENCE_SECONDS:
            await asyncio.sleep(0.02)
        return time.perf_counter() - began

    async def _change(self, state: WidgetState, expected: str, fragment: str, is_so: _Claim = bool) -> float:
        self._states[state.id] = state
        message = BackMsg()
        message.rerun_script.fragment_id = fragment
        return await self._run(message, expected, is_so)

    async def _run(self, message: BackMsg, expected: str, is_so: _Claim = bool) -> float:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        began, self._awaited = time.perf_counter(), (expected, is_so, done)
        for _ in range(_TRIES):
            await self._send(message)
            if (await asyncio.wait((done,), timeout=_PATIENCE_SECONDS))[0]:
                return time.perf_counter() - began
            self.again += 1
        self._awaited = None
        self.troubles.append(f"{self.author} waited {_TRIES * _PATIENCE_SECONDS:.0f} s for {expected}")
        return time.perf_counter() - began

    async def _send(self, message: BackMsg) -> None:
        """Send a request with the values of all widgets touched: of requests that wait, the server heeds the last one's values."""
        message.rerun_script.query_string, message.rerun_script.page_script_hash = self._query, self._page
        del message.rerun_script.widget_states.widgets[:]
        message.rerun_script.widget_states.widgets.extend(self._states.values())
        await self._socket.send(message.SerializeToString())

    async def _hear(self) -> None:
        async for raw in self._socket:
            message = ForwardMsg()
            message.ParseFromString(raw)  # type: ignore[arg-type]
            match message.WhichOneof("type"):
                case "navigation":
                    self._pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
                    self._page = message.navigation.page_script_hash
                case "new_session":
                    self._begin(message.metadata.run.fragment_ids)
                case "auto_rerun":
                    seconds = message.auto_rerun.interval
                    self._repeats[message.auto_rerun.fragment_id] = (seconds, time.monotonic() + seconds)
                case "stop_auto_rerun":
                    for fragment in message.stop_auto_rerun.fragment_ids:
                        self._repeats.pop(fragment, None)
                case "delta":
                    self._keep(message.delta)
                case "script_finished":
                    self.runs += 1

    def _begin(self, fragments: Sequence[str]) -> None:
        """A run begins, of these fragments or of the whole page."""
        if not fragments:
            self._repeats.clear()

    def _keep(self, delta: Delta) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        kind = delta.new_element.WhichOneof("type")
        element = getattr(delta.new_element, kind)
        if kind == "exception":
            self.troubles.append(f"{self.author}: {element.type}: {element.message}")
        if name := getattr(element, "id", ""):
            key = name.split("-", 2)[-1]  # $$ID-hash-key
            self.elements[key] = (element, delta.fragment_id)
            if self._awaited is not None and key == self._awaited[0] and self._awaited[1](element):
                self._awaited[2].set_result(None)
                self._awaited = None

    async def _repeat(self) -> None:
        """Ask for the runs that fragments with `run_every` want, as the browser does."""
        while True:
            await asyncio.sleep(0.1)
            for fragment, (seconds, due) in tuple(self._repeats.items()):
                if time.monotonic() >= due and fragment in self._repeats:
                    self._repeats[fragment] = (seconds, time.monotonic() + seconds)
                    message = BackMsg()
                    message.rerun_script.fragment_id, message.rerun_script.is_auto_rerun = fragment, True
                    await self._send(message)
