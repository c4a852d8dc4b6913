"""Overlap: which tools are alike in the original space, as an agent's questions meet them. Nothing here ever holds all pairs at once."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from curator_core.errors import ModelUnavailable
from curator_core.index import Progress, ToolIndex, segment_kinds
from curator_core.nearest import STEPS, Rows, blocks, cosines, most_alike
from curator_core.records import Floats, Ints
from curator_core.settings import Settings
from curator_core.stems import stop_words

SHARED_WORDS = 8
_nearest: WeakKeyDictionary[ToolIndex, dict[tuple[str, ...], Floats]] = WeakKeyDictionary()
_digests: WeakKeyDictionary[ToolIndex, tuple[str, ...]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tools that may be taken for each other; a stands before b in order of keys.

    similarity: cosine of their texts' vectors, 1 = the same. percentile: of 100 tools of the whole registry, how many have no nearest
    neighbour closer than this pair; 100 = nothing in this registry is closer. shared_words: content words that word match counts for
    both, the rarest in the registry first, at most SHARED_WORDS. same_group: both belong to one named group. identical: their indexed
    texts are equal, so no question can tell them apart.
    """

    a: str
    b: str
    similarity: float
    percentile: float
    shared_words: tuple[str, ...]
    same_group: bool
    identical: bool


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A tool near another one, or near a question.

    similarity: cosine in the original space; identical: its text is the same; copies: how many tools have its text, where only the first
    of each such pile is listed, itself included and the tool that was asked about not.
    """

    key: str
    similarity: float
    identical: bool = False
    copies: int = 1


def closest_pairs(
    index: ToolIndex,
    limit: int = 50,
    role: str | None = None,
    settings: Settings | None = None,
    *,
    one_per_pile: bool = False,
    progress: Progress | None = None,
) -> tuple[Pair, ...]:
    """Return the pairs of tools with the highest similarity, in order of (-similarity, a, b).

    role: only pairs that this role sees together; the percentile stays that of the whole registry. one_per_pile: of tools with the
    same text only the first counts, so that twenty copies do not fill the list (`identical_tools` has them). progress: called with
    (steps done, steps). Raises ModelUnavailable for an index of words only, UnknownName for a role that does not exist.
    """
    settings = (settings or Settings()).plain()
    rows = rows_of(index, settings)
    visible = [index.positions[key] for key in index.registry.pool(role)]
    if one_per_pile:
        texts = _texts(index, settings)
        visible = list({texts[position]: position for position in reversed(visible)}.values())[::-1]
    pool = np.array(sorted(visible), dtype=np.int64)
    steps = len(rows) + len(pool)
    nearest = nearest_similarities(index, settings, progress and (lambda done, _: progress(done, steps)))
    left, right = _best_pairs(rows[pool], max(0, limit), progress and (lambda done, _: progress(len(rows) + done, steps)))
    a, b = pool[left], pool[right]
    similarities = cosines(rows, rows, a, b, settings.similarity_decimals)
    percentiles = 100 * np.searchsorted(nearest, similarities, side="right") / max(1, len(rows))
    order = np.lexsort((b, a, -similarities))
    return tuple(pair_of(index, settings, int(a[i]), int(b[i]), float(similarities[i]), float(percentiles[i])) for i in order)


def neighbours(
    index: ToolIndex, key: str, count: int = 10, role: str | None = None, settings: Settings | None = None, *, one_per_pile: bool = False
) -> tuple[Neighbour, ...]:
    """Return the tools nearest to a tool, in order of (-similarity, key).

    role: only tools that it sees. one_per_pile: of tools with the same text only the first, with how many there are. Raises UnknownName.
    """
    settings = (settings or Settings()).plain()
    index.registry.tool(key)
    rows, texts, own = rows_of(index, settings), _texts(index, settings), index.positions[key]
    exact: Floats = np.einsum("ij,j->i", rows, rows[own], dtype=np.float64)
    pool = _pool(index, role)
    found = _listed(index, pool[pool != own], exact.round(settings.similarity_decimals), count, texts if one_per_pile else None)
    return tuple(replace(near, identical=texts[index.positions[near.key]] == texts[own]) for near in found)


def nearest_tools(index: ToolIndex, settings: Settings | None = None) -> tuple[Neighbour, ...]:
    """Return for each tool, in order of keys, the tool nearest to it; empty for a single tool. Raises ModelUnavailable."""
    settings = (settings or Settings()).plain()
    texts = _texts(index, settings)
    places, similarities = nearest_rows(rows_of(index, settings), 1, decimals=settings.similarity_decimals)
    near = zip(places.ravel().tolist(), similarities.ravel().tolist(), strict=True)
    return tuple(Neighbour(index.keys[at], similarity, texts[own] == texts[at]) for own, (at, similarity) in enumerate(near))


def nearest_to_query(
    index: ToolIndex,
    query: str | Rows,
    count: int = 10,
    role: str | None = None,
    settings: Settings | None = None,
    *,
    one_per_pile: bool = False,
) -> tuple[Neighbour, ...]:
    """Return the tools nearest to a question, or to its vector (d,), with the similarities that its trace has; as `neighbours`."""
    settings = (settings or Settings()).plain()
    rows_of(index, settings)
    vectors, store = index.dense(settings), index.store
    if vectors is None or store is None:
        return ()  # rows_of has refused this
    vector = store.queries.of(query) if isinstance(query, str) else query
    similarities = vectors.similarities(vector).astype(np.float64).round(settings.similarity_decimals)
    return _listed(index, _pool(index, role), similarities, count, _texts(index, settings) if one_per_pile else None)


def pair_of(index: ToolIndex, settings: Settings, a: int, b: int, similarity: float, percentile: float) -> Pair:
    """Return what two tools, by position in the index, have in common, with figures that the caller knows."""
    kinds, postings = segment_kinds(settings), index.sparse(settings).postings
    one, two = index.texts[a], index.texts[b]
    shared = content_words(one.tokens(kinds, settings.token_min_length)) & set(two.tokens(kinds, settings.token_min_length))
    words = sorted(shared, key=lambda word: (len(postings(word)[0]), word))[:SHARED_WORDS]  # BM25 lifts the weight of very common words
    groups = [index.registry.by_key[text.key].group for text in (one, two)]
    same_group = groups[0] == groups[1] != ""
    return Pair(one.key, two.key, similarity, percentile, tuple(words), same_group, one.text(kinds) == two.text(kinds))


def identical_tools(index: ToolIndex, settings: Settings | None = None) -> tuple[tuple[str, ...], ...]:
    """Return the groups of tools whose indexed texts are equal: the largest first, then in order of their first key."""
    piles: dict[str, list[str]] = {}
    for key, text in zip(index.keys, _texts(index, settings or Settings()), strict=True):
        piles.setdefault(text, []).append(key)
    return tuple(sorted((tuple(keys) for keys in piles.values() if len(keys) > 1), key=lambda keys: (-len(keys), keys)))


# -- what the clusters and the map stand on


def text_digests(index: ToolIndex) -> tuple[str, ...]:
    """Return the digest of each tool's indexed text, in order of keys: equal ones are the same text, in another index too."""
    if index not in _digests:
        _digests[index] = tuple(hashlib.sha256(text.text().encode("utf-8", "surrogatepass")).hexdigest()[:24] for text in index.texts)
    return _digests[index]


