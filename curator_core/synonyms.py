"""The indexed text of a tool, as visible segments, with the domain's synonyms applied to it at index time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from curator_core.parameters import parameter_words
from curator_core.registry import Registry, Tool
from curator_core.stems import text_stems
from curator_core.text import fold, folded_words, joined_words, name_words, question_words, tokenize

ALL_SEGMENTS = ("name", "description", "extra_context", "synonyms")
FURTHER = ("group", "parameters", "parameter_texts", "examples")


@dataclass(frozen=True, slots=True)
class Segment:
    """One visible piece of a tool's indexed text. kind: where it comes from, one of ALL_SEGMENTS or FURTHER."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class AppliedSynonym:
    """A synonym rule that put phrases into a tool's text. term: the domain's word; phrases: what users say for it."""

    term: str
    phrases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IndexedText:
    """What retrieval sees of one tool.

    segments: name as words, description, extra context, synonyms, in this order, empty ones left out.
    joined: camelCase pieces of the name as one word; word match sees them beside the segments, meaning match does not.
    synonyms: the rules that apply, in order of their terms. further: group, names and descriptions of parameters, each example
    question; only stages of the tuned profile look at them.
    """

    key: str
    segments: tuple[Segment, ...]
    joined: tuple[str, ...] = ()
    synonyms: tuple[AppliedSynonym, ...] = ()
    further: tuple[Segment, ...] = ()

    def part(self, kind: str) -> str:
        """Return the text of one segment, "" where there is none; looks at further ones too."""
        return next((segment.text for segment in (*self.segments, *self.further) if segment.kind == kind), "")

    @property
    def examples(self) -> tuple[str, ...]:
        """The example questions."""
        return tuple(segment.text for segment in self.further if segment.kind == "examples")

    def text(self, kinds: Sequence[str] = ALL_SEGMENTS) -> str:
        """Return the segments of these kinds as one text: what the model is given."""
        return " ".join(segment.text for segment in self.segments if segment.kind in kinds)

    def tokens(self, kinds: Sequence[str] = ALL_SEGMENTS, min_length: int = 2, stems: bool = False) -> list[str]:
        """Return the tokens that BM25 counts for this tool. stems: as stems, without stop words."""
        joined = [word for word in self.joined if len(word) >= min_length] if "name" in kinds else []
        text = " ".join((self.text(kinds), *(segment.text for segment in self.further if segment.kind in kinds)))
        return text_stems(text, self.joined if "name" in kinds else (), min_length) if stems else tokenize(text, min_length) + joined


class SynonymRules:
    """The domain's synonyms, ready to be looked up in many texts.

    A term is found as whole words with case, plural, possessive and hyphen folded. Its phrases are added once and are not searched
    for further terms. A phrase that says the term itself adds nothing.
    """

    def __init__(self, synonyms: Mapping[str, Sequence[str]]) -> None:
        self.phrases = {term: _other_phrases(term, synonyms[term]) for term in sorted(synonyms)}
        self._named = {fold(term): term for term in self.phrases}
        self._by_first_word: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for term in self.phrases:
            if words := folded_words(term):
                self._by_first_word.setdefault(words[0], []).append((words, term))

    def terms_in(self, texts: Iterable[str]) -> set[str]:
        """Return the terms that stand in any of the texts as whole words."""
        found: set[str] = set()
        for words in map(folded_words, texts) if self._by_first_word else ():
            for start, word in enumerate(words):
                for wanted, term in self._by_first_word.get(word, ()):
                    if words[start : start + len(wanted)] == wanted:
                        found.add(term)
        return found

    def apply(self, tool: Tool) -> tuple[AppliedSynonym, ...]:
        """Return the rules that apply to a tool, in order of their terms: those in its texts, and one that is its name."""
        found = self.terms_in((name_words(tool.name), *joined_words(tool.name), tool.description, tool.extra_context))
        if fold(tool.name) in self._named:
            found.add(self._named[fold(tool.name)])
        return tuple(AppliedSynonym(term, self.phrases[term]) for term in sorted(found) if self.phrases[term])


def _other_phrases(term: str, phrases: Iterable[str]) -> tuple[str, ...]:
    """Return the phrases without repeats, blanks and those that say no more than the term."""
    kept: dict[str, str] = {}
    for phrase in phrases:
        kept.setdefault(fold(phrase).strip(), phrase.strip())
    return tuple(phrase for folded, phrase in kept.items() if folded not in ("", fold(term).strip()))


