"""Sparse retrieval: BM25Okapi over the words of each tool's text, with the zero-score guard (SEED.md, Sparse retrieval)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from rank_bm25 import BM25Okapi
from scipy.sparse import csr_matrix

from curator_core.records import Bools, Floats, Ints, QueryWord, SkipReason, SparseRecord, frozen
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
    known = {word: row for row, word in enumerate(word for word in counts if word in scores.row_of)}
    by_word = np.zeros((len(known), scores.tools))
    shared = np.zeros(by_word.shape, dtype=bool)
    for word, row in known.items():
        tools, values = scores.postings(word)
        by_word[row, tools], shared[row, tools] = values, True
    totals = np.zeros(scores.tools)
    for token in tokens:  # in the query's order, as rank_bm25 adds them up
        if token in known:
            totals += by_word[known[token]]
    parts = by_word[:, pool] * np.array([counts[word] for word in known], dtype=np.float64).reshape(-1, 1)
    words = tuple(QueryWord(word, count, float(scores.idf.get(word, 0.0)), len(scores.postings(word)[0])) for word, count in counts.items())
    return _ranked(words, totals[pool], parts, shared[:, pool], settings.sparse_floor)


def _ranked(words: tuple[QueryWord, ...], scores: Floats, by_word: Floats, shared: Bools, floor: float) -> SparseRecord:
    ranks = np.zeros(len(scores), dtype=np.int64)
    reason: SkipReason | None = None
    if scores.max(initial=0.0) <= floor:
        reason = "no weight" if shared.any() else "no shared word"
    else:
        matching = np.flatnonzero(scores > 0)
        ranks[matching[np.argsort(-scores[matching], kind="stable")]] = np.arange(1, len(matching) + 1)
    return SparseRecord(words, frozen(scores), frozen(ranks), frozen(by_word), frozen(shared), reason)
