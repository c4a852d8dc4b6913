"""The name anchor: a tool whose name the question mostly says comes first (SEED.md, Name-token anchor)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import regex

from curator_core.records import AnchorRecord, Ints, frozen
from curator_core.settings import Settings
from curator_core.text import fold

_WORD_START = regex.compile(r"(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]")


def anchor_tokens(name: str, min_length: int) -> list[str]:
    """Return the words of a name that the rule counts: name.lower() split at "_", shorter ones left out."""
    return [token for token in fold(name).split("_") if len(token) >= min_length]


class AnchorNames:
    """The counted name words of every tool, turned around: for each word, which tools have it and how often."""

    def __init__(self, names: Sequence[str], min_length: int) -> None:
        self.tokens = [anchor_tokens(name, min_length) for name in names]
        self.of = frozen(np.array([len(words) for words in self.tokens], dtype=np.int64))
        tools_of: dict[str, list[int]] = {}
        for tool, words in enumerate(self.tokens):
            for word in words:
                tools_of.setdefault(word, []).append(tool)
        self.tools_of = {word: np.array(tools, dtype=np.int64) for word, tools in tools_of.items()}
        self.lengths = sorted({len(word) for word in self.tools_of})

    def found_in(self, query: str) -> frozenset[str]:
        """Return the name words that some word of the query starts with ("leaves" counts for leave, "report" not for port)."""
        text = fold(query)
        starts = (match.start() for match in _WORD_START.finditer(text))
        pieces = {text[start : start + length] for start in starts for length in self.lengths}
        return frozenset(pieces & self.tools_of.keys())


def anchor(names: AnchorNames, query: str, pool: Ints, settings: Settings) -> AnchorRecord:
    """Count each pool tool's name words in the query; at least `anchor_ratio` of them forces the tool to the top.

    A name without a counted word is never forced.
    """
    found = names.found_in(query)
    said = np.concatenate([names.tools_of[word] for word in found]) if found else np.zeros(0, dtype=np.int64)
    hits, of = np.bincount(said, minlength=len(names.of)), names.of
    if len(pool) < len(of):
        hits, of = hits[pool], of[pool]
    if settings.anchor_ratio > 0:
        forced, some = np.zeros(len(pool), dtype=bool), np.flatnonzero(hits)
        forced[some] = hits[some] / of[some] >= settings.anchor_ratio
    else:
        forced = of > 0
    return AnchorRecord(frozen(hits), frozen(of), frozen(forced), found, names.tokens, pool)
