"""Pages take turns: each run of a page, or of a part of it, waits for its place, after its callbacks have kept what was typed.

Streamlit makes all pages at the same time, each in a thread of its own (seen with Streamlit 1.67), and has no setting for it. Two of its
methods are replaced: the one that says that a page's own code begins, and the one around the whole run.
"""

from __future__ import annotations

import threading
from typing import Any

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from dashboard.turns import LOOK, PAGE, PART, TURNS

_begin: Any = getattr(ScriptRunContext, "on_script_start", None)
_run: Any = getattr(ScriptRunner, "_run_script", None)

_asked = threading.local()  # runner, data: what is asked for in this thread


def install() -> None:
    """Let the pages of this process take turns; a Streamlit that is built in another way is left as it is."""
    if _begin is not None and _run is not None and "yield_check" in ScriptRunContext.__annotations__:
        ScriptRunContext.on_script_start = _begin_in_turn  # type: ignore[method-assign]
        ScriptRunner._run_script = _run_in_turn  # type: ignore[method-assign]


def _begin_in_turn(self: ScriptRunContext) -> None:
    """Wait for a place; a newer message of the same browser ends the waiting, and is heeded instead where this one stood in line."""
    requests = getattr(getattr(_asked, "runner", None), "_requests", None)

    def look() -> float | None:
        self.yield_check()
        waits = getattr(requests, "_state", None) == ScriptRequestType.RERUN  # behind this: a part, which does not end the waiting
        return _after(getattr(requests, "_rerun_data", None)) if waits else None

    TURNS.take(look, _after(getattr(_asked, "data", None)), self.session_id)
    _begin(self)


def _run_in_turn(self: ScriptRunner, rerun_data: Any) -> None:
    """Run the page; whatever comes of it, its place is free afterwards."""
    _asked.runner, _asked.data = self, rerun_data
    try:
        _run(self, rerun_data)
    finally:
        _asked.runner = _asked.data = None
        TURNS.give_back()


def _after(rerun_data: Any) -> float:
    """Say how urgent a run is. One part that is made anew by itself can wait; several are asked for together, also by somebody."""
    parts = len(getattr(rerun_data, "fragment_id_queue", ()))
    if parts == 1 and getattr(rerun_data, "is_auto_rerun", False):
        return LOOK
    return PART if parts else PAGE
