"""Review & history: drafts that were handed over, and what happened to the registry; any of it can be put back through a draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from curator_core import CuratorError, Edit, Revision, history, restoring
from dashboard import panels, session
from dashboard.authoring import may_write
from dashboard.history_table import headline, revisions_table
from dashboard.submission_panel import submissions
from dashboard.text_diff import place_text, text_diff

_PAGE, _UNDO = 50, ":material/undo:"
_PREVIEW = "review_preview"  # (revision, place of an edit in it or None for all of it): what is to be put back
_COLUMNS = {
    "revision": st.column_config.NumberColumn(width=70),
    "when": st.column_config.TextColumn(width=130),
    "who": st.column_config.TextColumn(width=140),
    "why": st.column_config.TextColumn(width=320),
    "what": st.column_config.TextColumn(width=320),
    "kind": st.column_config.TextColumn(width=120),
}


def show() -> None:
    """Show what waits, then the history, and beside it the revision that is chosen."""
    submissions()
    listed, one = st.columns((3, 2), gap="medium")
    with listed:
        found = _history()
    with one:
        _chosen(found)


def _history() -> tuple[Revision, ...]:
    latest = history.latest(session.store())
    pages = max(1, -(-latest // _PAGE))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.markdown(f"**History** · {latest:,} revisions", width="stretch")
        number = 1
        if pages > 1:
            number = int(st.number_input("Page", 1, pages, key="review_page", width=120, help="Newest first, 50 a page."))
    found = history.page(session.store(), before=latest + 1 - (number - 1) * _PAGE, limit=_PAGE)
    st.dataframe(
        revisions_table(found),
        hide_index=True,
        key=f"review_rows_{latest}_{number}",
        on_select=_clicked(found, f"review_rows_{latest}_{number}"),
        selection_mode="single-row",
        row_height=28,
        height=min(620, 40 + 28 * max(len(found), 1)),
        column_config=_COLUMNS,
        alt="Revisions of the registry, newest first",
    )
    return found


def _clicked(found: Sequence[Revision], key: str) -> Callable[[], None]:
    def act() -> None:
        rows = session.value(key)["selection"]["rows"]
        if rows:
            session.put("revision", found[rows[0]].number)

    return act


def _chosen(found: Sequence[Revision]) -> None:
    """Let the author choose a revision of the page that is shown, and show it."""
    by_number = {one.number: one for one in found}
    chosen = st.selectbox(
        "Revision", list(by_number), index=None, key="revision", bind="query-params", placeholder="Choose a revision, or click one"
    )
    if chosen is None:
        panels.note("A revision shows what changed, word by word. A field of it, or all of it, can be put back: into your draft first.")
        return
    one = by_number[chosen]
    st.text(headline(one))
    if not one.edits:
        panels.note("No field changed here.")
        return
    text_diff(one.edits, key=f"review_revision_{one.number}")
    _offers(one)
    _preview(one)


def _offers(one: Revision) -> None:
    """Offer to put back all of it or one field."""
    blocked = not may_write()
    names = {at: place_text(edit) for at, edit in enumerate(one.edits)}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if one.kind != "set aside":
            st.button(
                "Take back all of it", key="review_revert", icon=":material/undo:", disabled=blocked, on_click=_look(one.number, None)
            )
        at = st.selectbox("One field", list(names), key=f"review_field_{one.number}", format_func=names.__getitem__, width="stretch")
        st.button("Put back", key="review_put_back", icon=_UNDO, disabled=blocked, on_click=_look(one.number, at))


def _look(number: int, at: int | None) -> Callable[[], None]:
    return lambda: session.put(_PREVIEW, (number, at))


def _preview(one: Revision) -> None:
    """Show what putting back would change in the registry as it is now, before it goes into the draft."""
    number, at = session.value(_PREVIEW) or (None, None)
    if number != one.number:
        return
    with st.container(border=True, gap="small"):
        try:
            edits = _edits(one, at)
        except CuratorError as error:
            panels.message("This cannot be put back as it is", str(error))
            return
        if not edits:
            panels.note("It is like that already.")
            return
        panels.note("What would change now:")
        text_diff(edits, key="review_preview_diff")
        st.button("Into my draft", key="review_into_draft", type="primary", icon=":material/edit_note:", on_click=_into_draft(edits))


def _edits(one: Revision, at: int | None) -> tuple[Edit, ...]:
    current = session.registry()
    if at is None:
        return restoring.edits_to_revert(session.store(), current, one.number, session.edits())
    edit = restoring.edit_to_put_back(session.store(), current, one.number, at, session.edits())
    if edit.old == edit.new:
        return ()
    current.with_edits([edit])
    return (edit,)


def _into_draft(edits: Sequence[Edit]) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        if session.attempt(lambda: session.add(*edits)):
            session.renew_editors()
            session.put(_PREVIEW, None)

    return act


if __name__ == "__main__":
    show()