def indexed_text(key: str, tool: Tool, rules: SynonymRules) -> IndexedText:
    """Build the indexed text of one tool: name as words, description, extra context, synonyms."""
    applied = rules.apply(tool)
    phrases: dict[str, str] = {}
    for phrase in (phrase for rule in applied for phrase in rule.phrases):
        phrases.setdefault(fold(phrase), phrase)
    texts = (name_words(tool.name), tool.description.strip(), tool.extra_context.strip(), " ".join(phrases.values()))
    segments = tuple(Segment(kind, text) for kind, text in zip(ALL_SEGMENTS, texts, strict=True) if text)
    more = zip(FURTHER[:3], (name_words(tool.group), *parameter_words(tool.parameters)), strict=True)
    examples = (Segment("examples", text) for example in tool.examples if (text := example.strip()))
    further = (*(Segment(kind, text) for kind, text in more if text), *examples)
    return IndexedText(key, segments, joined_words(tool.name), applied, further)


def indexed_texts(registry: Registry) -> tuple[IndexedText, ...]:
    """Build the indexed text of every tool, in order of keys."""
    rules = SynonymRules(registry.synonyms)
    return tuple(indexed_text(key, tool, rules) for key, tool in registry.by_key.items())


def reindexed_texts(registry: Registry, before: Registry, texts: Sequence[IndexedText]) -> tuple[IndexedText, ...]:
    """Build the indexed texts of an edited registry; those that the edits cannot have changed are the very ones of `texts`.

    before, texts: an earlier registry and its indexed texts.
    """
    rules = SynonymRules(registry.synonyms)
    terms = {term for term, _ in registry.synonyms.items() ^ before.synonyms.items()}
    reached = _reached_by(terms)
    known, made = dict(zip(before.by_key, texts, strict=True)), []
    for key, tool in registry.by_key.items():
        text = known.get(key)
        if text is not None and _words_of(before.by_key[key]) == _words_of(tool) and not (terms and reached(text)):
            made.append(text)
        else:
            made.append(indexed_text(key, tool, rules))
    return tuple(made)


def _words_of(tool: Tool) -> tuple[object, ...]:
    return tool.name, tool.description, tool.extra_context, tool.group, tool.parameters, tool.examples


def _reached_by(terms: Collection[str]) -> Callable[[IndexedText], bool]:
    """Return a quick test whether a text may have one of some terms, or has their phrases: never wrong when it says no."""
    # folding a word changes its ending alone, so a text that has a term has the start of the term's first folded word somewhere
    starts = {words[0][:-1] if (words := folded_words(term)) else "" for term in terms}

    def reached(text: IndexedText) -> bool:
        said = fold(" ".join((text.text(), *text.joined)))
        return any(rule.term in terms for rule in text.synonyms) or any(start in said for start in starts)

    return reached


@dataclass(frozen=True, slots=True)
class FiredSynonym:
    """A synonym phrase whose words the question has. tools: keys of the tools whose text holds the phrase."""

    term: str
    phrase: str
    tools: tuple[str, ...]


class PhraseTable:
    """The phrases that stand in some tool's synonym segment, ready to be looked up for a question."""

    def __init__(self, texts: Iterable[IndexedText]) -> None:
        tools: dict[str, list[str]] = {}
        phrases: dict[str, tuple[str, ...]] = {}
        for text in texts:
            for rule in text.synonyms:
                tools.setdefault(rule.term, []).append(text.key)
                phrases[rule.term] = rule.phrases  # a term has the same phrases in all texts
        fired = [FiredSynonym(term, phrase, tuple(keys)) for term, keys in tools.items() for phrase in phrases[term]]
        self._by_word: dict[str, list[tuple[frozenset[str], FiredSynonym]]] = {}
        for synonym in fired:
            if words := folded_words(synonym.phrase):
                self._by_word.setdefault(max(words, key=len), []).append((frozenset(words), synonym))  # a long word is a rare one

    def fired(self, query: str) -> tuple[FiredSynonym, ...]:
        """Return the phrases all of whose words the query has, in any order, sorted by term and phrase."""
        words = question_words(query)
        fired = [synonym for word in words for wanted, synonym in self._by_word.get(word, ()) if wanted <= words]
        return tuple(sorted(fired, key=lambda synonym: (synonym.term, synonym.phrase)))
