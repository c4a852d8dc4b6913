"""The `seed` profile once more, slowly and in plain loops: what the real stages must agree with on any registry and question."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from rank_bm25 import BM25Okapi

from curator_core import Registry
from curator_core.synonyms import indexed_texts
from curator_core.text import tokenize
from tests.core.fakes import FakeEncoder

MARKERS = re.compile(
    r"\b(?:and\s+then|and\s+also|after\s+that|additionally|,\s*then|,\s*and\s+also|then\s+also|as\s+well\s+as|along\s+with|then|also|plus)\b",
    re.I,
)


@dataclass
class Ranking:
    """One pass: keys in order, and which of them are forced."""

    order: list[str]
    forced: set[str]
    best: float
    scores: dict[str, float] = field(default_factory=dict)


class SeedReference:
    def __init__(self, registry: Registry, encoder: FakeEncoder) -> None:
        self.registry, self.encoder = registry, encoder
        self.keys = sorted(registry.by_key)
        texts = {text.key: text for text in indexed_texts(registry)}
        self.vectors = {key: encoder.encode_documents([texts[key].text()])[0] for key in self.keys}
        documents = [texts[key].tokens() for key in self.keys]
        self.bm25 = BM25Okapi(documents) if any(documents) else None

    def rank(self, query: str, pool: list[str]) -> Ranking:
        vector = self.encoder.encode_query(query)
        similarity = {key: round(float(np.dot(self.vectors[key].astype(np.float64), vector.astype(np.float64))), 6) for key in pool}
        dense = sorted(pool, key=lambda key: (-similarity[key], key))
        all_scores = self.bm25.get_scores(tokenize(query)) if self.bm25 else np.zeros(len(self.keys))
        words = {key: float(score) for key, score in zip(self.keys, all_scores, strict=True) if key in set(pool)}
        ranked = [key for key in words if words[key] > 0]
        sparse = sorted(ranked, key=lambda key: (-words[key], key)) if max(words.values(), default=0) > 1e-9 else []
        scores = dict.fromkeys(pool, 0.0)
        for keys in (dense, sparse):
            for rank, key in enumerate(keys, 1):
                scores[key] += 1 / (60 + rank)
        forced = {key for key in pool if self.forces(self.registry.by_key[key].name, query)}
        order = sorted(pool, key=lambda key: (key not in forced, -scores[key], key))
        return Ranking(order, forced, max(similarity.values()), scores)

    @staticmethod
    def forces(name: str, query: str) -> bool:
        tokens = [token for token in name.lower().split("_") if len(token) > 3]
        words = re.split(r"[^a-z0-9]+", query.lower())
        hits = sum(any(word.startswith(token) for word in words) for token in tokens)
        return bool(tokens) and hits / len(tokens) >= 0.60

    def curate(self, query: str, top_k: int, role: str | None = None) -> tuple[str, ...]:
        pool = [key for key in self.keys if role is None or not self.registry.by_key[key].roles or role in self.registry.by_key[key].roles]
        if not re.search(r"[a-z0-9]", query, re.I) or not pool:
            return ()
        top_k = min(max(top_k, 1), len(pool))
        pieces = [piece.strip(" \t\n,.;:!?") for piece in MARKERS.split(query)]
        parts = list(dict.fromkeys(piece for piece in pieces if re.search(r"[a-z0-9]", piece, re.I)))
        whole = self.rank(query, pool)
        ranked = [self.rank(part, pool) for part in parts] if len(parts) > 1 else []
        best = max(ranking.best for ranking in (whole, *ranked))
        effective_k = min(top_k + 5, len(pool)) if best < 0.25 else top_k
        if not ranked:
            return tuple(whole.order[:effective_k])
        budget = max(top_k // len(parts) + 2, 7)
        answer: list[str] = []
        for place in range(budget):
            for ranking in ranked:
                if place < len(ranking.order) and ranking.order[place] not in answer:
                    answer.append(ranking.order[place])
        answer = answer[: 2 * top_k]
        answer += [key for key in whole.order if key in whole.forced and key not in answer]
        for key in whole.order:
            if len(answer) < effective_k and key not in answer:
                answer.append(key)
        return tuple(answer)