def rows_of(index: ToolIndex, settings: Settings) -> Rows:
    """Return the tools' vectors (n, d), L2-normalised. Raises ModelUnavailable for an index that was built without a model."""
    vectors = index.dense(settings)
    if vectors is None:
        name = index.registry.name
        raise ModelUnavailable(f"registry {name!r} is indexed by words only; overlap compares meanings: build the index with a model")
    return vectors.rows


def nearest_rows(rows: Rows, count: int, some: Ints | None = None, decimals: int = 6) -> tuple[Ints, Floats]:
    """Return the `count` nearest other rows and their similarities, each (m, k), nearest first, equal ones by position.

    some: positions of the rows that are asked about, default all. k is smaller than count where there are fewer other rows.
    """
    wanted = np.arange(len(rows)) if some is None else some
    k = max(0, min(count, len(rows) - 1))
    places, similarities = np.zeros((len(wanted), k), np.int64), np.zeros((len(wanted), k))
    for start, stop in blocks(len(wanted) if k else 0, len(rows)):
        own = wanted[start:stop]
        product = rows[own] @ rows.T
        product[np.arange(len(own)), own] = -2
        near = most_alike(product, k)
        exact = cosines(rows, rows, np.repeat(own, k), near.ravel(), decimals).reshape(near.shape)
        order = np.lexsort((near, -exact), axis=1)
        places[start:stop], similarities[start:stop] = np.take_along_axis(near, order, 1), np.take_along_axis(exact, order, 1)
    return places, similarities


