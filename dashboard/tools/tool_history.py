"""What happened to one tool, each change with a link to its revision, where it can be looked at and put back."""

from __future__ import annotations

import streamlit as st

from curator_core import Change, StoreError, key_before
from curator_core.authoring import history
from dashboard import panels, session
from dashboard.drafts.history_table import when
from dashboard.tables import plural, visible

_SHOWN = 20
_HELP = "Open the revision: what it changed word by word, and putting this field or all of it back."


def tool_history(key: str) -> None:
    """List the latest changes of a tool, also under its earlier names; nothing for one that was never changed."""
    before = key_before(session.edits(), key)
    if before is None:  # the draft adds it
        return
    try:
        changes = history.of_tool(session.store(), before, limit=_SHOWN + 1)
    except StoreError:  # the header says it
        return
    if not changes:
        return
    count = plural(len(changes), "change") if len(changes) <= _SHOWN else f"the latest {_SHOWN} changes"
    with st.expander(f"History: {count}", icon=":material/manage_history:", key="tools_history"):
        for change in changes[:_SHOWN]:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                panels.revision_link(change.number, _HELP)
                st.text(change_text(change), width="stretch")


def change_text(change: Change) -> str:
    """Say what was changed, when and by whom."""
    gave_way = ", gave way to another's text" if change.kind == "set aside" else ""
    return visible(f"{change.edit.field.replace('_', ' ')} · {change.author or 'nobody known'} · {when(change.at)}{gave_way}")
