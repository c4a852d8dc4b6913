"""A note on a tool for its author alone: kept with the drafts, in no file, and in nobody's results."""

from __future__ import annotations

import streamlit as st

from curator_core import StoreError
from curator_core.authoring import notes
from dashboard import session
from dashboard.drafts.authoring import may_write
from dashboard.editor import Status, text_editor

_HELP = "What you want to remember about this tool. Nobody else sees it; it is in no file and does not count in the search."


def note_panel(key: str) -> None:
    """Show the author's note on a tool, to be written in place; nothing for somebody who may only look."""
    if not may_write():
        return
    try:
        kept = notes.note_on(session.store(), session.person(), key, session.edits())
    except StoreError:  # the header says it
        return
    text = kept.text if kept else ""
    title = "Notes for yourself: 1" if text else "Notes for yourself"
    with st.expander(title, icon=":material/sticky_note_2:", key="tools_notes"):
        text_editor(
            "Notes for yourself",
            text,
            key=f"tools_note_{session.person().name}_{key}",
            version=session.opened().number,
            on_commit=lambda new: _keep(key, new, kept.name if kept else ""),
            rows=2,
            help=_HELP,
            placeholder="only you see this",
            status=Status(f"kept, {kept.at.astimezone():%d %b %H:%M}" if kept else "nothing noted"),
        )


def _keep(key: str, text: str, instead_of: str) -> None:
    session.attempt(lambda: notes.write_note(session.store(), session.person(), key, text, instead_of))
