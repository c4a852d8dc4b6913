"""One browser tab's state: its registry, author, draft, role lens and settings. The only file that touches st.session_state."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st

from curator_core import (
    Config,
    Curator,
    CuratorError,
    Edit,
    Person,
    Registry,
    Settings,
    Store,
    StoreError,
    load_config,
    load_registry,
    profile,
    switches_of,
)
from curator_core.authoring import drafts
from curator_core.authoring.people import person_of
from dashboard import identity
from dashboard.drafts.draft import Outcome as Outcome
from dashboard.drafts.draft import Overlay, is_typed, laid_on, overtaken_text, settings_under, version_now
from dashboard.home.recent import remember
from dashboard.resources import Model, Snapshot, workbench

_OPENED, _OVERLAY, NOTICE, _FAILED = "session_opened", "session_overlay", "session_notice", "session_failed"
_EDITORS, _NAME, _AUTHOR = "session_editors", "session_name", "session_author"
_AWAITED, _SHOWN = "session_awaited", "session_shown"  # the snapshot that a page has waited for; those that it shows, held here
_JOIN_SECONDS = 10.0  # who types on in a field within this time goes on with the same step of undo
_PATIENCE_SECONDS = 4.0  # how long a page waits for the index of an edit before it shows progress instead


@dataclass(frozen=True, slots=True)
class Opened:
    """An open registry folder. number: counts loads and saves; put it into the keys of editors, so that they start anew after one."""

    folder: Path
    config: Config
    number: int = 0


def is_open() -> bool:
    """Say whether a registry is open; the first look opens the folder of the command line, else the one opened last."""
    folder = os.environ.get("TOOL_CURATOR_FOLDER") or workbench().folder
    if folder and _OVERLAY not in st.session_state and _FAILED not in st.session_state:
        open_folder(folder)
    return _OVERLAY in st.session_state  # it comes last: a page may be stopped, by the browser's next message, while it opens a folder


def open_folder(folder: str | Path) -> bool:
    """Open a registry folder with this author's draft of it; on failure return False and leave what is open as it is."""
    try:
        path = Path(folder).expanduser().resolve()
        base, config = workbench().registry(path), load_config(path)
        workbench().catch_up(path, base)
    except CuratorError as error:
        return refuse(str(error))
    st.session_state.pop(_OVERLAY, st.session_state.pop(_FAILED, None))
    st.session_state[_OPENED] = Opened(path, config)
    show_on(base)
    workbench().folder = str(path)
    remember(workbench().cache_dir, path)
    return True


def show_on(base: Registry) -> None:
    """Show a registry with this author's draft as it is on the disk."""
    st.session_state[_OVERLAY], st.session_state[_AUTHOR] = laid_on(base, store(), person()), person().name


def refresh() -> None:
    """Take over what another tab of this author did to the draft, or another author's draft when the name was changed."""
    same = st.session_state.get(_AUTHOR) == person().name
    try:
        if version_now(store(), person(), overlay() if same else None) == overlay().draft.version and same:
            return
    except StoreError as error:
        workbench().lose_store(opened().folder, str(error))
        if same:  # what is shown stays
            return
    try:
        base = load_registry(opened().folder, strict=False)
    except CuratorError:  # the files cannot be read now; changed_files tells
        base = overlay().base
    show_on(base)
    renew_editors()


def failure() -> str:
    """Return why the last folder could not be opened, "" if it could."""
    return str(value(_FAILED) or "")


def refuse(reason: str) -> bool:
    """Keep why nothing could be opened, for `failure`; return False."""
    st.session_state[_FAILED] = reason
    return False


def forget_failure() -> None:
    """Let go of why a folder could not be opened."""
    st.session_state.pop(_FAILED, None)


def opened() -> Opened:
    """Return the open folder."""
    found: Opened = st.session_state[_OPENED]
    return found


def store() -> Store:
    """Return where drafts and revisions of the open registry are kept."""
    return workbench().store(opened().folder)


def person() -> Person:
    """Return who works in this tab, with the roles that curator.toml gives: by login or proxy, else under the name chosen here."""
    name = identity.given_name() or st.session_state.get(_NAME) or identity.usual_name()
    return identity.limited(person_of(name, opened().config.people))


def work_as(name: str) -> None:
    """Go on under another name, with the draft of that author. Raises CuratorError for a name that is none."""
    st.session_state[_NAME] = Person(name).name
    refresh()


def overlay() -> Overlay:
    """Return the draft over its base registry."""
    found: Overlay = st.session_state[_OVERLAY]
    return found


def put_overlay(new: Overlay) -> None:
    """Show another state of the draft, which is on the disk."""
    st.session_state[_OVERLAY] = new


def registry() -> Registry:
    """Return the registry as this tab's author sees it, with the edits."""
    return overlay().registry


def base() -> Registry:
    """Return the registry as it is published."""
    return overlay().base


