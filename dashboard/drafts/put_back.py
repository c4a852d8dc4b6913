"""Putting back what the history holds: what it would change now is shown first, then it goes into the author's draft as one step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import streamlit as st

from curator_core import CuratorError, Edit, Revision
from curator_core.authoring import restoring
from dashboard import panels, session
from dashboard.drafts.authoring import may_write
from dashboard.tables import plural
from dashboard.text_diff import place_text, text_diff

What = int | Literal["revision", "registry"]  # one field: its place in the revision; what the revision changed; the registry as it was
_LOOKED_AT = "review_preview"  # (revision, What)
_UNDO = ":material/undo:"
_WHOLE_HELP = "All tools, synonyms and test queries as they were after this revision. What came later is undone too; look at it first."


def put_back(one: Revision) -> None:
    """Offer to put back a field, the revision or the registry as it was after it, and show what that would change now."""
    if may_write():
        _offers(one)
        _preview(one)


def _offers(one: Revision) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if one.edits:
            names = {at: place_text(edit) for at, edit in enumerate(one.edits)}
            at = st.selectbox("One field", list(names), key=f"review_field_{one.number}", format_func=names.__getitem__, width="stretch")
            st.button("Put back", key="review_put_back", icon=_UNDO, on_click=_look(one, at))
    with st.container(horizontal=True, gap="small"):
        if one.edits and one.kind != "set aside":
            st.button("Take back all of it", key="review_revert", icon=_UNDO, on_click=_look(one, "revision"))
        st.button(
            "The registry as it was then",
            key="review_restore",
            icon=":material/restore:",
            help=_WHOLE_HELP,
            on_click=_look(one, "registry"),
        )


def _look(one: Revision, what: What) -> Callable[[], None]:
    return lambda: session.put(_LOOKED_AT, (one.number, what))


def _preview(one: Revision) -> None:
    number, what = session.value(_LOOKED_AT) or (None, None)
    if number != one.number or what is None:
        return
    with st.container(border=True, gap="small"):
        try:
            edits = _edits(one, what)
        except CuratorError as error:
            panels.message("This cannot be put back as it is", str(error))
            return
        if not edits:
            panels.note("It is like that already.")
            return
        panels.note(f"What would change now, in {plural(len(edits), 'edit')}:")
        text_diff(edits, key="review_preview_diff")
        st.button("Into my draft", key="review_into_draft", type="primary", icon=":material/edit_note:", on_click=_into_draft(edits))


def _edits(one: Revision, what: What) -> tuple[Edit, ...]:
    store, current, unpublished = session.store(), session.registry(), session.edits()
    if what == "registry":
        return restoring.edits_to_restore(store, current, one.number, unpublished=unpublished)
    if what == "revision":
        return restoring.edits_to_revert(store, current, one.number, unpublished)
    edit = restoring.edit_to_put_back(store, current, one.number, what, unpublished)
    if edit.old == edit.new:
        return ()
    current.with_edits([edit])
    return (edit,)


def _into_draft(edits: Sequence[Edit]) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        if session.attempt(lambda: session.add(*edits)):
            session.renew_editors()
            session.put(_LOOKED_AT, None)

    return act
