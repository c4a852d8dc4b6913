"""What is allowed in a registry but likely not meant: warnings that follow from its value alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from curator_core.errors import Problem
from curator_core.tool import Tool

if TYPE_CHECKING:
    from curator_core.registry import Registry

TOOLS, OVERLAY, SYNONYMS, QUERIES = "tools.json", "extra_context.json", "domain_synonyms.json", "test_queries.jsonl"


def lint(registry: Registry) -> tuple[Problem, ...]:
    """Return the warnings: no description, odd or equal names, overlays and expectations of absent tools."""
    return (*_descriptions(registry), *_names(registry), *_edges(registry), *_unresolved(registry), *_expectations(registry))


def place(entry: int, name: object = None) -> str:
    """Return where a tool stands: file, number counted from 1, name."""
    return f'{TOOLS}, tool {entry + 1} "{name}"' if isinstance(name, str) and name else f"{TOOLS}, tool {entry + 1}"


def _entries(registry: Registry) -> list[int]:
    known = registry._provenance
    return [i if origin is None else origin for i, origin in enumerate(known.tools if known else [None] * len(registry.tools))]


def _descriptions(registry: Registry) -> Iterator[Problem]:
    for entry, key, tool in zip(_entries(registry), registry.keys, registry.tools, strict=True):
        if not tool.description.strip():
            fix = "write at least one sentence, queries are matched against it"
            yield Problem(place(entry, tool.name), "no description", fix, "warning", key)


def _names(registry: Registry) -> Iterator[Problem]:
    spellings = Counter(tool.name.casefold() for tool in registry.tools)
    alike: dict[str, list[tuple[int, str, Tool]]] = defaultdict(list)
    if len(spellings) < len(registry.tools):
        for entry, key, tool in zip(_entries(registry), registry.keys, registry.tools, strict=True):
            if spellings[tool.name.casefold()] > 1:
                alike[tool.name.casefold()].append((entry, key, tool))
    for group in alike.values():
        by_name: dict[str, list[tuple[int, str, Tool]]] = defaultdict(list)
        for entry, key, tool in group:
            by_name[tool.name].append((entry, key, tool))
        for name, same in by_name.items():
            if len(same) > 1:
                yield _twice(name, same)
        if len(by_name) > 1:
            entry, key, tool = group[0]
            found = f"names that differ only in case: {', '.join(by_name)}"
            yield Problem(place(entry, tool.name), found, "risky, agents and people mix them up; rename one", "warning", key)


def _edges(registry: Registry) -> Iterator[Problem]:
    """Warn of names with what nobody sees: blanks at the edges and line breaks."""
    for entry, key, tool in zip(_entries(registry), registry.keys, registry.tools, strict=True):
        parts = tool.name.splitlines()
        if len(parts) > 1 or parts != [tool.name.strip()]:
            found = "a line break in the name" if len(parts) > 1 or parts != [tool.name] else "blanks at the edge of the name"
            fix = f"agents' clients refuse it or call it by another name; write {' '.join(tool.name.split())}"
            yield Problem(place(entry, " ".join(tool.name.split())), found, fix, "warning", key)


def _twice(name: str, same: list[tuple[int, str, Tool]]) -> Problem:
    origins = ", ".join(f"tool {entry + 1}" + (f" (group {tool.group})" if tool.group else "") for entry, _, tool in same)
    keys = ", ".join(key for _, key, _ in same)
    return Problem(
        place(same[0][0], name),
        f"the name stands {len(same)} times: {origins}",
        f"all are kept, as {keys}; better rename",
        "warning",
        same[0][1],
    )


def _unresolved(registry: Registry) -> Iterator[Problem]:
    names = defaultdict(list)
    for key, tool in zip(registry.keys, registry.tools, strict=True) if registry.unresolved else ():
        names[tool.name].append(key)
    for key in registry.unresolved:
        if key in names:
            found, fix = f"{len(names[key])} tools have this name", f"write the key of the one that is meant: {', '.join(names[key])}"
        else:
            found, fix = "there is no such tool", "its text is kept and waits for it; correct the name, or remove the entry"
        yield Problem(f'{OVERLAY}, "{key}"', found, fix, "warning")


def _expectations(registry: Registry) -> Iterator[Problem]:
    known = registry._provenance
    lines = known.test_queries if known else (None,) * len(registry.test_queries)
    keys = set(registry.keys)
    for i, (line, query) in enumerate(zip(lines, registry.test_queries, strict=True)):
        absent = [key for key in (*(query.expected or ()), *query.forbidden) if key not in keys]
        if absent:
            where = f"{QUERIES}, line {(i if line is None else line) + 1}"
            yield Problem(where, f"names tools that do not exist: {', '.join(absent)}", "correct the names, or remove them", "warning")
