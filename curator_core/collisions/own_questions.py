"""What all tools ask about themselves, many at a time, and how the tools near each of them answer (curator_core.collisions.strays)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from curator_core.anchor import AnchorNames
from curator_core.collisions.probes import OPENINGS, probes_of
from curator_core.collisions.word_table import WordTable, ranges_summed
from curator_core.index import ToolIndex
from curator_core.records import Bools, Floats, Ints
from curator_core.row_ranks import ranked, ranked_above
from curator_core.settings import Settings
from curator_core.text import tokenize

OPENING_WEIGHT = 0.5  # how far a question's vector moves towards its opening's
_SHARES = np.divide(1.0, np.arange(2_048) ** 2, out=np.zeros(2_048), where=np.arange(2_048) > 0)  # of a question, by the tool's rank
_NOWHERE = -10.0  # a score below all others: of a column that holds no tool


@dataclass(frozen=True, slots=True)
class Answers:
    """Of some tools (n,): how many questions each asked, how many it answers first, and how many others were near it; and of these, one
    tool's after the other's, what `Strays` says of them.
    """

    asked: Ints
    found: Ints
    counts: Ints
    others: Ints
    firsts: Ints
    shares: Floats
    reworded: Floats
    similarities: Floats
    meant: Floats


@dataclass(frozen=True, slots=True)
class _Asked:
    """Some tools that ask at once. places: theirs in the pool (n,); near: the places of the tools near each, (n, width), where `there`.

    texts: what they ask, one tool's after the other's, each tool's last one "", which stands for words that no tool has; words: those
    of each, of any length; owner: which of the tools asks it.
    """

    places: Ints
    near: Ints
    there: Bools
    texts: Sequence[str]
    words: Sequence[Sequence[str]]
    owner: Ints


class OwnQuestions:
    """What all tools' questions have in common: vectors, words and openings. Places are positions in the pool."""

    def __init__(self, index: ToolIndex, pool: Ints, settings: Settings) -> None:
        self._whole, settings = _directions(index, pool, settings), settings.plain()
        self._index, self.pool, self._settings = index, pool, settings
        vectors = index.dense(settings) if settings.dense else None
        self.rows = None if vectors is None else vectors.rows[pool].astype(np.float64)
        self.words = self._word_table()
        names = index.anchor_names(settings) if settings.anchor and not settings.soft_anchor else None
        self._names = None if names is None else _NamesSaid(names, settings)
        openings = self._opening_vectors()
        self.meant = None if self.rows is None else np.array([np.vecdot(self.rows, opening) for opening in openings])
        self.said = None if self.words is None else self.words.sums(self._numbers(map(_words, OPENINGS))).toarray()[:, pool]
        self._lengths = None if self.rows is None else _lengths(self.rows, openings)

    def named_by_openings(self) -> Iterator[Ints]:
        """Give, for each name word that an opening says, the positions of the tools whose names have it."""
        return iter(()) if self._names is None else self._names.by_openings()

    def ask(self, places: Ints, near: Ints, there: Bools) -> Answers:
        """Ask some tools' questions among the tools near each: `near`, (n, width), ascending from the left where `there`."""
        asked = self._asked(places, near, there)
        similarities = _cosines(self.rows, asked)
        shares = _SHARES[self._ranks(asked, similarities)].reshape(-1, near.shape[1])
        forms = np.bincount(asked.owner, minlength=len(places)) * len(OPENINGS)
        ends = np.cumsum(forms)
        own = np.column_stack([ends - forms, ends - len(OPENINGS)])
        firsts = ranges_summed((shares == 1.0).astype(np.float64), own).astype(np.int64)
        known = ranges_summed(shares, own) / (forms - len(OPENINGS))[:, None]
        said = known
        if similarities is not None:
            said = ranges_summed(shares, np.column_stack([ends - len(OPENINGS), ends])) / len(OPENINGS)
        exact = np.full(near.shape, np.nan) if similarities is None else similarities.round(self._settings.similarity_decimals)
        meant = _cosines(self._whole, asked)
        meant = exact if meant is None else meant.round(self._settings.similarity_decimals)
        others, itself = there & (near != places[:, None]), there & (near == places[:, None])
        of_others = (some[others] for some in (near, firsts, known, said, exact, meant))
        return Answers(forms - len(OPENINGS), firsts[itself], np.count_nonzero(others, axis=1), *of_others)

    def _asked(self, places: Ints, near: Ints, there: Bools) -> _Asked:
        texts = [[*self._texts(place), ""] for place in places.tolist()]
        owner = np.repeat(np.arange(len(places)), [len(some) for some in texts])
        flat = [text for some in texts for text in some]
        return _Asked(places, near, there, flat, [*map(_words, flat)], owner)

    def _texts(self, place: int) -> list[str]:
        position = self.pool[place]
        key = self._index.keys[position]
        return [probe.text for probe in probes_of(self._index.registry.by_key[key], self._index.texts[position])] or [key]

    def _ranks(self, asked: _Asked, similarities: Floats | None) -> Ints:
        """Return the rank of each tool near for each question after each opening (texts, openings, width), 0 = not ranked."""
        lists, width = 0, asked.near.shape[1]
        scores = np.zeros((len(asked.places), len(OPENINGS), width))
        parts = np.concatenate([[0.0], 1.0 / (self._settings.rrf_k + np.arange(1, width + 1))])
        if similarities is not None:
            lists += 1
            scores += parts[_by_row(ranked, self._similarities(asked, similarities), 1e-7)]
        np.copyto(scores, _NOWHERE, where=~asked.there[:, None])
        scores = scores[asked.owner]
        if self.words is not None and self.said is not None:
            lists += 1
            scores += parts[_by_row(ranked_above, self._values(asked), self._settings.sparse_floor)]
        forced = np.zeros(scores.shape, dtype=bool) if self._names is None else self._names.forced(asked, self.pool)
        np.add(scores, lists + 1.0, out=scores, where=forced)  # no score reaches the number of lists
        return np.where(scores > 0, _by_row(ranked, scores, 1e-12), 0)

    def _similarities(self, asked: _Asked, similarities: Floats) -> Floats:
        """Return the similarities of the tools near with each tool's question after each opening (n, openings, width)."""
        assert self.meant is not None and self._lengths is not None
        products = similarities[:, None] + OPENING_WEIGHT * self.meant[:, asked.near].swapaxes(0, 1)
        similar: Floats = np.round(products / self._lengths[asked.places][:, :, None], self._settings.similarity_decimals)
        np.copyto(similar, _NOWHERE, where=~asked.there[:, None])
        return similar

    def _values(self, asked: _Asked) -> Floats:
        """Return the BM25 score of each question after each opening for each tool near (texts, openings, width)."""
        assert self.words is not None and self.said is not None
        own = self.words.sums_near(self._numbers(asked.words), asked.owner, self.pool[asked.near], asked.there)
        said = np.where(asked.there[:, None], self.said[:, asked.near].swapaxes(0, 1), 0.0)
        values: Floats = own[:, None] + said[asked.owner]
        return values

    def _numbers(self, texts: Iterable[Sequence[str]]) -> list[list[int]]:
        assert self.words is not None
        shortest = self._settings.token_min_length
        return [self.words.numbers_of(word for word in words if len(word) >= shortest) for words in texts]

    def _word_table(self) -> WordTable | None:
        if not self._settings.sparse:
            return None
        shortest, index = self._settings.token_min_length, self._index
        return WordTable((text.tokens(min_length=shortest) for text in index.texts), index.sparse(self._settings).postings, len(index.keys))

    def _opening_vectors(self) -> Floats:
        store = self._index.store
        if self.rows is None or store is None:
            return np.zeros((0, 0))
        store.queries.ahead(opening for opening in OPENINGS if opening)
        nothing = np.zeros(self.rows.shape[1])
        return np.array([store.queries.of(opening) if opening else nothing for opening in OPENINGS], dtype=np.float64)


