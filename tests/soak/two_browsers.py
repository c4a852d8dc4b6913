"""Two authors in two browsers on one workbench: random acts in turn, such as typing, publishing, deciding conflicts, undoing."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from playwright.sync_api import expect

from curator_core import Person, Store, load_registry, save_registry
from curator_core.authoring import drafts, history
from tests.browser.workbench import Screen
from tests.soak.many_authors import FIELDS, found_texts, lost_texts

TOOLS = ("pay_fees", "renew_book")
LABELS = dict(zip(FIELDS, ("Description", "Extra context"), strict=True))
KEPT = "in your draft, not published yet"


@dataclass
class TwoBrowsers:
    """A day of two authors.

    held: what each one's draft must hold, as (tool, field) -> text; written: every text that was published or written by hand; counts:
    of acts.
    """

    store: Store
    screens: dict[Person, Screen]
    seed: int
    held: dict[Person, dict[tuple[str, str], str]] = field(default_factory=dict)
    written: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)
    texts: int = 0

    def __post_init__(self) -> None:
        self.luck = random.Random(self.seed)
        self.people = tuple(self.screens)
        for person, screen in self.screens.items():
            self.held[person] = {}
            screen.go("tools", tool=TOOLS[0])

    def work(self, acts: int) -> None:
        for _ in range(acts):
            act = self.luck.choice(
                [self.edit, self.edit, self.type_and_be_interrupted, self.publish, self.publish, self.undo, self.by_hand]
            )
            act(self.luck.choice(self.people))
            self.counts["acts"] += 1
            for person in self.people:
                assert self._drafted(person) == self.held[person], f"the draft of {person.name} is not what its author made"

    def text(self) -> str:
        self.texts += 1
        return f"text {self.texts} of {self.seed}"

    def edit(self, person: Person) -> None:
        """Type a text, and see it kept."""
        self._wait_until_kept(person, *self._typed(person))

    def type_and_be_interrupted(self, person: Person) -> None:
        """Type a text; before it can be sent, the other author publishes."""
        typed = self._typed(person)
        self.publish(next(other for other in self.people if other != person))
        self._wait_until_kept(person, *typed)

    def publish(self, person: Person) -> None:
        """Publish the draft; where somebody changed the same fields, choose one of both texts for each, by chance."""
        if not self._drafted(person):
            return
        screen = self.screens[person]
        for _ in range(4):
            screen.settle()
            if screen.page.get_by_role("button", name="Go on with these choices").count():
                self._decide(screen)
            elif self._drafted(person):
                self._publish(screen)
        assert not self._drafted(person), f"{person.name} could not publish: {screen.text()}"
        self.written |= set(self.held[person].values())
        self.held[person] = {}
        self.counts["publishes"] += 1

    def undo(self, person: Person) -> None:
        """Take a step back, or do it again."""
        button = self.screens[person].page.get_by_role("button", name=self.luck.choice(["Undo last", "Redo"]), exact=True)
        if button.count() and button.is_enabled():
            button.click()
            self.screens[person].settle()
            self.held[person] = self._drafted(person)
            self.counts["undone"] += 1

    def by_hand(self, _: Person) -> None:
        """Write a text into a file, as an editor or git does."""
        registry = load_registry(self.store.folder)
        edit = registry.edit(self.luck.choice(TOOLS), self.luck.choice(FIELDS), self.text())
        save_registry(registry.with_edits([edit]), self.store.folder)
        history.notice_outside(self.store)
        self.written.add(edit.new)
        self.counts["by hand"] += 1

    def lost(self) -> list[str]:
        """Return the texts that are neither in a file, nor in the history, nor in a draft."""
        return lost_texts(self.store, self.written, self.people)

    def told(self) -> str:
        """Say what was done and counted."""
        counted = ", ".join(f"{count} {name}" for name, count in sorted(self.counts.items()))
        drafted = sum(map(len, self.held.values()))
        found, lost = len(found_texts(self.store, self.people)), len(self.lost())
        return f"{counted}; {len(self.written)} texts published or by hand, {drafted} in drafts; {found} found, {lost} lost"

    def _drafted(self, person: Person) -> dict[tuple[str, str], str]:
        return {(edit.tool, edit.field): edit.new for edit in drafts.read(self.store, person).edits}

    def _typed(self, person: Person) -> tuple[str, str, str]:
        screen = self.screens[person]
        tool = next(tool for tool in TOOLS if f"tool={tool}" in screen.page.url)
        if self.luck.random() < 0.2:
            tool = self.luck.choice([other for other in TOOLS if other != tool])
            screen.go("tools", tool=tool)
        name, text = self.luck.choice(FIELDS), self.text()
        screen.editor(LABELS[name]).fill(text)
        if self.luck.random() < 0.75:
            screen.editor(LABELS[name]).press("Control+s")
        self.held[person][tool, name] = text
        return tool, name, text

    def _wait_until_kept(self, person: Person, tool: str, name: str, text: str) -> None:
        screen = self.screens[person]
        try:
            screen.wait_for_status(LABELS[name], KEPT)
        except AssertionError as error:
            raise AssertionError(f"{text!r} of {person.name} was not kept; after {self.told()} the page says:\n{screen.text()}") from error
        expect(screen.editor(LABELS[name])).to_have_value(text)
        assert self._drafted(person)[tool, name] == text
        self.counts["edits"] += 1

    def _publish(self, screen: Screen) -> None:
        reason = screen.page.get_by_label("Why? A few words for the history")
        if not reason.count():  # the button closes a form that stands open already
            screen.page.get_by_role("button", name="Publish", exact=True).click()
            screen.settle()
        reason.fill("so that it is found")
        screen.page.get_by_role("button", name="Publish now", exact=True).click()
        screen.settle()

    def _decide(self, screen: Screen) -> None:
        for group in screen.page.get_by_role("radiogroup").all():
            choice = group.get_by_text(self.luck.choice(["Keep yours", "Take the one on disk"]))
            choice.click()
            self.counts["conflicts"] += 1
        screen.page.get_by_role("button", name="Go on with these choices").click()
        screen.settle()
