"""Names under which agents' APIs take the tools: letters, digits, _ and -, at most 64 of them, each name once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from curator_core.registry import Registry
from curator_core.tool import Tool

LONGEST = 64
_LEGAL = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_OTHER = re.compile(r"[^A-Za-z0-9_-]+")


def legal_names(registry: Registry, keys: Iterable[str] | None = None) -> dict[str, str]:
    """Return the name of each tool, by key, under which an agent's model is given it; keys: only these, default all.

    A name that is legal and unique stays. One of several equal names gets its group before it, or a number; other signs become _; a name
    that is too long, or taken, ends in a hash of its key. So a name depends on its own tool alone, and is the same in every answer.
    Raises UnknownName.
    """
    wanted = list(registry.keys if keys is None else keys)
    tools = {key: registry.tool(key) for key in wanted}
    names = {key: tool.name for key, tool in tools.items() if key == tool.name and _LEGAL.fullmatch(key)}
    if len(names) == len(tools):
        return {key: names[key] for key in wanted}
    taken = {tool.name for key, tool in registry.by_key.items() if key == tool.name and _LEGAL.fullmatch(key)}
    made: dict[str, str] = {}
    for key, tool in registry.by_key.items():
        if key == tool.name and _LEGAL.fullmatch(key):
            continue
        name = _made(key, tool)
        made[key] = name if name not in taken else _hashed(name, key)
        taken.add(made[key])
    return {key: names.get(key) or made[key] for key in wanted}


def _made(key: str, tool: Tool) -> str:
    parts = [tool.name] if key == tool.name else [tool.group, tool.name] if tool.group else [tool.name, key.removeprefix(tool.name)]
    name = "_".join(word for word in (_OTHER.sub("_", part).strip("_") if _OTHER.search(part) else part for part in parts) if word)
    if not any(letter.isalnum() for letter in name):
        return _hashed("tool", key)
    name = name if not name[0].isdigit() and name[0] != "-" else f"_{name}"
    return name if len(name) <= LONGEST else _hashed(name, key)


def _hashed(name: str, key: str) -> str:
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name[: LONGEST - 9]}_{digest}"
