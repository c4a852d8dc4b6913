"""Parts of a page that look by themselves whether something has come: less often where much waits, and no more once it is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import streamlit as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner_utils import script_run_context as runs

from dashboard.turns import TURNS

_Part = Callable[..., bool | None]


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
