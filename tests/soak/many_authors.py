"""Two authors who edit, publish, undo, meet conflicts and are interrupted by an editor, and a count of every text that must be left."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from curator_core import Choice, CuratorError, EditConflict, Person, Store, load_registry, publish, save_registry
from curator_core.authoring import drafts, history

PEOPLE = (Person("Asha"), Person("Ben"))
FIELDS = ("description", "extra_context")


@dataclass
class Day:
    """A day of work on one registry. written: every text that somebody published, or wrote into a file by hand."""

    store: Store
    seed: int
    published: int = 0
    conflicts: int = 0
    made: int = 0
    written: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.luck = random.Random(self.seed)

    def work(self, steps: int) -> None:
        acts = [self.edit, self.edit, self.edit, self.publish, self.publish, self.undo, self.by_hand]
        for _ in range(steps):
            self.luck.choice(acts)(self.luck.choice(PEOPLE))

    def text(self) -> str:
        self.made += 1
        return f"text {self.made} of {self.seed}"

    def edit(self, person: Person) -> None:
        """Type into a field, as a page does that shows the draft on the registry as it is, or as it was."""
        base = load_registry(self.store.folder)
        tool, where = self.luck.choice(base.keys[:2]), self.luck.choice(FIELDS)
        try:
            shown = drafts.read(self.store, person).registry_on(base)
        except EditConflict:
            shown = base
        drafts.add(self.store, person, [shown.edit(tool, where, self.text())], self.luck.choice([0, 60]))

    def publish(self, person: Person) -> None:
        draft = drafts.read(self.store, person)
        if not draft.edits:
            return
        choices: list[Choice] = []
        for _ in range(3):
            try:
                publish(self.store, person, "better", choices=choices)
            except EditConflict as error:
                self.conflicts += 1
                choices = [Choice(conflict, self.luck.choice(["mine", "theirs"])) for conflict in error.conflicts]
                continue
            self.published += 1
            self.written |= {edit.new for edit in draft.edits}
            return
        raise CuratorError("an author could not publish")

    def undo(self, person: Person) -> None:
        self.luck.choice([drafts.undo, drafts.redo])(self.store, person)

    def by_hand(self, _: Person) -> None:
        registry = load_registry(self.store.folder)
        edit = registry.edit(self.luck.choice(registry.keys[:2]), self.luck.choice(FIELDS), self.text())
        save_registry(registry.with_edits([edit]), self.store.folder)
        history.notice_outside(self.store)
        self.written.add(edit.new)

    def lost(self) -> list[str]:
        """Return the texts that are neither in a file, nor in the history, nor in a draft."""
        return lost_texts(self.store, self.written)


def lost_texts(store: Store, written: set[str], people: Sequence[Person] = PEOPLE) -> list[str]:
    """Return what was published, written by hand or kept in a draft, and is not found in a file, the history or a draft."""
    drafted = {edit.new for person in people for edit in drafts.read(store, person).edits}
    return sorted((written | drafted) - found_texts(store, people))


def found_texts(store: Store, people: Sequence[Person] = PEOPLE) -> set[str]:
    """Return every text of the files, the drafts and the whole history."""
    found = {getattr(tool, name) for tool in load_registry(store.folder).tools for name in FIELDS}
    found |= {text for person in people for edit in drafts.read(store, person).edits for text in (edit.old, edit.new)}
    before: int | None = None
    while page := history.page(store, before):
        found |= {text for revision in page for edit in revision.edits for text in (edit.old, edit.new)}
        before = page[-1].number
    return found
