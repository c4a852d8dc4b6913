"""The index of a registry: indexed texts, vectors per text, and what the stages need, each made when first asked for."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from curator_core.anchor import AnchorNames
from curator_core.cache import VectorCache
from curator_core.dense import DenseVectors, PatchedVectors
from curator_core.encoder import Encoder, checked_vectors, fingerprint_of, query_prefix_of, token_count_of
from curator_core.health import unseen_text
from curator_core.patch import Patch
from curator_core.pools import Pool, pool_of
from curator_core.query_vectors import QueryVectors
from curator_core.records import frozen
from curator_core.registry import Registry
from curator_core.settings import Settings
from curator_core.sparse import SparseScores
from curator_core.synonyms import ALL_SEGMENTS, FiredSynonym, IndexedText, PhraseTable, indexed_texts, reindexed_texts
from curator_core.word_counts import Counts, PatchedWordCounts, WordCounts

RECIPE_VERSION = "1"  # changes when the same registry and model would be ranked differently by a new version of this package
_KEPT_VARIANTS = 16
_MANY = 1_000
_PATCHED_AT_MOST, _PATCHED_AT_LEAST = 0.1, 64  # share of the base's tools, or tools, that may differ before an index stands alone

Progress = Callable[[int, int], None]
_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class BuildRecord:
    """How an index came about.

    embedded: texts given to the model; reused: texts whose vectors were there; notices: what to tell the author.
    """

    embedded: int
    reused: int
    elapsed_ms: float
    notices: tuple[str, ...] = ()


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

    def _embed(self, texts: list[str], progress: Progress | None, block: int = 64) -> NDArray[np.float32]:
        rows = np.empty((len(texts), self.encoder.dimension), np.float32)
        for start in range(0, len(texts), block):  # block by block, so that what is done is kept when the process ends
            some = texts[start : start + block]
            vectors = checked_vectors(self.encoder, self.encoder.encode_documents(some), (len(some), self.encoder.dimension))
            self.cache.put(some, vectors)
            rows[start : start + len(some)] = vectors
            self._memory.update(zip(some, rows[start : start + len(some)], strict=True))
            if progress:
                progress(start + len(some), len(texts))
        return frozen(rows)


class ToolIndex:
    """A registry made ready for queries; never changes. Position i is the i-th key in order of code points.

    What depends on Settings is made when a query first needs it and kept for the last few variants. encoder None: words only.
    base: the index from which this one differs in a few texts only, and with which it shares the rest; itself where it stands alone.
    """

    def __init__(
        self, registry: Registry, store: VectorStore | None, previous: ToolIndex | None = None, progress: Progress | None = None
    ) -> None:
        self.registry, self.store = registry, store
        self.texts: tuple[IndexedText, ...] = (
            reindexed_texts(registry, previous.registry, previous.texts) if previous else indexed_texts(registry)
        )
        self.keys = tuple(text.key for text in self.texts)
        self.positions = {key: position for position, key in enumerate(self.keys)}
        self.base, self._patch = self, None
        if previous is not None and store in (None, previous.base.store):
            self._patch = patch_of(self.texts, previous.base.texts, previous.base.positions)
            self.base = self if self._patch is None else previous.base
        self._everything = Pool(self.keys, frozen(np.arange(len(self.keys))), self.positions)
        if self.keys == self.base.keys:  # most edits leave the names alone
            self.keys, self.positions, self._everything = self.base.keys, self.base.positions, self.base._everything
        self._digests = _digests(registry, self.texts, previous)
        self.fingerprint = fingerprint(self._digests, self.encoder)
        self._variants: OrderedDict[Hashable, Any] = OrderedDict()
        self._pools: dict[str, Pool] = {}
        self._lock = threading.RLock()
        started = time.perf_counter()
        self._full, embedded = self._vectors(ALL_SEGMENTS, progress)
        elapsed_ms, count = (time.perf_counter() - started) * 1000, len(self.texts)
        self.build = BuildRecord(embedded, count - embedded if store else 0, elapsed_ms, tuple(store.cache.notices) if store else ())

    @property
    def encoder(self) -> Encoder | None:
        """The model, None where the index is made of words only."""
        return self.store.encoder if self.store else None

    def dense(self, settings: Settings) -> DenseVectors | None:
        """Return the vectors of the tools' texts under these settings, None without a model."""
        kinds = segment_kinds(settings)
        return self._full if kinds == ALL_SEGMENTS else self._kept(("dense", kinds), lambda: self._vectors(kinds)[0])

    def sparse(self, settings: Settings) -> SparseScores:
        """Return the word scores of the tools' texts under these settings."""
        kinds, shortest = segment_kinds(settings), settings.token_min_length
        numbers = (settings.bm25_k1, settings.bm25_b, settings.bm25_epsilon)
        return self._kept(("sparse", kinds, shortest, numbers), lambda: SparseScores(self._counts(kinds, shortest), settings))

    def anchor_names(self, settings: Settings) -> AnchorNames:
        """Return the name words that the name rule counts under these settings."""
        shortest = settings.anchor_min_length
        if self._patch is None:
            return self._kept(("names", shortest), lambda: AnchorNames(self._names(range(len(self.keys))), shortest))
        base, patch = self.base.anchor_names(settings), self._patch
        if self.keys is self.base.keys and self._names(patch.own.tolist()) == self.base._names(patch.own.tolist()):
            return base
        return self._kept(("names", shortest), lambda: base.patched(patch, self._names(patch.own.tolist())))

    def fired_synonyms(self, query: str) -> tuple[FiredSynonym, ...]:
        """Return the synonym phrases that the query says and that stand in some tool's text."""
        if self._patch is not None and self.keys is self.base.keys:
            own = self._patch.own.tolist()
            if [self.texts[position].synonyms for position in own] == [self.base.texts[position].synonyms for position in own]:
                return self.base.fired_synonyms(query)
        table: PhraseTable = self._kept(("phrases",), lambda: PhraseTable(self.texts))
        return table.fired(query)

    def pool(self, role: str | None = None) -> Pool:
        """Return the tools that a role may see, None = all. Raises UnknownName with the roles that exist."""
        if role is None:
            return self._everything
        if role not in self._pools:
            self._pools[role] = pool_of(self.registry.pool(role), self.positions)
        return self._pools[role]

    def unseen(self, key: str) -> Mapping[str, str]:
        """Return, per segment kind, the end of the tool's text that the model does not read; empty when it reads all."""
        return {} if self.encoder is None else unseen_text(self.texts[self.positions[key]], self.encoder)

    def tokens(self, key: str) -> int | None:
        """Return how many tokens the model makes of the tool's text; None without a model, or when it cannot count."""
        count = None if self.encoder is None else token_count_of(self.encoder)
        return None if count is None else count(self.texts[self.positions[key]].text())

    def cut_off(self) -> tuple[str, ...]:
        """Return the keys of the tools whose text is longer than the model reads."""
        if self.encoder is None:
            return ()
        limit = self.encoder.max_tokens
        return tuple(key for key in self.keys if (self.tokens(key) or 0) > limit)

    def _vectors(self, kinds: tuple[str, ...], progress: Progress | None = None) -> tuple[DenseVectors | None, int]:
        if self.store is None:
            return None, 0
        whole = self.base._full if self._patch is not None and kinds == ALL_SEGMENTS else None
        positions = range(len(self.texts)) if whole is None or self._patch is None else self._patch.own.tolist()
        rows, embedded = self.store.rows([self.texts[position].text(kinds) for position in positions], progress)
        return DenseVectors(rows) if whole is None or self._patch is None else PatchedVectors(whole, self._patch, rows), embedded

    def _counts(self, kinds: tuple[str, ...], shortest: int) -> Counts:
        if self._patch is None:
            return self._kept(("counts", kinds, shortest), lambda: WordCounts(text.tokens(kinds, shortest) for text in self.texts))
        whole = self.base._counts(kinds, shortest)
        assert isinstance(whole, WordCounts)  # a base stands alone
        return PatchedWordCounts(
            whole, self._patch, [self.texts[position].tokens(kinds, shortest) for position in self._patch.own.tolist()]
        )

    def _names(self, positions: Iterable[int]) -> list[str]:
        return [self.registry.by_key[self.keys[position]].name for position in positions]

    def _kept(self, name: Hashable, make: Callable[[], _Made]) -> _Made:
        with self._lock:
            if name not in self._variants:
                self._variants[name] = make()
                while len(self._variants) > _KEPT_VARIANTS:
                    self._variants.popitem(last=False)
            self._variants.move_to_end(name)
            made: _Made = self._variants[name]
            return made


