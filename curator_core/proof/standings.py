"""Where all tools stand for all test queries at once, so that an edit asks only those queries anew whose tools it moves.

An edit changes one text, and with it a little of every word score: but most answers come out as they were, tool by tool. Worked out here
is what a result is made of, for many questions at once and with the numbers of the stages: the ranks in both lists, the combined order
and the best meaning match. Where all of that is the same, so is the result, and nobody has to ask. What was moved is asked as ever.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core.anchor import anchor
from curator_core.curator import Curator
from curator_core.dense import EXACT_UP_TO
from curator_core.evaluation import asked_for, encode_ahead, why_invalid
from curator_core.index import ToolIndex
from curator_core.proof.query_result import QueryResult
from curator_core.records import Bools, Floats, Ints
from curator_core.registry import TestQuery
from curator_core.row_ranks import ranked
from curator_core.sparse import SparseScores
from curator_core.splitting import split_query
from curator_core.stems import question_forms

_ENTRIES_AT_MOST = 1_000_000  # questions times tools: with more, the tables take more memory than they save time
_OUTSIDE = -(2**31)  # below every similarity in steps: a tool that the role may not see
_Small = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class _Text:
    """A question, or a part of it. owner: the question's number; places: how many of its first tools an answer can take."""

    owner: int
    query: str
    role: str | None
    places: int


@dataclass(frozen=True, slots=True)
class _Table:
    """A row for each text, a column for each tool. order: from first to last; ranks: the places in it, 0 = not listed; meaning, words:
    the ranks in both lists; best: the highest similarity, in steps of its rounding."""

    order: _Small
    ranks: _Small
    meaning: _Small
    words: _Small
    best: Ints

    def moved(self, other: _Table, within: Bools, named: Bools, lost: Bools) -> Bools:
        """Say which rows differ: in the places of `within`, in the rank of a `named` tool, in one list's of a `lost` one, or in the best
        similarity."""
        differ = ((self.order != other.order) & within).any(axis=1) | (self.best != other.best)
        pairs = ((self.ranks, other.ranks, named), (self.meaning, other.meaning, lost), (self.words, other.words, lost))
        for one, same, where in pairs:
            differ |= ((one != same) & where).any(axis=1)
        listed = (self.ranks > 0).sum(axis=1) != (other.ranks > 0).sum(axis=1)
        return np.asarray(differ | listed)


