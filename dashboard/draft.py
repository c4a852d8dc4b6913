"""A draft: a registry as saved, and the edits that an author has made to it since. A value; every change returns a new one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self

from curator_core import Conflict, Edit, EditConflict, Registry

Choice = Literal["mine", "theirs"]
Choices = Mapping[tuple[str, str], Choice]
_MOVES_KEYS = ("name", "group", "tool")


@dataclass(frozen=True)
class Draft:
    """base: the registry as saved. edits: in the order in which they apply. history: what `edits` was before each step, for undo."""

    base: Registry
    edits: tuple[Edit, ...] = ()
    history: tuple[tuple[Edit, ...], ...] = ()

    @cached_property
    def registry(self) -> Registry:
        """The registry with the edits applied."""
        return self.base.with_edits(self.edits) if self.edits else self.base

    @property
    def touched(self) -> tuple[str, ...]:
        """Return what the edits are about, each once: tool keys, synonym terms, or "" for test queries."""
        return tuple(dict.fromkeys(edit.tool for edit in self.edits))

    def with_change(self, key: str, field: str, new: Any) -> Self:
        """Return the draft with a field's new value; `old` is what the draft holds. Raises CuratorError, and nothing is lost."""
        return self.with_edit(self.registry.edit(key, field, new))

    def with_edit(self, edit: Edit) -> Self:
        """Return the draft with one more edit.

        It joins a pending edit of the same tool and field; an edit that returns to the base value disappears. Several changes of one
        field in a row are one step for undo. Raises CuratorError when the edit cannot be applied.
        """
        if edit.old == edit.new:
            return self
        at = self._pending(edit)
        if at is None:
            edits = (*self.edits, edit)
        else:
            joined = replace(self.edits[at], new=edit.new)
            kept = () if joined.old == joined.new else (joined,)
            edits = (*self.edits[:at], *kept, *self.edits[at + 1 :])
        same_step = at is not None and at == len(self.edits) - 1 and len(self.history) > 0 and edits != self.history[-1]
        history = self.history if same_step else (*self.history, self.edits)
        after = replace(self, edits=edits, history=history)
        _ = after.registry  # raises now, not on the next page
        return after

    def undone(self) -> Self:
        """Return the draft before its last step."""
        return replace(self, edits=self.history[-1], history=self.history[:-1]) if self.history else self

    def emptied(self) -> Self:
        """Return the draft without its edits; one step back brings them back."""
        return replace(self, edits=(), history=(*self.history, self.edits)) if self.edits else self

    def on(self, base: Registry, choices: Choices | None = None) -> Self:
        """Return the draft on another base: the edits are kept, and those that the base already has disappear.

        choices: for (tool, field) that conflict, "mine" takes the base's text as the new `old`, "theirs" drops the edits. Raises
        EditConflict for what is not chosen, and for edits of tools that the base does not have (`found` is None).
        """
        edits = self.edits
        for (tool, field), choice in (choices or {}).items():
            edits = _without(edits, tool, field) if choice == "theirs" else _rebased(edits, base, tool, field)
        edits = tuple(edit for edit in edits if not _done(edit, base))
        if gone := [Conflict(edit.tool, edit.field, edit.old, None, edit.new) for edit in edits if _homeless(edit, edits, base)]:
            raise EditConflict(gone)
        after = replace(self, base=base, edits=edits, history=())
        _ = after.registry
        return after

    def _pending(self, edit: Edit) -> int | None:
        """Return which earlier edit this one continues; none where keys may have moved since, or the edit has no name to go by."""
        if edit.field in ("tool", "test_query"):
            return None
        for at in range(len(self.edits) - 1, -1, -1):
            other = self.edits[at]
            follows = other.new if other.field == "name" else other.tool
            if edit.field == other.field and follows == edit.tool:
                return at
            if other.field in _MOVES_KEYS or edit.field in _MOVES_KEYS:
                return None
        return None


def _without(edits: tuple[Edit, ...], tool: str, field: str) -> tuple[Edit, ...]:
    return tuple(edit for edit in edits if (edit.tool, edit.field) != (tool, field))


def _rebased(edits: tuple[Edit, ...], base: Registry, tool: str, field: str) -> tuple[Edit, ...]:
    """Give the first edit of a field the base's value as its `old`; leave it where the base has no such tool."""
    if field != "synonyms" and tool not in base.by_key:
        return edits
    at = next(at for at, edit in enumerate(edits) if (edit.tool, edit.field) == (tool, field))
    return (*edits[:at], replace(edits[at], old=base.edit(tool, field, edits[at].new).old), *edits[at + 1 :])


def _homeless(edit: Edit, edits: tuple[Edit, ...], base: Registry) -> bool:
    """Say whether an edit is of a tool that neither the base has nor the draft adds or renames."""
    if edit.field in ("synonyms", "test_query") or (edit.field == "tool" and edit.old is None):
        return False
    made = {other.new if other.field == "name" else other.tool for other in edits if other.field == "name" or other.old is None}
    return edit.tool not in base.by_key and edit.tool not in made


def _done(edit: Edit, base: Registry) -> bool:
    """Say whether the base already has what a field edit wants."""
    if edit.field == "synonyms":
        return bool(base.synonyms.get(edit.tool) == edit.new)
    tool = base.by_key.get(edit.tool)
    return edit.field not in ("tool", "test_query") and tool is not None and getattr(tool, edit.field) == edit.new
