"""Putting back what the history holds: a field, what one revision changed, or the registry as it was; as edits of what is there now.

Tools are found under the names that they have now: renames in later revisions are followed, and those of a draft.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection, select, tuple_

from curator_core.authoring import history, recording
from curator_core.authoring.database import Store
from curator_core.authoring.differences import changes_between
from curator_core.authoring.edit_json import edit_of
from curator_core.authoring.store_tables import changes, revisions
from curator_core.errors import CuratorError, UnknownName
from curator_core.keys import key_after, key_before
from curator_core.registry import Registry
from curator_core.tool import BESIDE_TOOLS, TOOL_FIELDS, Edit

_AFTER_ALL = 2**31 - 1  # a position behind every edit of a revision


def edits_to_restore(
    store: Store, current: Registry, number: int, tool: str | None = None, field: str | None = None, unpublished: Sequence[Edit] = ()
) -> tuple[Edit, ...]:
    """Return edits of `current` that bring back what was there after a revision: all of it, one tool, or one field of it.

    tool: its key now, whatever it was called then; one that is gone by its last key. For synonyms it is the term, and field "synonyms".
    unpublished: what leads from the published registry to `current`. Put the edits into a draft as one step; `current.with_edits(edits)`
    is the preview. Raises UnknownName where there was no such tool, StoreError when the revision's files were compacted away.
    """
    then = history.registry_at(store, number)
    if tool is None:
        return changes_between(current, then)
    if field in BESIDE_TOOLS:
        edits = [current.edit(tool, field, getattr(then, field).get(tool))]
    else:
        old = then.tool(_key_at(store, key_before(unpublished, tool) or tool, number))
        wanted = [field] if field else [*(name for name in TOOL_FIELDS if name != "name"), "name"]
        known = tool in current.by_key
        edits = [current.edit(tool, name, getattr(old, name)) for name in wanted] if known else [current.edit("", "tool", old)]
    return tuple(edit for edit in edits if edit.old != edit.new)


def edits_to_revert(store: Store, current: Registry, number: int, unpublished: Sequence[Edit] = ()) -> tuple[Edit, ...]:
    """Return edits of `current` that take back what one revision changed, and nothing that came later.

    unpublished: what leads from the published registry to `current`. Raises EditConflict for what was changed again since, UnknownName
    for a tool that was deleted since, CuratorError for a revision that changed nothing.
    """
    with store.reading() as connection:
        found = recording.one_in(connection, store, number)
        if found.kind == "set aside" or not found.edits:
            raise CuratorError(f"revision {number} ({found.kind}) changed no field; there is nothing to take back")
        edits: list[Edit] = []
        keys: dict[str, str] = {}  # a tool's key after the revision, or while it is taken back -> its key now
        for edit in (one.inverse() for one in reversed(found.edits)):
            if edit.field not in ("test_query", *BESIDE_TOOLS) and not _adds(edit):
                key = keys.get(edit.tool) or _key_now(connection, store, edit.tool, number, unpublished)
                edits.append(replace(edit, tool=key))
                keys[key_after([edit], edit.tool) or edit.tool] = key_after(edits[-1:], key) or key
            else:
                edits.append(edit)
    current.with_edits(edits)
    return tuple(edits)


def edit_to_put_back(store: Store, current: Registry, number: int, position: int, unpublished: Sequence[Edit] = ()) -> Edit:
    """Return the edit of `current` that brings back what stood in one field before a revision; of one set aside, the text it keeps.

    position: of the edit in the revision, counted from 0. unpublished: what leads from the published registry to `current`. Raises
    UnknownName for a tool that was deleted since, with the revision that did it.
    """
    with store.reading() as connection:
        found = recording.one_in(connection, store, number)
        edit = found.edits[position]
        edit = edit if found.kind == "set aside" else edit.inverse()
        if edit.field == "test_query":
            return replace(edit, old=next((query for query in current.test_queries if _is_of(query, edit)), None))
        if edit.field in BESIDE_TOOLS or _adds(edit):
            return current.edit(edit.tool, edit.field, edit.new)
        rest = () if found.kind == "set aside" else found.edits[position + 1 :]
        key = _still_there(key_after(rest, edit.tool), edit.tool, number)
        return current.edit(_key_now(connection, store, key, number, unpublished), edit.field, edit.new)


def _is_of(query: object, edit: Edit) -> bool:
    """Tell whether a test query is the one that an edit replaces or deletes."""
    return query == edit.old or (edit.old is not None and getattr(query, "query", None) == edit.old.query)


def _adds(edit: Edit) -> bool:
    return edit.field == "tool" and edit.old is None


def _key_now(connection: Connection, store: Store, key: str, number: int, unpublished: Sequence[Edit]) -> str:
    """Return the key that a tool of a revision has now. Raises UnknownName for one that was deleted since."""
    mine = changes.c.registry == store.registry, revisions.c.kind != "set aside", changes.c.field.in_(("name", "group", "tool"))
    later = select(changes).join(revisions, history.same_revision()).where(*mine).order_by(changes.c.number, changes.c.position)
    at = number, _AFTER_ALL
    while row := connection.execute(later.where(changes.c.tool == key, tuple_(changes.c.number, changes.c.position) > at).limit(1)).first():
        at = row.number, row.position
        edit = edit_of(row.tool, row.field, row.old, row.new)
        if edit.field == "tool" and edit.new is None and not _comes_back(connection, store, key, row.number):
            _still_there(None, key, row.number)
        key = key_after([edit], key) or key
    return _still_there(key_after(unpublished, key), key, None)


def _comes_back(connection: Connection, store: Store, key: str, number: int) -> bool:
    """Tell whether a tool that a revision deleted was added again later."""
    added = changes.c.registry == store.registry, changes.c.tool == key, changes.c.field == "tool", changes.c.old.is_(None)
    return connection.execute(select(changes.c.number).where(*added, changes.c.number >= number).limit(1)).first() is not None


def _still_there(key: str | None, was: str, number: int | None) -> str:
    """Return the key. Raises UnknownName where there is none any more; number: the revision that deleted the tool, None = the draft."""
    if key is not None:
        return key
    where = "in your draft" if number is None else f"in revision {number}"
    back = "undo that" if number is None else f"put the whole tool back from revision {number}"
    raise UnknownName(f"{was}: the tool was deleted {where}; {back} first, then this field")


def _key_at(store: Store, tool: str, number: int) -> str:
    """Return the key that a tool had after a revision."""
    below: int | None = None
    with store.reading() as connection:
        while (was := history.renamed(connection, store, tool, below)) and was[0] > number:
            below, tool = was
    return tool