def edits() -> tuple[Edit, ...]:
    """Return the edits that are not published yet."""
    return overlay().edits


def add_edit(key: str, field: str, new: Any) -> None:
    """Give a tool's field (or a synonym term's phrases) a new value in the draft. Raises CuratorError; then nothing changed."""
    add(registry().edit(key, field, new))


def add(*edits: Edit, typed: bool = True) -> None:
    """Put edits into the draft on the disk, as one step. Raises CuratorError; then nothing changed. typed: it may go on with the last."""
    refresh()
    added = drafts.add(store(), person(), edits, _JOIN_SECONDS if typed and all(map(is_typed, edits)) else 0.0, base())
    put_overlay(Overlay(base(), added.draft))
    if added.overtaken:
        notify(Outcome(False, overtaken_text(added.overtaken)))


def attempt(act: Callable[[], None]) -> bool:
    """Do an edit in a callback; where the engine refuses it, keep its message for the header and return False."""
    dismiss()
    try:
        act()
    except CuratorError as error:
        notify(Outcome(False, str(error)))
        return False
    return True


def heed_editors_with(name: str, heed: Callable[[], None]) -> None:
    """Keep how to take what an editor has sent; see heed_editors."""
    st.session_state.setdefault(_EDITORS, {})[name] = heed


def heed_editors() -> None:
    """Take what editors have sent, at the start of a callback that acts on the draft.

    A text and the click that follows it can reach the server as one message, and Streamlit calls the button first.
    """
    for heed in tuple(st.session_state.get(_EDITORS, {}).values()):
        heed()


def notify(outcome: Outcome) -> None:
    """Keep an outcome for the header of the next run to show."""
    st.session_state[NOTICE] = outcome


def notice() -> Outcome | None:
    """Return the outcome that was kept: good news once, anything else until it is dismissed or another outcome takes its place."""
    kept: Outcome | None = st.session_state.get(NOTICE)
    if kept is not None and kept.done:
        dismiss()
    return kept


def dismiss() -> None:
    """Let go of the outcome that was kept."""
    st.session_state.pop(NOTICE, None)


def model() -> Model:
    """Return the model that the registry asks for."""
    return Model(opened().config.model, opened().config.query_prefix)


def saved_snapshot() -> Snapshot:
    """Return the index of the registry as saved."""
    return workbench().open(base(), model(), settings=opened().config.settings)


def snapshot() -> Snapshot:
    """Return the index of the draft; waits a little, once, for an edit's few texts to be embedded."""
    found = snapshot_now()
    if edits() and saved_snapshot().finished and st.session_state.get(_AWAITED) is not found:
        found.wait(_PATIENCE_SECONDS)
        st.session_state[_AWAITED] = found
    return found


def snapshot_now() -> Snapshot:
    """Return the index of the draft without waiting for it."""
    saved = saved_snapshot()
    found = workbench().open(registry(), model(), saved, settings_under(opened().config, edits())) if edits() else saved
    st.session_state[_SHOWN] = (saved, found)
    return found


def curator(saved: bool = False) -> Curator:
    """Return a curator over the draft, or over the registry as saved, with the settings on screen."""
    return Curator((saved_snapshot() if saved else snapshot()).index, settings(), (base() if saved else registry()).test_queries)


def settings() -> Settings:
    """Return the registry's settings with the profile, number of tools and stage switches that are chosen on screen."""
    own = settings_under(opened().config, edits())
    chosen = value("profile") or own.profile
    start = own if chosen == own.profile else profile(chosen)
    values = {name: value(name) for name in switches_of(chosen) if value(name) is not None}
    return start.with_values(values | ({"top_k": int(value("k"))} if value("k") else {}))


def role() -> str | None:
    """Return the role lens: None for everyone's view, or where the registry does not have the role any more."""
    chosen = value("role")
    return chosen if chosen in registry().roles else None


def query() -> str:
    """Return the question in the playground."""
    return str(value("q") or "")


def value(key: str) -> Any:
    """Return the value of a keyed widget, None where it has none."""
    return st.session_state.get(key)


def put(key: str, new: Any) -> None:
    """Set the value of a keyed widget; only in a callback, or before the widget is made in this run."""
    st.session_state[key] = new


def renew_editors() -> None:
    """Make every editor take the draft's text anew, as after an undo."""
    st.session_state[_OPENED] = replace(opened(), number=opened().number + 1)


def put_config(config: Config) -> None:
    """Take over what curator.toml says."""
    st.session_state[_OPENED] = replace(opened(), config=config)


def forget(key: str) -> None:
    """Let go of a widget's value; only in a callback, or before the widget is made in this run."""
    st.session_state.pop(key, None)


def notice_waits() -> bool:
    """Say whether the author has not yet seen or dismissed a message."""
    return NOTICE in st.session_state
