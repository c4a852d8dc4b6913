"""The name anchor: a tool whose name the question mostly says comes first (SEED.md, Name-token anchor)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
import regex

from curator_core.patch import Patch
from curator_core.records import AnchorRecord, Ints, frozen
from curator_core.settings import Settings
from curator_core.text import fold

_QUESTIONS_KEPT = 1_000  # test questions are asked again after each edit
_ASCII_START = re.compile(r"(?<![a-z0-9])[a-z0-9]")  # of a folded text, in a third of the time
_WORD_START = regex.compile(r"(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]")


def anchor_tokens(name: str, min_length: int) -> list[str]:
    """Return the words of a name that the rule counts: name.lower() split at "_", shorter ones left out."""
    return [token for token in fold(name).split("_") if len(token) >= min_length]


class AnchorNames:
    """The counted name words of every tool, turned around: for each word, which tools have it and how often."""

    def __init__(self, names: Sequence[str], min_length: int) -> None:
        self._min_length = min_length
        self.tokens: Sequence[Sequence[str]] = [anchor_tokens(name, min_length) for name in names]
        self.of: Ints = frozen(np.array([len(words) for words in self.tokens], dtype=np.int64))
        self._tools_of = _turned_around(self.tokens, range(len(self.tokens)))
        self._lengths = _lengths_by_start(self._tools_of, min_length)
        self.found_in = lru_cache(maxsize=_QUESTIONS_KEPT)(self._found_in)
        self._enough: dict[float, Ints] = {}
        self._base: AnchorNames | None = None
        self._places: Ints = np.zeros(0, dtype=np.int64)  # where the tools of the base stand now

    def patched(self, patch: Patch, names: Sequence[str]) -> AnchorNames:
        """Return the same for an edited registry; names: those of the patch's own tools."""
        made = AnchorNames(names, self._min_length)
        made._tools_of = _turned_around(made.tokens, patch.own.tolist())
        made._lengths = _lengths_by_start(made._tools_of, self._min_length)
        made.of = frozen(np.concatenate([self.of, made.of])[patch.sources])
        known = [*self.tokens, *made.tokens]
        made.tokens = [known[source] for source in patch.sources.tolist()]
        made._base, made._places = self, patch.places
        return made

    def enough(self, ratio: float) -> Ints:
        """Return how many of its name words a question must have to force each tool; one more than it has where none would do."""
        if ratio not in self._enough:
            by_length = [_enough(length, ratio) for length in range(int(self.of.max(initial=0)) + 1)]
            self._enough[ratio] = frozen(np.array(by_length, dtype=np.int64)[self.of])
        return self._enough[ratio]

    def tools_of(self, word: str) -> Ints:
        """Return the tools whose names have a word, once for each time that a name has it."""
        own = self._tools_of.get(word, np.zeros(0, dtype=np.int64))
        if self._base is None:
            return own
        kept = self._places[self._base.tools_of(word)]
        return np.concatenate([kept[kept >= 0], own])

    def _found_in(self, query: str) -> frozenset[str]:
        """Return the name words that some word of the query starts with ("leaves" counts for leave, "report" not for port)."""
        text, first, possible = fold(query), self._min_length, self._possible
        pieces = set[str]()
        for match in (_ASCII_START if text.isascii() else _WORD_START).finditer(text):
            start = match.start()
            for length in possible(text[start : start + first]):
                pieces.add(text[start : start + length])
        return frozenset(piece for piece in pieces if self._knows(piece))

    def _possible(self, beginning: str) -> Iterable[int]:
        """Return how long the name words are that begin so; most words of a question begin like none."""
        own = self._lengths.get(beginning, ())
        return own if self._base is None else {*own, *self._base._lengths.get(beginning, ())}

    def _knows(self, word: str) -> bool:
        return word in self._tools_of or (self._base is not None and word in self._base._tools_of and bool(len(self.tools_of(word))))


def _enough(length: int, ratio: float) -> int:
    return next((hits for hits in range(length + 1) if length and hits / length >= ratio), length + 1)


def _turned_around(tokens: Sequence[Sequence[str]], tools: Iterable[int]) -> dict[str, Ints]:
    tools_of: dict[str, list[int]] = {}
    for tool, words in zip(tools, tokens, strict=True):
        for word in words:
            tools_of.setdefault(word, []).append(tool)
    return {word: np.array(some, dtype=np.int64) for word, some in tools_of.items()}


def _lengths_by_start(words: Iterable[str], first: int) -> dict[str, tuple[int, ...]]:
    """Return, for the first letters of words that all have at least so many, how long the words are that begin with them."""
    lengths: dict[str, set[int]] = {}
    for word in words:
        lengths.setdefault(word[:first], set()).add(len(word))
    return {beginning: tuple(some) for beginning, some in lengths.items()}


def anchor(names: AnchorNames, query: str, pool: Ints, settings: Settings) -> AnchorRecord:
    """Count each pool tool's name words in the query; at least `anchor_ratio` of them forces the tool to the top.

    A name without a counted word is never forced.
    """
    found = names.found_in(query)
    said = np.concatenate([names.tools_of(word) for word in found]) if found else np.zeros(0, dtype=np.int64)
    hits, of, enough = np.bincount(said, minlength=len(names.of)), names.of, names.enough(settings.anchor_ratio)
    if len(pool) < len(of):
        hits, of, enough = hits[pool], of[pool], enough[pool]
    return AnchorRecord(frozen(hits), frozen(of), frozen(hits >= enough), found, names.tokens, pool)
