"""The list of tools: which of them a filter leaves, and the rows that are shown of them. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from curator_core import Edit, Registry, Tool
from curator_core.tool import BESIDE_TOOLS
from dashboard.tables import visible

ROWS_PER_PAGE = 200
Only = Literal["no description", "too long for the model", "no extra context", "no test query", "has unsaved edits"]
ONLY: tuple[Only, ...] = ("no description", "too long for the model", "no extra context", "no test query", "has unsaved edits")


@dataclass(frozen=True, slots=True)
class ToolFilter:
    """What to show of the tools. text: all of its words must stand in a tool's name or texts; role None: everyone's."""

    text: str = ""
    role: str | None = None
    group: str | None = None
    only: Only | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """What the list needs to know beside the registry: keys of tools that the model cuts off, and keys of tools with unsaved edits."""

    cut_off: frozenset[str] = frozenset()
    edited: frozenset[str] = frozenset()


def groups(registry: Registry) -> tuple[str, ...]:
    """Return every group that some tool names, sorted."""
    return tuple(sorted({tool.group for tool in registry.tools if tool.group}))


def matching(registry: Registry, wanted: ToolFilter, facts: Facts = Facts()) -> tuple[str, ...]:
    """Return the keys of the tools that the filter leaves, in order of keys."""
    words = wanted.text.casefold().split()
    pool = registry.pool(wanted.role)
    keys = [key for key in pool if wanted.group in (None, registry.by_key[key].group)]
    if words:
        keys = [key for key in keys if _has_words(key, registry.by_key[key], words)]
    return tuple(_only(registry, keys, wanted.only, facts))


def tools_table(registry: Registry, keys: Sequence[str], facts: Facts = Facts()) -> pd.DataFrame:
    """Return one row a tool: its name, what is noteworthy about it, its group."""
    rows = []
    for key in keys:
        tool = registry.by_key[key]
        rows.append((visible(key), ", ".join(_remarks(key, tool, facts)), visible(tool.group)))
    return pd.DataFrame(rows, columns=["tool", "remarks", "group"])


def page_of(keys: Sequence[str], number: int, size: int = ROWS_PER_PAGE) -> tuple[str, ...]:
    """Return the keys of one page, counted from 1; a number beyond the last page gives the last."""
    last = max((len(keys) - 1) // size + 1, 1)
    start = (min(max(number, 1), last) - 1) * size
    return tuple(keys[start : start + size])


def pages(count: int, size: int = ROWS_PER_PAGE) -> int:
    """Return how many pages so many tools fill."""
    return max(-(-count // size), 1)


def edited_tools(edits: Sequence[Edit]) -> frozenset[str]:
    """Return the keys, as the draft has them, of the tools that the edits are about."""
    found: set[str] = set()
    for edit in edits:
        if edit.field in ("test_query", *BESIDE_TOOLS):
            continue
        found.discard(edit.tool)
        if not (edit.field == "tool" and edit.new is None):
            found.add(edit.inverse().tool)
    return frozenset(found)


def _only(registry: Registry, keys: list[str], only: Only | None, facts: Facts) -> list[str]:
    tools = registry.by_key
    if only == "no description":
        return [key for key in keys if not tools[key].description.strip()]
    if only == "no extra context":
        return [key for key in keys if not tools[key].extra_context.strip()]
    if only == "no test query":
        tested = {key for case in registry.test_queries for key in case.expected or ()}
        return [key for key in keys if key not in tested]
    chosen: dict[Only, Collection[str]] = {"too long for the model": facts.cut_off, "has unsaved edits": facts.edited}
    return [key for key in keys if only is None or key in chosen[only]]


def _has_words(key: str, tool: Tool, words: Sequence[str]) -> bool:
    text = "\n".join((key, tool.description, tool.extra_context, *tool.tags)).casefold()
    return all(word in text for word in words)


def _remarks(key: str, tool: Tool, facts: Facts) -> list[str]:
    remarks = ["edited"] if key in facts.edited else []
    remarks += ["no description"] if not tool.description.strip() else []
    return remarks + (["too long"] if key in facts.cut_off else [])
