"""An author's draft laid over a registry: what this author sees, edits and tries. No Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

from curator_core import (
    Choice,
    Config,
    Conflict,
    CuratorError,
    Draft,
    Edit,
    EditConflict,
    Forbidden,
    Person,
    Registry,
    Settings,
    Store,
    with_settings,
)
from curator_core.authoring import drafts, history
from curator_core.authoring.rebasing import conflicts_on, moved_onto, place_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of publishing or reloading. done: it happened; message: what to tell the author; conflicts: per field, nothing was lost.

    submission: the draft that was handed over and that the conflicts are about, "" = the author's own draft; reason: for its history.
    """

    done: bool
    message: str
    conflicts: tuple[Conflict, ...] = ()
    submission: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Overlay:
    """base: the registry as published. draft: the author's draft, as it is on the disk."""

    base: Registry
    draft: Draft

    @cached_property
    def registry(self) -> Registry:
        """The registry with the edits. Where both changed a text, it is the author's; what has no place any more is left out."""
        return self._laid[0]

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Why the draft does not fit on the base: both texts of each field, nothing where it does."""
        return self._laid[1]

    @property
    def edits(self) -> tuple[Edit, ...]:
        """What leads from the base to the registry."""
        return self._laid[2]

    @cached_property
    def pending(self) -> tuple[Edit, ...]:
        """What the draft comes to, whether it fits or not."""
        return self.draft.edits

    @property
    def touched(self) -> tuple[str, ...]:
        """Return what the draft is about, each once: tool keys, synonym terms, or "" for test queries."""
        return tuple(dict.fromkeys(edit.tool for edit in self.pending))

    @cached_property
    def _laid(self) -> tuple[Registry, tuple[Conflict, ...], tuple[Edit, ...]]:
        try:
            return (self.base.with_edits(self.pending) if self.pending else self.base), (), self.pending
        except CuratorError:
            if found := conflicts_on(self.base, self.pending):
                return self._laid_over(found)
            raise

    def _laid_over(self, found: tuple[Conflict, ...]) -> tuple[Registry, tuple[Conflict, ...], tuple[Edit, ...]]:
        """Lay the edits over the texts that they conflict with; where that cannot be, first without those of tools that are gone."""
        places = frozenset(map(place_of, found))
        gone = frozenset(place_of(conflict) for conflict in found if conflict.found is None)
        for left_out in (frozenset(), gone, places):
            others = [edit for edit in self.pending if place_of(edit) not in left_out]
            with suppress(CuratorError):  # some stand on others, such as a field of a tool that the draft adds
                laid = moved_onto([others], self.base, [Choice(conflict, "mine") for conflict in found]).steps[0]
                return self.base.with_edits(laid), found, laid
        return self.base, found, ()


def laid_on(base: Registry, store: Store, person: Person) -> Overlay:
    """Return a person's draft over the registry; where it does not fit, over what it was made on, so that no text is hidden."""
    draft = drafts.read(store, person)
    overlay = Overlay(base, draft)
    if overlay.conflicts and draft.base_revision is not None:
        with suppress(CuratorError):  # its files were compacted away: then the conflicts are shown on the registry as it is
            before = Overlay(history.registry_at(store, draft.base_revision), draft)
            return overlay if before.conflicts else before
    return overlay


def settings_under(config: Config, edits: Iterable[Edit]) -> Settings:
    """Return a registry's settings with those that edits change; as they are where an edit says what cannot be."""
    values = {edit.tool: edit.new for edit in edits if edit.field == "settings"}
    with suppress(CuratorError):
        return with_settings(config.settings, values) if values else config.settings
    return config.settings


def is_typed(edit: Edit) -> bool:
    """Say whether an edit can be part of a burst of typing: what comes or goes as a whole, or is chosen, is a step of its own."""
    if edit.old is None or edit.new is None:
        return False
    return edit.field != "test_query" or replace(edit.old, query=edit.new.query, note=edit.new.note) == edit.new


def version_now(store: Store, person: Person, shown: Overlay | None = None) -> int:
    """Return the version of a person's draft in the store, while that is down the version that is shown.

    A draft that is shown and that the store has lost, since a damaged one was set aside, is kept again. Raises StoreError.
    """
    if store.down and shown is not None:
        return shown.draft.version
    version = drafts.version(store, person)
    if version == 0 and shown is not None and shown.pending:
        with suppress(EditConflict, Forbidden):
            drafts.add(store, person, shown.pending)
    return version


def overtaken_text(overtaken: Sequence[Conflict]) -> str:
    """Tell an author that another tab had changed the same."""
    places = ", ".join(f"{conflict.tool or 'test queries'} · {conflict.field}" for conflict in overtaken)
    return f"{places}: another tab had changed this too. Your text went over it; “Undo last” brings the other back."