def build_index(
    registry: Registry,
    encoder: Encoder | None,
    cache_dir: str | Path | None = None,
    *,
    previous: ToolIndex | None = None,
    progress: Progress | None = None,
) -> ToolIndex:
    """Build the index of a registry. `index.build` tells how many texts had to be embedded.

    cache_dir: where vectors are kept between processes, None = nowhere. encoder None: words only. previous: an index with the same
    encoder whose vectors are used again. progress: called with (texts done, texts to embed).
    """
    folder = None if cache_dir is None else Path(cache_dir)
    store = None if encoder is None else VectorStore(encoder, folder)
    if previous is not None and previous.store is not None and previous.encoder is encoder and previous.store.cache_dir == folder:
        store = previous.store
    return ToolIndex(registry, store, previous, progress)


def segment_kinds(settings: Settings) -> tuple[str, ...]:
    """Return which segments of a tool's text are used: synonyms and extra context can be switched off."""
    off = {kind for kind, on in (("extra_context", settings.extra_context), ("synonyms", settings.synonyms)) if not on}
    return tuple(kind for kind in ALL_SEGMENTS if kind not in off)


def patch_of(texts: Sequence[IndexedText], base: Sequence[IndexedText], positions: Mapping[str, int]) -> Patch | None:
    """Return how some texts stand to those of a base, None where too few are shared for that to pay. positions: of the base's keys."""
    at = [positions.get(text.key, -1) for text in texts]
    same = (place if place >= 0 and (base[place] is text or base[place] == text) else -1 for place, text in zip(at, texts, strict=True))
    patch = Patch(np.fromiter(same, dtype=np.int64, count=len(texts)), len(base))
    changed = len(patch.own) + int(np.count_nonzero(patch.places < 0))
    return patch if base and changed <= max(_PATCHED_AT_MOST * len(base), _PATCHED_AT_LEAST) and len(patch.own) < len(texts) else None


