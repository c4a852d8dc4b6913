"""Callbacks that run to their end: Streamlit would stop one in its middle when the browser's next message arrives.

A text that is sent and the click that follows it are two messages, milliseconds apart. The second makes Streamlit stop whatever runs at
its next look into st.session_state, also a callback that is just putting the text into the draft: then the text, or a click, is gone
(seen with Streamlit 1.67). There is no setting for it, so the one method that calls the callbacks is replaced: a callback is not stopped,
and the callbacks of the next message wait for it. Pages themselves are stopped as ever.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from streamlit.runtime.state import SafeSessionState, SessionState

_as_it_was: Any = getattr(SafeSessionState, "on_script_will_rerun", None)
_begin: Any = SafeSessionState.__init__
_locks: WeakValueDictionary[int, Any] = WeakValueDictionary()  # session -> its lock; a session cannot be a key itself, nor hold a lock
_making = threading.Lock()


def install() -> None:
    """Let callbacks of this process run to their end; a Streamlit that is built in another way is left as it is."""
    if _as_it_was is not None and "_yield_callback" in SafeSessionState.__annotations__:
        SafeSessionState.on_script_will_rerun = _run_whole  # type: ignore[method-assign]
    if "_lock" in SafeSessionState.__annotations__:
        SafeSessionState.__init__ = _begin_with_one_lock  # type: ignore[method-assign]


def _begin_with_one_lock(self: SafeSessionState, state: SessionState, yield_callback: Callable[[], None]) -> None:
    """Begin as Streamlit does it, with the lock of the session, which lives as long as one of its runs."""
    _begin(self, state, yield_callback)
    with _making:
        lock = _locks.setdefault(id(state), self._lock)
    object.__setattr__(self, "_lock", lock)


def _run_whole(self: SafeSessionState, *states: Any, **more: Any) -> None:
    """Take the browser's values and call the callbacks, as Streamlit does it, without being stopped in between."""
    with self._lock:
        stop_if_asked = self._yield_callback
        stop_if_asked()  # before the first callback: the next message brings the same values again
        object.__setattr__(self, "_yield_callback", _go_on)
        try:
            _as_it_was(self, *states, **more)
        finally:
            object.__setattr__(self, "_yield_callback", stop_if_asked)


def _go_on() -> None:
    """Stop nothing."""
