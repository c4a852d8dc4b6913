"""The registry as a value: tools, synonyms, test queries, and edits that return a new registry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from curator_core import edits as edits_
from curator_core.checks.lint import lint
from curator_core.errors import Problem, UnknownName
from curator_core.keys import assign_keys, unknown_tool
from curator_core.tool import Edit, Provenance, TestQuery, Tool, as_texts

__all__ = ["Edit", "Provenance", "Registry", "TestQuery", "Tool"]


class Content:
    """What an index depends on, as a key to look it up by: hashing thousands of tools takes a while, so that is done once."""

    def __init__(self, tools: tuple[Tool, ...], synonyms: Mapping[str, tuple[str, ...]]) -> None:
        self._parts = (tools, tuple(sorted(synonyms.items())))
        self._hash = hash(self._parts)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Content) and self._hash == other._hash and self._parts == other._parts)


@dataclass(frozen=True)
class Registry:
    """Tools, synonyms and test queries; frozen, edits return a new one. `tools` keeps the file's order.

    synonyms: term -> what users say. unresolved: extra context of tools that are not there, kept for when they come back.
    problems: what loading found, brought up to date by edits; neither they nor the source documents count in a comparison. settings: what
    curator.toml says of the profile and its numbers, so that a change of them can wait in a draft; no comparison looks at them.
    """

    name: str = ""
    tools: tuple[Tool, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    test_queries: tuple[TestQuery, ...] = ()
    problems: tuple[Problem, ...] = field(default=(), compare=False)
    unresolved: Mapping[str, str] = field(default_factory=dict, hash=False)
    _provenance: Provenance | None = field(default=None, compare=False, repr=False)
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False, compare=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "tools", tuple(self.tools))
        put(self, "test_queries", tuple(self.test_queries))
        put(self, "problems", tuple(self.problems))
        put(self, "synonyms", MappingProxyType({term: as_texts(phrases) for term, phrases in self.synonyms.items()}))
        put(self, "unresolved", MappingProxyType(dict(self.unresolved)))
        put(self, "settings", MappingProxyType(dict(self.settings)))
        known = self._provenance
        if known and (len(known.tools), len(known.test_queries)) != (len(self.tools), len(self.test_queries)):
            put(self, "_provenance", None)  # another list of tools than the one that was loaded: saving must not patch by position

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The key of each tool, in the order of `tools`."""
        return assign_keys(self.tools)

    @cached_property
    def content(self) -> Content:
        """The tools and synonyms as a key: equal for registries that any index finds equal."""
        return Content(self.tools, self.synonyms)

    @cached_property
    def by_key(self) -> Mapping[str, Tool]:
        """Each tool under its key, in order of the keys' code points."""
        return MappingProxyType(dict(sorted(zip(self.keys, self.tools, strict=True), key=lambda pair: pair[0])))

    @cached_property
    def warnings(self) -> tuple[Problem, ...]:
        """What is allowed but likely not meant, as far as it follows from the registry alone; part of `problems` of a loaded one."""
        return lint(self)

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Every role that some tool names, sorted."""
        return tuple(sorted({role for tool in self.tools for role in tool.roles}))

    def tool(self, key: str) -> Tool:
        """Return the tool with this key. Raises UnknownName with the nearest keys."""
        try:
            return self.by_key[key]
        except KeyError:
            raise unknown_tool(key, self.by_key, self.name) from None

    def pool(self, role: str | None = None) -> tuple[str, ...]:
        """Return the keys that a role may see, in order of code points; None = all. Raises UnknownName with the roles that exist."""
        if role is not None and role not in self.roles:
            raise UnknownName(f"no role {role!r} in registry {self.name!r}; there are: {', '.join(self.roles) or 'none'}")
        return tuple(key for key, tool in self.by_key.items() if role is None or not tool.roles or role in tool.roles)

    def edit(self, key: str, field: str, new: Any) -> Edit:
        """Return the Edit that gives this field a new value, with `old` as the registry holds it now.

        For field "tool" with a new Tool the edit stands under the key that the tool will have; for "test_query" it adds one.
        """
        if field in ("unresolved", "settings"):
            return Edit(key, field, getattr(self, field).get(key), new)
        if field == "synonyms":
            return Edit(key, field, self.synonyms.get(key), None if new is None else as_texts(new))
        if field == "test_query":
            return Edit("", field, None, new)
        if field == "tool" and isinstance(new, Tool):
            return Edit(assign_keys((*self.tools, new))[-1], field, None, new)
        tool = self.tool(key)
        return Edit(key, field, tool if field == "tool" else getattr(tool, field, None), new)

    def with_edits(self, edits: Iterable[Edit]) -> Registry:
        """Return the registry after these edits, applied in order; all or none.

        A rename, a change of group, and a deletion are carried through to the test queries and the extra context of whatever key changes.
        Raises EditConflict with every edit whose `old` is not what is there, UnknownName, or CuratorError for an edit that means nothing.
        """
        return edits_.apply_edits(self, edits)
