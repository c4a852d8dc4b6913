"""The two sides of the Compare page: which text, with which settings; and what its test queries come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from curator_core import (
    Curator,
    CuratorError,
    Evaluation,
    Registry,
    Settings,
    TestQuery,
    changes_between,
    read_run,
    renames_between,
)
from curator_core.authoring import history
from dashboard import panels, session
from dashboard.compare.settings_chooser import choose_settings
from dashboard.drafts.history_table import headline
from dashboard.resources import Snapshot, workbench
from dashboard.runs import Run
from dashboard.tables import plural, visible

PUBLISHED, DRAFT, REVISION, SAVED_RUN = "published", "your draft", "revision ", "a saved run"
_PATIENCE_SECONDS = 0.5  # what is kept is there by then, and no progress flickers
_RECENT = 200  # revisions that are offered
_TEXT_HELP = "Which state of the registry's texts: as it is published, your draft, an earlier revision, or figures that were saved before."
_SETTINGS_HELP = "Ask this side with another profile, without a stage, or with another number."


@dataclass(frozen=True, slots=True)
class Chosen:
    """One side. name: what it is called; registry: None for a saved run, which is there as an evaluation already."""

    name: str
    registry: Registry | None
    settings: Settings
    run: Evaluation | None = None


def choose_side(title: str, key: str, usual: str) -> Chosen | None:
    """Let the author choose one side, None while it cannot be. title: "Before" or "After"; key: the prefix of its widgets."""
    offers = (PUBLISHED, *((DRAFT,) if session.edits() else ()), *_revisions(), SAVED_RUN)
    if session.value(key) not in (None, *offers):
        session.put(key, None)  # a draft that is published, a revision of another registry
    text, settings = st.columns((5, 2), vertical_alignment="bottom")
    with text:
        start = offers.index(usual) if usual in offers else 0
        chosen = st.selectbox(title, offers, start, key=key, bind="query-params", persist_state="session", help=_TEXT_HELP)
    with settings, st.popover("Settings", icon=":material/tune:", key=f"{key}_settings", help=_SETTINGS_HELP, width="stretch"):
        asked_with = choose_settings(session.settings(), key, "on this side")
    if asked_with is None:
        return None
    return _saved_run(key) if chosen == SAVED_RUN else _side(str(chosen), asked_with)


def _revisions() -> tuple[str, ...]:
    return tuple(f"{REVISION}{one.number}" for one in history.page(session.store(), limit=_RECENT))


def _side(chosen: str, settings: Settings) -> Chosen | None:
    try:
        registry = _registry(chosen)
    except CuratorError as error:
        panels.message("This revision cannot be compared", str(error))
        return None
    changed = ", ".join(f"{one} = {value}" for one, value in settings.changed().items())
    return Chosen(f"{chosen} ({changed})" if changed else chosen, registry, settings)


def _registry(chosen: str) -> Registry:
    if chosen in (PUBLISHED, DRAFT):
        return session.registry() if chosen == DRAFT else session.base()
    number = int(chosen.removeprefix(REVISION))
    st.text(headline(history.revision(session.store(), number)))
    return history.registry_at(session.store(), number)


def _saved_run(key: str) -> Chosen | None:
    """Let the author give the file of a run that was saved here or by `tool-curator eval --json`."""
    file = st.file_uploader("A run that was saved", "json", key=f"{key}_file", help="Saved on this page, or by `tool-curator eval --json`.")
    if file is None:
        return None
    try:
        run = read_run(file.getvalue(), file.name)
    except CuratorError as error:
        panels.message("This file holds no run", str(error))
        return None
    return Chosen(visible(file.name), None, run.settings, run)


@dataclass(frozen=True, slots=True)
class Measured:
    """What a side comes to, as far as it is there: a saved run at once; else first its index, then its questions."""

    name: str
    evaluation_there: Evaluation | None = None
    snapshot: Snapshot | None = None
    run: Run | None = None

    @property
    def finished(self) -> bool:
        """Whether no more will come."""
        return self.evaluation_there is not None or (self.run is not None and self.run.finished)

    @property
    def evaluation(self) -> Evaluation | None:
        """The figures, once they are there."""
        return self.evaluation_there or (self.run.result if self.run else None)

    @property
    def error(self) -> str:
        """Why there are no figures."""
        return self.run.error if self.run else ""

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        return self.run.done / max(self.run.total, 1) if self.run else 0.0

    @property
    def told(self) -> str:
        """How far it is, in words."""
        if self.run is None:
            waits = self.snapshot is not None and not self.snapshot.finished
            return f"{self.name}: {self.snapshot.progress.stage if self.snapshot and waits else 'its questions come next'}"
        return f"{self.name}: asked {self.run.done:,} of {plural(self.run.total, 'question')}"


def measured(
    side: Chosen, cases: Sequence[TestQuery], patience_seconds: float = _PATIENCE_SECONDS, instead_of: Run | None = None
) -> Measured:
    """Return what a side comes to; the first look starts to measure it in the background, instead of a run that nobody wants any more."""
    if side.run is not None or side.registry is None:
        return Measured(side.name, side.run)
    snapshot = workbench().open(side.registry, session.model(), previous=session.saved_snapshot())
    snapshot.wait(patience_seconds)
    if not snapshot.finished:
        return Measured(side.name, None, snapshot)
    run = workbench().runs.of(Curator(snapshot.index, side.settings, side.registry.test_queries), cases, instead_of)
    run.wait(patience_seconds)
    return Measured(side.name, None, snapshot, run)


def renamed(before: Chosen, after: Chosen) -> dict[str, str]:
    """Return the key of now for each tool key that is another on the later side."""
    if before.registry is None or after.registry is None or before.registry is after.registry:
        return {}
    same = before.registry is session.base() and after.registry is session.registry()
    edits = session.edits() if same else changes_between(before.registry, after.registry)
    return renames_between(before.registry, after.registry, edits)


def questions(before: Chosen, after: Chosen, names: Mapping[str, str]) -> tuple[tuple[TestQuery, ...], tuple[TestQuery, ...]]:
    """Return what each side is asked: its own test queries, and before also those that only the later side has."""
    own, later = map(_cases, (before, after))
    if own is later:  # the same object stays the same: what is known of it is found at once
        return own, later
    known = {(case.query, case.role) for case in own}
    back = {now: was for was, now in names.items()}
    added = (case for case in later if (case.query, case.role) not in known)
    return (*own, *(_under_old_names(case, back) for case in added)), later


def _cases(side: Chosen) -> tuple[TestQuery, ...]:
    if side.run is not None:
        return tuple(result.case for result in side.run.results)
    return side.registry.test_queries if side.registry else ()


def _under_old_names(case: TestQuery, back: Mapping[str, str]) -> TestQuery:
    expected = None if case.expected is None else tuple(back.get(key, key) for key in case.expected)
    return replace(case, expected=expected, forbidden=tuple(back.get(key, key) for key in case.forbidden))
