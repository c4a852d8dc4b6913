"""What an agent's model is given for the tools of an answer: function declarations, and what they cost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from curator_core.encoder import Encoder, token_count_of
from curator_core.errors import CuratorError
from curator_core.exchange.declared_names import legal_names
from curator_core.formats.anthropic import ANTHROPIC
from curator_core.formats.entry import Form
from curator_core.formats.gemini import GEMINI
from curator_core.formats.mcp import MCP
from curator_core.formats.openai import OPENAI
from curator_core.registry import Registry
from curator_core.tool import Tool

DeclarationFormat = Literal["openai", "anthropic", "gemini", "mcp"]


@dataclass(frozen=True, slots=True)
class Cost:
    """What declarations cost. tools: how many; characters: of their JSON; tokens: as this registry's embedding model counts them.

    A chat model cuts texts its own way, so its count differs by some percent; shares and comparisons hold. tokens is None without a
    model that can count.
    """

    tools: int
    characters: int
    tokens: int | None

    def share_of(self, whole: Cost) -> float:
        """Return which part of another cost this is, 0 to 1: by tokens, by characters where they cannot be counted."""
        part, of = (self.characters, whole.characters) if self.tokens is None or whole.tokens is None else (self.tokens, whole.tokens)
        return part / of if of else 0.0


class Declarations(list[dict[str, Any]]):
    """The declarations of an answer: a plain list, which also says whether any of them is likely to help.

    no_tool: probably no tool applies, so that an agent should rather ask back or decline than call one. note: why, "" otherwise.
    """

    def __init__(self, declared: Iterable[dict[str, Any]], no_tool: bool = False, note: str = "") -> None:
        super().__init__(declared)
        self.no_tool, self.note = no_tool, note


FORMS: Mapping[str, Form] = {"openai": OPENAI, "anthropic": ANTHROPIC, "gemini": GEMINI, "mcp": MCP}


def declarations_of(registry: Registry, keys: Iterable[str], format: DeclarationFormat = "openai") -> list[dict[str, Any]]:
    """Return the declarations of tools, in this order, as an agent's API takes them; under legal names, see legal_names.

    Extra context is for retrieval and is not in them. Raises UnknownName for a key that does not exist, CuratorError for a format.
    """
    if format not in FORMS:
        raise CuratorError(f"no declarations in the format {format!r}; there are: {', '.join(FORMS)}")
    names = legal_names(registry, keys)
    return [FORMS[format].declare(registry.tool(key), name) for key, name in names.items()]


def declaration(tool: Tool) -> dict[str, Any]:
    """Return a tool as a function declaration: name, description and parameters. Extra context is for retrieval and is not in it."""
    parameters = dict(tool.parameters) if tool.parameters is not None else {"type": "object", "properties": {}}
    return {"type": "function", "function": {"name": tool.name, "description": tool.description, "parameters": parameters}}


def declaration_cost(registry: Registry, keys: Iterable[str], encoder: Encoder | None = None) -> Cost:
    """Return what the declarations of these tools cost an agent on each turn. Raises UnknownName for a key that does not exist."""
    texts = [json.dumps(declaration(registry.tool(key)), ensure_ascii=False) for key in keys]
    count = token_count_of(encoder) if encoder is not None else None
    return Cost(len(texts), sum(map(len, texts)), sum(map(count, texts)) if count is not None else None)
