"""Pin a tool to a question as a test, or say that it must not appear: one click, and the test query is there or has grown."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from curator_core import TestQuery, pin_tool
from dashboard import session
from dashboard.drafts.authoring import may_write, undo
from dashboard.tables import visible

PIN, FORBID = ":material/keep:", ":material/block:"
_DONE = "playground_pinned"
PIN_HELP = "Pin as test: a test query with this question expects the tool from now on. One that is there is added to."
FORBID_HELP = "Must not appear: a test query with this question fails while the tool is in the answer."


def pin_buttons(question: str, tool: str) -> None:
    """Show both buttons for the tool in focus; after a click, what was done and the way back."""
    if not (question.strip() and may_write()):
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button("Pin as test", key="focus_pin", icon=PIN, help=PIN_HELP, on_click=pin(question, tool))
        st.button("Must not appear", key="focus_forbid", icon=FORBID, help=FORBID_HELP, on_click=pin(question, tool, forbidden=True))
        said = session.value(_DONE)
        if said and said[:2] == (question, len(session.overlay().draft.steps)):
            st.text(said[2], width="content")
            st.button("Undo", key="focus_pin_undo", type="tertiary", icon=":material/undo:", on_click=undo)


def pin(question: str, tool: str, forbidden: bool = False) -> Callable[[], None]:
    """Return a callback that pins the tool to the question, asked as the role on screen."""

    def act() -> None:
        session.heed_editors()
        edit = pin_tool(session.registry(), question, tool, session.role(), forbidden)
        if edit is None:
            session.notify(session.Outcome(True, f"A test query {'forbids' if forbidden else 'expects'} {tool} for this question already."))
        elif session.attempt(lambda: session.add(edit)):
            done = _said(edit.old, tool, forbidden)
            session.put(_DONE, (question, len(session.overlay().draft.steps), visible(done)))
            session.notify(session.Outcome(True, f"{done}. It is in your draft; “Undo last” takes it back."))

    return act


def _said(old: TestQuery | None, tool: str, forbidden: bool) -> str:
    what = f"{tool} must not appear" if forbidden else f"{tool} is expected"
    if old is None:
        return f"New test query: {what}"
    return f"Added to a test query: {what}" + (", where no tool was said to apply" if old.expected == () and not forbidden else "")
