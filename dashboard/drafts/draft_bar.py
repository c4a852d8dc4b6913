"""Below the header: what the draft is, what came of the last act, and the conflicts that the author decides on."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime

import streamlit as st

from curator_core import Choice, Conflict
from dashboard import panels, session, watch
from dashboard.compare.receipt_panel import draft_line
from dashboard.drafts import authoring, publish_panel
from dashboard.tables import plural, value_text, visible
from dashboard.toasts import toast

_CHANGES_HELP = "Everything that your draft changes, word by word."
_DRAFT_HELP = "Every page shows the registry with these edits. They are kept on disk at every change, for you alone, until you publish."
_NOTICES = "store_notices"  # those that this tab's author has dismissed
_DRAWN = "draft_drawn"  # the draft and the outcome that stand below the header


def show() -> None:
    """Show whatever needs the author's attention, and the draft while there is one."""
    watch.store_is_down()
    notice()
    _store_notices()
    draft_bar()
    publish_panel.publish_panel()
    session.put(_DRAWN, (session.overlay(), session.value(session.NOTICE)))


def follow() -> None:
    """Have the whole page drawn once the draft or an outcome is another than here; for a part that is made anew alone (st.fragment)."""
    drawn = session.value(_DRAWN)
    if drawn and not (drawn[0] is session.overlay() and drawn[1] is session.value(session.NOTICE)):
        st.rerun(scope="app")


def notice() -> None:
    """Show what the last act came to: good news for a moment, anything else until it is dismissed; and what does not fit, until it does."""
    outcome = session.notice()
    if outcome is not None and outcome.done:
        toast(visible(outcome.message), ":material/check:", key="notice_toast")
    elif outcome is not None:
        panels.message("Not done", outcome.message)
        if outcome.conflicts:
            conflicts(outcome)
        st.button("Dismiss", key="notice_dismiss", on_click=session.dismiss)
    if session.overlay().conflicts and not (outcome is not None and outcome.conflicts):
        said = "Somebody changed the same fields. Choose which text to keep; both are here, and until then the pages show yours."
        panels.message("Your draft does not fit", said)
        conflicts(session.Outcome(False, "", session.overlay().conflicts))


def conflicts(outcome: session.Outcome) -> None:
    """Show fields that were changed here and on disk, with both texts, and a choice for each."""
    found, mine = outcome.conflicts, "The draft's" if outcome.submission else "Yours"
    labels = {"mine": "Keep the draft's" if outcome.submission else "Keep yours", "theirs": "Take the one on disk"}
    with st.form("conflicts_form"):
        for number, conflict in enumerate(found):
            st.text(visible(f"{conflict.tool or 'test queries'} · {conflict.field}"))
            for column, label, key, value in zip(st.columns(2), (mine, "On disk now"), ("mine", "theirs"), _texts(conflict), strict=True):
                session.put(f"conflicts_{key}_{number}", value)  # a box with a key would go on showing an earlier conflict's text
                column.text_area(label, key=f"conflicts_{key}_{number}", disabled=True)
            st.radio("Which text?", tuple(labels), format_func=labels.__getitem__, key=_choice_key(conflict), horizontal=True)
        st.form_submit_button("Go on with these choices", on_click=_resolve(outcome), type="primary")


def _texts(conflict: Conflict) -> tuple[str, str]:
    return value_text(conflict.wanted), value_text(conflict.found)


def _choice_key(conflict: Conflict) -> str:
    """Return the key of the choice about exactly these two texts: what was chosen about others says nothing here."""
    about = (conflict.tool, conflict.field, *_texts(conflict))
    return f"conflicts_{hashlib.sha256(repr(about).encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def _resolve(outcome: session.Outcome) -> Callable[[], None]:
    def act() -> None:
        keep = [session.value(_choice_key(conflict)) == "mine" for conflict in outcome.conflicts]
        pairs = zip(outcome.conflicts, keep, strict=True)
        chosen = [Choice(conflict, "mine" if mine else "theirs") for conflict, mine in pairs]
        if outcome.submission:
            session.notify(authoring.publish_submission(outcome.submission, outcome.reason, chosen))
        else:
            session.notify(authoring.reload(chosen))

    return act


def _store_notices() -> None:
    """Say what the authors should know of the place where drafts are kept, until it is dismissed."""
    notices = session.store().notices
    if not notices or session.value(_NOTICES) == notices:
        return
    for text in notices:
        panels.message("Drafts and history: something to know", text)
    st.button("Dismiss", key="store_dismiss", on_click=lambda: session.put(_NOTICES, notices))


def draft_bar() -> None:
    """Show the draft, when there is one: how many edits and since when; publish, undo, redo, discard."""
    overlay = session.overlay()
    draft = overlay.draft
    if not draft.steps and not draft.redo:
        return
    empty = not overlay.pending
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        said = f"Draft: {plural(len(overlay.pending), 'edit')} in {plural(len(overlay.touched), 'place')}{_since()}"
        st.badge(said, icon=":material/edit_note:", color="violet", help=_DRAFT_HELP)
        if overlay.edits:
            draft_line()
        st.space("stretch")
        st.button(
            "Changes", key="draft_changes", icon=":material/difference:", disabled=empty, on_click=_open("changes"), help=_CHANGES_HELP
        )
        st.button(
            "Publish",
            key="draft_publish",
            type="primary",
            icon=":material/publish:",
            disabled=empty,
            on_click=_open("publish"),
            help="Look at what changes, say why, and write it to the registry's folder. Others' edits of other fields survive.",
        )
        st.button("Undo last", key="draft_undo", icon=":material/undo:", disabled=not draft.steps, on_click=authoring.undo)
        st.button("Redo", key="draft_redo", icon=":material/redo:", disabled=not draft.redo, on_click=authoring.redo)
        st.button(
            "Discard",
            key="draft_discard",
            icon=":material/delete:",
            disabled=empty,
            on_click=authoring.discard,
            help="Drop all edits; undo brings them back.",
        )


def _since() -> str:
    """Say when the oldest edit of the draft was begun, in this computer's time."""
    live = session.overlay().draft.live
    if not live:
        return ""
    begun, now = live[0].at.astimezone(), datetime.now().astimezone()
    return f" · since {begun:%H:%M}" if begun.date() == now.date() else f" · since {begun:%d %b %H:%M}"


def _open(what: str) -> Callable[[], None]:
    return lambda: publish_panel.show(what)
