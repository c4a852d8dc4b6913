"""Review & history: drafts that were handed over, and what happened to the registry; any of it can be put back through a draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from curator_core import Revision, StoreError
from curator_core.authoring import history
from dashboard import panels, session
from dashboard.compare.receipt_panel import receipt_panel
from dashboard.drafts.history_table import headline, revisions_table
from dashboard.drafts.put_back import put_back
from dashboard.drafts.submission_panel import submissions
from dashboard.tables import plural
from dashboard.text_diff import text_diff

_PAGE = 50
_COLUMNS = {
    "revision": st.column_config.NumberColumn(width=70),
    "when": st.column_config.TextColumn(width=130),
    "who": st.column_config.TextColumn(width=120),
    "why": st.column_config.TextColumn(width=220),
    "what": st.column_config.TextColumn(width=220),
    "test queries": st.column_config.TextColumn(width=130, help="What the change fixed and broke, where that was measured."),
    "kind": st.column_config.TextColumn(width=120),
}


def show() -> None:
    """Show what waits, then the history, and beside it the revision that is chosen."""
    if session.store().down:
        panels.note("Drafts that wait and the history are shown here again when they can be reached.")
        return
    try:
        _show()
    except StoreError as error:
        panels.message("Drafts and history cannot be read", str(error))


def _show() -> None:
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
        st.markdown(f"**History** · {plural(latest, 'revision')}", width="stretch")
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
    by_number = {one.number: one for one in (*found, *_asked(found))}
    chosen = st.selectbox(
        "Revision", list(by_number), index=None, key="revision", bind="query-params", placeholder="Choose a revision, or click one"
    )
    if chosen is None:
        panels.note("A revision shows what changed, word by word. One field, all of it, or the registry as it was can be put back.")
        return
    one = by_number[chosen]
    st.text(headline(one))
    receipt_panel(one.receipt, key="review_receipt")
    if one.edits:
        text_diff(one.edits, key=f"review_revision_{one.number}")
    else:
        panels.note("No field changed here.")
    put_back(one)


def _asked(found: Sequence[Revision]) -> tuple[Revision, ...]:
    """Return the revision that the address names, where it stands on another page of the list."""
    asked = st.query_params.get("revision", "")
    if not asked.isdecimal() or len(asked) > 9 or any(asked == str(one.number) for one in found):
        return ()
    number = int(asked)
    return (history.revision(session.store(), number),) if 1 <= number <= history.latest(session.store()) else ()


if __name__ == "__main__":
    show()
