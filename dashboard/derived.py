"""What follows from a registry's content alone and takes a moment, made once for each content. Pure: no Streamlit."""

from __future__ import annotations

from functools import lru_cache

from curator_core import (
    Candidate,
    Coverage,
    NearCopy,
    Problem,
    Registry,
    TestQuery,
    Tool,
    check_tools,
    coverage_of,
    near_copies,
    starter_candidates,
)

_KEPT = 4
_KEPT_EXAMPLES = 64  # tools that are open somewhere


@lru_cache(_KEPT)
def coverage(registry: Registry) -> Coverage:
    """Return what the test queries reach of the tools, and what they miss."""
    return coverage_of(registry)


@lru_cache(_KEPT)
def leaks(registry: Registry) -> tuple[NearCopy, ...]:
    """Return the near-copies of test queries in the tools' texts."""
    return near_copies(registry)


def copies_in_examples(tool: Tool, cases: tuple[TestQuery, ...]) -> tuple[NearCopy, ...]:
    """Return the near-copies of test queries among one tool's examples."""
    return _copies_of(tool.name, tool.examples, cases) if tool.examples else ()


@lru_cache(_KEPT_EXAMPLES)
def _copies_of(name: str, examples: tuple[str, ...], cases: tuple[TestQuery, ...]) -> tuple[NearCopy, ...]:
    """The same, whatever else changes in the tool."""
    return near_copies(Registry(tools=(Tool(name, examples=examples),), test_queries=cases))


@lru_cache(_KEPT)
def tool_remarks(registry: Registry) -> dict[str, tuple[Problem, ...]]:
    """Return what the checks of the tools' texts find, with the limits of usual clients."""
    return {str(name): found for name, found in check_tools(registry).items()}


@lru_cache(_KEPT)
def starters(registry: Registry) -> tuple[Candidate, ...]:
    """Return the candidates for test queries."""
    return starter_candidates(registry)