class _NamesSaid:
    """The name rule for many questions at once."""

    def __init__(self, names: AnchorNames, settings: Settings) -> None:
        self._names, self._known = names, dict[str, frozenset[str]]()
        self._by_word = all(word == "".join(tokenize(word, 1)) for words in names.tokens for word in words)
        self._enough = names.enough(settings.anchor_ratio)
        self._table = WordTable(names.tokens, self._posting, len(names.of))
        self._begins = [self._found(opening, _words(opening)) for opening in OPENINGS]
        self._said = frozenset[str]().union(*self._begins)
        self._begun = self._table.sums([self._table.numbers_of(words) for words in self._begins]).toarray()

    def by_openings(self) -> Iterator[Ints]:
        """Give, for each name word that an opening says, the tools whose names have it."""
        return (np.unique(self._names.tools_of(word)) for word in self._said)

    def forced(self, asked: _Asked, pool: Ints) -> Bools:
        """Return which tools near the name rule puts first for each question after each opening (texts, openings, width).

        A name word that both a text and its opening say counts once.
        """
        found, tools = [self._found(text, some) for text, some in zip(asked.texts, asked.words, strict=True)], pool[asked.near]
        hits = self._hits(found, asked.owner, tools, asked)[:, None] + self._begun[:, tools].swapaxes(0, 1)[asked.owner]
        twice = [(text, form) for text, some in enumerate(found) if some & self._said for form in range(len(OPENINGS))]
        if twice:
            text, form = np.array(twice).T
            both = [found[row] & self._begins[column] for row, column in twice]
            hits[text, form] -= self._hits(both, asked.owner[text], tools, asked)
        enough = np.where(asked.there, self._enough[tools], np.inf)
        forced: Bools = hits >= enough[asked.owner][:, None]
        return forced

    def _hits(self, words: Sequence[Iterable[str]], owner: Ints, tools: Ints, asked: _Asked) -> Floats:
        """Return how many of some words the name of each tool near has."""
        return self._table.sums_near([self._table.numbers_of(some) for some in words], owner, tools, asked.there)

    def _posting(self, word: str) -> tuple[Ints, Floats]:
        """Return which tools have a word in their names, and how often."""
        tools, counts = np.unique(self._names.tools_of(word), return_counts=True)
        return tools, counts.astype(np.float64)

    def _found(self, text: str, words: Sequence[str]) -> frozenset[str]:
        """Return the name words that a text of some words says, worked out once for each, since the same ones come again and again."""
        if not self._by_word:  # some name has a word with other signs in it, which may begin in one word and end in the next
            return self._names.found_in(text)
        known = self._known
        for word in words:
            if word not in known:
                known[word] = self._names.found_in(word)
        return frozenset[str]().union(*map(known.__getitem__, words))


