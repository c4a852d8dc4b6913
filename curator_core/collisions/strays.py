"""Strays: which tools the questions about a tool go to, estimated from the tools' own texts, without test queries and without a model.

Every tool asks for itself: each of its probes after each of the usual openings, in the pool of the tools near it. A question about a tool
means about what the tool's text means, so its own vector, moved a little towards the opening's, stands for the vector of each of its
questions: nothing has to be embedded, and a tool cannot be found by its vector alone where an opening belongs to another one. The words
are the question's own; and once more, since many users say it in other words, those of the opening alone.
`curator_core.collisions.self_retrieval` asks the same for real, one tool at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from curator_core.anchor import AnchorNames
from curator_core.collisions.probes import OPENINGS, probes_of
from curator_core.fusion import fuse
from curator_core.index import Progress, ToolIndex
from curator_core.overlap import nearest_rows
from curator_core.records import Bools, Floats, Ints, frozen
from curator_core.row_ranks import ranked, ranked_above
from curator_core.settings import Settings
from curator_core.text import tokenize

EVERY_TOOL_UP_TO = 256  # of a pool so small every tool is asked about every other
NEAR_BY_MEANING, NEAR_BY_WORDS, DRAWN_BY_OPENINGS = 96, 32, 8  # of a larger one: the tools near it, and those that an opening brings
OPENING_WEIGHT = 0.5  # how far a question's vector moves towards its opening's
_COMMON = 1_000  # a word of more tools brings nobody near
_SHARES = np.divide(1.0, np.arange(2_048) ** 2, out=np.zeros(2_048), where=np.arange(2_048) > 0)  # of a question, by the tool's rank


@dataclass(frozen=True, eq=False)
class Strays:
    """Where the questions about each tool go. Positions are those of `keys`, the pool in order of keys.

    asked: how many questions each tool asked about itself (n,). found: how many of them it answers first (n,).
    others[starts[i] : starts[i + 1]]: the tools that were near tool i, ascending. firsts: how many of its questions each of them answers
    first. shares: the mean of 1 / rank² over its questions, 1 = first for all. reworded: the same where they say it in words that no tool
    has; without meaning match, where nothing would tell tools apart then, the shares again. similarities: the cosines, nan without meaning
    match. meant: the cosines of the vectors that the settings look at, which may be of several texts a tool. by_rank: whether the lists are
    combined by rank, where the words of an opening alone can bring a tool up.
    """

    keys: tuple[str, ...]
    asked: Ints
    found: Ints
    starts: Ints
    others: Ints
    firsts: Ints
    shares: Floats
    reworded: Floats
    similarities: Floats
    meant: Floats
    by_rank: bool = True

    def row(self, position: int) -> slice:
        """Return which part of the flat arrays is about one tool."""
        return slice(int(self.starts[position]), int(self.starts[position + 1]))

    @property
    def victims(self) -> Ints:
        """The tool that each entry of the flat arrays is about."""
        return np.repeat(np.arange(len(self.keys)), np.diff(self.starts))

    @property
    def likely(self) -> Floats:
        """Where the questions of users go, of whom half use a tool's own words."""
        return (self.shares + self.reworded) / 2

    @property
    def pulls(self) -> Floats:
        """How much each tool draws from all others: the sum of their shares that go to it (n,)."""
        return np.bincount(self.others, self.shares, minlength=len(self.keys)).astype(np.float64)


def estimate_strays(
    index: ToolIndex, role: str | None = None, settings: Settings | None = None, progress: Progress | None = None
) -> Strays:
    """Ask every tool of the pool about itself and return where its questions go. progress: called with (tools done, tools)."""
    settings, pool = settings or Settings(), index.pool(role).positions
    asking = _Asking(index, pool, settings)
    near = asking.near()
    answers: list[_Answers] = []
    for place in range(len(pool)):
        answers.append(asking.ask(place, near(place)))
        if progress and (place % 64 == 63 or place == len(pool) - 1):
            progress(place + 1, len(pool))
    return _gathered(index.pool(role).keys, answers, by_rank=not settings.add_scores)


@dataclass(frozen=True, slots=True)
class _Answers:
    asked: int
    found: int
    others: Ints
    firsts: Ints
    shares: Floats
    reworded: Floats
    similarities: Floats
    meant: Floats


