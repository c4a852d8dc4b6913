"""Test queries that become example questions of their tools: an example helps to find its tool, so it is no test any more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curator_core.queries.held_out import is_held_out
from curator_core.registry import Edit, Registry, TestQuery


@dataclass(frozen=True, slots=True)
class Moved:
    """Which of some test queries become examples, as edits to be added as one step, and which cannot, each with the reason."""

    edits: tuple[Edit, ...]
    taken: tuple[TestQuery, ...]
    left: tuple[tuple[TestQuery, str], ...]


def to_examples(registry: Registry, tool: str, cases: Sequence[TestQuery]) -> tuple[Edit, ...]:
    """Return the edits that make test queries examples of a tool and take them out of the test set; to be added as one step."""
    if not cases:
        return ()
    before = registry.tool(tool).examples
    examples = tuple(dict.fromkeys((*before, *(case.query.strip() for case in cases))))
    named = (registry.edit(tool, "examples", examples),) if examples != before else ()
    return (*named, *(Edit("", "test_query", case, None) for case in cases))


def moved_to_examples(registry: Registry, cases: Sequence[TestQuery]) -> Moved:
    """Make each test query an example of the tool that it expects, where that is one and the query may be looked at."""
    by_tool: dict[str, list[TestQuery]] = {}
    left = []
    for case in cases:
        if reason := _why_not(registry, case):
            left.append((case, reason))
        else:
            by_tool.setdefault((case.expected or ("",))[0], []).append(case)
    edits = tuple(edit for tool, some in by_tool.items() for edit in to_examples(registry, tool, some))
    return Moved(edits, tuple(case for some in by_tool.values() for case in some), tuple(left))


def _why_not(registry: Registry, case: TestQuery) -> str:
    if is_held_out(case):
        return "it is held out, and only measures"
    if not case.query.strip():
        return "it has no words"
    if len(set(case.expected or ())) != 1:
        return "it expects several tools" if case.expected else "it expects no tool"
    if (case.expected or ("",))[0] not in registry.by_key:
        return "its tool does not exist"
    return ""