class Standings:
    """Where every tool stands for some questions and their parts, under one index.

    results: what each of the questions came to under it.
    """

    def __init__(self, curator: Curator, results: Sequence[QueryResult]) -> None:
        self.curator, self.results, self._settings = curator, tuple(results), curator.settings
        self._texts = [text for owner, result in enumerate(self.results) for text in _texts(curator, owner, result)]
        self._queries = _vectors(curator, [result.case for result in self.results], [text.query for text in self._texts])
        index, size = curator.index, (len(self._texts), len(curator.index.keys))
        self._inside, self._forced, self._named, self._lost = (np.zeros(size, dtype=bool) for _ in range(4))
        names = index.anchor_names(self._settings)
        for row, text in enumerate(self._texts):
            pool = index.pool(text.role).positions
            self._inside[row, pool] = True
            if self._settings.anchor:
                self._forced[row, pool] = anchor(names, text.query, pool, self._settings).forced
            case = self.results[text.owner].case
            self._named[row, [index.positions[key] for key in (*(case.expected or ()), *case.forbidden)]] = True
            self._lost[row] = self._named[row] & bool(self.results[text.owner].losses)  # which tell the ranks in both lists
        places = np.array([text.places for text in self._texts], dtype=np.int64) + self._forced.sum(axis=1)
        self._within = np.arange(size[1]) < places[:, None]
        self._tokens = [[form for _, form in question_forms(text.query, *self._word_length)] for text in self._texts]
        self._table = self._worked_out(curator)

    @classmethod
    def of(cls, curator: Curator, results: Sequence[QueryResult]) -> Standings | None:
        """Return the standings; None where results depend on more than ranks, or where the tables would be too large."""
        settings, tools = curator.settings, len(curator.index.keys)
        more = settings.add_scores or settings.soft_anchor or settings.own_line or settings.fields
        if more or not tools or tools > EXACT_UP_TO or len(results) * tools > _ENTRIES_AT_MOST:
            return None
        return cls(curator, results)

    def of_these(self, curator: Curator, results: Sequence[QueryResult]) -> bool:
        """Say whether these are the standings of some results, under the index and the settings of a curator."""
        same = self.curator.index is curator.index and self._settings == curator.settings
        return same and len(self.results) == len(results) and all(map(operator.is_, self.results, results))

    def unmoved(self, after: Curator) -> dict[TestQuery, QueryResult]:
        """Return the results that are the same under the index of `after`, as far as that can be told without asking."""
        if self._table is None or after.settings != self._settings or not _alike(self.curator.index, after.index):
            return {}
        now = self._worked_out(after)
        if now is None:
            return {}
        rows = np.flatnonzero(self._table.moved(now, self._within, self._named, self._lost)).tolist()
        moved = {self._texts[row].owner for row in rows}
        return {result.case: result for number, result in enumerate(self.results) if number not in moved}

    @property
    def _word_length(self) -> tuple[int, bool]:
        return self._settings.token_min_length, self._settings.stems

    def _worked_out(self, curator: Curator) -> _Table | None:
        """Rank all tools for all texts; None where a similarity is not kept."""
        steps, size = self._steps(curator), self._inside.shape
        if steps is None:
            return None
        meaning = words = np.zeros(size, dtype=np.int64)
        if self._queries:
            meaning = ranked(steps.astype(np.float64), 1.0) * self._inside
        if self._settings.sparse:
            words = _word_ranks(self._word_scores(curator), self._settings.sparse_floor)
        shares = np.append(1.0 / (self._settings.rrf_k + np.arange(1, size[1] + 1)), 0.0)
        scores = shares[meaning - 1] + shares[words - 1]
        order = np.argsort(-scores, axis=1, kind="stable")
        if len(some := np.flatnonzero(self._forced.any(axis=1))):
            first = np.argsort(~np.take_along_axis(self._forced[some], order[some], axis=1), axis=1, kind="stable")
            order[some] = np.take_along_axis(order[some], first, axis=1)
        ranks = _places(order) * ((scores > 0) | self._forced)
        small: list[_Small] = [table.astype(np.uint16) for table in (order, ranks, meaning, words)]
        return _Table(small[0], small[1], small[2], small[3], steps.max(axis=1))

    def _steps(self, curator: Curator) -> Ints | None:
        """Return the similarities in steps of their rounding, nothing outside a role's pool; None where one is not kept."""
        index, settings = curator.index, self._settings
        vectors = index.dense(settings) if settings.dense else None
        if vectors is None:
            return np.zeros(self._inside.shape, dtype=np.int64)
        vectors.keep(self._queries, settings.similarity_decimals)
        steps = vectors.steps_kept(self._queries, settings.similarity_decimals)
        return None if steps is None else np.where(self._inside, steps, _OUTSIDE)

    def _word_scores(self, curator: Curator) -> Floats:
        """Add up the word scores in the order of each text's words, as one question does it."""
        scores, rows = curator.index.sparse(self._settings), self._inside.shape
        assert isinstance(scores, SparseScores)
        numbers = {word: number for number, word in enumerate(dict.fromkeys(word for words in self._tokens for word in words))}
        lengths, tools, values = scores.postings_of(numbers)
        starts = np.cumsum(lengths) - lengths
        said = np.array([numbers[word] for words in self._tokens for word in words], dtype=np.int64)
        row = np.repeat(np.arange(rows[0]), [len(words) for words in self._tokens])
        many = lengths[said]
        at = np.repeat(starts[said] - (np.cumsum(many) - many), many) + np.arange(int(many.sum()))
        totals = np.bincount(np.repeat(row, many) * rows[1] + tools[at], values[at], rows[0] * rows[1])
        return totals.astype(np.float64, copy=False).reshape(rows) * self._inside


def _texts(curator: Curator, owner: int, result: QueryResult) -> Iterator[_Text]:
    """Yield a question and its parts, none of one that cannot be asked."""
    settings, case = curator.settings, result.case
    if why_invalid(curator, case):
        return
    pool = len(curator.index.pool(case.role).keys)
    top_k = min(asked_for(settings), pool)
    parts = split_query(case.query, top_k, settings).parts if settings.split else ()
    given = sum(part.budget for part in parts)  # places that parts take, after which others of the whole question follow
    more = settings.low_confidence_extra if result.low_confidence else 0
    yield _Text(owner, case.query, case.role, top_k + more + given)
    yield from (_Text(owner, part.query, case.role, part.budget) for part in parts)


def _vectors(curator: Curator, cases: Sequence[TestQuery], texts: Sequence[str]) -> list[NDArray[np.float32]]:
    """Return the vectors of questions and their parts, none without meaning match."""
    store = curator.index.store
    if store is None or not curator.settings.dense:
        return []
    encode_ahead(curator, cases)
    return [store.queries.of(text) for text in texts]


def _alike(one: ToolIndex, other: ToolIndex) -> bool:
    """Say whether two indexes have the same tools, by name and role, and the same model."""
    if one.keys != other.keys or one.encoder is not other.encoder:
        return False
    names = [[(tool.name, tool.roles) for tool in map(index.registry.tool, index.keys)] for index in (one, other)]
    return names[0] == names[1]


def _word_ranks(scores: Floats, floor: float) -> Ints:
    """Rank the tools with a score above 0; none where the best is no higher than the floor."""
    counts = (scores > 0) & (scores.max(axis=1, initial=0.0) > floor)[:, None]
    return np.where(counts, _places(np.argsort(-scores, axis=1, kind="stable")), 0)


def _places(order: NDArray[Any]) -> Ints:
    """Return the place of each column in its row's order, from 1."""
    places = np.empty(order.shape, dtype=np.int64)
    np.put_along_axis(places, order, np.arange(1, order.shape[1] + 1)[None, :], axis=1)
    return places
