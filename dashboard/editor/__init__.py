"""The text editor of the workbench: tells the server what is typed without a button, and never loses it."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from dashboard import session
from dashboard.editor.invisible import invisible_notices

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.components.v2.types import ComponentRenderer


_VIEWER = "You may look at this, not edit it: your role is viewer."
_SESSION = "editor_session"
_LOCKED = "Locked: what is typed cannot be kept now. The message at the top says why."


@dataclass(frozen=True, slots=True)
class Counter:
    """A figure above the editor. over: it passes its limit, so that it is shown strong."""

    text: str = ""
    over: bool = False


@dataclass(frozen=True, slots=True)
class Status:
    """What the line below the editor says once the server has the text. state: "draft" is shown strong."""

    text: str = ""
    state: Literal["", "draft"] = ""


@cache
def _component() -> ComponentRenderer:
    """Register the component once a process; its own html and script only, texts come as data."""
    here = Path(__file__).parent
    html, css, js = ((here / f"editor.{ending}").read_text(encoding="utf-8") for ending in ("html", "css", "js"))
    return st.components.v2.component("tool_curator_editor", html=html, css=css, js=js)


def text_editor(
    label: str,
    value: str,
    *,
    key: str,
    version: object,
    on_commit: Callable[[str], None],
    on_save: Callable[[], None] | None = None,
    normal: Callable[[str], str] = str,
    rows: int = 3,
    help: str = "",
    placeholder: str = "",
    counter: Counter | None = None,
    status: Status | None = None,
) -> None:
    """Show an editor for one text.

    value: the text as the draft has it. version: changes when the box must take `value` anew (undo, discard, reload), never while
    somebody merely types. on_commit: called once with each new text, 1 s after the last key, on leaving the field, and before on_save,
    which Ctrl+S calls; a button's callback that acts on the draft calls session.heed_editors first. normal: what the page makes of a
    committed text before it comes back as `value`.
    """
    counter, status = counter or Counter(), status or Status()
    own = f"editor_{hashlib.sha256(key.encode()).hexdigest()[:16]}"  # names of tools may hold what Streamlit's ids must not
    last = _last(own)

    def heed() -> None:
        _take(own, value, on_commit)

    def saved() -> None:
        heed()
        if on_save is not None:
            on_save()

    session.heed_editors_with(own, heed)
    locked = "author" not in session.person().roles or bool(session.store().down)
    mine = last["text"] is not None and normal(with_line_ends_of(value, last["text"])) == value
    data = {
        "key": own,
        "session": _session(),
        "label": label,
        "value": value,
        "version": str(version),
        "heard": last["at"],
        "own": mine,
        "refused": 0 if mine else session.value(f"{own}_refused") or 0,
        "saves": on_save is not None and not locked,
        "locked": locked,
        "rows": rows,
        "help": help,
        "placeholder": placeholder,
        "counter": counter.text,
        "over": counter.over,
        "state": status.state,
        "status": _LOCKED if session.store().down else _VIEWER if locked else status.text,
        "notices": list(invisible_notices(value)),
    }
    _component()(key=own, data=data, on_commit_change=heed, on_save_change=saved)


def _take(own: str, value: str, on_commit: Callable[[str], None]) -> None:
    """Hand on what the box sent last, once: a callback that was stopped is made up for, one that failed is not tried at every run."""
    commit = _commit(own)
    if not commit or commit["at"] in (session.value(f"{own}_heard"), session.value(f"{own}_replayed")):
        return
    try:
        on_commit(with_line_ends_of(value, commit["text"]))
    except Exception:
        session.put(f"{own}_heard", commit["at"])
        raise
    session.put(f"{own}_heard", commit["at"])
    session.put(f"{own}_refused", commit["at"] if session.notice_waits() else 0)


def _commit(own: str) -> dict[str, Any] | None:
    """Return what the box sent last."""
    return (session.value(own) or {}).get("commit")


def _last(own: str) -> dict[str, Any]:
    """Return the text that was taken last in this session, and when it was sent.

    A page that comes back to a server that was started anew sends its state again, before anybody listens: that may be a text that was
    undone since. The draft on the disk is right, and the box sends again what was never answered.
    """
    commit, heard = _commit(own), session.value(f"{own}_heard") or 0
    if not session.value(f"{own}_met"):
        session.put(f"{own}_met", True)
        session.put(f"{own}_replayed", commit["at"] if commit else 0)
    return commit if commit and commit["at"] == heard else {"text": None, "at": heard}


def _session() -> str:
    """Return what tells this session from another."""
    if not session.value(_SESSION):
        session.put(_SESSION, uuid.uuid4().hex)
    return str(session.value(_SESSION))


def with_line_ends_of(old: str, new: str) -> str:
    """Return the new text with the line ends of the old one: browsers turn all into \\n, and an edit must change no more than was typed."""
    return new.replace("\n", "\r\n") if "\r\n" in old and "\n" not in old.replace("\r\n", "") else new
