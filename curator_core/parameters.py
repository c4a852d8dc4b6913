"""The words of a tool's parameters: names and descriptions out of its JSON Schema, whatever shape that has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from curator_core.text import name_words


def parameter_words(schema: Mapping[str, Any] | None) -> tuple[str, str]:
    """Return the names of all parameters as words, and their descriptions; nested ones too, in the schema's order."""
    names: list[str] = []
    texts: list[str] = []
    for name, text in _declared(schema):
        names.append(name_words(name))
        texts.append(text.strip())
    return " ".join(filter(None, names)), " ".join(filter(None, texts))


def _declared(schema: object) -> Iterator[tuple[str, str]]:
    """Yield (name, description) of every property, walking through whatever is nested."""
    waiting: list[object] = [schema]
    while waiting:
        here = waiting.pop()
        if isinstance(here, Mapping):
            properties = here.get("properties")
            for name, said in properties.items() if isinstance(properties, Mapping) else ():
                text = said.get("description") if isinstance(said, Mapping) else None
                yield str(name), text if isinstance(text, str) else ""
            inner = [*(properties.values() if isinstance(properties, Mapping) else ()), *(here[key] for key in _NESTING if key in here)]
            waiting.extend(reversed(inner))
        elif isinstance(here, list | tuple):
            waiting.extend(reversed(here))


_NESTING = ("items", "prefixItems", "anyOf", "oneOf", "allOf", "additionalProperties")
