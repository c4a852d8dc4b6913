"""Below the draft bar, on demand: what the draft changes, and publishing it or handing it over, with the reason."""

from __future__ import annotations

import streamlit as st

from curator_core import Submission, git_state
from curator_core.authoring import review
from dashboard import panels, session
from dashboard.drafts import authoring
from dashboard.tables import plural, visible
from dashboard.text_diff import text_diff

OPEN = "draft_panel"  # what of the panel is open: "changes", "publish" or nothing
_FILES = 3


def publish_panel() -> None:
    """Show what was opened from the draft bar."""
    shown = session.value(OPEN)
    edits = session.overlay().pending
    if not edits:  # with the next edit it would open by itself
        session.put(OPEN, "")
    if not shown or not edits:
        return
    with st.container(border=True, gap="small"):
        text_diff(edits, key="draft_diff")
        if shown == "publish":
            _form()
        st.button("Close", key="draft_close", type="tertiary", icon=":material/close:", on_click=show, args=("",))


def show(what: str) -> None:
    """Open a part of the panel, "" = close it; a second click, as of a double click, changes nothing."""
    session.heed_editors()
    session.put(OPEN, what)


def git_text() -> str:
    """Say on which branch of git the folder is and what of it is not committed, "" where it is in none."""
    state = git_state(session.opened().folder)
    if state is None:
        return ""
    branch = f"branch {state.branch}" if state.branch else "no branch"
    names = ", ".join(state.uncommitted[:_FILES]) + (", …" if len(state.uncommitted) > _FILES else "")
    left = f"{plural(len(state.uncommitted), 'file')} not committed: {names}" if state.uncommitted else "everything is committed"
    return visible(f"In git: {branch}, {left}. Publishing writes the files; committing them is yours.")


def handed_over() -> Submission | None:
    """Return what this author handed over and nobody has published yet."""
    return next((one for one in review.of_author(session.store(), session.person(), 1) if one.state in review.OPEN), None)


def _form() -> None:
    required = session.opened().config.review_required
    if said := git_text():
        st.text(said)
    if required:
        panels.note("This registry takes a second person: hand the draft over, and another approves it.")
    with st.form("draft_form", border=False):
        st.text_input("Why? A few words for the history", key="draft_reason", placeholder="what these edits are for")
        with st.container(horizontal=True, gap="small"):
            st.form_submit_button("Publish now", key="draft_publish_now", type="primary", disabled=required, on_click=_publish)
            st.form_submit_button("Hand over for review", key="draft_hand_over", on_click=_hand_over)
    if one := handed_over():
        panels.submission_link(one.id, "Your draft was handed over; look at what the reviewer sees")


def _reason() -> str:
    return str(session.value("draft_reason") or "").strip()


def _publish() -> None:
    outcome = authoring.publish_draft(_reason())
    session.notify(outcome)
    if outcome.done:
        _done()


def _hand_over() -> None:
    outcome = authoring.hand_over(_reason())
    session.notify(outcome)
    if outcome.done:
        session.put("draft_reason", "")


def _done() -> None:
    session.put(OPEN, "")
    session.put("draft_reason", "")
