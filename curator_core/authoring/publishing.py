"""Publishing: edits go into the folder's files in one journalled write, and into the history as one revision; both or neither.

Before the write, an intent says what the files will be. Whoever opens the store or publishes next finds the intent of a process that
died in between, looks at the files, and completes the revision in its author's name or drops the intent.
"""

from __future__ import annotations

import platform
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from curator_core.authoring import drafts, history, recording, review, snapshots
from curator_core.authoring.database import Store
from curator_core.authoring.edit_json import from_json, to_json
from curator_core.authoring.people import Person
from curator_core.authoring.rebasing import Choice, moved_onto
from curator_core.authoring.recording import Revision
from curator_core.authoring.store_tables import intents, now
from curator_core.edit_values import checked
from curator_core.errors import CuratorError, Forbidden, NotWritable, RegistryChanged
from curator_core.files.config import Config, save_config
from curator_core.files.folder import load_registry, save_registry
from curator_core.files.writing import changed_contents
from curator_core.registry import Registry
from curator_core.tool import BESIDE_TOOLS, Edit

ATTEMPTS = 5
_WAIT_SECONDS = 20.0
_FOREIGN = timedelta(minutes=1)  # the locks of another machine are not seen: its publishing is over after this time


@dataclass(frozen=True, slots=True)
class Published:
    """What came of publishing. registry: as it is on disk now. aside: edits that gave way to another's text, by choice."""

    revision: Revision
    registry: Registry
    aside: tuple[Edit, ...] = ()


@dataclass(frozen=True, slots=True)
class _Order:
    """What is to be published, for whom, and as what."""

    author: str
    edits: tuple[Edit, ...]
    reason: str
    submission: str | None = None
    approved_by: str | None = None
    receipt: Any = None


def publish(
    store: Store,
    person: Person,
    reason: str,
    edits: Sequence[Edit] | None = None,
    *,
    submission: str | None = None,
    choices: Sequence[Choice] = (),
    receipt: Any = None,
) -> Published:
    """Publish the person's draft, these edits, or what was handed over under an id; what was published leaves the author's draft.

    The folder is loaded anew: others' changes of other fields stay. Raises EditConflict with both texts of each field that another
    changed meanwhile and that no choice decides, Forbidden (a viewer, or a registry that takes a second person's approval),
    NotWritable, StoreError, CuratorError when there is nothing to publish or no reason. After any of them nothing was published.
    """
    store.require(person, "author", "publish")
    if not reason.strip():
        raise CuratorError("publish: there is no reason; say in a few words why")
    order = _order(store, person, reason.strip(), edits, submission, bool(choices), receipt)
    try:
        with recording.alone(store, _WAIT_SECONDS):
            for _ in range(ATTEMPTS):
                try:
                    return _attempt(store, order, choices)
                except RegistryChanged as changed:  # an editor was faster: look again
                    last = changed
            raise last
    except TimeoutError:
        raise NotWritable(f"{store.folder}: another author is publishing; nothing was published, try again") from None


def save_settings(store: Store, person: Person, config: Config) -> None:
    """Write curator.toml for a person who may, past the drafts and the history. Raises Forbidden, NotWritable, RegistryError."""
    store.require(person, "author", "change the settings")
    save_config(store.folder, config)


def settle(store: Store) -> tuple[Revision, ...]:
    """Complete or drop what a process that died while publishing left behind; return the revisions that were completed."""
    if not _waiting(store):
        return ()
    try:
        with recording.alone(store, 0):
            return tuple(_settle(store).values())
    except TimeoutError:  # it is alive
        return ()


def catch_up(store: Store, registry: Registry | None = None) -> tuple[Revision, ...]:
    """Bring the history up to the files: complete what a dead process was publishing, then notice what changed from outside.

    registry: as just loaded, if it is at hand. Return the new revisions. Cheap when nothing changed; call it when the files did.
    """
    if store.down:
        return ()
    done = settle(store)
    outside = history.notice_outside(store, registry)
    return (*done, outside) if outside else done


def _order(
    store: Store, person: Person, reason: str, edits: Sequence[Edit] | None, submission: str | None, chosen: bool, receipt: Any
) -> _Order:
    """Return what is to be published. Raises Forbidden or CuratorError."""
    required = store.rules().review_required
    if submission is None:
        if required:
            raise Forbidden("this registry takes a second person: hand the draft over, and publish it when another has approved it")
        wanted = tuple(map(checked, edits)) if edits is not None else drafts.read(store, person).edits
        if not wanted:
            raise CuratorError(f"there is nothing to publish: {'no edits are given' if edits is not None else 'the draft is empty'}")
        return _Order(person.name, wanted, reason, receipt=receipt)
    found = review.read(store, submission)
    mine = person.is_same(found.author)
    if not mine:
        store.require(person, "reviewer", f"publish the draft of {found.author}")
    if found.state not in review.OPEN:
        raise CuratorError(f"this draft is {found.state}; hand it over again to publish it")
    if required and found.state != "approved":
        raise Forbidden("this registry takes a second person: the draft waits for another's approval")
    if required and mine and chosen:
        raise Forbidden(
            "the registry changed after the approval: the one who approved decides on the conflicts, or hand the draft over again"
        )
    approved_by = found.decided_by if found.state == "approved" else None
    return _Order(found.author, found.edits, reason, submission, approved_by, found.receipt if receipt is None else receipt)


