"""Widgets that a page no longer has are forgotten, but for the last ones: Streamlit keeps what it knows of each as long as the tab is open.

A tool that is opened has some sixteen widgets with names of their own, each with its callback and what that holds (seen with
Streamlit 1.67: whose values go, not the rest). The method that drops the values is replaced. The last ones stay: a click may be under way.
"""

from __future__ import annotations

from typing import Any

from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx
from streamlit.runtime.state import SessionState, session_state

STAY = 100  # of a tab: more than the page had that was shown before
_drop_values: Any = getattr(SessionState, "_remove_stale_widgets", None)
_is_gone: Any = getattr(session_state, "_is_stale_widget", None)
_LOOKED_INTO = {"_new_widget_state", "_old_state", "_key_id_mapper", "_query_param_bound_widget_ids"}


def install() -> None:
    """Forget such widgets in this process; a Streamlit that is built in another way is left as it is."""
    if _drop_values is not None and _is_gone is not None and SessionState.__annotations__.keys() >= _LOOKED_INTO:
        SessionState._remove_stale_widgets = _drop_values_and_forget  # type: ignore[method-assign,assignment]


def _drop_values_and_forget(self: SessionState, active: frozenset[str]) -> None:
    """Drop the values of widgets that are gone, as Streamlit does it, and forget those that have been gone longest.

    One that gets its value back when it is shown again (persist_state, bind) is not forgotten.
    """
    _drop_values(self, active)
    run, known = get_script_run_ctx(), self._new_widget_state.widget_metadata
    if run is None or len(known) <= STAY:
        return
    for widget in active & known.keys():
        known[widget] = known.pop(widget)  # behind those that are gone
    gone = [widget for widget, about in known.items() if _is_gone(about, active, run.fragment_ids_this_run)]
    for widget in gone[:-STAY]:
        if known[widget].persist_state is None and widget not in self._query_param_bound_widget_ids:
            _forget(self, widget)


def _forget(self: SessionState, widget: str) -> None:
    """Forget a widget's callback, its value if it is one that Streamlit keeps, and which name stood for it."""
    self._new_widget_state.widget_metadata.pop(widget)
    self._old_state.pop(widget, None)
    ids, names = self._key_id_mapper._key_id_mapping, self._key_id_mapper._id_key_mapping
    name = names.pop(widget, None)
    if name is not None and ids.get(name) == widget:
        del ids[name]
