"""What pages send is handed on together, and all of it: Streamlit wakes its server's loop for each message, and drops some.

A page sends dozens of messages from a thread of its own; each wakes the one thread that serves all browsers, which stops the page for it.
And where a browser asks for the next run just when a run is through, Streamlit starts it and forgets what the loop has not yet taken of the
last one: its answer never arrives (both seen with Streamlit 1.67). Two of its methods are replaced: the one by which a page hands on
something, and the one that starts a run.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from streamlit.runtime.app_session import AppSession

_SECONDS = 0.015  # how long a message waits for others; the loop itself sends what has come every 10 ms
_WAITING, _LOCK = "_handed_to_loop", threading.Lock()

_hand: Any = getattr(AppSession, "_call_soon_on_event_loop", None)
_start: Any = getattr(AppSession, "_create_scriptrunner", None)


def install() -> None:
    """Hand messages on together in this process; a Streamlit that is built in another way is left as it is."""
    if _hand is not None and _start is not None:
        AppSession._call_soon_on_event_loop = _hand_together  # type: ignore[method-assign]
        AppSession._create_scriptrunner = _start_after_the_last  # type: ignore[method-assign,assignment]


def _hand_together(self: AppSession, callback: Callable[[], None]) -> None:
    """Let the loop call this in its turn, with what else the session hands to it within a moment."""
    with _LOCK:
        waiting: deque[Callable[[], None]] = self.__dict__.setdefault(_WAITING, deque())
        waiting.append(callback)
        alone = len(waiting) == 1
    if alone:
        _hand(self, lambda: self._event_loop.call_later(_SECONDS, _take, self))


def _take(self: AppSession) -> None:
    """Do what was handed over, in its order; on the loop's thread."""
    waiting: deque[Callable[[], None]] = self.__dict__.get(_WAITING, deque())
    while True:
        with _LOCK:
            if not waiting:
                return
            callback = waiting.popleft()
        try:
            callback()
        except Exception as error:  # noqa: BLE001 - as the loop does it: told, and the next is called
            self._event_loop.call_exception_handler({"message": "a page's message could not be handled", "exception": error})


def _start_after_the_last(self: AppSession, rerun_data: Any) -> None:
    """Start a run once what the last one sent is taken."""
    if _runs_here(self._event_loop):  # else it is not this thread's to take
        _take(self)
    _start(self, rerun_data)


def _runs_here(loop: asyncio.AbstractEventLoop) -> bool:
    """Whether a loop runs in this thread."""
    with suppress(RuntimeError):
        return asyncio.get_running_loop() is loop
    return False
