"""Sparse retrieval: BM25Okapi over the words of each tool's text, with the zero-score guard (SEED.md, Sparse retrieval)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

import numpy as np
from rank_bm25 import BM25Okapi

from curator_core.ranking import Ranking
from curator_core.records import Floats, Ints, QueryWord, SkipReason, SparseRecord, frozen
from curator_core.settings import Settings
from curator_core.word_counts import Counts
from curator_core.word_scores import WordScores

_NOWHERE: tuple[Ints, Ints] = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int32)  # the postings of a word that no tool has


class SparseScores(WordScores):
    """What each word adds to each tool's BM25 score, for a set of BM25 numbers.

    rank_bm25 gives the words' weights; its own formula is evaluated only for the tools that have a word of the question, so that a query
    adds a few rows up instead of looping over all tools. It sums in the same order as rank_bm25 does.
    """

    def __init__(self, counts: Counts, settings: Settings) -> None:
        super().__init__(counts.kept)
        self.counts, self.tools = counts, len(counts.lengths)
        self._idf: Floats = np.zeros(0)
        self._long: Floats = np.zeros(self.tools)
        self._more = settings.bm25_k1 + 1
        if counts.lengths.any():
            bm25 = _CountedBM25(counts, k1=settings.bm25_k1, b=settings.bm25_b, epsilon=settings.bm25_epsilon)
            self._idf = np.zeros(max(bm25.idf) + 1)
            self._idf[list(bm25.idf)] = list(bm25.idf.values())
            self._long = bm25.k1 * (1 - bm25.b + bm25.b * counts.lengths / bm25.avgdl)

    def idf(self, word: str) -> float:
        number = self.counts.number_of(word)
        return 0.0 if number is None else float(self._idf[number])

    def postings_of(self, words: Iterable[str]) -> tuple[Ints, Ints, Floats]:
        """Return the postings of many words one after the other: how many each has, then the tools, and what a mention adds to each."""
        known = [self.counts.number_of(word) for word in words]
        some = [_NOWHERE if number is None else self.counts.postings(number) for number in known]
        lengths = np.array([len(tools) for tools, _ in some], dtype=np.int64)
        tools, counts = (np.concatenate(all_of) for all_of in zip(_NOWHERE, *some, strict=True))
        weights = np.repeat([0.0 if number is None else self._idf[number] for number in known], lengths)
        return lengths, tools, weights * (counts * self._more / (counts + self._long[tools]))

    def _postings(self, word: str) -> tuple[Ints, Floats]:
        number = self.counts.number_of(word)
        if number is None:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        tools, counts = self.counts.postings(number)
        values = self._idf[number] * (counts * self._more / (counts + self._long[tools]))
        return frozen(tools), frozen(values)


class _CountedBM25(BM25Okapi):  # type: ignore[misc]
    """BM25Okapi over words that are counted already."""

    def _initialize(self, counts: Counts) -> dict[int, int]:
        self.corpus_size = len(counts.lengths)
        self.avgdl = int(counts.lengths.sum()) / self.corpus_size
        return counts.frequencies()


def rank_sparse(
    scores: WordScores, tokens: Sequence[str], pool: Ints, settings: Settings, shown: Mapping[str, str] | None = None
) -> SparseRecord:
    """Rank the pool's tools with a BM25 score above 0; a word that the query repeats counts each time.

    shown: for tokens that are no words, such as stems, the word of the query.

    When the best score is no higher than the floor, nobody is ranked and the record says why: ties at zero would otherwise put
    tools into the fusion in an order that means nothing.
    """
    postings = {word: scores.postings(word) for word in tokens}
    added = [postings[token] for token in tokens]  # in the query's order, as rank_bm25 adds them up
    tools = np.concatenate([some for some, _ in added]) if added else np.zeros(0, dtype=np.int64)
    values = np.concatenate([some for _, some in added]) if added else np.zeros(0)
    totals: Floats = np.bincount(tools, values, scores.tools).astype(np.float64, copy=False)
    found = totals if len(pool) == scores.tools else totals[pool]
    reason: SkipReason | None = None
    if not len(found) or found[found.argmax()] <= settings.sparse_floor:
        reason = "no weight" if np.bincount(tools, minlength=scores.tools)[pool].any() else "no shared word"
    ranking = Ranking(found, above=0.0 if reason is None else np.inf)
    return SparseRecord(ranking, postings, pool, reason, partial(_words, scores, tokens, shown or {}))


def _words(scores: WordScores, tokens: Sequence[str], shown: Mapping[str, str]) -> tuple[QueryWord, ...]:
    return tuple(
        QueryWord(shown.get(word, word), count, scores.idf(word), len(scores.postings(word)[0])) for word, count in Counter(tokens).items()
    )
