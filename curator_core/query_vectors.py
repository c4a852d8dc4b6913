"""The vectors of questions: each is encoded once, kept in memory, and those of test questions also in the cache file."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from curator_core.cache import VectorCache
from curator_core.encoder import Encoder, checked_vectors, encode_queries, encoded_text_of

KEPT = 20_000  # vectors in memory: 30 MB of the bundled model's

Vector = NDArray[np.float32]


class QueryVectors:
    """Vectors of questions by the text that is encoded, prefix included: float32 (d,), read-only, exactly `encode_query`'s.

    Safe for several threads; what was asked for longest ago goes first.
    """

    def __init__(self, encoder: Encoder, cache: VectorCache, at_most: int = KEPT) -> None:
        self._encoder, self._cache, self._at_most = encoder, cache, at_most
        self._memory: OrderedDict[str, Vector] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, query: str) -> Vector:
        """Return one question's vector, from memory or from the model. What somebody types leaves no trace on the disk."""
        text = encoded_text_of(self._encoder, query)
        with self._lock:
            if text in self._memory:
                self._memory.move_to_end(text)
                return self._memory[text]
        vector = checked_vectors(self._encoder, self._encoder.encode_query(query), (self._encoder.dimension,))
        self._keep({text: vector})
        return vector

    def ahead(self, queries: Iterable[str]) -> int:
        """Make the vectors of many questions ready for `of`, and keep them on disk; return how many the model had to encode.

        More questions than memory holds are ready only in part: ask for them block by block.
        """
        texts = {encoded_text_of(self._encoder, query): query for query in queries}
        with self._lock:
            for text in texts.keys() & self._memory.keys():
                self._memory.move_to_end(text)  # so that what is added below does not push it out
            missing = [text for text in texts if text not in self._memory]
        found = self._cache.get(missing, "query")
        self._keep(found)
        if new := [text for text in missing if text not in found]:
            vectors = encode_queries(self._encoder, [texts[text] for text in new])
            self._cache.put(new, vectors, "query")
            self._keep(dict(zip(new, vectors, strict=True)))
        return len(new)

    def _keep(self, vectors: dict[str, Vector]) -> None:
        for vector in vectors.values():
            vector.setflags(write=False)
        with self._lock:
            self._memory.update(vectors)
            while len(self._memory) > self._at_most:
                self._memory.popitem(last=False)
