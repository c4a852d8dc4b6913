"""Edits on the move: several of one field joined into one, and all of them put onto a registry that changed meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from curator_core.errors import Conflict, EditConflict, UnknownName
from curator_core.registry import Registry
from curator_core.tool import TOOL_FIELDS, Edit, TestQuery, Tool

MOVES_KEYS = ("name", "group", "tool")
Tagged = tuple[int, Edit]


@dataclass(frozen=True, slots=True)
class Choice:
    """What an author decided about a conflict that was shown: "mine" is published over the other text, "theirs" sets mine aside.

    It counts for exactly this conflict: when yet another text turns up, the author is asked again.
    """

    conflict: Conflict
    keep: Literal["mine", "theirs"]


@dataclass(frozen=True, slots=True)
class Moved:
    """Edits on another base. steps: as they were grouped, some may be empty. aside: the edits that gave way to another text."""

    steps: tuple[tuple[Edit, ...], ...]
    aside: tuple[Edit, ...] = ()


def joined(steps: Sequence[Sequence[Edit]]) -> tuple[tuple[Edit, ...], ...]:
    """Return the steps with several edits of one field made one, in the step of the first; one that changes nothing disappears."""
    tagged: list[Tagged] = []
    for number, edits in enumerate(steps):
        for edit in edits:
            at = continued([other for _, other in tagged], edit)
            if at is None:
                tagged.append((number, edit))
            elif tagged[at][1].old == edit.new:
                del tagged[at]
            else:
                tagged[at] = (tagged[at][0], replace(tagged[at][1], new=edit.new))
    return _grouped(tagged, len(steps))


def continued(edits: Sequence[Edit], edit: Edit) -> int | None:
    """Return which of the edits this one continues; None where keys may have moved since, or it has no name to go by."""
    if edit.field in ("tool", "test_query"):
        return None
    for at in range(len(edits) - 1, -1, -1):
        other = edits[at]
        follows = other.new if other.field == "name" else other.tool
        if edit.field == other.field and follows == edit.tool:
            return at
        if edit.field != "synonyms" and (other.field in MOVES_KEYS or edit.field in MOVES_KEYS):
            return None
    return None


def moved_onto(steps: Sequence[Sequence[Edit]], base: Registry, choices: Iterable[Choice] = ()) -> Moved:
    """Return the edits on another base; those of one field are joined, and what the base already has disappears.

    Raises EditConflict with both texts for whatever is not chosen; `found` is None where the base does not have that tool.
    """
    whole = joined(steps)
    tagged = [(number, edit) for number, edits in enumerate(whole) for edit in edits]
    conflicts = conflicts_on(base, [edit for _, edit in tagged])
    if not conflicts:
        return Moved(whole)
    tagged = [one for one in tagged if not _is_there(one[1], base, tagged)]
    aside: list[Edit] = []
    decided = list(choices)
    for conflict in conflicts_on(base, [edit for _, edit in tagged]):
        keep = next((choice.keep for choice in decided if choice.conflict == conflict), None)
        if keep == "theirs":
            aside += [edit for _, edit in tagged if _is_about(edit, conflict)]
            tagged = [one for one in tagged if not _is_about(one[1], conflict)]
        elif keep == "mine":
            tagged = _over(tagged, conflict)
    if left := conflicts_on(base, [edit for _, edit in tagged]):
        raise EditConflict(left)
    return Moved(_grouped(tagged, len(steps)), tuple(aside))


def conflicts_on(base: Registry, edits: Sequence[Edit]) -> tuple[Conflict, ...]:
    """Return how the edits conflict with a registry, nothing if they can be applied to it."""
    at_home, homeless = _homes(base, edits)
    missing = tuple(Conflict(edit.tool, edit.field, edit.old, None, edit.new) for edit in homeless)
    try:
        base.with_edits(at_home)
    except EditConflict as error:
        return (*missing, *error.conflicts)
    return missing


def without_published(steps: Sequence[Sequence[Edit]], published: Sequence[Edit], aside: Sequence[Edit]) -> tuple[tuple[Edit, ...], ...]:
    """Return what is left of the steps after these edits were published: what was typed on since stands on the published text."""
    tagged: list[Tagged] = []
    for number, edits in enumerate(joined(steps)):
        for edit in edits:
            same = [other for other in published if place_of(other) == place_of(edit)]
            if any(other.new == edit.new for other in same) or edit in aside:
                continue
            tagged.append((number, replace(edit, old=same[-1].new) if same and edit.field != "test_query" else edit))
    return _grouped(tagged, len(steps))


def place_of(edit: Edit | Conflict) -> tuple[str, str, str]:
    """Return what an edit or conflict is about: tool, field and, of a test query, its question."""
    record = (edit.old or edit.new) if isinstance(edit, Edit) else (edit.expected or edit.wanted)
    return edit.tool, edit.field, record.query if isinstance(record, TestQuery) else ""


def _grouped(tagged: Iterable[Tagged], count: int) -> tuple[tuple[Edit, ...], ...]:
    groups: list[list[Edit]] = [[] for _ in range(count)]
    for number, edit in tagged:
        groups[number].append(edit)
    return tuple(map(tuple, groups))


def _is_about(edit: Edit, conflict: Conflict) -> bool:
    return place_of(edit) == place_of(conflict)


def _is_there(edit: Edit, base: Registry, tagged: Sequence[Tagged]) -> bool:
    """Tell whether the base already has what the last edit of this place wants."""
    last = [other for _, other in tagged if place_of(other) == place_of(edit)][-1]
    tool = base.by_key.get(edit.tool)
    if edit.field == "test_query":
        return (last.new is None or last.new in base.test_queries) and last.old not in base.test_queries and last.old is not None
    if edit.field == "tool":
        return bool(tool == last.new)
    if edit.field == "synonyms":
        return bool(base.synonyms.get(edit.tool) == last.new)
    if edit.field == "name":
        return tool is None and last.new in base.by_key
    return tool is not None and getattr(tool, edit.field) == last.new


def _over(tagged: list[Tagged], conflict: Conflict) -> list[Tagged]:
    """Make the first edit of a conflict start from the text that is there."""
    at = next(at for at, (_, edit) in enumerate(tagged) if _is_about(edit, conflict))
    number, edit = tagged[at]
    if isinstance(edit.new, Tool) and isinstance(conflict.found, Tool):  # both added it: mine becomes changes of theirs
        theirs, mine = conflict.found, edit.new
        differing = [field for field in TOOL_FIELDS if getattr(theirs, field) != getattr(mine, field)]
        new = [(number, Edit(edit.tool, field, getattr(theirs, field), getattr(mine, field))) for field in differing]
    elif edit.field == "test_query" and conflict.found is None and edit.new is None:
        new = []  # it is to be deleted, and it is gone
    elif conflict.found is None and edit.field not in ("test_query", "synonyms"):
        new = [(number, edit)]  # a tool that is gone cannot be written over
    else:
        new = [(number, replace(edit, old=conflict.found))]
    return [*tagged[:at], *new, *tagged[at + 1 :]]


def _homes(base: Registry, edits: Sequence[Edit]) -> tuple[list[Edit], list[Edit]]:
    """Tell edits of tools that are there, or that an earlier edit adds or renames, from those of tools that are not."""
    try:
        base.with_edits(edits)
    except UnknownName:
        pass
    except EditConflict as error:
        if not any(conflict.found is None for conflict in error.conflicts):
            return list(edits), []
    else:
        return list(edits), []
    there, at_home, homeless = set(base.keys), [], []
    for edit in edits:
        named = edit.field not in ("synonyms", "test_query") and not (edit.field == "tool" and edit.old is None)
        if named and edit.tool not in there:
            homeless.append(edit)
            continue
        at_home.append(edit)
        if edit.field == "name" or (edit.field == "tool" and edit.new is None):
            there.discard(edit.tool)
        if edit.field == "name" or (edit.field == "tool" and edit.new is not None):
            there.add(edit.new if edit.field == "name" else edit.tool)
    return at_home, homeless
