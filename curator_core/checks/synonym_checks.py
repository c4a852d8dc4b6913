"""What keeps a synonym rule from doing what its author means: dead, empty, doubled, conflicting, unreachable and too broad rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from curator_core.registry import Registry
from curator_core.synonyms import IndexedText, indexed_texts
from curator_core.text import folded_words, plural, tokenize

Kind = Literal["dead", "empty", "doubled", "conflict", "unreachable", "broad", "loop"]
BROAD_SHARE, BROAD_LEAST = 0.2, 10  # a term is broad from this share of the tools on, and from so many


@dataclass(frozen=True, slots=True)
class SynonymRemark:
    """One thing to know about a synonym rule.

    kind: dead = the term stands in no tool's text; empty = it has no phrases; doubled = another term is the same word; conflict = a
    phrase stands under several terms that reach different tools; unreachable = no question can match a phrase by its words;
    broad = the term reaches a large share of the tools; loop = a phrase is a term of its own, and synonyms do not chain.
    phrase: which one it is about, "" for the whole rule. sentence: this in plain words, with what to do.
    """

    term: str
    kind: Kind
    phrase: str
    sentence: str


def check_synonyms(registry: Registry, texts: Sequence[IndexedText] | None = None) -> tuple[SynonymRemark, ...]:
    """Return the remarks on a registry's synonyms, sorted by term. texts: the registry's, where an index has them already."""
    texts = indexed_texts(registry) if texts is None else texts
    reach: dict[str, list[IndexedText]] = {term: [] for term in registry.synonyms}
    for text in texts:
        for rule in text.synonyms:
            reach[rule.term].append(text)
    remarks = (
        *_rules(registry, reach, len(texts)),
        *_doubled(registry),
        *_conflicts(registry, reach),
        *_loops(registry),
        *_unreachable(registry),
    )
    return tuple(sorted(remarks, key=lambda remark: (remark.term, remark.kind, remark.phrase)))


def _rules(registry: Registry, reach: Mapping[str, Sequence[IndexedText]], tools: int) -> Iterator[SynonymRemark]:
    for term, phrases in registry.synonyms.items():
        if not any(phrase.strip() for phrase in phrases):
            yield SynonymRemark(term, "empty", "", "The term has no phrases. Add what users say for it, or remove it.")
        elif not reach[term]:
            yield SynonymRemark(term, "dead", "", "The term stands in no tool's name, description or extra context, so it reaches no tool.")
        elif len(reach[term]) >= max(BROAD_LEAST, BROAD_SHARE * tools):
            share = f"{len(reach[term])} of {plural(tools, 'tool')}"
            yield SynonymRemark(
                term, "broad", "", f"The term reaches {share}. What most tools get tells none of them apart; use a longer term."
            )


def _doubled(registry: Registry) -> Iterator[SynonymRemark]:
    by_words: dict[tuple[str, ...], list[str]] = {}
    for term in registry.synonyms:
        by_words.setdefault(folded_words(term), []).append(term)
    for terms in by_words.values():
        for term in terms if len(terms) > 1 else ():
            others = ", ".join(f"“{other}”" for other in terms if other != term)
            yield SynonymRemark(term, "doubled", "", f"It is found where {others} is found. Put all phrases under one of them.")


def _conflicts(registry: Registry, reach: Mapping[str, Sequence[IndexedText]]) -> Iterator[SynonymRemark]:
    terms_of: dict[tuple[str, ...], dict[str, str]] = {}
    for term, phrases in registry.synonyms.items():
        for phrase in phrases:
            if words := folded_words(phrase):
                terms_of.setdefault(words, {})[term] = phrase
    for terms in terms_of.values():
        reached = {term: frozenset(text.key for text in reach[term]) for term in terms}
        if len(set(reached.values())) > 1:
            for term, phrase in terms.items():
                others = ", ".join(f"“{other}”" for other in terms if other != term)
                sentence = f"“{phrase}” also stands under {others}, which reaches other tools: a question with it pulls both ways."
                yield SynonymRemark(term, "conflict", phrase, sentence)


def _loops(registry: Registry) -> Iterator[SynonymRemark]:
    terms = {folded_words(term): term for term in registry.synonyms}
    for term, phrases in registry.synonyms.items():
        for phrase in phrases:
            other = terms.get(folded_words(phrase))
            if other is not None and other != term:
                sentence = f"“{phrase}” is a term of its own. Its phrases are not added here too: synonyms do not chain."
                yield SynonymRemark(term, "loop", phrase, sentence)


def _unreachable(registry: Registry) -> Iterator[SynonymRemark]:
    for term, phrases in registry.synonyms.items():
        for phrase in phrases:
            if phrase.strip() and not tokenize(phrase):
                yield SynonymRemark(
                    term, "unreachable", phrase, f"“{phrase}” has no word of two letters or more, so word match never uses it."
                )
