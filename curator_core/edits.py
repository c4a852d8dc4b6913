"""Edits applied to a registry: each checked against what is there, carried through names, and put back where they were."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from curator_core.edit_values import checked
from curator_core.errors import Conflict, CuratorError, EditConflict, UnknownName
from curator_core.keys import assign_keys, unknown_tool
from curator_core.tool import Edit, Provenance, Removed, TestQuery, Tool

if TYPE_CHECKING:
    from curator_core.registry import Registry


def apply_edits(registry: Registry, edits: Iterable[Edit]) -> Registry:
    """Return the registry after the edits, or raise with every reason why not (see Registry.with_edits)."""
    work = _Work(registry)
    conflicts: dict[tuple[object, ...], Conflict] = {}
    missing: list[str] = []
    for edit in map(checked, edits):
        where = (edit.tool, edit.field, edit.old.query if isinstance(edit.old, TestQuery) else None)
        met = conflicts.get(where)
        if met is not None and met.wanted == edit.old:  # the next step of an edit that already met another text
            conflicts[where] = replace(met, wanted=edit.new)
            continue
        try:
            conflict = work.apply(edit)
        except UnknownName as unknown:
            missing.append(str(unknown))
            conflict = Conflict(edit.tool, edit.field, edit.old, None, edit.new)
        if conflict is not None:
            conflicts[where] = conflict
    if len(conflicts) > len(missing):
        raise EditConflict(list(conflicts.values()))
    if missing:
        raise UnknownName("\n".join(dict.fromkeys(missing)))
    return work.result()


class _Work:
    """A registry while edits are applied to it: lists to change in place, and the keys as they stand."""

    def __init__(self, registry: Registry) -> None:
        known = registry._provenance
        self.registry = registry
        self.tools = list(registry.tools)
        self.queries = list(registry.test_queries)
        self.synonyms = dict(registry.synonyms)
        self.unresolved = dict(registry.unresolved)
        self.settings = dict(registry.settings)
        self.origins: list[int | None] = list(known.tools) if known else [None] * len(self.tools)
        self.lines: list[int | None] = list(known.test_queries) if known else [None] * len(self.queries)
        self.removed = list(known.removed) if known else []
        self.keys = list(registry.keys)
        self.place = {key: position for position, key in enumerate(self.keys)}
        self.names = {tool.name for tool in self.tools}

    def apply(self, edit: Edit) -> Conflict | None:
        """Apply one edit, or return how it conflicts. Raises UnknownName or CuratorError."""
        if edit.field == "synonyms":
            return self.set_synonym(edit)
        if edit.field == "test_query":
            return self.set_test_query(edit)
        if edit.field == "unresolved":
            return self.set_unresolved(edit)
        if edit.field == "settings":
            return self.set_setting(edit)
        if edit.field == "tool" and edit.new is not None:
            return self.add(edit)
        if edit.tool not in self.place:
            raise unknown_tool(edit.tool, self.keys, self.registry.name)
        position = self.place[edit.tool]
        tool = self.tools[position]
        found = tool if edit.field == "tool" else getattr(tool, edit.field)
        if found != edit.old:
            return Conflict(edit.tool, edit.field, edit.old, found, edit.new)
        if edit.field == "tool":
            self.delete(edit.tool, position)
        else:
            self.set_field(edit, position)
        return None

    def set_field(self, edit: Edit, position: int) -> None:
        if edit.field == "name":
            self.refuse_name(edit.new, edit.tool)
        self.tools[position] = replace(self.tools[position], **{edit.field: edit.new})
        if edit.field in ("name", "group"):
            before = self.keys
            self.rekey(dict(zip(before, assign_keys(self.tools), strict=True)))

    def refuse_name(self, name: str, key: str) -> None:
        if not name.strip():
            raise CuratorError(f"edit of {key!r}, name: it is empty; write a name")
        for other, tool in zip(self.keys, self.tools, strict=True):
            if tool.name == name and other != key:
                raise CuratorError(f"edit of {key!r}, name: there is already a tool {other!r} called {name!r}; choose another name")

    def add(self, edit: Edit) -> Conflict | None:
        if edit.tool in self.place:
            return Conflict(edit.tool, edit.field, None, self.tools[self.place[edit.tool]], edit.new)
        if not edit.new.name.strip():
            raise CuratorError(f"edit of {edit.tool!r}: the new tool's name is empty; write a name")
        was = self.take_removed(edit.tool, edit.new)
        if was is None and self.is_unlike_all(edit.tool, edit.new.name):
            self.append(edit.new)
            return None
        position = min(was.position, len(self.tools)) if was else len(self.tools)
        tools = [*self.tools[:position], edit.new, *self.tools[position:]]
        keys = assign_keys(tools)
        if keys[position] != edit.tool:
            raise CuratorError(f"edit adds tool {edit.tool!r}, but its key will be {keys[position]!r}; use that")
        self.tools = tools
        self.origins.insert(position, was.origin if was else None)
        restored = {i: old for i, old, new in was.touched if i < len(self.queries) and self.queries[i] == new} if was else {}
        self.rekey(dict(zip(self.keys, (*keys[:position], *keys[position + 1 :]), strict=True)), restored)
        return None

    def is_unlike_all(self, key: str, name: str) -> bool:
        """Tell whether a new tool changes no other's key, and no words wait for it."""
        return key == name and name not in self.names and key not in self.unresolved

    def append(self, tool: Tool) -> None:
        """Put a tool with a name of its own at the end: thousands of them are imported at once."""
        self.place[tool.name] = len(self.tools)
        self.tools.append(tool)
        self.origins.append(None)
        self.keys.append(tool.name)
        self.names.add(tool.name)

    def delete(self, key: str, position: int) -> None:
        tool = self.tools.pop(position)
        origin = self.origins.pop(position)
        before = list(self.queries)
        others = (*self.keys[:position], *self.keys[position + 1 :])
        self.queries = [_without(query, key) for query in before]
        self.rekey(dict(zip(others, assign_keys(self.tools), strict=True)))
        pairs = enumerate(zip(before, self.queries, strict=True))
        touched = tuple((i, old, new) for i, (old, new) in pairs if old != new)
        self.removed.append(Removed(key, tool, origin, position, touched))

    def rekey(self, moved: Mapping[str, str], restored: Mapping[int, TestQuery] | None = None) -> None:
        """Take the keys that the tools have now; test queries follow `moved` (old key -> new key), or get back what they were."""
        self.keys = list(assign_keys(self.tools))
        self.place = {key: position for position, key in enumerate(self.keys)}
        self.names = {tool.name for tool in self.tools}
        changed = {old: new for old, new in moved.items() if old != new}
        for i, query in enumerate(self.queries):
            if restored and i in restored:
                self.queries[i] = restored[i]
            elif changed:
                self.queries[i] = _followed(query, changed)
        for key in [key for key in self.unresolved if key in self.place]:  # a tool came back: its extra context is waiting
            text, position = self.unresolved.pop(key), self.place[key]
            tool = self.tools[position]
            if not tool.extra_context:
                self.tools[position] = replace(tool, extra_context=text)
            elif tool.extra_context != text:
                kept = f"extra_context.json keeps other words for an absent tool {key!r}: {text!r}"
                raise CuratorError(f"a tool with extra context of its own cannot become {key!r}: {kept}; remove them or merge them first")

    def set_synonym(self, edit: Edit) -> Conflict | None:
        if not edit.tool.strip():
            raise CuratorError("edit of synonyms: the term is empty; write the word that the tools use")
        found = self.synonyms.get(edit.tool)
        if found != edit.old:
            return Conflict(edit.tool, edit.field, edit.old, found, edit.new)
        if edit.new is None:
            self.synonyms.pop(edit.tool, None)
        else:
            self.synonyms[edit.tool] = edit.new
        return None

    def set_unresolved(self, edit: Edit) -> Conflict | None:
        if edit.new is not None and edit.tool in self.place:
            raise CuratorError(f"edit of {edit.tool!r}, unresolved: this tool is there; edit its extra_context")
        found = self.unresolved.get(edit.tool)
        if found != edit.old:
            return Conflict(edit.tool, edit.field, edit.old, found, edit.new)
        if edit.new is None:
            self.unresolved.pop(edit.tool, None)
        else:
            self.unresolved[edit.tool] = edit.new
        return None

    def set_setting(self, edit: Edit) -> Conflict | None:
        found = self.settings.get(edit.tool)
        if found != edit.old:
            return Conflict(edit.tool, edit.field, edit.old, found, edit.new)
        if edit.new is None:
            self.settings.pop(edit.tool, None)
        else:
            self.settings[edit.tool] = edit.new
        return None

    def set_test_query(self, edit: Edit) -> Conflict | None:
        if edit.old is None:
            if edit.new is not None:
                was = self.take_removed("", edit.new)
                position = min(was.position, len(self.queries)) if was else len(self.queries)
                self.queries.insert(position, edit.new)
                self.lines.insert(position, was.origin if was else None)
            return None
        if edit.old not in self.queries:
            found = next((query for query in self.queries if query.query == edit.old.query), None)
            return Conflict("", edit.field, edit.old, found, edit.new)
        position = self.queries.index(edit.old)
        if edit.new is None:
            self.removed.append(Removed("", self.queries.pop(position), self.lines.pop(position), position))
        else:
            self.queries[position] = edit.new
        return None

    def take_removed(self, key: str, item: Tool | TestQuery) -> Removed | None:
        """Take out the latest deletion of exactly this, so that adding it again puts it back where it was."""
        for i in range(len(self.removed) - 1, -1, -1):
            if self.removed[i].key == key and self.removed[i].item == item:
                return self.removed.pop(i)
        return None

    def result(self) -> Registry:
        old = self.registry
        source = old._provenance.source if old._provenance else None
        new = replace(
            old,
            tools=tuple(self.tools),
            synonyms=self.synonyms,
            test_queries=tuple(self.queries),
            unresolved=self.unresolved,
            settings=self.settings,
            _provenance=Provenance(source, tuple(self.origins), tuple(self.lines), tuple(self.removed)),
        )
        if source is None:
            return new
        stale = set(old.warnings)
        return replace(new, problems=(*(problem for problem in old.problems if problem not in stale), *new.warnings))


def _followed(query: TestQuery, moved: Mapping[str, str]) -> TestQuery:
    """Return the test query with keys that changed replaced."""
    named = set(query.expected or ()) | set(query.forbidden)
    if named.isdisjoint(moved):
        return query
    expected = None if query.expected is None else tuple(moved.get(key, key) for key in query.expected)
    return replace(query, expected=expected, forbidden=tuple(moved.get(key, key) for key in query.forbidden))


def _without(query: TestQuery, key: str) -> TestQuery:
    """Return the test query without a deleted tool; one that expected nothing else becomes unjudged, not a no-tool query."""
    if key not in (query.expected or ()) and key not in query.forbidden:
        return query
    forbidden = tuple(other for other in query.forbidden if other != key)
    if query.expected is None:
        return replace(query, forbidden=forbidden)
    expected = tuple(other for other in query.expected if other != key)
    if expected or not query.expected:
        return replace(query, expected=expected, forbidden=forbidden)
    said = f"expected {key}, which was deleted"
    return replace(query, expected=None, forbidden=forbidden, note=f"{query.note}; {said}" if query.note else said)