def fingerprint(digests: Iterable[bytes], encoder: Encoder | None) -> str:
    """Return the SHA-256 over everything that can change a ranking: keys, indexed texts, roles, model, query prefix, recipe version."""
    model = None if encoder is None else (fingerprint_of(encoder), query_prefix_of(encoder))
    return hashlib.sha256(json.dumps([RECIPE_VERSION, model]).encode() + b"".join(digests)).hexdigest()


def _digests(registry: Registry, texts: Sequence[IndexedText], previous: ToolIndex | None) -> tuple[bytes, ...]:
    """Return the SHA-256 of each tool: its key, indexed text and roles. Where an earlier index has the same, it is not made again."""
    digests = []
    for text, tool in zip(texts, registry.by_key.values(), strict=True):
        place = -1 if previous is None else previous.positions.get(text.key, -1)
        if previous is None or place < 0 or previous.texts[place] is not text or previous.registry.by_key[text.key].roles != tool.roles:
            digests.append(_digest(text, tool.roles))
        else:
            digests.append(previous._digests[place])
    return tuple(digests)


def _digest(text: IndexedText, roles: Sequence[str]) -> bytes:
    said = (text.key, [(segment.kind, segment.text) for segment in text.segments], text.joined, sorted(roles))
    return hashlib.sha256(json.dumps(said).encode()).digest()
