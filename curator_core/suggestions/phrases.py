"""Candidate phrases for a tool's extra context, from words that people used: in a question, in the tool's other test queries, in synonyms.

Words are weighed by how much more often the tool's own queries have them than all others do (log-odds over their error; Monroe et al.
2008, "Fightin' Words"), and by how close they lie to the own queries in meaning. Nothing is invented and nothing is drawn by lot.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from curator_core.overlap import content_words
from curator_core.registry import Registry
from curator_core.text import fold, folded_words, tokenize

WORDS_AT_MOST = 10
FROM_QUESTION = 2  # words of the question itself that a general phrase begins with
NARROW = 8  # words of a phrase from the question alone
OPENINGS = ("find me", "help me find", "can you find", "tell me", "show me", "I need")  # how people begin; tried where some query does so
_ASKING = frozenset(
    tokenize("asap can could does find help just know like look looking need needs please show tell thanks use want wants would")
)
_WEIGHED = 40  # words whose closeness in meaning is asked for
_CLOSENESS = 0.5  # what one standard deviation of closeness counts beside one of log-odds
_LINK = re.compile(r"https?|www|com|html?")
_NUMBER = re.compile(r"\d+(?:st|nd|rd|th|am|pm|k|m)?|\w*\d{3}\w*")  # also of a student, an order, a room

Closeness = Callable[[Sequence[str]], Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A candidate. text: as it would stand in the extra context; words that come from where, each without those before it: opening (how
    people begin), question, synonyms (a term of the registry's list), queries (the tool's other test queries).
    """

    text: str
    opening: str = ""
    question: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()

    @property
    def words(self) -> frozenset[str]:
        """What it says, beside how it begins."""
        return frozenset((*self.question, *self.synonyms, *self.queries))


class QueryWords:
    """The words of a question, of the test queries that expect the same tool, and of all others.

    known: words that the tool's text has already; they are not suggested. closeness: how close words are in meaning to the tool's own
    queries, in standard deviations; None without a model.
    """

    def __init__(
        self, question: str, own: Sequence[str], others: Sequence[str], known: Collection[str], closeness: Closeness | None = None
    ) -> None:
        self.question, self.own, self.others = question, tuple(dict.fromkeys((question, *own))), tuple(others)
        self._known, self._closeness = frozenset(known), closeness

    @cached_property
    def weights(self) -> Mapping[str, float]:
        """Each new word of the own queries with its weight, the heaviest first, then by name; only the most telling ones, where many."""
        own, others = (Counter(word for query in some for word in telling_words(query)) for some in (self.own, self.others))
        odds = {
            word: _log_odds(count, len(self.own), others[word], len(self.others)) for word, count in own.items() if word not in self._known
        }
        asked, first = telling_words(self.question), sorted(odds, key=lambda word: (-odds[word], word))
        some = list(dict.fromkeys((*(word for word in first if word in asked), *first)))[:_WEIGHED]
        close = self._closeness(some) if self._closeness and some else {}
        weights = {word: odds[word] + _CLOSENESS * close.get(word, 0.0) for word in some}
        return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0])))

    def of_question(self) -> tuple[str, ...]:
        """Return the question's own new words, the heaviest first; of those that tell nothing of this tool at least the two best."""
        asked = set(telling_words(self.question))
        words = [word for word in self.weights if word in asked]
        return tuple(word for number, word in enumerate(words) if number < FROM_QUESTION or self.weights[word] > 0)

    def in_order(self, words: Iterable[str]) -> tuple[str, ...]:
        """Return words as they follow each other in the question, those that it does not have at the end."""
        place = {word: number for number, word in reversed(list(enumerate(tokenize(self.question))))}
        return tuple(sorted(words, key=lambda word: place.get(word, len(place))))

    def spelt(self, word: str) -> str:
        """Return a word as it is written most often within the own queries."""
        return self._spellings.get(word, word)

    def openings(self) -> tuple[str, ...]:
        """Return the usual openings that some query begins a request with: their words follow each other there."""
        said = [" ".join(("", *tokenize(query, 1), "")) for query in (*self.own, *self.others)]
        return tuple(opening for opening in OPENINGS if any(f" {opening.casefold()} " in query for query in said))

    @cached_property
    def _spellings(self) -> Mapping[str, str]:
        found: dict[str, Counter[str]] = {}
        for query in self.own:
            for number, match in enumerate(re.finditer(r"\w+", query)):
                written = match.group()
                found.setdefault(fold(written), Counter())[written if number else written.lower()] += 1
        return {word: min(spelt, key=lambda one, spelt=spelt: (-spelt[one], one)) for word, spelt in found.items()}  # type: ignore[misc]


