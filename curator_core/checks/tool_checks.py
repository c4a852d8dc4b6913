"""Checks of tools one by one and among each other that need no model: openings that many share, limits of agents' clients, hidden text.

opening     many tools begin with the same words, so that these tell none of them apart
limits      a name or description that a client refuses or cuts; see CLIENTS
hidden      text that a reader does not see, or that speaks to the model; see curator_core.checks.hidden_text
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from curator_core.checks.hidden_text import Hidden, hidden_in
from curator_core.checks.lint import OVERLAY, SYNONYMS, TOOLS
from curator_core.errors import Problem, UnknownName
from curator_core.exchange.declared_names import legal_names
from curator_core.registry import Registry
from curator_core.text import tokenize
from curator_core.tool import Tool

OPENING_WORDS = 5  # words that count as an opening
OPENING_TOOLS = 5  # tools that share one, from which it is said
_LISTED = 5
Check = Literal["opening", "limits", "hidden"]


@dataclass(frozen=True, slots=True)
class Client:
    """What an agent's client takes. None = no limit is known.

    longest_name: with `prefix`, in which {server} stands for the tool's group; names: the signs of a name; longest_description: letters.
    """

    title: str
    longest_name: int
    prefix: str = ""
    names: re.Pattern[str] = re.compile(r"[A-Za-z0-9_-]+")
    longest_description: int | None = None


CLIENTS: Mapping[str, Client] = {
    "usual": Client("what most clients take", 64, "mcp__{server}__", longest_description=1024),
    "openai": Client("OpenAI's API", 64, longest_description=1024),
    "anthropic": Client("Anthropic's API", 64),
    "gemini": Client("Gemini's API", 64, names=re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*")),
    "claude-code": Client("Claude Code", 64, "mcp__{server}__"),
    "cursor": Client("Cursor", 60, "{server}:"),
}


def check_tools(registry: Registry, client: str = "usual") -> dict[Check, tuple[Problem, ...]]:
    """Return the warnings of each check, in order of tools. client: one of CLIENTS. Raises UnknownName."""
    if client not in CLIENTS:
        raise UnknownName(f"no client {client!r}; there are: {', '.join(CLIENTS)}")
    checks: dict[Check, Callable[[], Iterator[Problem]]] = {
        "opening": lambda: shared_openings(registry),
        "limits": lambda: client_limits(registry, CLIENTS[client]),
        "hidden": lambda: hidden_texts(registry),
    }
    return {name: tuple(check()) for name, check in checks.items()}


def shared_openings(registry: Registry) -> Iterator[Problem]:
    """Give a warning for each opening of OPENING_WORDS words that OPENING_TOOLS tools or more share."""
    alike: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for key, tool in registry.by_key.items():
        words = tuple(tokenize(tool.description[:400], 1)[: OPENING_WORDS + 1])
        if len(words) > OPENING_WORDS:  # one that says no more is a whole description, and equal ones are reported as such
            alike[words[:OPENING_WORDS]].append(key)
    for words, keys in alike.items():
        if len(keys) >= OPENING_TOOLS:
            found = f"{len(keys)} tools begin with the same words, “{' '.join(words)} …”: {_some(keys)}"
            fix = "begin with what only this tool does; the model reads the first words of a long text best, and an agent's user only these"
            yield Problem(f'{TOOLS}, "{keys[0]}"', found, fix, "warning", keys[0])


def client_limits(registry: Registry, client: Client) -> Iterator[Problem]:
    """Give a warning for each tool whose name or description the client refuses or cuts."""
    declared: dict[str, str] | None = None
    for key, tool in registry.by_key.items():
        where = f'{TOOLS}, "{key}"'
        name = client.prefix.format(server=tool.group) + tool.name if tool.group else tool.name
        faults = [f"{len(name)} letters{' with the prefix' if name != tool.name else ''}"] if len(name) > client.longest_name else []
        faults += [] if client.names.fullmatch(tool.name) else ["signs that are not allowed"]
        if faults:
            declared = declared or legal_names(registry)
            found = f"the name has {' and '.join(faults)}: {client.title} has up to {client.longest_name} of {_signs(client)}"
            fix = (
                "shorten it, or its server's name"
                if declared[key] == tool.name
                else f"until it is renamed, declarations say {declared[key]}"
            )
            yield Problem(where, found, fix, "warning", key)
        longest = client.longest_description
        if longest is not None and len(tool.description) > longest:
            found = f"the description has {len(tool.description):,} letters, and {client.title} reads up to {longest:,}"
            yield Problem(where, found, "shorten it, or put the users' words into extra context, which no client gets", "warning", key)


def hidden_texts(registry: Registry) -> Iterator[Problem]:
    """Give a warning for each text of a tool or synonym that hides something or speaks to the model."""
    for key, tool in registry.by_key.items():
        for field, said in hidden_in_tool(tool).items():
            where = f'{OVERLAY if field == "extra context" else TOOLS}, "{key}"'
            yield Problem(where, f"{field}: {_told(said)}", _FIX, "warning", key)
    for term, phrases in registry.synonyms.items():
        for text in (term, *phrases):
            if some := hidden_in(text):
                yield Problem(f'{SYNONYMS}, "{term}"', _told(some), _FIX, "warning")


def hidden_in_tool(tool: Tool) -> dict[str, tuple[Hidden, ...]]:
    """Return what each text of a tool hides, by the name of the text; texts that hide nothing are left out."""
    texts = {"name": (tool.name,), "description": (tool.description,), "extra context": (tool.extra_context,), "examples": tool.examples}
    found = {name: tuple(one for text in some for one in hidden_in(text, name == "name")) for name, some in texts.items()}
    found["parameters"] = tuple(one for text in _strings(tool.parameters) for one in hidden_in(text))
    return {name: some for name, some in found.items() if some}


_FIX = "it is shown with its code points and stored as it is; take it out where nobody meant it, the tool's page offers that"


def _told(found: Sequence[Hidden]) -> str:
    said = list(dict.fromkeys(f"{one.said} at letter {one.start + 1}" for one in found))
    return "; ".join(said[:_LISTED]) + (f"; and {len(said) - _LISTED} more" if len(said) > _LISTED else "")


def _strings(value: Any) -> Iterator[str]:
    """Give the texts of a schema: those that stand under a key such as description, and names."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield str(key)
            yield from _strings(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _strings(one)


def _signs(client: Client) -> str:
    return "letters A-Z, digits, _, -" + (", . and :" if client.names.fullmatch("a.b") else "")


def _some(keys: Sequence[str]) -> str:
    return ", ".join(keys[:_LISTED]) + (f" and {len(keys) - _LISTED} more" if len(keys) > _LISTED else "")