def nearest_similarities(index: ToolIndex, settings: Settings, progress: Progress | None = None) -> Floats:
    """Return, in ascending order, each tool's similarity to the tool nearest to it; (n,), empty for a single tool. Kept per index."""
    kept = _nearest.setdefault(index, {})
    kinds = segment_kinds(settings)
    if kinds not in kept:
        rows = rows_of(index, settings)
        best = np.zeros(len(rows), np.int64)
        for start, stop in blocks(len(rows) if len(rows) > 1 else 0, len(rows)):
            product = rows[start:stop] @ rows.T
            product[np.arange(stop - start), np.arange(start, stop)] = -2
            best[start:stop] = product.argmax(axis=1)
            if progress:
                progress(stop, len(rows))
        kept[kinds] = (
            np.sort(cosines(rows, rows, np.arange(len(rows)), best, settings.similarity_decimals)) if len(rows) > 1 else np.zeros(0)
        )
    return kept[kinds]


def content_words(tokens: Iterable[str]) -> set[str]:
    """Return the tokens that say what a text is about: no stop words, no bare numbers."""
    return {token for token in tokens if not token.isdigit()} - stop_words()


# -- pieces


def _best_pairs(rows: Rows, limit: int, progress: Progress | None) -> tuple[Ints, Ints]:
    """Return the positions of the `limit` most similar pairs; at the cut, equal ones in order of positions."""
    found = np.zeros((0, 3), np.int64)  # (-similarity in steps, left, right)
    floor = -2 * STEPS
    for start, stop in blocks(len(rows) if limit else 0, len(rows)):
        product = rows[start:stop] @ rows[start:].T
        flat = np.flatnonzero(np.triu(product >= (floor - 1) / STEPS, 1))
        steps = np.rint(product.ravel()[flat] * STEPS).astype(np.int64)
        first = _highest(steps, limit)
        left, right = np.divmod(flat[first], product.shape[1])
        found = np.vstack([found, np.column_stack([-steps[first], left + start, right + start])])
        found = found[np.lexsort((found[:, 2], found[:, 1], found[:, 0]))][:limit]
        floor = -int(found[-1, 0]) if len(found) == limit else floor
        if progress:
            progress(stop, len(rows))
    return found[:, 1], found[:, 2]


def _highest(values: Ints, limit: int) -> Ints:
    """Return the positions of the `limit` highest values; at the cut, equal ones in order of positions."""
    if len(values) <= limit:
        return np.arange(len(values))
    cut = np.partition(values, len(values) - limit)[len(values) - limit]
    above, equal = np.flatnonzero(values > cut), np.flatnonzero(values == cut)
    return np.concatenate([above, equal[: limit - len(above)]])


def _pool(index: ToolIndex, role: str | None) -> Ints:
    return np.array([index.positions[key] for key in index.registry.pool(role)], dtype=np.int64)


def _listed(index: ToolIndex, pool: Ints, similarities: Floats, count: int, texts: Sequence[str] | None) -> tuple[Neighbour, ...]:
    """Return the first `count` of the pool, nearest first; texts, (n,): where they are given, only one tool of each text."""
    order = pool[np.lexsort((pool, -similarities[pool]))].tolist()
    copies = Counter(texts[position] for position in order) if texts else Counter()
    if texts:
        order = list({texts[position]: position for position in reversed(order)}.values())[::-1]
    near = ((position, copies[texts[position]] if texts else 1) for position in order[: max(0, count)])
    return tuple(Neighbour(index.keys[position], float(similarities[position]), copies=many) for position, many in near)


def _texts(index: ToolIndex, settings: Settings) -> list[str]:
    kinds = segment_kinds(settings)
    return [text.text(kinds) for text in index.texts]