class _Asking:
    """What all tools' questions have in common: vectors, words and openings. Places are positions in the pool."""

    def __init__(self, index: ToolIndex, pool: Ints, settings: Settings) -> None:
        self.whole, settings = _directions(index, pool, settings), settings.plain()
        self.index, self.pool, self.settings = index, pool, settings
        vectors = index.dense(settings) if settings.dense else None
        self.rows = None if vectors is None else vectors.rows[pool].astype(np.float64)
        self.words = index.sparse(settings) if settings.sparse else None
        self.names = index.anchor_names(settings) if settings.anchor and not settings.soft_anchor else None
        self._postings: dict[str, tuple[Ints, Floats]] = {}
        self._column = np.full(len(index.keys), -1)  # of each tool of the index among those that are asked now
        self._found = _FoundWords(self.names) if self.names else None
        self.openings = self._opening_vectors()
        self.meant = None if self.rows is None else np.array([np.vecdot(self.rows, opening) for opening in self.openings])
        self.said = None if self.words is None else self._values(OPENINGS, np.arange(len(pool)))
        self.begins = [self._name_words(opening) for opening in OPENINGS]
        self.begun = frozenset[str]().union(*self.begins)

    def near(self) -> Callable[[int], Ints]:
        """Return what gives the places that are asked together with a place, itself included, ascending."""
        size = len(self.pool)
        if size <= EVERY_TOOL_UP_TO:
            everything = np.arange(size)
            return lambda _: everything
        drawn = self._drawn()
        rows = np.zeros((size, 0), np.int64) if self.rows is None else nearest_rows(self.rows.astype(np.float32), NEAR_BY_MEANING)[0]
        return lambda place: np.unique(np.concatenate([[place], rows[place], self._near_by_words(place), drawn]))

    def ask(self, place: int, near: Ints) -> _Answers:
        """Ask one tool's questions among the tools near it."""
        key = self.index.keys[self.pool[place]]
        texts = [probe.text for probe in probes_of(self.index.registry.by_key[key], self.index.texts[self.pool[place]])] or [key]
        similarities = None if self.rows is None else np.vecdot(self.rows[near], self.rows[place])
        ranks, reworded = np.split(self._ranks(place, near, [*texts, ""], similarities), [len(texts) * len(OPENINGS)])
        shares, firsts = _SHARES[ranks].mean(axis=0), np.count_nonzero(ranks == 1, axis=0)
        said = shares if similarities is None else _SHARES[reworded].mean(axis=0)
        exact = np.full(len(near), np.nan) if similarities is None else similarities.round(self.settings.similarity_decimals)
        meant = exact if self.whole is None else np.vecdot(self.whole[near], self.whole[place]).round(self.settings.similarity_decimals)
        others = near != place
        known = (some[others] for some in (near, firsts, shares, said, exact, meant))
        return _Answers(len(ranks), int(firsts[~others][0]), *known)

    def _ranks(self, place: int, near: Ints, texts: Sequence[str], similarities: Floats | None) -> Ints:
        """Return the rank of each tool near for each question (probes x openings, tools), 0 = not ranked."""
        forms, lists = len(texts) * len(OPENINGS), {}
        if similarities is not None:
            lists["dense"] = np.tile(ranked(self._similarities(place, near, similarities), 1e-7), (len(texts), 1))
        if self.said is not None:
            values = self._values(texts, near)[:, None] + self.said[None, :, near]
            lists["sparse"] = ranked_above(values.reshape(forms, len(near)), self.settings.sparse_floor)
        scores = np.broadcast_to(fuse(lists, len(near), self.settings).scores, (forms, len(near)))
        forced = self._forced(texts, near)
        ranks = ranked(scores + np.where(forced, len(lists) + 1.0, 0.0), 1e-12)  # no score reaches the number of lists
        return np.where((scores > 0) | forced, ranks, 0)

    def _similarities(self, place: int, near: Ints, similarities: Floats) -> Floats:
        """Return the similarities of the tools near with the tool's question after each opening (openings, tools)."""
        assert self.rows is not None and self.meant is not None
        moved = self.rows[place] + OPENING_WEIGHT * self.openings
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        products = similarities + OPENING_WEIGHT * self.meant[:, near]
        similar: Floats = np.round(products / np.maximum(lengths, 1e-12), self.settings.similarity_decimals)
        return similar

    def _opening_vectors(self) -> Floats:
        store = self.index.store
        if self.rows is None or store is None:
            return np.zeros((0, 0))
        store.queries.ahead(opening for opening in OPENINGS if opening)
        nothing = np.zeros(self.rows.shape[1])
        return np.array([store.queries.of(opening) if opening else nothing for opening in OPENINGS], dtype=np.float64)

    def _values(self, texts: Sequence[str], near: Ints) -> Floats:
        """Return the BM25 score of each text for each tool near (texts, tools)."""
        positions = self.pool[near]
        tokens = [tokenize(text, self.settings.token_min_length) for text in texts]
        number = {word: row for row, word in enumerate({word: None for some in tokens for word in some}, 1)}
        added = np.zeros((len(number) + 1, len(near)))
        for word, row in number.items():
            tools, values = self._posting(word)
            if len(tools):
                at = np.minimum(tools.searchsorted(positions), len(tools) - 1)
                added[row] = np.where(tools[at] == positions, values[at], 0.0)
        return np.array([added[[0, *(number[word] for word in some)]].sum(axis=0) for some in tokens])

    def _posting(self, word: str) -> tuple[Ints, Floats]:
        assert self.words is not None
        if word not in self._postings:
            self._postings[word] = self.words.postings(word)
        return self._postings[word]

    def _forced(self, texts: Sequence[str], near: Ints) -> Bools:
        """Return which tools near the name rule puts first for each question (probes x openings, tools)."""
        names, positions = self.names, self.pool[near]
        if names is None:
            return np.zeros((len(texts) * len(OPENINGS), len(near)), dtype=bool)
        self._column[positions] = np.arange(len(near))
        begun, hits = {word: self._hits([word], len(near)) for word in self.begun}, []
        for found in map(self._name_words, texts):
            own = self._hits(found, len(near))
            hits += [own + sum(begun[word] for word in opening - found) for opening in self.begins]
        self._column[positions] = -1
        of = names.of[positions]
        return (of > 0) & (np.array(hits) / np.maximum(of, 1) >= self.settings.anchor_ratio)

    def _name_words(self, text: str) -> frozenset[str]:
        return frozenset() if self._found is None else self._found(text)

    def _hits(self, words: Iterable[str], count: int) -> Ints:
        """Return how many words of the name of each of the tools that are asked now are among these (count,)."""
        assert self.names is not None
        tools = [self.names.tools_of(word) for word in words]
        if not tools:
            return np.zeros(count, dtype=np.int64)
        at = self._column[np.concatenate(tools)]  # a tool stands there once for each time that its name has the word
        return np.bincount(at[at >= 0], minlength=count)

    def _near_by_words(self, place: int) -> Ints:
        """Return the tools that share the most weight of rare words with a tool."""
        if self.words is None:
            return np.zeros(0, dtype=np.int64)
        text = self.index.texts[self.pool[place]]
        some = [self._posting(word) for word in dict.fromkeys(text.tokens(min_length=self.settings.token_min_length))]
        rare = [posting for posting in some if len(posting[0]) <= _COMMON]
        if not rare:
            return np.zeros(0, dtype=np.int64)
        weights = np.bincount(np.concatenate([tools for tools, _ in rare]), np.concatenate([values for _, values in rare]))
        tools = np.flatnonzero(weights)
        first = tools[np.argsort(-weights[tools], kind="stable")[:NEAR_BY_WORDS]]
        return self._places(first)

    def _drawn(self) -> Ints:
        """Return the tools that the openings themselves bring: by a name that says them, by their words and by their meaning."""
        found = [np.zeros(0, dtype=np.int64)]
        for values in (self.said, self.meant):
            found += [] if values is None else map(_highest, values)
        if self.names is not None:
            tools = (np.unique(self.names.tools_of(word)) for word in self.begun)
            found += [self._places(some)[:DRAWN_BY_OPENINGS] for some in tools]
        return np.unique(np.concatenate(found))

    def _places(self, positions: Ints) -> Ints:
        """Return where positions of the index stand in the pool, those that do in it."""
        at: Ints = np.minimum(np.searchsorted(self.pool, positions), len(self.pool) - 1)
        inside: Ints = at[self.pool[at] == positions]
        return inside


