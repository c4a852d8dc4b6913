"""Candidates for test queries where there are none yet, from the tools' own words: names, synonyms, examples, first sentences.

They are easier than what users say, since the tools say the same words. None counts before somebody accepts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from curator_core.registry import Registry
from curator_core.synonyms import IndexedText, indexed_texts
from curator_core.text import fold, folded_question, has_word_character, name_words, singular
from curator_core.tool import TestQuery, Tool

STARTER = "starter"
SOURCES = ("example", "synonym", "name", "first sentence")
Source = Literal["example", "synonym", "name", "first sentence"]
_END = re.compile(r"(?<=[.!?])\s|\n|[;:]\s")
_LONGEST = 140  # letters; a longer sentence is no question
_REACH = 2  # tools that a phrase may reach to be a question of its own


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that may become a test query. tool: what it should bring; source: where its words come from; said: the rule or text."""

    query: str
    tool: str
    source: Source
    said: str

    @property
    def case(self) -> TestQuery:
        """The test query that accepting it makes."""
        return TestQuery(self.query, (self.tool,), tags=(STARTER,), note=f"from the {self.source}")


def starter_candidates(registry: Registry) -> tuple[Candidate, ...]:
    """Return the candidates, tool by tool in order of keys, those closest to what users say first.

    Left out: questions that are test queries already, and those that several tools would make.
    """
    known = {folded_question(case.query) for case in registry.test_queries}
    texts = indexed_texts(registry)
    reach: dict[str, int] = {}
    for text in texts:
        for rule in text.synonyms:
            reach[rule.term] = reach.get(rule.term, 0) + 1
    found: dict[str, Candidate] = {}
    others: set[str] = set()
    for text in texts:
        for candidate in _of_tool(registry.by_key[text.key], text, reach):
            question = folded_question(candidate.query)
            if found.setdefault(question, candidate).tool != candidate.tool:
                others.add(question)
    return tuple(candidate for question, candidate in found.items() if question not in known and question not in others)


def _of_tool(tool: Tool, text: IndexedText, reach: dict[str, int]) -> Iterator[Candidate]:
    name = name_words(tool.name).casefold()
    for example in tool.examples:
        if has_word_character(example):
            yield Candidate(example.strip(), text.key, "example", example.strip())
    for rule in text.synonyms:
        for phrase in rule.phrases:
            said = f"{rule.term} → {phrase}"
            if question := _put_into(name, rule.term, phrase):
                yield Candidate(question, text.key, "synonym", said)
            elif reach[rule.term] < _REACH and has_word_character(phrase):
                yield Candidate(phrase, text.key, "synonym", said)
    if has_word_character(name):
        yield Candidate(name, text.key, "name", tool.name)
    if sentence := first_sentence(tool.description):
        yield Candidate(sentence, text.key, "first sentence", sentence)


def first_sentence(description: str) -> str:
    """Return the first sentence of a description without the stop at its end, "" where it is no sentence that somebody could say."""
    sentence = _END.split(description.strip(), maxsplit=1)[0].strip().rstrip(".;:")
    return sentence if has_word_character(sentence) and len(sentence) <= _LONGEST and " " in sentence else ""


def _put_into(name: str, term: str, phrase: str) -> str:
    """Return the words of a name with a phrase in place of a term, "" where the name does not have the term."""
    words, wanted = name.split(), [singular(word) for word in fold(term).split()]
    folded = [singular(word) for word in words]
    for start in range(len(words) - len(wanted) + 1):
        if wanted and folded[start : start + len(wanted)] == wanted:
            return " ".join((*words[:start], phrase, *words[start + len(wanted) :]))
    return ""
