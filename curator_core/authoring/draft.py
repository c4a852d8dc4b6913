"""An author's draft as a value: steps that can be undone and done again, put onto a registry, and left when they are published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Self

from curator_core.authoring.rebasing import Chain, Choice, joined, moved_onto, without_published
from curator_core.edit_values import checked
from curator_core.errors import Conflict
from curator_core.registry import Registry
from curator_core.tool import BESIDE_TOOLS, Edit


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a draft: what one undo takes back. discards: it empties the draft, and undoing it brings all back."""

    edits: tuple[Edit, ...]
    at: datetime
    discards: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """What an author changed and has not published. steps: in order; redo: those that were undone, the next one first.

    base_revision: the revision that it was made on. version: counts changes, so that another tab can tell that there was one.
    """

    base_revision: int | None = None
    steps: tuple[Step, ...] = ()
    redo: tuple[Step, ...] = ()
    updated_at: datetime | None = None
    version: int = 0

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Return what the draft comes to: several edits of one field are one, and what returned to its old value is none."""
        return tuple(edit for edits in joined([step.edits for step in self.live]) for edit in edits)

    @property
    def live(self) -> tuple[Step, ...]:
        """Return the steps since the draft was last emptied."""
        start = max((at + 1 for at, step in enumerate(self.steps) if step.discards), default=0)
        return self.steps[start:]

    def registry_on(self, base: Registry) -> Registry:
        """Return the registry with the draft's edits. Raises EditConflict when it changed meanwhile: then move the draft."""
        edits = self.edits
        return base.with_edits(edits) if edits else base

    def with_step(self, edits: Iterable[Edit], at: datetime, join_seconds: float = 0.0, base: Registry | None = None) -> Self:
        """Return the draft with one more step; what was undone before cannot be done again.

        An edit made on another text than the draft holds (typed in another tab) goes over it, and undo brings that back. join_seconds:
        an edit that goes on with the field of the last step, begun not longer ago than this, becomes part of it. base: where the draft
        stands on, for what the draft itself does not change. Raises CuratorError for an edit that means nothing.
        """
        new = tuple(edit for edit, _ in self._met(edits, base) if edit.old != edit.new)
        if not new:
            return self
        step = Step(new, at)
        last = self.live[-1] if self.live else None
        if last is None or not _goes_on(last, step, join_seconds):
            return replace(self, steps=(*self.steps, step), redo=(), updated_at=at)
        whole = joined([last.edits, step.edits])[0]
        rest = self.steps[:-1]
        return replace(self, steps=(*rest, replace(last, edits=whole)) if whole else rest, redo=(), updated_at=at)

    def overtaken(self, edits: Iterable[Edit], base: Registry | None = None) -> tuple[Conflict, ...]:
        """Return the texts of the draft that these edits were not made on: with_step puts them over it."""
        met = self._met(edits, base)
        return tuple(Conflict(edit.tool, edit.field, old, edit.old, edit.new) for edit, old in met if edit.old not in (old, edit.new))

    def undone(self) -> Self:
        """Return the draft before its last step."""
        return replace(self, steps=self.steps[:-1], redo=(self.steps[-1], *self.redo)) if self.steps else self

    def redone(self) -> Self:
        """Return the draft with the step that was undone last."""
        return replace(self, steps=(*self.steps, self.redo[0]), redo=self.redo[1:]) if self.redo else self

    def emptied(self, at: datetime) -> Self:
        """Return the draft without its edits; one undo brings them back."""
        return replace(self, steps=(*self.steps, Step((), at, True)), redo=(), updated_at=at) if self.live else self

    def moved_to(self, base: Registry, base_revision: int | None, choices: Iterable[Choice] = ()) -> tuple[Self, tuple[Edit, ...]]:
        """Return the draft on another base, and the edits that gave way to the base's texts.

        Where it fits as it is, undo and redo stay; otherwise the edits of each field become one step. Raises EditConflict.
        """
        moved = moved_onto([step.edits for step in self.live], base, choices)
        if moved.steps == joined([step.edits for step in self.live]):
            return replace(self, base_revision=base_revision), moved.aside
        return replace(self, base_revision=base_revision, steps=_steps(self.live, moved.steps), redo=()), moved.aside

    def published(self, edits: Sequence[Edit], aside: Sequence[Edit], revision: int) -> Self:
        """Return what is left after these edits were published, or set aside: what was typed on since, on the new revision."""
        steps = [step.edits for step in self.live]
        left = without_published(steps, edits, aside)
        if left and left == joined(steps):  # it was something else that was published
            return self
        return replace(self, base_revision=revision, steps=_steps(self.live, left), redo=())

    def _met(self, edits: Iterable[Edit], base: Registry | None) -> list[tuple[Edit, object]]:
        """Return the edits with what the draft holds as their `old`, each with the `old` that it came with."""
        before = Chain(edit for step in self.live for edit in step.edits)
        met: list[tuple[Edit, object]] = []
        for edit in map(checked, edits):
            met.append((replace(edit, old=_held(edit, before, base)), edit.old))
            before.append(met[-1][0])
        return met


def _held(edit: Edit, before: Chain, base: Registry | None) -> object:
    """Return what the draft holds where an edit goes: what its last edit there says, else the base's value, else what the edit says."""
    if edit.field in ("tool", "test_query"):
        return edit.old
    at = before.find(edit)
    if at is not None and (last := before.edits[at]) is not None:
        return last.new
    if base is None:
        return edit.old
    if edit.field in BESIDE_TOOLS:
        found: Mapping[str, object] = getattr(base, edit.field)
        return found.get(edit.tool)
    return edit.old if before.moved or edit.tool not in base.by_key else getattr(base.by_key[edit.tool], edit.field)


def _goes_on(last: Step, step: Step, seconds: float) -> bool:
    if last.discards or len(last.edits) != 1 or len(step.edits) != 1 or step.at - last.at > timedelta(seconds=seconds):
        return False
    return seconds > 0 and Chain(last.edits).find(step.edits[0]) == 0 and last.edits[0].new == step.edits[0].old


def _steps(old: Sequence[Step], edits: Sequence[tuple[Edit, ...]]) -> tuple[Step, ...]:
    return tuple(replace(step, edits=new) for step, new in zip(old, edits, strict=True) if new)
