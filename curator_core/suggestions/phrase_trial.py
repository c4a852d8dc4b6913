"""Trying phrases: each is laid over the registry as an edit, and test queries are asked again as they are after any other edit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from curator_core.collisions.separation import copy_phrase
from curator_core.curator import Curator
from curator_core.evaluation import Evaluation, evaluate
from curator_core.index import build_index
from curator_core.proof.standings import Standings
from curator_core.queries.held_out import is_held_out
from curator_core.queries.leakage import repeats
from curator_core.registry import Edit, TestQuery
from curator_core.suggestions.phrases import Phrase, QueryWords, other_phrases, request_phrases, wanted_terms
from curator_core.synonyms import SynonymRules, indexed_text
from curator_core.vector_store import VectorStore

OFFERED = 3
_AT_THE_EDGE = (-1, 1)  # margins in places: the queries that one tool more or less among the first can turn
_BLOCK = 50  # questions after which progress is told

Progress = Callable[[int, int], None]


class PhraseTrial:
    """A question, the tool that should answer it, and what phrases in that tool's extra context do.

    before: all test queries of the registry as it is. own: the tool's other open test queries.
    """

    def __init__(self, curator: Curator, asked: TestQuery, tool: str, before: Evaluation, progress: Progress | None = None) -> None:
        self.curator, self.asked, self.tool, self.before = curator, asked, tool, before
        judged = [result for result in before.having("judged") if not is_held_out(result.case)]
        self.own = tuple(one.case for one in judged if tool in (one.case.expected or ()) and not self.is_asked(one.case))
        self._others = [one for one in judged if tool not in (one.case.expected or ())]
        self._progress, self._done, self._total = progress, 0, 1

    def is_asked(self, case: TestQuery) -> bool:
        """Say whether a test query is the question that this is about."""
        return (case.query, case.role) == (self.asked.query, self.asked.role)

    def chosen(self) -> tuple[Phrase, ...]:
        """Return the phrases that are worth a full trial, the most general first: with the opening that costs the other tools least,
        without one, of the synonym list, from the question alone. None would only repeat a test query.
        """
        requests = self._fit(request_phrases(self._words))
        openings, plain = ([one for one in requests if bool(one.opening) is opened] for opened in (True, False))
        self._total = len(openings) * len(self._edge) + OFFERED * len(self.before.results)
        terms = wanted_terms(self.curator.index.registry, self.asked.query, self._known)
        narrow = self._fit(other_phrases(self._words, terms))
        others = {phrase.words: phrase for phrase in reversed((*plain, *narrow))}
        return tuple([*self._cheapest(openings), *reversed(others.values())][:OFFERED])

    def edit(self, phrase: Phrase) -> Edit:
        """Return the edit that adds a phrase to the tool's extra context."""
        (edit,) = copy_phrase(self.curator.index.registry, self.tool, phrase.text)
        return edit

    def edited(self, phrases: Sequence[Phrase]) -> list[Curator]:
        """Return a curator over the registry with each of some phrases; their texts are encoded together."""
        index, settings = self.curator.index, self.curator.settings
        registries, folder = [index.registry.with_edits((self.edit(phrase),)) for phrase in phrases], None
        if index.store is not None:
            rules, folder = SynonymRules(index.registry.synonyms), index.store.cache_dir
            index.store.rows([indexed_text(self.tool, one.tool(self.tool), rules).text() for one in registries])
        return [Curator(build_index(one, index.encoder, folder, previous=index), settings) for one in registries]

    def ask_all(self, curator: Curator) -> Evaluation:
        """Return what every test query comes to; asked are only those whose tools are moved."""
        unmoved = self._standings.unmoved(curator) if self._standings else {}
        asked = self.ask(curator, [result.case for result in self.before.results if result.case not in unmoved])
        found = unmoved | {result.case: result for result in asked.results}
        return replace(asked, results=tuple(found[result.case] for result in self.before.results))

    def ask(self, curator: Curator, cases: Sequence[TestQuery]) -> Evaluation:
        """Ask questions, and tell how far that is."""
        start = self._done

        def tell(done: int, total: int) -> None:
            self._done = start + done
            if self._progress and (done == total or not done % _BLOCK):
                self._progress(min(self._done, self._total), self._total)

        return evaluate(curator, cases, progress=tell)

    @cached_property
    def _standings(self) -> Standings | None:
        return Standings.of(self.curator, self.before.results)

    @cached_property
    def _edge(self) -> tuple[TestQuery, ...]:
        """Other tools' queries that pass or fail by one place, so that this tool can turn them."""
        return tuple(one.case for one in self._others if one.margin is not None and one.margin.places in _AT_THE_EDGE)

    def _cheapest(self, phrases: Sequence[Phrase]) -> Sequence[Phrase]:
        """Return the phrase with which other tools keep the most recall, the first among equals."""
        if len(phrases) < 2:
            return phrases
        answers = (self.ask(curator, self._edge).results for curator in self.edited(phrases))
        kept = {phrase: sum(one.metrics["recall@5"] for one in results) for phrase, results in zip(phrases, answers, strict=True)}
        return [max(phrases, key=lambda phrase: round(kept[phrase], 9))]

    def _fit(self, phrases: Iterable[Phrase]) -> list[Phrase]:
        """Leave out the phrases that would only repeat a test query."""
        cases = (self.asked, *(result.case for result in self.before.results))
        return [phrase for phrase in phrases if not repeats(phrase.text, cases)]

    @cached_property
    def _known(self) -> frozenset[str]:
        """The words that the tool's text has already."""
        index = self.curator.index
        return frozenset(index.texts[index.positions[self.tool]].tokens())

    @cached_property
    def _words(self) -> QueryWords:
        query, own, others = self.asked.query, [case.query for case in self.own], [one.case.query for one in self._others]
        store = self.curator.index.store
        close = None if store is None else partial(closeness, store, [query, *own], others)
        return QueryWords(query, own, others, self._known, close)


def closeness(store: VectorStore, own: Sequence[str], others: Sequence[str], words: Sequence[str]) -> dict[str, float]:
    """Return how much closer in meaning each word is to a tool's own queries than to all, in standard deviations over all queries."""
    vectors, _ = store.rows(words)
    queries = np.stack([store.queries.of(query) for query in (*own, *others)]).astype(np.float64)
    similar: NDArray[np.float64] = queries @ vectors.astype(np.float64).T
    spread = np.maximum(similar.std(axis=0), 1e-9)
    close = (similar[: len(own)].mean(axis=0) - similar.mean(axis=0)) / spread
    return dict(zip(words, close.round(6).tolist(), strict=True))
