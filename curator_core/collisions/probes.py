"""Probes: what a tool says of itself, as questions, so that a registry can be judged before anybody has written test queries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from curator_core.synonyms import IndexedText
from curator_core.text import fold, has_word_character, name_words
from curator_core.tool import Tool

Source = Literal["name", "example", "description", "extra context", "synonym"]
PROBES_AT_MOST = 6  # of one tool: more say little that is new, and every one costs time
OPENINGS = ("", "what is", "how do i", "i want to", "can you help me find")  # how people begin to ask; they bring words of their own

_PIECES = re.compile(r"(?<=[.!?])\s+|[\n;:]\s*|,\s+")
_EDGES = " \t.,;:!?\"'()[]-"


@dataclass(frozen=True, slots=True)
class Probe:
    """A text of a tool that is asked like a question. source: where it stands; whose "sentences" are cut at stops and commas."""

    text: str
    source: Source


def probes_of(tool: Tool, text: IndexedText) -> tuple[Probe, ...]:
    """Return the tool's probes, at most PROBES_AT_MOST: its name, examples, sentences, and the phrases that synonyms add to it.

    Each source gives its first one before any gives its second, so that a long description does not push the others out.
    """
    wells = [list(_from(source, texts)) for source, texts in _sources(tool, text)]
    found: dict[str, Probe] = {}
    for turn in range(max(map(len, wells), default=0)):
        for well in wells:
            if turn < len(well):
                found.setdefault(fold(well[turn].text), well[turn])
    return tuple(found.values())[:PROBES_AT_MOST]


def pieces_of(text: str) -> tuple[str, ...]:
    """Return the sentences and clauses of a text that have at least two words; a text of one word is its own piece."""
    pieces = [piece.strip(_EDGES) for piece in _PIECES.split(text.strip())]
    whole = text.strip(_EDGES)
    return tuple(piece for piece in pieces if " " in piece and has_word_character(piece)) or ((whole,) if has_word_character(whole) else ())


def _sources(tool: Tool, text: IndexedText) -> Iterator[tuple[Source, tuple[str, ...]]]:
    yield "name", (name_words(tool.name),)
    yield "example", tool.examples
    yield "description", pieces_of(tool.description)
    yield "extra context", pieces_of(tool.extra_context)
    yield "synonym", tuple(phrase for rule in text.synonyms for phrase in rule.phrases)


def _from(source: Source, texts: tuple[str, ...]) -> Iterator[Probe]:
    for text in texts:
        if has_word_character(text):
            yield Probe(" ".join(text.split()), source)
