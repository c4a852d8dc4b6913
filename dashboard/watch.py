"""What changes while a page stands: by another tab, a colleague, an editor, or a store that fails.

It is told within seconds, and taken over by a click: what is being typed is not touched.
"""

from __future__ import annotations

import streamlit as st

from curator_core import Revision, StoreError
from curator_core.authoring import history
from dashboard import panels, session
from dashboard.drafts import authoring
from dashboard.drafts.draft import version_now
from dashboard.drafts.history_table import what
from dashboard.looks import look_every
from dashboard.resources import workbench
from dashboard.tables import visible
from dashboard.toasts import toast

_SECONDS = 3
_SEEN = "watch_seen"  # (the registry that is shown, the latest revision when it was first shown)
_TOLD = "watch_told"  # the news that this tab has had a toast about
_DOWN = (
    "Drafts and history cannot be reached. You can look at everything; what you edit now could not be kept, so the editors are locked. "
    "What was kept before is safe where it lies, and a text that you are in the middle of stays in its box."
)


def watch() -> None:
    """Show in the header what changed since this page was made, and look again every few seconds."""
    seen = session.value(_SEEN)
    if seen is None or seen[0] is not session.base():
        session.put(_SEEN, (session.base(), _latest()))
    _watch(session.store().down)


def store_is_down() -> None:
    """Say that nothing can be kept now, while that is so."""
    if reason := session.store().down:
        panels.message("Not kept now: drafts and history are out of reach", f"{_DOWN}\n{reason}")
        st.button("Try again", key="watch_retry", icon=":material/refresh:", on_click=workbench().retry_store)


@look_every(_SECONDS)
def _watch(down: str) -> None:
    """Look, without making the page anew: what is being typed is not touched. down: why the page has no store."""
    try:
        version, now = version_now(session.store(), session.person(), session.overlay()), session.store().down
    except StoreError as error:
        workbench().lose_store(session.opened().folder, str(error))
        version, now = session.overlay().draft.version, str(error)
    if bool(now) != bool(down):  # it failed, or is there again: editors are to be locked, or opened
        st.rerun(scope="app")
    if changed := authoring.files_changed():
        _news(*_told(changed), key="header_reload", reload=True)
    elif version != session.overlay().draft.version:
        _news("Draft changed", "Another tab of yours changed your draft.", "Show it", key="watch_draft", reload=False)
    else:
        session.put(_TOLD, None)


def _news(title: str, text: str, label: str, key: str, reload: bool) -> None:
    """Say what changed, in the header's row, so that nothing below moves; a click takes it over."""
    if session.value(_TOLD) != title:
        session.put(_TOLD, title)
        toast(f"{title}: see the header", ":material/sync_problem:", key=f"{key}_toast")
    with st.popover(title, icon=":material/sync_problem:", key=f"{key}_news"):
        st.text(visible(text))
        panels.press(label, key, _reload if reload else _show, type="primary")


def _reload() -> None:
    session.notify(authoring.reload())
    _show()


def _show() -> None:
    st.rerun(scope="app")


def _told(changed: tuple[str, ...]) -> tuple[str, str, str]:
    """Say who changed the files, where that is known."""
    new = _published_since()
    if new is None:
        return "Changed on disk", ", ".join(changed), "Reload from disk (your edits are kept)"
    text = f"{new.author}, revision {new.number}: “{new.reason}” ({what(new.edits)})"
    return "Published meanwhile", text, "Take it over (your edits are kept)"


def _published_since() -> Revision | None:
    """Return the latest revision if somebody published it since the registry was read that is shown."""
    seen = session.value(_SEEN)
    try:
        new = history.page(session.store(), limit=1)
    except StoreError:
        return None
    return new[0] if new and seen and new[0].kind == "published" and new[0].number > seen[1] else None


def _latest() -> int:
    try:
        return history.latest(session.store())
    except StoreError:
        return 0
