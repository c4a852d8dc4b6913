"""Parts of a page that look by themselves whether something has come: less often where much waits, and no more once it is there.

What the browser sends for such a look brings all values of its widgets along. They say nothing new, since what somebody types or clicks
has a message of its own; but they may be old: sent before the browser heard of a value that a callback has just set, they would undo it
(seen with Streamlit 1.67, where there is no setting for it). So the one method that takes messages leaves them out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils import script_run_context as runs
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

from dashboard.turns import TURNS

_Part = Callable[..., bool | None]
_take: Any = getattr(ScriptRequests, "request_rerun", None)


def install() -> None:
    """Let looks of this process bring no values along; a Streamlit that is built in another way is left as it is."""
    if _take is not None and {"is_auto_rerun", "widget_states"} <= set(RerunData.__dataclass_fields__):
        ScriptRequests.request_rerun = _take_without_values  # type: ignore[method-assign]


def _take_without_values(self: ScriptRequests, new_data: RerunData) -> bool:
    """Take a message; of one that a look sends, not the values."""
    taken: bool = _take(self, replace(new_data, widget_states=None) if new_data.is_auto_rerun else new_data)
    return taken


def look_every(seconds: float) -> Callable[[_Part], Callable[..., None]]:
    """Make a part of a page that is made anew every so many seconds, as st.fragment does it, until it returns True."""

    def part(show: _Part) -> Callable[..., None]:
        @wraps(show)
        def look(*arguments: Any) -> None:
            if show(*arguments):
                _look_no_more()

        @wraps(show)
        def shown(*arguments: Any) -> None:
            st.fragment(look, run_every=TURNS.look_every(seconds))(*arguments)

        return shown

    return part


def _look_no_more() -> None:
    """Tell the browser to ask no more for the part that is being made, as Streamlit tells it for one that is gone (seen with 1.67).

    Where Streamlit does it in another way, the part goes on being made anew, which only costs time.
    """
    state, context = getattr(runs, "ThreadState", None), runs.get_script_run_ctx()
    if state is None or context is None or not hasattr(ForwardMsg(), "stop_auto_rerun"):
        return
    message = ForwardMsg()
    message.stop_auto_rerun.fragment_ids.append(state.get().fragment_id)
    context.enqueue(message)
