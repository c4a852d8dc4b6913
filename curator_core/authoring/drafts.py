"""Drafts in the store, one for each author and registry: every change is on the disk before the call returns.

Two tabs of one author append to the same draft. None overwrites the other's steps: an edit of a field that the other tab changed goes
over that text as a step of its own, the answer says so, and undo brings the other text back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, delete, insert, select, update

from curator_core.authoring import recording
from curator_core.authoring.database import Store
from curator_core.authoring.draft import Draft, Step
from curator_core.authoring.edit_json import from_json, to_json
from curator_core.authoring.people import Person
from curator_core.authoring.rebasing import Choice, conflicts_on, place_of
from curator_core.authoring.store_tables import draft_steps, drafts, now
from curator_core.errors import Conflict, EditConflict, UnknownName
from curator_core.registry import Registry
from curator_core.tool import Edit


@dataclass(frozen=True, slots=True)
class Added:
    """A draft after an addition. overtaken: texts of another tab that the addition went over; undo brings them back."""

    draft: Draft
    overtaken: tuple[Conflict, ...] = ()


def read(store: Store, person: Person) -> Draft:
    """Return the person's draft; an empty one if there is none."""
    with store.reading() as connection:
        return read_in(connection, store, person.name)


def version(store: Store, person: Person) -> int:
    """Return what Draft.version is now, without reading the draft: cheap enough to ask every few seconds."""
    mine = drafts.c.registry == store.registry, drafts.c.author == person.name
    with store.reading() as connection:
        return connection.execute(select(drafts.c.version).where(*mine)).scalar() or 0


def add(store: Store, person: Person, edits: Iterable[Edit], join_seconds: float = 0.0, base: Registry | None = None) -> Added:
    """Append edits as one step of the draft (see Draft.with_step).

    base: the registry that the page shows the draft on; what it would refuse (a name that is taken) is refused before it is kept. A
    draft that conflicts with it already takes edits of other fields all the same. Raises CuratorError, StoreError, Forbidden; then the
    draft is as it was.
    """
    wanted = tuple(edits)
    overtaken: list[Conflict] = []

    def act(draft: Draft) -> Draft:
        overtaken.extend(draft.overtaken(wanted, base))
        after = draft.with_step(wanted, now(), join_seconds, base)
        if base is not None:
            _refuse_news(draft, after, base)
        return after

    return Added(_change(store, person, act), tuple(overtaken))


def undo(store: Store, person: Person) -> Draft:
    """Take the last step back."""
    return _change(store, person, Draft.undone)


def redo(store: Store, person: Person) -> Draft:
    """Do the step again that was taken back last."""
    return _change(store, person, Draft.redone)


def discard(store: Store, person: Person) -> Draft:
    """Empty the draft, as a step that can be undone until the next publishing."""
    return _change(store, person, lambda draft: draft.emptied(now()))


def move(store: Store, person: Person, base: Registry, choices: Sequence[Choice] = ()) -> Draft:
    """Put the draft onto the registry as it is now, with choices for what conflicts; texts that give way are kept in the history.

    base: as just loaded. Raises EditConflict with both texts for whatever is not chosen; then the draft is as it was.
    """
    store.require(person, "author", "move a draft")
    with store.writing() as connection:
        before = read_in(connection, store, person.name)
        if not (before.steps or before.redo):
            return before
        after, aside = before.moved_to(base, recording.head(connection, store).number or None, choices)
        if aside:
            reason = "let the published text stand"
            recording.record(connection, store, "set aside", person.name, aside, reason=reason)
        return write_in(connection, store, person.name, before, after)


def read_in(connection: Connection, store: Store, author: str) -> Draft:
    """Return an author's draft, inside a transaction."""
    row = connection.execute(select(drafts).where(drafts.c.registry == store.registry, drafts.c.author == author)).first()
    if row is None:
        return Draft()
    mine = select(draft_steps).where(draft_steps.c.registry == store.registry, draft_steps.c.author == author)
    found = connection.execute(mine.order_by(draft_steps.c.position))
    steps = tuple(Step(from_json(step.edits), step.at, step.discards) for step in found)
    return Draft(row.base_revision, steps[: row.done], steps[row.done :], row.updated_at, row.version)


def write_in(connection: Connection, store: Store, author: str, before: Draft, after: Draft) -> Draft:
    """Write what differs between two states of an author's draft, inside a transaction; return it as it is now."""
    if after == before:
        return before
    old, new = (*before.steps, *before.redo), (*after.steps, *after.redo)
    same = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    mine = draft_steps.c.registry == store.registry, draft_steps.c.author == author
    if same < len(old):
        connection.execute(delete(draft_steps).where(*mine, draft_steps.c.position >= same))
    who = {"registry": store.registry, "author": author}
    rows = [
        {**who, "position": at, "at": step.at, "discards": step.discards, "edits": to_json(step.edits)}
        for at, step in enumerate(new)
        if at >= same
    ]
    if rows:
        connection.execute(insert(draft_steps), rows)
    base = after.base_revision
    if base is None and new:
        base = recording.head(connection, store).number or None
    written = replace(after, base_revision=base if new else None, version=before.version + 1, updated_at=now())
    values = {
        "version": written.version,
        "done": len(after.steps),
        "base_revision": written.base_revision,
        "updated_at": written.updated_at,
    }
    known = update(drafts).where(drafts.c.registry == store.registry, drafts.c.author == author).values(**values)
    if connection.execute(known).rowcount == 0:
        connection.execute(insert(drafts).values(**who, **values))
    return written


def _refuse_news(before: Draft, after: Draft, base: Registry) -> None:
    """Raise what keeps the draft from being put onto the base, unless it is only what kept it from that before."""
    try:
        after.registry_on(base)
    except (EditConflict, UnknownName):
        known = {place_of(conflict) for conflict in conflicts_on(base, before.edits)}
        new = conflicts_on(base, after.edits)
        if not new or any(place_of(conflict) not in known for conflict in new):
            raise


def _change(store: Store, person: Person, act: Callable[[Draft], Draft]) -> Draft:
    store.require(person, "author", "change a draft")
    with store.writing() as connection:
        before = read_in(connection, store, person.name)
        return write_in(connection, store, person.name, before, act(before))
