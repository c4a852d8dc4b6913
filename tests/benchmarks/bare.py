"""A bare numpy pipeline as a yardstick for speed: the same two full rankings and their fusion, and nothing that explains them."""

from __future__ import annotations

import numpy as np

from curator_core import Encoder, Registry
from curator_core.synonyms import indexed_texts
from curator_core.text import tokenize
from curator_core.word_counts import WordCounts


class Bare:
    """One matrix product, word scores from ready-made postings, two argsorts, their reciprocal ranks, the first tools."""

    def __init__(self, registry: Registry, encoder: Encoder) -> None:
        texts = indexed_texts(registry)
        self.encoder, self.keys = encoder, [text.key for text in texts]
        self.rows = np.vstack([encoder.encode_documents([text.text()]) for text in texts])
        counts = WordCounts([text.tokens() for text in texts])
        long = 1.5 * (0.25 + 0.75 * counts.lengths / counts.lengths.mean())
        self.postings = {}
        for word, number in counts.numbers.items():
            tools, often = counts.postings(number)
            idf = np.log(len(texts) - len(tools) + 0.5) - np.log(len(tools) + 0.5)
            self.postings[word] = tools, max(idf, 0.1) * often * 2.5 / (often + long[tools])
        self.shares = 1 / (60 + np.arange(1, len(texts) + 1))

    def curate(self, query: str, top_k: int = 20) -> list[str]:
        scores, words = np.zeros(len(self.keys)), np.zeros(len(self.keys))
        scores[np.argsort(-(self.rows @ self.encoder.encode_query(query)))] = self.shares
        for word in tokenize(query):
            if word in self.postings:
                tools, values = self.postings[word]
                words[tools] += values
        order = np.argsort(-words)
        scores[order] += self.shares * (words[order] > 0)
        return [self.keys[place] for place in np.argsort(-scores)[:top_k]]
