"""Two tools beside each other: the words that both match, those that tell them apart, and the edits that pull their texts apart.

An edit here is an edit like any other: put it over the registry, ask the test queries again, and see what it does before it is saved.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from curator_core.errors import CuratorError
from curator_core.index import ToolIndex, segment_kinds
from curator_core.overlap import content_words
from curator_core.registry import Registry
from curator_core.settings import Settings
from curator_core.tool import Edit

TextField = Literal["extra_context", "description"]
_PHRASES = re.compile(r"[,;\n]+|(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class WordWeight:
    """A word about the matter in two tools' texts. weights: what a mention in a question adds to each tool's word score, 0 = not there."""

    word: str
    weights: tuple[float, float]


@dataclass(frozen=True, slots=True)
class PairWords:
    """The words of two tools. both: in both texts, the heaviest first; first, second: only in one of them, the heaviest first: words
    that separate them.
    """

    both: tuple[WordWeight, ...]
    first: tuple[WordWeight, ...]
    second: tuple[WordWeight, ...]


def pair_words(index: ToolIndex, a: str, b: str, settings: Settings | None = None) -> PairWords:
    """Return which words two tools share and which tell them apart. Raises UnknownName."""
    settings = (settings or Settings()).plain()
    for key in (a, b):
        index.registry.tool(key)
    kinds, shortest, sparse = segment_kinds(settings), settings.token_min_length, index.sparse(settings)
    places = [index.positions[key] for key in (a, b)]
    words = content_words(token for place in places for token in index.texts[place].tokens(kinds, shortest))
    found = []
    for word in words:
        tools, values = sparse.postings(word)
        by_tool = dict(zip(tools.tolist(), values.tolist(), strict=True))
        found.append((WordWeight(word, (by_tool.get(places[0], 0.0), by_tool.get(places[1], 0.0))), [place in by_tool for place in places]))
    return PairWords(*(_having(found, wanted) for wanted in ([True, True], [True, False], [False, True])))


def _having(found: Sequence[tuple[WordWeight, list[bool]]], wanted: list[bool]) -> tuple[WordWeight, ...]:
    """Return the words that stand in just these of the two texts, the heaviest first."""
    return tuple(sorted((one for one, has in found if has == wanted), key=lambda one: (-max(one.weights), one.word)))


def shared_phrases(index: ToolIndex, a: str, b: str, longest: int = 6, settings: Settings | None = None) -> tuple[str, ...]:
    """Return the phrases that stand in both texts, the longest first, then by their words; no phrase that is a part of another one."""
    settings = (settings or Settings()).plain()
    texts = [index.texts[index.positions[key]].tokens(segment_kinds(settings), settings.token_min_length) for key in (a, b)]
    found: list[tuple[str, ...]] = []
    for length in range(longest, 0, -1):
        both = set(_runs(texts[0], length)) & set(_runs(texts[1], length))
        found += sorted(run for run in both if content_words(run) and not any(_holds(other, run) for other in found))
    return tuple(" ".join(run) for run in found)


def own_phrases(registry: Registry, key: str) -> tuple[str, ...]:
    """Return the phrases of a tool's extra context, as they stand there between commas and stops."""
    pieces = (piece.strip(" \t.") for piece in _PHRASES.split(registry.tool(key).extra_context))
    return tuple(dict.fromkeys(piece for piece in pieces if piece))


def field_with(registry: Registry, key: str, phrase: str) -> TextField:
    """Return which of a tool's texts a phrase stands in: the extra context, else the description."""
    tool = registry.tool(key)
    found = [re.search(_whole(phrase), text, re.IGNORECASE) for text in (tool.extra_context, tool.description)]
    return "description" if found[1] and not found[0] else "extra_context"


def _whole(phrase: str) -> str:
    return rf"(?<!\w){re.escape(phrase.strip())}(?!\w)"


def delete_phrase(registry: Registry, key: str, phrase: str, field: TextField = "extra_context") -> tuple[Edit, ...]:
    """Return the edit that takes a phrase out of a tool's text. Raises CuratorError where it does not stand there as whole words."""
    before = str(getattr(registry.tool(key), field))
    pattern = _whole(phrase) + r"[ \t]*,?"
    if not phrase.strip() or not re.search(pattern, before, re.IGNORECASE):
        raise CuratorError(f'{key}, {field}: "{phrase}" does not stand there; choose a phrase of this text')
    after = re.sub(r"[ \t]{2,}", " ", re.sub(pattern, "", before, count=1, flags=re.IGNORECASE)).strip(" ,\t")
    return (registry.edit(key, field, after),)


def copy_phrase(registry: Registry, key: str, phrase: str) -> tuple[Edit, ...]:
    """Return the edit that adds a phrase to a tool's extra context."""
    before = registry.tool(key).extra_context.strip()
    return (registry.edit(key, "extra_context", f"{before}, {phrase.strip()}" if before else phrase.strip()),)


def move_phrase(registry: Registry, source: str, target: str, phrase: str, field: TextField = "extra_context") -> tuple[Edit, ...]:
    """Return the edits that take a phrase out of one tool's text and add it to another's extra context; to be added as one step."""
    return (*delete_phrase(registry, source, phrase, field), *copy_phrase(registry, target, phrase))


def not_for(registry: Registry, key: str, other: str, what: str) -> tuple[Edit, ...]:
    """Return the edit that ends a tool's extra context with a line that sends people to the other tool.

    An agent reads it as it is meant; word match counts its words like all others, so look at its effect before it is saved.
    """
    if not what.strip():
        raise CuratorError(f"{key}: say what it is not for, in the words that people use for {other}")
    registry.tool(other)
    before = registry.tool(key).extra_context.strip()
    line = f"Not for {what.strip().rstrip('.')}: use {other}."
    return (registry.edit(key, "extra_context", f"{before}\n{line}" if before else line),)


def rename_tool(registry: Registry, key: str, name: str) -> tuple[Edit, ...]:
    """Return the edit that gives a tool another name, which its test queries follow; agents that call it by name have to follow too."""
    before = registry.tool(key).name
    if name.strip() in ("", before):
        raise CuratorError(f"{key}: write the name that it shall have, another one than {before!r}")
    return (registry.edit(key, "name", name.strip()),)


def _runs(tokens: list[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[start : start + length]) for start in range(len(tokens) - length + 1))


def _holds(longer: tuple[str, ...], run: tuple[str, ...]) -> bool:
    return any(longer[start : start + len(run)] == run for start in range(len(longer) - len(run) + 1))
