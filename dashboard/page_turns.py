"""Pages take turns: each run of a page, or of a part of it, waits for its place, after its callbacks have kept what was typed.

Streamlit makes all pages at the same time, each in a thread of its own (seen with Streamlit 1.67), and has no setting for it. Two of its
methods are replaced: the one that says that a page's own code begins, and the one around the whole run.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from dashboard.turns import TURNS

_begin: Any = getattr(ScriptRunContext, "on_script_start", None)
_run: Any = getattr(ScriptRunner, "_run_script", None)


def install() -> None:
    """Let the pages of this process take turns; a Streamlit that is built in another way is left as it is."""
    if _begin is not None and _run is not None and "yield_check" in ScriptRunContext.__annotations__:
        ScriptRunContext.on_script_start = _begin_in_turn  # type: ignore[method-assign]
        ScriptRunner._run_script = _run_in_turn  # type: ignore[method-assign]


def _begin_in_turn(self: ScriptRunContext) -> None:
    """Wait for a place; a newer message of the same browser ends the waiting, and is heeded instead."""
    TURNS.take(look=self.yield_check)
    _begin(self)


def _run_in_turn(self: ScriptRunner, rerun_data: Any) -> None:
    """Run the page; whatever comes of it, its place is free afterwards."""
    try:
        _run(self, rerun_data)
    finally:
        TURNS.give_back()
