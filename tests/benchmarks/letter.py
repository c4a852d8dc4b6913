"""`letter`: SEED.md's architecture to the letter, as a yardstick: substring anchor, "_" only, all words ranked, plain loops."""

from __future__ import annotations

import re

import faiss
import numpy as np
from rank_bm25 import BM25Okapi

from curator_core import Encoder, Registry
from curator_core.settings import Settings
from curator_core.splitting import split_query


class Letter:
    """The tools of a registry, in the file's order, and the seed's way of picking some of them."""

    def __init__(self, registry: Registry, encoder: Encoder) -> None:
        self.names = [tool.name for tool in registry.tools]
        texts = [
            " ".join(part for part in (tool.name.replace("_", " "), tool.description.strip(), tool.extra_context.strip()) if part)
            for tool in registry.tools
        ]
        self.encoder, self.bm25 = encoder, BM25Okapi([self.tokens(text) for text in texts])
        self.index = faiss.IndexFlatIP(encoder.dimension)
        self.index.add(encoder.encode_documents(texts))

    @staticmethod
    def tokens(text: str) -> list[str]:
        kept = re.sub(r"[^a-z0-9\s_]", " ", text.lower())
        return [token for token in re.split(r"[\s_]+", kept) if len(token) > 1]

    def rank(self, query: str) -> tuple[list[str], float]:
        similarities, found = self.index.search(self.encoder.encode_query(query)[None, :], len(self.names))
        scores: dict[str, float] = {}
        for rank, place in enumerate(found[0], 1):
            scores[self.names[place]] = scores.get(self.names[place], 0.0) + 1 / (60 + rank)
        words = self.bm25.get_scores(self.tokens(query))
        if max(words) > 1e-9:
            for rank, place in enumerate(np.argsort(-words, kind="stable"), 1):
                scores[self.names[place]] = scores.get(self.names[place], 0.0) + 1 / (60 + rank)
        for name in scores:
            tokens = [token for token in name.lower().split("_") if len(token) > 3]
            if tokens and sum(token in query.lower() for token in tokens) / len(tokens) >= 0.60:
                scores[name] = 999.0
        return sorted(scores, key=lambda name: -scores[name]), float(similarities[0][0])

    def curate(self, query: str, top_k: int = 20) -> list[str]:
        whole, best = self.rank(query)
        if best < 0.25:
            top_k = min(top_k + 5, len(self.names))
        parts = [self.rank(part.query)[0][: part.budget] for part in split_query(query, top_k, Settings()).parts]
        union = dict.fromkeys(name for row in zip(*parts, strict=False) for name in row)
        return list(dict.fromkeys([*union, *whole[: max(top_k - len(union), 0)]])) if parts else whole[:top_k]