def _words(text: str) -> list[str]:
    return tokenize(text, 1)


def _directions(index: ToolIndex, pool: Ints, settings: Settings) -> Floats | None:
    """Return the unit vectors of the pool's tools as the settings look at them; None where these are the plain ones."""
    if not settings.dense or (vectors := index.dense(settings)) is None or vectors is index.dense(settings.plain()):
        return None
    rows = vectors.rows_at(pool).astype(np.float64)
    unit: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return unit


def _lengths(rows: Floats, openings: Floats) -> Floats:
    """Return how long each tool's vector is after it is moved towards each opening's (n, openings)."""
    moved = [np.linalg.norm(rows + OPENING_WEIGHT * opening, axis=1) for opening in openings]
    lengths: Floats = np.maximum(np.column_stack(moved), 1e-12)
    return lengths


def _cosines(rows: Floats | None, asked: _Asked) -> Floats | None:
    """Return the similarity of each tool to those near it (n, width), 0 where there is none."""
    if rows is None:
        return None
    found, counts = np.zeros(asked.near.shape), np.count_nonzero(asked.there, axis=1).tolist()
    for row, (place, count) in enumerate(zip(asked.places.tolist(), counts, strict=True)):  # one by one: these fit the processor's cache
        found[row, :count] = np.vecdot(rows[asked.near[row, :count]], rows[place])
    return found


def _by_row(rank: Callable[[Floats, float], Ints], values: Floats, number: float) -> Ints:
    """Rank many rows that stand in a table of more than two dimensions."""
    return rank(values.reshape(-1, values.shape[-1]), number).reshape(values.shape)
