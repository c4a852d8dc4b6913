"""Leakage: a test query that stands, nearly word for word, in a tool's extra context or examples. It passes whatever the text is worth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from curator_core.queries.held_out import is_held_out
from curator_core.registry import Registry
from curator_core.text import folded_question, tokenize
from curator_core.tool import TestQuery, Tool

ALIKE = 0.85  # share of the longer text's words that the other has too, from which one is a near-copy of the other
LEAST_WORDS = 4  # a shorter question is likely the domain's own term; only the very same example counts as its copy

Field = Literal["extra_context", "examples"]


@dataclass(frozen=True, slots=True)
class NearCopy:
    """A piece of a tool's text that repeats a test query.

    field: where the piece stands. text: the piece as it is written. alike: words that both have, as a share of the longer one's, 1 = the
    same words. line: the query's place among the registry's test queries, from 0.
    """

    tool: str
    field: Field
    text: str
    case: TestQuery
    alike: float
    line: int

    @property
    def held_out(self) -> bool:
        """Whether the query is held out, so that it must not be shown beside the text."""
        return is_held_out(self.case)


def near_copies(registry: Registry) -> tuple[NearCopy, ...]:
    """Return the near-copies of test queries in the tools' extra context and examples, in order of the queries, then of keys.

    Words count without case, order and punctuation. In extra context a stretch of about as many words as the query is looked at.
    """
    pieces = [piece for key, tool in registry.by_key.items() for piece in _pieces(key, tool)]
    places = _places(pieces)
    found = (copy for line, case in enumerate(registry.test_queries) for copy in _copies_of(case, line, pieces, places))
    return tuple(found)


def repeats(text: str, cases: Iterable[TestQuery]) -> bool:
    """Say whether a text for extra context would be, or hold, a near-copy of one of these test queries."""
    piece = _piece("", "extra_context", text)
    return any(_alike(case.query, piece)[0] >= ALIKE for case in cases)


@dataclass(frozen=True, slots=True)
class _Piece:
    tool: str
    field: Field
    text: str
    words: tuple[str, ...]
    known: frozenset[str]


def _pieces(key: str, tool: Tool) -> Iterator[_Piece]:
    """Return the tool's extra context, and each of its examples."""
    if tool.extra_context.strip():
        yield _piece(key, "extra_context", tool.extra_context)
    yield from (_piece(key, "examples", example) for example in tool.examples)


def _piece(key: str, field: Field, text: str) -> _Piece:
    words = tuple(tokenize(text, 1))
    return _Piece(key, field, text, words, frozenset(words))


def _places(pieces: Sequence[_Piece]) -> Mapping[str, list[int]]:
    places: dict[str, list[int]] = {}
    for number, piece in enumerate(pieces):
        for word in dict.fromkeys(piece.words):
            places.setdefault(word, []).append(number)
    return places


def _copies_of(case: TestQuery, line: int, pieces: Sequence[_Piece], places: Mapping[str, list[int]]) -> Iterator[NearCopy]:
    """Compare a query with the pieces that have one of its rarest words; without any of so many, too few words can be the same."""
    words = tokenize(case.query, 1)
    rare_first = sorted(set(words), key=lambda word: (len(places.get(word, ())), word))
    rarest = rare_first[: len(words) - math.ceil(ALIKE * len(words)) + 1]
    for number in sorted({number for word in rarest for number in places.get(word, ())}):
        if sum(word in pieces[number].known for word in words) < ALIKE * len(words):
            continue
        alike, text = _alike(case.query, pieces[number])
        if alike >= ALIKE:
            yield NearCopy(pieces[number].tool, pieces[number].field, text, case, round(alike, 2), line)


def _alike(query: str, piece: _Piece) -> tuple[float, str]:
    """Return how alike a query and the piece, or the stretch of it that comes nearest, are; and that stretch."""
    words = tokenize(query, 1)
    if folded_question(query) == folded_question(piece.text):
        same = piece.field == "examples" or len(words) >= LEAST_WORDS
        return float(same), piece.text
    if len(words) < LEAST_WORDS:
        return 0.0, ""
    if piece.field == "examples":
        return _shared(words, piece.words), piece.text
    starts = range(max(1, len(piece.words) - len(words) + 1))
    best, start = max((_shared(words, piece.words[start : start + len(words)]), -start) for start in starts)
    return best, " ".join(piece.words[-start : len(words) - start])


def _shared(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how many words two texts share, a repeated one as often as both have it, as a share of the longer one's words."""
    return (Counter(one) & Counter(other)).total() / max(len(one), len(other), 1)