@lru_cache(maxsize=20_000)  # the same test queries are read for every tool
def telling_words(query: str) -> tuple[str, ...]:
    """Return the words of a question that say what it is about, in order, none twice: no stop words, words of asking, links, numbers."""
    words = dict.fromkeys(tokenize(query))
    kept = content_words(words) - _ASKING
    return tuple(word for word in words if word in kept and not _NUMBER.fullmatch(word) and not _LINK.fullmatch(word))


def request_phrases(words: QueryWords) -> tuple[Phrase, ...]:
    """Return one phrase with each usual opening, and last without one: words of the question and of its sister queries.

    It should help questions that nobody has asked yet. An opening brings it closer in meaning to requests; which one, has to be tried.
    """
    asked = words.in_order(words.of_question()[:FROM_QUESTION])
    others = tuple(word for word in words.weights if word not in asked)
    if not asked and not others:
        return ()
    rooms = {opening: WORDS_AT_MOST - len(opening.split()) - len(asked) for opening in (*words.openings(), "")}
    return tuple(_phrase(words, opening, asked, (), others[:room]) for opening, room in rooms.items())


def tool_phrases(words: QueryWords, lengths: Sequence[int]) -> tuple[Phrase, ...]:
    """Return phrases of so many of the words that tell a tool's own queries from all others, the most telling first in the choice."""
    found = {phrase.text: phrase for length in lengths if (phrase := _phrase(words, "", (), (), tuple(words.weights)[:length])).text}
    return tuple(found.values())


def other_phrases(words: QueryWords, synonyms: Sequence[str] = ()) -> Iterator[Phrase]:
    """Yield narrower phrases: each term of the synonym list that the question asks for (see wanted_terms), the question's own words.

    A term brings all phrases of its rule along.
    """
    for term in synonyms:
        yield _phrase(words, "", (), (term,), ())
    if own := words.in_order(words.of_question()[:NARROW]):
        yield _phrase(words, "", own, (), ())


def wanted_terms(registry: Registry, question: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the synonym terms one of whose phrases the question says in full, and which the tool's text does not have, sorted."""
    asked, has = set(folded_words(question)), {folded for word in known for folded in folded_words(word)}
    return tuple(
        term
        for term, phrases in sorted(registry.synonyms.items())
        if not has.issuperset(folded_words(term)) and any((said := folded_words(phrase)) and asked.issuperset(said) for phrase in phrases)
    )


def _phrase(words: QueryWords, opening: str, question: tuple[str, ...], synonyms: tuple[str, ...], queries: tuple[str, ...]) -> Phrase:
    said = (*_joined(question, (words.question,)), *_joined(queries, words.own))
    listed = ", ".join((*synonyms, *(" ".join(map(words.spelt, run)) for run in said)))
    asked, others = (tuple(map(words.spelt, some)) for some in (question, queries))
    return Phrase(f"{opening} {listed}".strip(), opening, asked, synonyms, others)


def _joined(words: Sequence[str], queries: Iterable[str]) -> list[list[str]]:
    """Return words in their order; those that some queries say only side by side, such as New York, as one run where its first word is."""
    after = _only_after(queries)
    before = {other: one for one, other in after.items()}
    left, runs = list(words), []
    while left:
        run = [left.pop(0)]
        while (word := after.get(run[-1], "")) in left:
            run.append(left.pop(left.index(word)))
        while (word := before.get(run[0], "")) in left:
            run.insert(0, left.pop(left.index(word)))
        runs.append(run)
    return runs


def _only_after(queries: Iterable[str]) -> dict[str, str]:
    """Return the word that follows each word wherever that stands, where it stands nowhere else."""
    after: dict[str, set[str]] = {}
    before: dict[str, set[str]] = {}
    for query in queries:
        for one, other in pairwise(["", *tokenize(query), ""]):
            after.setdefault(one, set()).add(other)
            before.setdefault(other, set()).add(one)
    only = ((one, next(iter(some))) for one, some in after.items() if one and len(some) == 1)
    return {one: other for one, other in only if other and len(before[other]) == 1}


def _log_odds(own: int, queries: int, others: int, other_queries: int) -> float:
    """Return how much likelier a word is in the own queries, in standard errors."""
    a, b = own + 0.5, others + 0.5
    difference = math.log(a / (queries - own + 0.5)) - math.log(b / (other_queries - others + 0.5))
    return difference / math.sqrt(1 / a + 1 / b)