def _directions(index: ToolIndex, pool: Ints, settings: Settings) -> Floats | None:
    """Return the unit vectors of the pool's tools as the settings look at them; None where these are the plain ones."""
    if not settings.dense or (vectors := index.dense(settings)) is None or vectors is index.dense(settings.plain()):
        return None
    rows = vectors.rows[pool].astype(np.float64)
    unit: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return unit


class _FoundWords:
    """The name words that the name rule finds in a text, worked out once for each word, since the same words come again and again."""

    def __init__(self, names: AnchorNames) -> None:
        self._names, self._known = names, dict[str, frozenset[str]]()
        self._by_word = all(word == "".join(tokenize(word, 1)) for words in names.tokens for word in words)

    def __call__(self, text: str) -> frozenset[str]:
        if not self._by_word:  # some name has a word with other signs in it, which may begin in one word and end in the next
            return self._names.found_in(text)
        words = tokenize(text, 1)
        for word in words:
            if word not in self._known:
                self._known[word] = self._names.found_in(word)
        return frozenset[str]().union(*map(self._known.__getitem__, words))


def _highest(values: NDArray[np.float64]) -> Ints:
    """Return the positions of the few highest values above 0."""
    first = np.argsort(-values, kind="stable")[:DRAWN_BY_OPENINGS]
    return first[values[first] > 0]


def _gathered(keys: tuple[str, ...], answers: Sequence[_Answers], by_rank: bool) -> Strays:
    starts = np.concatenate([[0], np.cumsum([len(one.others) for one in answers])]).astype(np.int64)
    asked, found = (np.array(some, dtype=np.int64) for some in ([one.asked for one in answers], [one.found for one in answers]))
    others, firsts = (np.concatenate([np.zeros(0, np.int64), *some]) for some in ([a.others for a in answers], [a.firsts for a in answers]))
    of_pairs = ([getattr(one, name) for one in answers] for name in ("shares", "reworded", "similarities", "meant"))
    shares, reworded, similarities, meant = (frozen(np.concatenate([np.zeros(0), *some])) for some in of_pairs)
    counts = frozen(asked), frozen(found), frozen(starts)
    return Strays(keys, *counts, frozen(others), frozen(firsts), shares, reworded, similarities, meant, by_rank)
