"""The index of a registry: indexed texts, vectors per text, and what the stages need, each made when first asked for."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from curator_core.anchor import AnchorNames
from curator_core.dense import DenseVectors, PatchedVectors
from curator_core.encoder import Encoder, is_cut, token_count_of
from curator_core.field_scores import FIELDS, FieldScores
from curator_core.fingerprints import digests_of, fingerprint
from curator_core.name_share import NameWords
from curator_core.patch import Patch
from curator_core.pools import Pool, pool_of
from curator_core.records import frozen
from curator_core.registry import Registry
from curator_core.settings import Settings
from curator_core.sparse import SparseScores
from curator_core.stems import word_forms
from curator_core.synonyms import ALL_SEGMENTS, FURTHER, FiredSynonym, IndexedText, PhraseTable, indexed_texts, reindexed_texts
from curator_core.text import name_words
from curator_core.tool_vectors import encoded_pieces, mixed_rows, vector_numbers
from curator_core.vector_store import Progress as Progress
from curator_core.vector_store import VectorStore
from curator_core.word_counts import Counts, PatchedWordCounts, WordCounts
from curator_core.word_scores import WordScores

_KEPT_VARIANTS = 40
_MIXED_AT_ONCE = 4_096  # tools whose vectors are added up together
_KEPT_LOOK_UPS = 16  # the last settings asked with, four look-ups each
_PATCHED_AT_MOST, _PATCHED_AT_LEAST = 0.1, 64  # share of the base's tools, or tools, that may differ before an index stands alone

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
        before = (previous.registry, previous.texts, previous.positions, previous._digests) if previous else None
        self._digests: tuple[bytes, ...] = digests_of(registry, self.texts, before)
        self.fingerprint = fingerprint(self._digests, self.encoder)
        self._variants: OrderedDict[Hashable, Any] = OrderedDict()
        self._looked_up: dict[tuple[str, int], tuple[Settings, Any]] = {}
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
        return self._under("dense", settings, self._dense)

    def _dense(self, settings: Settings) -> DenseVectors | None:
        kinds = segment_kinds(settings)
        if (settings.tool_vectors or settings.examples) and self.store is not None:
            return self._kept(("dense", kinds, vector_numbers(settings)), lambda: self._mixed(kinds, settings))
        return self._full if kinds == ALL_SEGMENTS else self._kept(("dense", kinds), lambda: self._vectors(kinds)[0])

    def further_texts(self, settings: Settings) -> list[str]:
        """Return the texts that the model reads for these settings beside each tool's whole text."""
        if not (settings.tool_vectors or settings.examples):
            return []
        return [*dict.fromkeys(encoded_pieces(self.texts, segment_kinds(settings), settings))]

    @property
    def patch(self) -> Patch | None:
        """How this index differs from `base`, None where it stands alone."""
        return self._patch

    @property
    def meaning_scale(self) -> float:
        """What a similarity counts for in added scores: 1 for the bundled model, more for one whose similarities lie closer together."""
        return 1.0 if self.store is None else self.store.scale

    def sparse(self, settings: Settings) -> WordScores:
        """Return the word scores of the tools' texts under these settings."""
        return self._under("sparse", settings, self._sparse)

    def _sparse(self, settings: Settings) -> WordScores:
        kinds, some = segment_kinds(settings), (settings.token_min_length, settings.stems)
        if settings.fields:
            used = [field for field in FIELDS if field in (*kinds, *FURTHER) and (settings.examples or field != "examples")]
            weights = (settings.field_k1, settings.field_b, settings.example_words, *(getattr(settings, FIELDS[field]) for field in used))
            return self._kept(
                ("fields", kinds, some, weights), lambda: FieldScores({field: self._counts((field,), *some) for field in used}, settings)
            )
        numbers = (settings.bm25_k1, settings.bm25_b, settings.bm25_epsilon)
        return self._kept(("sparse", kinds, some, numbers), lambda: SparseScores(self._counts(kinds, *some), settings))

    def anchor_names(self, settings: Settings) -> AnchorNames:
        """Return the name words that the name rule counts under these settings."""
        return self._under("names", settings, self._anchor_names)

    def _anchor_names(self, settings: Settings) -> AnchorNames:
        shortest = settings.anchor_min_length
        if self._patch is None:
            return self._kept(("names", shortest), lambda: AnchorNames(self._names(range(len(self.keys))), shortest))
        base, patch = self.base.anchor_names(settings), self._patch
        if self.keys is self.base.keys and self._names(patch.own.tolist()) == self.base._names(patch.own.tolist()):
            return base
        return self._kept(("names", shortest), lambda: base.patched(patch, self._names(patch.own.tolist())))

    def name_words(self, settings: Settings) -> NameWords:
        """Return the name words that the soft name rule weighs under these settings."""
        return self._under("name words", settings, self._name_words)

    def _name_words(self, settings: Settings) -> NameWords:
        key = ("name words", settings.token_min_length, settings.stems)
        if self._patch is None:
            return self._kept(key, lambda: NameWords(self._name_forms(range(len(self.keys)), settings)))
        base, patch = self.base.name_words(settings), self._patch
        if self.keys is self.base.keys and self._names(patch.own.tolist()) == self.base._names(patch.own.tolist()):
            return base
        return self._kept(key, lambda: base.patched(patch, self._name_forms(patch.own.tolist(), settings)))

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
        from curator_core.checks.health import unseen_text  # what a question does not need is not waited for

        return {} if self.encoder is None else unseen_text(self.texts[self.positions[key]], self.encoder)

    def tokens(self, key: str) -> int | None:
        """Return how many tokens the model makes of the tool's text; None without a model, or when it cannot count."""
        count = None if self.encoder is None else token_count_of(self.encoder)
        return None if count is None else count(self.texts[self.positions[key]].text())

    def cut_off(self) -> tuple[str, ...]:
        """Return the keys of the tools whose text is longer than the model reads."""
        encoder = self.encoder
        return () if encoder is None else tuple(text.key for text in self.texts if is_cut(encoder, text.text()))

    def _vectors(self, kinds: tuple[str, ...], progress: Progress | None = None) -> tuple[DenseVectors | None, int]:
        if self.store is None:
            return None, 0
        whole = self.base._full if self._patch is not None and kinds == ALL_SEGMENTS else None
        positions = range(len(self.texts)) if whole is None or self._patch is None else self._patch.own.tolist()
        rows, embedded = self.store.rows([self.texts[position].text(kinds) for position in positions], progress)
        return self._over(whole, DenseVectors(rows)), embedded

    def _mixed(self, kinds: tuple[str, ...], settings: Settings) -> DenseVectors:
        """Add up the vectors of each tool's pieces; of an edited registry those of the edited tools."""
        store = self.store
        assert store is not None
        positions = range(len(self.texts)) if self._patch is None else self._patch.own.tolist()
        texts = [self.texts[position] for position in positions]
        parts = (texts[start : start + _MIXED_AT_ONCE] for start in range(0, len(texts), _MIXED_AT_ONCE))
        blocks = (mixed_rows(some, kinds, settings, lambda asked: store.rows(asked)[0]) for some in parts)
        vectors = DenseVectors.of_blocks((len(texts), store.encoder.dimension), blocks)
        return self._over(None if self._patch is None else self.base.dense(settings), vectors)

    def _over(self, whole: DenseVectors | None, own: DenseVectors) -> DenseVectors:
        """Return an edited registry's vectors: those of the base, and its own in their places."""
        return own if whole is None or self._patch is None else PatchedVectors(whole, self._patch, own)

    def _counts(self, kinds: tuple[str, ...], shortest: int, stems: bool) -> Counts:
        if self._patch is None:
            return self._kept(
                ("counts", kinds, shortest, stems), lambda: WordCounts(text.tokens(kinds, shortest, stems) for text in self.texts)
            )
        whole = self.base._counts(kinds, shortest, stems)
        assert isinstance(whole, WordCounts)  # a base stands alone
        own = [self.texts[position].tokens(kinds, shortest, stems) for position in self._patch.own.tolist()]
        return PatchedWordCounts(whole, self._patch, own)

    def _names(self, positions: Iterable[int]) -> list[str]:
        return [self.registry.by_key[self.keys[position]].name for position in positions]

    def _name_forms(self, positions: Iterable[int], settings: Settings) -> Iterator[list[tuple[str, str]]]:
        """Yield (word, what it is compared by) of some tools' names."""
        return (word_forms(name_words(name), settings.token_min_length, settings.stems) for name in self._names(positions))

    def _under(self, stage: str, settings: Settings, find: Callable[[Settings], _Made]) -> _Made:
        """Return what a stage needs under these very settings, which a curator asks with again and again."""
        known = self._looked_up.get((stage, id(settings)))
        if known is not None and known[0] is settings:
            return known[1]  # type: ignore[no-any-return]
        made = find(settings)
        with self._lock:
            self._looked_up[stage, id(settings)] = settings, made
            while len(self._looked_up) > _KEPT_LOOK_UPS:
                del self._looked_up[next(iter(self._looked_up))]
        return made

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
