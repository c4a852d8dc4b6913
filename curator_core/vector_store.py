"""Vectors per text: in memory, then in the cache folder, then from the model."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from curator_core.cache import VectorCache
from curator_core.encoder import BUNDLED, Encoder, checked_vectors, fingerprint_of
from curator_core.models.model_scale import model_scale
from curator_core.query_vectors import QueryVectors
from curator_core.records import frozen

_MANY = 1_000
_IN_MEMORY = 25_000  # vectors; of a registry with more of them, those that the cache folder has are read from there again when needed

Progress = Callable[[int, int], None]


class VectorStore:
    """Vectors per text: in memory, then in the cache folder, then from the model. Shared by the indexes of one registry's edits.

    queries: the vectors of questions.
    """

    def __init__(self, encoder: Encoder, cache_dir: Path | None) -> None:
        self.encoder, self.cache_dir = encoder, cache_dir
        self.cache = VectorCache(cache_dir, fingerprint_of(encoder), encoder.dimension)
        self.queries = QueryVectors(encoder, self.cache)
        self._memory: dict[str, NDArray[np.float32]] = {}
        self._lock = threading.Lock()

    def rows(self, texts: Sequence[str], progress: Progress | None = None) -> tuple[NDArray[np.float32], int]:
        """Return the texts' vectors (n, d) and how many of the texts had to be embedded."""
        with self._lock:
            found = self._rows(texts, progress)
            if self.cache_dir is not None and len(self._memory) > _IN_MEMORY:
                self._memory.clear()
        return found

    def _rows(self, texts: Sequence[str], progress: Progress | None) -> tuple[NDArray[np.float32], int]:
        missing = [text for text in dict.fromkeys(texts) if text not in self._memory]
        self._memory.update(self.cache.get(missing))
        missing = [text for text in missing if text not in self._memory]
        new = self._embed(missing, progress)
        if len(missing) == len(texts):
            return new, len(missing)
        rows = frozen(np.stack([self._memory[text] for text in texts]))
        if len(rows) > _MANY:
            self._memory.update(zip(texts, rows, strict=True))  # kept once: what was read one by one is let go
        return rows, len(missing)

    @cached_property
    def scale(self) -> float:
        """How far this model's similarities spread, against the bundled model's."""
        return 1.0 if self.encoder.model_id == BUNDLED else model_scale(self.queries.of, lambda texts: self.rows(texts)[0])

    def _embed(self, texts: list[str], progress: Progress | None, block: int = 64) -> NDArray[np.float32]:
        rows = np.empty((len(texts), self.encoder.dimension), np.float32)
        for start in range(0, len(texts), block):  # block by block, so that what is done is kept when the process ends
            places = sorted(range(start, min(start + block, len(texts))), key=lambda place: -len(texts[place]))
            some = [texts[place] for place in places]  # the longest first: where several are read side by side, none is waited for long
            vectors = checked_vectors(self.encoder, self.encoder.encode_documents(some), (len(some), self.encoder.dimension))
            self.cache.put(some, vectors)
            rows[places] = vectors
            self._memory.update(zip(some, (rows[place] for place in places), strict=True))
            if progress:
                progress(start + len(some), len(texts))
        return frozen(rows)
