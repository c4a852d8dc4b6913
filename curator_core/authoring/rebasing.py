"""Edits on the move: several of one field joined into one, and all of them put onto a registry that changed meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from curator_core.errors import Conflict, EditConflict, UnknownName
from curator_core.registry import Registry
from curator_core.tool import BESIDE_TOOLS, TOOL_FIELDS, Edit, TestQuery, Tool

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


class Chain:
    """Edits in order, and which of them a further one continues: the last of its field, unless the tool's key may have moved since.

    A test query is known by its whole content, and continued while there is only one like it. sealed: edits of test queries that
    nothing continues.
    """

    def __init__(self, edits: Iterable[Edit] = (), sealed: Iterable[Edit] = ()) -> None:
        self.edits: list[Edit | None] = []  # None: it was taken out
        self.moved = False
        self._fields: dict[tuple[str, str], int] = {}
        self._terms: dict[str, int] = {}
        self._queries: dict[TestQuery, int | None] = {}
        self._unclear: set[str] = set()  # questions of which there may be several alike
        self._sealed = {(edit.old, edit.new) for edit in sealed if edit.field == "test_query"}
        for edit in edits:
            self.append(edit)

    def find(self, edit: Edit) -> int | None:
        """Return which edit this one continues; a tool that comes or goes continues none."""
        if edit.field == "synonyms":
            return self._terms.get(edit.tool)
        if edit.field == "test_query":
            return self._queries.get(edit.old)
        if edit.field == "tool":
            return None
        if edit.field not in MOVES_KEYS:
            return self._fields.get((edit.tool, edit.field))
        at = len(self.edits) - 1
        last = self.edits[at] if self.edits else None
        if last is None or last.field != edit.field:
            return None
        return at if edit.tool == (last.new if last.field == "name" else last.tool) else None

    def append(self, edit: Edit) -> None:
        """Add an edit at the end."""
        if edit.field in MOVES_KEYS:
            self.moved = True
            self._fields = {place: at for place, at in self._fields.items() if not _may_move(place[0], edit)}
            self._unclear |= {query.query for query in self._queries}  # they follow the keys: what an edit made may read otherwise now
            self._queries.clear()
        elif edit.field == "synonyms":
            self._terms[edit.tool] = len(self.edits)
        elif edit.field == "test_query":
            self._note_query(edit, len(self.edits))
        else:
            self._fields[edit.tool, edit.field] = len(self.edits)
        self.edits.append(edit)

    def join(self, at: int, edit: Edit) -> None:
        """Make an edit and the one that continues it one; back to the old value, it is taken out."""
        first = self.edits[at]
        if edit.field == "test_query":
            self._queries.pop(edit.old)
        if first is not None and first.old != edit.new:
            self.edits[at] = whole = replace(first, new=edit.new)
            if edit.field == "test_query":
                self._note_query(whole, at)
            return
        self.edits[at] = None
        self._fields.pop((edit.tool, edit.field), None)
        if edit.field == "synonyms":
            self._terms.pop(edit.tool, None)

    def _note_query(self, edit: Edit, at: int) -> None:
        if edit.new is not None and (edit.old, edit.new) not in self._sealed:
            alike = edit.new in self._queries or edit.new.query in self._unclear
            self._queries[edit.new] = None if alike else at


def _may_move(key: str, edit: Edit) -> bool:
    """Tell whether an edit of a name or group, or a tool that comes or goes, may change this key: only where the names begin alike."""
    changed = (edit.old, edit.new) if edit.field == "name" else ()
    return _stem(key) in map(_stem, (edit.tool, *changed))


def _stem(key: str) -> str:
    """Return a key, or the name that it is made of, up to the first sign that may begin what was put behind the name."""
    return re.split("[@#]", key, maxsplit=1)[0]


def joined(steps: Sequence[Sequence[Edit]], sealed: Iterable[Edit] = ()) -> tuple[tuple[Edit, ...], ...]:
    """Return the steps with several edits of one field made one, in the step of the first; one that changes nothing disappears.

    sealed: edits of test queries that stay as they are once they have come about.
    """
    chain, numbers = Chain(sealed=sealed), []
    for number, edits in enumerate(steps):
        for edit in edits:
            at = chain.find(edit)
            if at is not None:
                chain.join(at, edit)
            elif edit.old != edit.new:
                chain.append(edit)
                numbers.append(number)
    return _grouped(((number, edit) for number, edit in zip(numbers, chain.edits, strict=True) if edit is not None), len(steps))


def moved_onto(steps: Sequence[Sequence[Edit]], base: Registry, choices: Iterable[Choice] = ()) -> Moved:
    """Return the edits on another base; those of one field are joined, and what the base already has disappears.

    Raises EditConflict with both texts of every conflict when one of them is not chosen, so that all can be decided at once; `found` is
    None where the base does not have that tool.
    """
    whole = joined(steps)
    tagged = [(number, edit) for number, edits in enumerate(whole) for edit in edits]
    conflicts = conflicts_on(base, [edit for _, edit in tagged])
    if not conflicts:
        return Moved(whole)
    last = {place_of(edit): edit for _, edit in tagged}
    tagged = [one for one in tagged if not _is_there(last[place_of(one[1])], base)]
    aside: list[Edit] = []
    decided = list(choices)
    met = conflicts_on(base, [edit for _, edit in tagged])
    for conflict in met:
        keep = next((choice.keep for choice in decided if choice.conflict == conflict), None)
        if keep == "theirs":
            aside += [edit for _, edit in tagged if _is_about(edit, conflict)]
            tagged = [one for one in tagged if not _is_about(one[1], conflict)]
        elif keep == "mine":
            tagged = _over(tagged, conflict)
    if left := conflicts_on(base, [edit for _, edit in tagged]):
        raise EditConflict((*met, *(conflict for conflict in left if conflict not in met)))
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
    places: dict[tuple[str, str, str], list[Edit]] = {}
    for other in published:
        places.setdefault(place_of(other), []).append(other)
    for number, edits in enumerate(joined(steps, published)):
        for edit in edits:
            same = places.get(place_of(edit), [])
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


def _is_there(last: Edit, base: Registry) -> bool:
    """Tell whether the base already has what the last edit of a place wants."""
    tool = base.by_key.get(last.tool)
    if last.field == "test_query":
        return (last.new is None or last.new in base.test_queries) and last.old not in base.test_queries and last.old is not None
    if last.field == "tool":
        return bool(tool == last.new)
    if last.field in BESIDE_TOOLS:
        return bool(getattr(base, last.field).get(last.tool) == last.new)
    if last.field == "name":
        return tool is None and last.new in base.by_key
    return tool is not None and getattr(tool, last.field) == last.new


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
    elif conflict.found is None and edit.field not in ("test_query", *BESIDE_TOOLS):
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
        named = edit.field not in ("test_query", *BESIDE_TOOLS) and not (edit.field == "tool" and edit.old is None)
        if named and edit.tool not in there:
            homeless.append(edit)
            continue
        at_home.append(edit)
        if edit.field == "name" or (edit.field == "tool" and edit.new is None):
            there.discard(edit.tool)
        if edit.field == "name" or (edit.field == "tool" and edit.new is not None):
            there.add(edit.new if edit.field == "name" else edit.tool)
    return at_home, homeless
