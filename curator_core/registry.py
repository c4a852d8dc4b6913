"""The registry as a value: tools, synonyms, test queries, and edits that return a new registry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from curator_core.errors import Problem, UnknownName


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as its registry describes it.

    roles: who may see it, empty for everyone. group: the server or family it comes from. parameters: its JSON Schema, not validated.
    examples: questions it answers; kept and edited, not indexed by the seed profile.
    """

    name: str
    description: str = ""
    extra_context: str = ""
    roles: tuple[str, ...] = ()
    group: str = ""
    tags: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    parameters: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class TestQuery:
    """One judged question. expected: keys of the right tools, empty = no tool applies, None = nobody has judged it yet."""

    query: str
    expected: tuple[str, ...] | None = ()
    forbidden: tuple[str, ...] = ()
    role: str | None = None
    tags: tuple[str, ...] = ()
    critical: bool = False
    note: str = ""


@dataclass(frozen=True)
class Registry:
    """Tools and synonyms; frozen, edits return a new one. `tools` keeps the file's order, keys are in order of code points."""

    name: str = ""
    tools: tuple[Tool, ...] = ()
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    test_queries: tuple[TestQuery, ...] = ()
    problems: tuple[Problem, ...] = ()

    @cached_property
    def by_key(self) -> Mapping[str, Tool]:
        """Each tool under its key, in order of the keys' code points."""
        return MappingProxyType({tool.name: tool for tool in sorted(self.tools, key=lambda tool: tool.name)})

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Every role that some tool names, sorted."""
        return tuple(sorted({role for tool in self.tools for role in tool.roles}))

    def tool(self, key: str) -> Tool:
        """Return the tool with this key. Raises UnknownName."""
        try:
            return self.by_key[key]
        except KeyError:
            raise UnknownName(f"no tool {key!r} in registry {self.name!r}") from None

    def pool(self, role: str | None = None) -> tuple[str, ...]:
        """Return the keys that a role may see, in order of code points; None = all. Raises UnknownName with the roles that exist."""
        if role is not None and role not in self.roles:
            raise UnknownName(f"no role {role!r} in registry {self.name!r}; there are: {', '.join(self.roles) or 'none'}")
        return tuple(key for key, tool in self.by_key.items() if role is None or not tool.roles or role in tool.roles)
