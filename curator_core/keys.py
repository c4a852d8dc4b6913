"""Keys: one name for each tool of a registry, also when two tools are called the same."""

from __future__ import annotations

import difflib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from curator_core.errors import UnknownName
from curator_core.tool import Edit, Tool

_MOVES = ("name", "group")  # fields that a key is made of


def assign_keys(tools: Sequence[Tool]) -> tuple[str, ...]:
    """Return the key of each tool: its name when unique, else `name@group`, else `name#n` (its place among those of that name).

    A name that looks like a key (a tool called "search@files") keeps its own key; the others step aside.
    """
    names = Counter(tool.name for tool in tools)
    if len(names) == len(tools):
        return tuple(tool.name for tool in tools)
    origins = Counter((tool.name, tool.group) for tool in tools)
    taken = {name for name, count in names.items() if count == 1}
    seen: Counter[str] = Counter()
    keys = []
    for tool in tools:
        key = tool.name
        if names[key] > 1:
            seen[key] += 1
            in_group = bool(tool.group) and origins[tool.name, tool.group] == 1
            key = next(candidate for candidate in _candidates(tool, seen[key], in_group) if candidate not in taken)
            taken.add(key)
        keys.append(key)
    return tuple(keys)


def _candidates(tool: Tool, place: int, in_group: bool) -> Iterator[str]:
    if in_group:
        yield f"{tool.name}@{tool.group}"
    yield f"{tool.name}#{place}"
    for further in itertools.count(2):
        yield f"{tool.name}#{place}#{further}"


def nearest_keys(key: str, keys: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """Return the keys that are written most alike; case and what parts the words count little."""
    known = list(keys)
    near = difflib.get_close_matches(key, known, limit)
    if not near:
        folded = _folded(key)
        near = [other for other in known if _folded(other) == folded][:limit]
    return tuple(near)


def unknown_tool(key: str, keys: Iterable[str], registry: str) -> UnknownName:
    """Return the error for a key that does not exist, with the nearest keys, or a few, for want of any."""
    known = list(keys)
    near = nearest_keys(key, known)
    if near:
        hint = f"did you mean {' or '.join(near)}?"
    else:
        hint = f"there are {len(known)}: {', '.join(known[:5])}{', …' if len(known) > 5 else ''}" if known else "it has no tools"
    return UnknownName(f"no tool {key!r} in registry {registry!r}; {hint}")


def _folded(key: str) -> str:
    return "".join(letter for letter in key.casefold() if letter.isalnum())


def key_after(edits: Iterable[Edit], key: str) -> str | None:
    """Return the key that a tool has after edits, None when they delete it."""
    here: str | None = key
    for edit in edits:
        if edit.tool == here and edit.field in _MOVES:
            here = edit.inverse().tool
        elif edit.field == "tool" and edit.tool in (here, key):
            here = None if edit.new is None else edit.tool
    return here


def key_before(edits: Iterable[Edit], key: str) -> str | None:
    """Return the key that a tool had before edits, None for one that they added."""
    for edit in reversed(tuple(edits)):
        if edit.field in _MOVES and edit.inverse().tool == key:
            key = edit.tool
        elif edit.field == "tool" and edit.new is not None and edit.tool == key:
            return None
    return key