def _attempt(store: Store, order: _Order, choices: Sequence[Choice]) -> Published:
    _settle(store)
    if _waiting(store):
        raise NotWritable(f"{store.folder}: another machine is publishing; nothing was published, try again in a minute")
    base = load_registry(store.folder, strict=False)
    history.notice(store, base)
    moved = moved_onto([order.edits], base, choices)
    if not moved.steps[0]:
        return _only_aside(store, order, base, moved.aside)
    merged = base.with_edits(moved.steps[0])
    intent = _intend(store, replace(order, edits=moved.steps[0]), base, merged, moved.aside)
    try:
        saved = save_registry(merged, store.folder)
    except CuratorError:
        revision = _settle(store).get(intent)  # it may count all the same, or else it is dropped
        if revision is None:
            raise
        return Published(revision, load_registry(store.folder, strict=False), moved.aside)
    with store.writing() as connection:
        revision = _complete(connection, store, intent)
    return Published(revision, saved, moved.aside)


def _only_aside(store: Store, order: _Order, base: Registry, aside: tuple[Edit, ...]) -> Published:
    """Publish nothing, since every edit is there already or gave way."""
    with store.writing() as connection:
        if aside:
            revision = recording.record(connection, store, "set aside", order.author, aside, reason=order.reason)
        else:
            revision = recording.latest_in(connection, store)
        _leave_draft(connection, store, order.author, order.edits, aside, revision.number)
        review.settle_in(connection, store, order.submission, order.author, order.edits, revision.number)
    return Published(revision, base, aside)


def _intend(store: Store, order: _Order, base: Registry, merged: Registry, aside: tuple[Edit, ...]) -> str:
    """Write down what the files will be; return the intent's id."""
    before = snapshots.files_of(base)
    known = merged._provenance
    after = {**before, **(changed_contents(merged, known) if known else {})}
    id = uuid.uuid4().hex
    with store.writing() as connection:
        old = snapshots.shas_of(before)
        files = snapshots.keep(connection, store.registry, after, old)
        row = {
            "registry": store.registry,
            "id": id,
            "machine": platform.node(),
            "at": now(),
            "author": order.author,
            "reason": order.reason,
        }
        row |= {"before": snapshots.fingerprint(old), "after": snapshots.fingerprint(files), "files": files}
        row |= {"edits": to_json(order.edits), "aside": to_json(aside)}
        row |= {"submission": order.submission, "approved_by": order.approved_by, "receipt": order.receipt}
        connection.execute(insert(intents).values(**row))
    return id


def _complete(connection: Connection, store: Store, id: str) -> Revision:
    """Make the revision of an intent, take what it published out of the author's draft, and drop the intent."""
    row = connection.execute(select(intents).where(intents.c.registry == store.registry, intents.c.id == id)).first()
    if row is None:  # somebody who thought this process dead was faster
        return recording.of_intent(connection, store, id)
    edits, aside = from_json(row.edits), from_json(row.aside)
    if aside:
        recording.record(connection, store, "set aside", row.author, aside, reason=row.reason)
    more = {"reason": row.reason, "approved_by": row.approved_by, "receipt": row.receipt, "intent": id}
    revision = recording.record(connection, store, "published", row.author, edits, files=row.files, **more)
    _leave_draft(connection, store, row.author, edits, aside, revision.number)
    review.settle_in(connection, store, row.submission, row.author, edits, revision.number)
    connection.execute(delete(intents).where(intents.c.registry == store.registry, intents.c.id == id))
    return revision


def _leave_draft(connection: Connection, store: Store, author: str, edits: Sequence[Edit], aside: Sequence[Edit], revision: int) -> None:
    before = drafts.read_in(connection, store, author)
    drafts.write_in(connection, store, author, before, before.published(edits, aside, revision))


def _waiting(store: Store) -> Sequence[Row[Any]]:
    with store.reading() as connection:
        return connection.execute(select(intents).where(intents.c.registry == store.registry).order_by(intents.c.at)).all()


def _settle(store: Store) -> dict[str, Revision]:
    """Do what settle does, inside `recording.alone(store)`; return the completed revisions by intent."""
    done: dict[str, Revision] = {}
    for row in _waiting(store):
        if row.machine != platform.node() and now() - row.at < _FOREIGN:
            continue
        registry = load_registry(store.folder, strict=False)
        happened = _happened(registry, row.before, row.after, from_json(row.edits))
        with store.writing() as connection:
            if happened:
                done[row.id] = _complete(connection, store, row.id)
            else:
                connection.execute(delete(intents).where(intents.c.registry == store.registry, intents.c.id == row.id))
    return done


def _happened(registry: Registry, before: str, after: str, edits: Sequence[Edit]) -> bool:
    """Tell whether a save was carried out, also where somebody changed the files again since: then one of its texts is there."""
    if before == after:  # of settings alone, which are in no snapshot
        return any(_stands(registry, edit) for edit in edits)
    found = snapshots.fingerprint(snapshots.shas_of(snapshots.files_of(registry)))
    return found == after or (found != before and any(_stands(registry, edit) for edit in edits))


def _stands(registry: Registry, edit: Edit) -> bool:
    """Tell whether the registry has what an edit wanted."""
    tool = registry.by_key.get(edit.tool)
    if edit.field in BESIDE_TOOLS:
        return bool(getattr(registry, edit.field).get(edit.tool) == edit.new)
    if edit.field == "test_query":
        return edit.new in registry.test_queries if edit.new is not None else edit.old not in registry.test_queries
    if edit.field == "tool":
        return bool(tool == edit.new)
    if edit.field == "name":
        return edit.new in registry.by_key and tool is None
    return tool is not None and getattr(tool, edit.field) == edit.new
