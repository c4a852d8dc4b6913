"""A bare numpy pipeline as a yardstick for speed: the same two full rankings and their fusion, and nothing that explains them."""

from __future__ import annotations

import numpy as np

from curator_core import Encoder, Registry
from curator_core.synonyms import indexed_texts
from curator_core.text import tokenize
from curator_core.word_counts import WordCounts


class Bare:
    """One matrix product, word scores from ready-made postings, two argsorts, their reciprocal ranks, the first tools.

    It picks the tools of the profile seed without name rule, split and low-confidence rule, where no two similarities are equal to six
    decimals. Scores of words and combined scores are often equal, and equal ones stand in order of keys: these two sorts are stable.
    """

    def __init__(self, registry: Registry, encoder: Encoder) -> None:
        texts = indexed_texts(registry)
        self.encoder, self.keys = encoder, [text.key for text in texts]
        self.rows = np.vstack([encoder.encode_documents([text.text()]) for text in texts])
        counts = WordCounts([text.tokens() for text in texts])
        long = 1.5 * (0.25 + 0.75 * counts.lengths / counts.lengths.mean())
        having = np.array(list(counts.frequencies().values()))
        idf = np.log(len(texts) - having + 0.5) - np.log(having + 0.5)
        idf[idf < 0] = 0.25 * idf.mean()
        self.postings = {}
        for word, number in counts.numbers.items():
            tools, often = counts.postings(number)
            self.postings[word] = tools, idf[number] * (often * 2.5 / (often + long[tools]))
        self.shares = 1 / (60 + np.arange(1, len(texts) + 1))

    def curate(self, query: str, top_k: int = 20) -> list[str]:
        scores, words = np.zeros(len(self.keys)), np.zeros(len(self.keys))
        scores[np.argsort(-(self.rows @ self.encoder.encode_query(query)))] = self.shares
        for word in tokenize(query):
            if word in self.postings:
                tools, values = self.postings[word]
                words[tools] += values
        found = np.flatnonzero(words > 0)
        order = found[np.argsort(-words[found], kind="stable")]
        scores[order] += self.shares[: len(order)]
        return [self.keys[place] for place in np.argsort(-scores, kind="stable")[:top_k]]
