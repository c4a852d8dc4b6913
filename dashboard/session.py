"""One browser tab's state: its registry, draft, role lens and settings. The only file that touches st.session_state."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st

from curator_core import (
    STAGES,
    Config,
    Conflict,
    Curator,
    CuratorError,
    Edit,
    EditConflict,
    Registry,
    Settings,
    changed_files,
    load_config,
    load_registry,
    profile,
    save_registry,
)
from dashboard.draft import Choices, Draft
from dashboard.recent import remember
from dashboard.resources import Model, Snapshot, workbench
from dashboard.tables import plural

_OPENED, _DRAFT, _NOTICE, _FAILED = "session_opened", "session_draft", "session_notice", "session_failed"
_EDITORS = "session_editors"
_PATIENCE_SECONDS = 4.0  # how long a page waits for the index of an edit before it shows progress instead


@dataclass(frozen=True, slots=True)
class Opened:
    """An open registry folder. number: counts loads and saves; put it into the keys of editors, so that they start anew after one."""

    folder: Path
    config: Config
    number: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of saving or reloading. done: it happened; message: what to tell the author; conflicts: per field, nothing was lost."""

    done: bool
    message: str
    conflicts: tuple[Conflict, ...] = ()


def is_open() -> bool:
    """Say whether a registry is open; the first look opens the folder that the process was started with or opened last."""
    if _OPENED not in st.session_state and _FAILED not in st.session_state:
        folder = os.environ.get("TOOL_CURATOR_FOLDER") or workbench().folder
        if folder:
            open_folder(folder)
    return _OPENED in st.session_state


def open_folder(folder: str | Path) -> bool:
    """Open a registry folder, with the draft of this tab dropped; on failure return False and leave what is open as it is."""
    try:
        path = Path(folder).expanduser().resolve()
        base, config = load_registry(path, strict=False), load_config(path)
    except CuratorError as error:
        return refuse(str(error))
    st.session_state.pop(_FAILED, None)
    st.session_state[_OPENED], st.session_state[_DRAFT] = Opened(path, config), Draft(base)
    workbench().folder = str(path)
    remember(workbench().cache_dir, path)
    return True


def failure() -> str:
    """Return why the last folder could not be opened, "" if it could."""
    return str(st.session_state.get(_FAILED, ""))


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


def draft() -> Draft:
    """Return the draft: base registry + edits."""
    found: Draft = st.session_state[_DRAFT]
    return found


def registry() -> Registry:
    """Return the registry as this tab's author sees it, with the edits."""
    return draft().registry


def base() -> Registry:
    """Return the registry as it is saved."""
    return draft().base


def edits() -> tuple[Edit, ...]:
    """Return the edits that are not saved yet."""
    return draft().edits


def add_edit(key: str, field: str, new: Any) -> None:
    """Give a tool's field (or a synonym term's phrases) a new value in the draft. Raises CuratorError; then nothing changed."""
    st.session_state[_DRAFT] = draft().with_change(key, field, new)


def add(edit: Edit) -> None:
    """Add a ready-made edit, such as of a test query. Raises CuratorError; then nothing changed."""
    st.session_state[_DRAFT] = draft().with_edit(edit)


def attempt(act: Callable[[], None]) -> bool:
    """Do an edit in a callback; where the engine refuses it, keep its message for the header and return False."""
    try:
        act()
    except CuratorError as error:
        notify(Outcome(False, str(error)))
        return False
    dismiss()
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


def undo() -> None:
    """Take the last step back."""
    heed_editors()
    st.session_state[_DRAFT] = draft().undone()
    renew_editors()


def discard() -> None:
    """Drop all edits; undo brings them back."""
    heed_editors()
    st.session_state[_DRAFT] = draft().emptied()
    renew_editors()


def save(choices: Choices | None = None) -> Outcome:
    """Apply the edits to the folder as it is on disk now and save it, so that others' edits of other fields survive."""
    heed_editors()
    try:
        merged = draft().on(load_registry(opened().folder, strict=False), choices)
        saved = save_registry(merged.registry, opened().folder)
    except EditConflict as error:
        return Outcome(False, "These fields were changed on disk meanwhile. Nothing was saved, and your edits are kept.", error.conflicts)
    except CuratorError as error:
        return Outcome(False, str(error))
    said = f"Saved {plural(len(edits()), 'edit')}."
    st.session_state[_DRAFT] = Draft(saved)
    renew_editors()
    return Outcome(True, said)


def files_changed() -> tuple[str, ...]:
    """Return the names of the registry's files that changed on disk since they were loaded."""
    return tuple(changed_files(base(), opened().folder))


def reload(choices: Choices | None = None) -> Outcome:
    """Load the folder again and put the edits on it; where both changed a field, return the conflicts and leave all as it is."""
    heed_editors()
    try:
        fresh = draft().on(load_registry(opened().folder, strict=False), choices)
        config = load_config(opened().folder)
    except EditConflict as error:
        return Outcome(False, "These fields were changed here and on disk. Choose which text to keep.", error.conflicts)
    except CuratorError as error:
        return Outcome(False, str(error))
    st.session_state[_DRAFT], st.session_state[_OPENED] = fresh, replace(opened(), config=config)
    renew_editors()
    return Outcome(True, "Reloaded from disk; your edits are kept." if fresh.edits else "Reloaded from disk.")


def use_config(config: Config) -> None:
    """Take over what curator.toml says now; what is chosen on screen for a setting that changed gives way. Only in a callback."""
    before = opened().config.settings
    for name in ("profile", "top_k", *STAGES):
        if getattr(before, name) != getattr(config.settings, name):
            st.session_state.pop("k" if name == "top_k" else name, None)
    st.session_state[_OPENED] = replace(opened(), config=config)


def notify(outcome: Outcome) -> None:
    """Keep an outcome for the header of the next run to show."""
    st.session_state[_NOTICE] = outcome


def notice() -> Outcome | None:
    """Return the outcome that was kept: good news once, anything else until it is dismissed or another outcome takes its place."""
    kept: Outcome | None = st.session_state.get(_NOTICE)
    if kept is not None and kept.done:
        dismiss()
    return kept


def dismiss() -> None:
    """Let go of the outcome that was kept."""
    st.session_state.pop(_NOTICE, None)


def model() -> Model:
    """Return the model that the registry asks for."""
    config = opened().config
    return Model(config.model, config.query_prefix)


def saved_snapshot() -> Snapshot:
    """Return the index of the registry as saved."""
    return workbench().open(base(), model())


def snapshot() -> Snapshot:
    """Return the index of the draft; waits a little for an edit's few texts to be embedded."""
    found = snapshot_now()
    if edits() and saved_snapshot().finished:
        found.wait(_PATIENCE_SECONDS)
    return found


def snapshot_now() -> Snapshot:
    """Return the index of the draft without waiting for it."""
    saved = saved_snapshot()
    return workbench().open(registry(), model(), previous=saved) if edits() else saved


def curator(saved: bool = False) -> Curator:
    """Return a curator over the draft, or over the registry as saved, with the settings on screen."""
    return Curator((saved_snapshot() if saved else snapshot()).index, settings())


def settings() -> Settings:
    """Return the registry's settings with the profile, number of tools and stage switches that are chosen on screen."""
    own = opened().config.settings
    chosen = value("profile") or own.profile
    start = own if chosen == own.profile else profile(chosen)
    values = {name: value(name) for name in STAGES if value(name) is not None}
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
