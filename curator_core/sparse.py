"""Sparse retrieval: BM25Okapi over the words of each tool's text, with the zero-score guard (SEED.md, Sparse retrieval)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from rank_bm25 import BM25Okapi
from scipy.sparse import csr_matrix

from curator_core.ranking import Ranking
from curator_core.records import Floats, Ints, QueryWord, SkipReason, SparseRecord
from curator_core.settings import Settings


class SparseScores:
    """What each word adds to each tool's BM25 score, worked out once for a registry and a set of BM25 numbers.

    rank_bm25 gives the weights and lengths; its own formula is evaluated once per word and tool and kept in a sparse matrix
    (words x tools), so that a query adds a few rows up instead of looping over all tools. It sums in the same order as rank_bm25 does.
    """

    def __init__(self, documents: Sequence[list[str]], settings: Settings) -> None:
        self.tools = len(documents)
        self.row_of: dict[str, int] = {}
        self.idf: dict[str, float] = {}
        self.matrix = csr_matrix((0, self.tools))
        if any(documents):
            self._fill(BM25Okapi(documents, k1=settings.bm25_k1, b=settings.bm25_b, epsilon=settings.bm25_epsilon))

    def _fill(self, bm25: BM25Okapi) -> None:
        self.idf = bm25.idf
        self.row_of = {word: row for row, word in enumerate(bm25.idf)}
        entries = [(self.row_of[word], tool, count) for tool, counts in enumerate(bm25.doc_freqs) for word, count in counts.items()]
        rows, tools, counts = (np.array(column) for column in zip(*entries, strict=True))
        idf = np.fromiter(bm25.idf.values(), dtype=np.float64)
        lengths = np.array(bm25.doc_len)[tools]
        saturated = counts * (bm25.k1 + 1) / (counts + bm25.k1 * (1 - bm25.b + bm25.b * lengths / bm25.avgdl))
        self.matrix = csr_matrix((idf[rows] * saturated, (rows, tools)), shape=(len(self.row_of), self.tools))

    def postings(self, word: str) -> tuple[Ints, Floats]:
        """Return which tools have a word, and what one mention of it in a query adds to the score of each."""
        row = self.row_of.get(word)
        start, end = (0, 0) if row is None else self.matrix.indptr[row : row + 2]
        return self.matrix.indices[start:end], self.matrix.data[start:end]


def rank_sparse(scores: SparseScores, tokens: Sequence[str], pool: Ints, settings: Settings) -> SparseRecord:
    """Rank the pool's tools with a BM25 score above 0; a word that the query repeats counts each time.

    When the best score is no higher than the floor, nobody is ranked and the record says why: ties at zero would otherwise put
    tools into the fusion in an order that means nothing.
    """
    counts = Counter(tokens)
    postings = {word: scores.postings(word) for word in counts}
    totals = np.zeros(scores.tools)
    for token in tokens:  # in the query's order, as rank_bm25 adds them up
        tools, values = postings[token]
        totals[tools] += values
    words = tuple(QueryWord(word, count, float(scores.idf.get(word, 0.0)), len(postings[word][0])) for word, count in counts.items())
    found = totals if len(pool) == scores.tools else totals[pool]
    reason: SkipReason | None = None
    if found.max(initial=0.0) <= settings.sparse_floor:
        reason = "no weight" if any(np.isin(tools, pool).any() for tools, _ in postings.values()) else "no shared word"
    ranking = Ranking(found, above=0.0 if reason is None else np.inf)
    return SparseRecord(words, ranking, tuple(postings[word.word] for word in words), pool, reason)
