"""Coverage of a registry by its test queries, both ways: tools that no query expects, and queries whose tools are not there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from curator_core.queries.held_out import is_held_out, without_held_out
from curator_core.queries.query_merge import UnknownTool, unknown_tools
from curator_core.registry import Registry
from curator_core.tool import TestQuery


@dataclass(frozen=True, slots=True)
class TagCount:
    """How many test queries have a tag, "" for those without any. judged: some tool is right; no_tool: none is; held_out: of all."""

    tag: str
    queries: int
    judged: int
    no_tool: int
    held_out: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """What the test queries of a registry reach.

    queries_of: how many test queries expect each tool, in order of keys. untested: tools that none expects; only_held_out: tools that
    only held-out ones expect. unknown: tools that are not there, with the queries that name them. unseen: queries that expect a tool
    their role may not see, with that tool. tags: counts, the most frequent tag first.
    """

    queries_of: dict[str, int]
    untested: tuple[str, ...]
    only_held_out: tuple[str, ...]
    unknown: tuple[UnknownTool, ...]
    unseen: tuple[tuple[TestQuery, str], ...]
    tags: tuple[TagCount, ...]


def coverage_of(registry: Registry) -> Coverage:
    """Return what the test queries reach of the tools, and what they miss."""
    counts, shown = (_counts(registry, cases) for cases in (registry.test_queries, without_held_out(registry.test_queries)))
    pools = {role: frozenset(registry.pool(role)) for role in registry.roles}
    unseen = (
        (case, tool)
        for case in registry.test_queries
        for tool in case.expected or ()
        if case.role in pools and tool in registry.by_key and tool not in pools[case.role]
    )
    return Coverage(
        counts,
        tuple(key for key, count in counts.items() if not count),
        tuple(key for key, count in counts.items() if count and not shown[key]),
        unknown_tools(registry, registry.test_queries),
        tuple(unseen),
        _tags(registry.test_queries),
    )


def _counts(registry: Registry, cases: Iterable[TestQuery]) -> dict[str, int]:
    counts = dict.fromkeys(registry.by_key, 0)
    for case in cases:
        for tool in dict.fromkeys(case.expected or ()):
            if tool in counts:
                counts[tool] += 1
    return counts


def _tags(cases: Iterable[TestQuery]) -> tuple[TagCount, ...]:
    groups: dict[str, list[TestQuery]] = {}
    for case in cases:
        for tag in dict.fromkeys(case.tags or ("",)):
            groups.setdefault(tag, []).append(case)
    counts = (
        TagCount(tag, len(some), sum(bool(case.expected) for case in some), sum(case.expected == () for case in some), _held(some))
        for tag, some in groups.items()
    )
    return tuple(sorted(counts, key=lambda count: (not count.tag, -count.queries, count.tag)))


def _held(cases: Iterable[TestQuery]) -> int:
    return sum(map(is_held_out, cases))
