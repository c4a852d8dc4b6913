"""One draft that was handed over: what it changes and does, and what a reviewer decides."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from curator_core import CuratorError, Receipt, Submission, UnknownName
from curator_core.authoring import review
from curator_core.authoring.rebasing import conflicts_on
from dashboard import panels, session
from dashboard.compare.receipt_panel import receipt_now, receipt_panel
from dashboard.drafts import authoring
from dashboard.drafts.authoring import may_write
from dashboard.drafts.history_table import submission_text
from dashboard.tables import plural, visible
from dashboard.text_diff import text_diff

_CHOSEN, _ASKED = "review_submission", "review_asked"  # the widget's key; the address that was last looked at


def submissions() -> None:
    """List what waits, and show the one that is chosen or named in the address."""
    store = session.store()
    found = {one.id: one for one in (*review.waiting(store), *review.waiting(store, "approved"))}
    asked = st.query_params.get("submission")
    if asked and asked not in found:
        try:
            found[asked] = review.read(session.store(), asked)
        except UnknownName:
            panels.message("No such draft", "Nothing was handed over under this link for this registry. It may be of another one.")
    if not found:
        panels.note("Nothing waits for review. An author hands a draft over with “Publish” in the draft bar.")
        return
    if asked in found and asked != session.value(_ASKED):  # a link was followed; the choice stands in the address from then on
        session.put(_CHOSEN, asked)
        session.put(_ASKED, asked)
    chosen = st.selectbox(
        f"Handed over: {len(found)}",
        list(found),
        index=None,
        key=_CHOSEN,
        on_change=_chose,
        format_func=lambda id: submission_text(found[id]),
        placeholder="Choose a draft to look at",
    )
    if chosen is not None:
        _submission(found[chosen])


def _chose() -> None:
    chosen = session.value(_CHOSEN)
    session.put(_ASKED, chosen)
    st.query_params.from_dict({"submission": chosen} if chosen else {})


def _submission(one: Submission) -> None:
    with st.container(border=True, gap="small"):
        st.text(submission_text(one))
        if one.note:
            st.text(visible(f"“{one.note}”"))
        if one.answer:
            st.text(visible(f"{one.decided_by}: “{one.answer}”"))
        text_diff(one.edits, key=f"review_diff_{one.id.encode().hex()}")  # an id may have "__", which Streamlit refuses here
        _effect(one)
        _moved(one)
        if one.state in review.OPEN:
            _decision(one)


def _effect(one: Submission) -> None:
    """Show the figures as they were handed over, and for the registry as it is now where that can differ."""
    receipt_panel(one.receipt, key="review_handed")
    kept = Receipt.from_json(one.receipt)
    fresh = kept is not None and kept.fingerprint_before == session.saved_snapshot().index.fingerprint
    if one.state in review.OPEN and not fresh:
        panels.note("With the registry as it is now:")
        receipt_now(one.edits, key="review_now")


def _moved(one: Submission) -> None:
    """Say where the registry moved since."""
    count = len(conflicts_on(session.base(), one.edits)) if one.state in review.OPEN else 0
    if count:
        said = f"{plural(count, 'field')} changed since; publishing shows both texts"
        st.badge(said, icon=":material/sync_problem:", color="orange")


def _decision(one: Submission) -> None:
    mine, decides = session.person().is_same(one.author), "reviewer" in session.person().roles
    if not may_write() or not (mine or decides):
        panels.note("A reviewer decides on it; your role here lets you look.")
        return
    if mine:
        st.button("Take it back", key="review_withdraw", icon=":material/undo:", on_click=_act(one, review_withdraw, "Taken back."))
        panels.note("Another person decides on it. Your draft is still there.")
    with st.form("review_form", border=False):
        st.text_input("Note", key="review_note", placeholder="for the author, and for the history when you publish")
        acts = (
            ("Approve", "review_approve", review_approve, "Approved."),
            ("Send back", "review_send_back", review_send_back, "Sent back."),
        )
        with st.container(horizontal=True, gap="small"):
            for label, key, act, done in acts:
                st.form_submit_button(label, key=key, disabled=mine or not decides, on_click=_act(one, act, done))
            st.form_submit_button("Publish", key="review_publish", type="primary", on_click=_publish(one))


def review_approve(id: str, note: str) -> None:
    """Approve it."""
    review.approve(session.store(), session.person(), id, note)


def review_send_back(id: str, note: str) -> None:
    """Send it back."""
    review.send_back(session.store(), session.person(), id, note)


def review_withdraw(id: str, _note: str) -> None:
    """Take it back."""
    review.withdraw(session.store(), session.person(), id)


def _act(one: Submission, act: Callable[[str, str], None], done: str) -> Callable[[], None]:
    def decided() -> None:
        try:
            act(one.id, str(session.value("review_note") or "").strip())
        except CuratorError as error:
            session.notify(session.Outcome(False, str(error)))
        else:
            session.notify(session.Outcome(True, done))

    return decided


def _publish(one: Submission) -> Callable[[], None]:
    def act() -> None:
        reason = str(session.value("review_note") or "").strip() or one.note
        session.notify(authoring.publish_submission(one.id, reason))

    return act
