"""A deterministic stand-in for an embedding model: words in, vectors out, no library, no file, the same in every process."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt


@lru_cache(maxsize=100_000)
def _word_place(word: str, dimension: int) -> tuple[int, float]:
    digest = hashlib.sha256(word.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:4], "big") % dimension, 1.0 if digest[4] % 2 else -1.0


class FakeEncoder:
    """Bag of words hashed into `dimension` places; texts that share words are close, texts that share none are about 0.

    documents_encoded and queries_encoded count texts, so that tests can say "one edit embeds one text".
    """

    def __init__(self, dimension: int = 32, model_id: str = "fake", query_prefix: str = "", max_tokens: int = 64) -> None:
        self.model_id = model_id
        self.dimension = dimension
        self.max_tokens = max_tokens
        self.query_prefix = query_prefix
        self.documents_encoded = 0
        self.queries_encoded = 0

    def token_count(self, text: str) -> int:
        """Count words, plus the two special tokens real models add."""
        return len(text.split()) + 2

    def encode_documents(self, texts: list[str], *, progress: Callable[[int, int], None] | None = None) -> npt.NDArray[np.float32]:
        """Return float32 (n, dimension), rows L2-normalised."""
        self.documents_encoded += len(texts)
        rows = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for number, text in enumerate(texts):
            rows[number] = self._vector(text)
        if progress is not None:
            progress(len(texts), len(texts))
        return rows

    def encoded_text(self, query: str) -> str:
        """Return the string that is encoded for a query."""
        return query if query.startswith(self.query_prefix) else self.query_prefix + query

    def encode_query(self, query: str) -> npt.NDArray[np.float32]:
        """Return float32 (dimension,), L2-normalised."""
        self.queries_encoded += 1
        return self._vector(self.encoded_text(query))

    def _vector(self, text: str) -> npt.NDArray[np.float32]:
        row: npt.NDArray[Any] = np.zeros(self.dimension, dtype=np.float64)
        for word in re.findall(r"\w+", text.lower()):
            place, sign = _word_place(word, self.dimension)
            row[place] += sign
        length = float(np.linalg.norm(row))
        if length == 0.0:  # no words, or words that cancel out: any fixed direction will do, but never NaN
            row[0] = length = 1.0
        return (row / length).astype(np.float32)
