"""Which tools answer the questions about a tool: those near it by meaning or by rare words, and those that an opening brings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from curator_core.collisions.own_questions import OwnQuestions
from curator_core.collisions.word_table import WordTable, distinct
from curator_core.overlap import nearest_rows
from curator_core.records import Floats, Ints

EVERY_TOOL_UP_TO = 256  # of a pool so small every tool is asked about every other
NEAR_BY_MEANING, NEAR_BY_WORDS, DRAWN_BY_OPENINGS = 96, 32, 8  # of a larger one: the tools near it, and those that an opening brings
_COMMON = 1_000  # a word of more tools brings nobody near


class AskedTogether:
    """The places that are asked together with each place of the pool, itself included."""

    def __init__(self, questions: OwnQuestions) -> None:
        self._questions, self._pool, self._size = questions, questions.pool, len(questions.pool)
        self._drawn = self._by_openings() if self._size > EVERY_TOOL_UP_TO else np.arange(self._size)
        self._rows = None if questions.rows is None else questions.rows.astype(np.float32)

    def of(self, start: int, stop: int) -> tuple[Ints, Ints]:
        """Return, of some places of the pool, how many others each has (n,), and which, ascending, one place after the other."""
        places = np.arange(start, stop)
        others = [places[:, None], np.broadcast_to(self._drawn, (len(places), len(self._drawn)))]
        if self._size > EVERY_TOOL_UP_TO and self._rows is not None:
            others.append(nearest_rows(self._rows, NEAR_BY_MEANING, places)[0])
        codes = [(places[:, None] * self._size + some).ravel() for some in others]
        if self._size > EVERY_TOOL_UP_TO and (words := self._questions.words) is not None:
            codes += [place * self._size + some for place, some in zip(places.tolist(), self._by_words(words, start, stop), strict=True)]
        found, near = np.divmod(distinct(np.concatenate(codes)), self._size)
        return np.bincount(found - start, minlength=len(places)), near

    def _by_words(self, words: WordTable, start: int, stop: int) -> Iterator[Ints]:
        """Give, for each of some places, the tools that share the most weight of rare words with it."""
        rare = words.having <= _COMMON
        asked = (words.texts[position] for position in self._pool[start:stop].tolist())
        weights = words.sums([some[rare[some]] for some in asked])
        for first, last in zip(weights.indptr[:-1].tolist(), weights.indptr[1:].tolist(), strict=True):
            yield self._places(_heaviest(weights.indices[first:last], weights.data[first:last]))

    def _by_openings(self) -> Ints:
        """Return the tools that the openings themselves bring: by a name that says them, by their words and by their meaning."""
        questions, found = self._questions, [np.zeros(0, dtype=np.int64)]
        for values in (questions.said, questions.meant):
            found += [] if values is None else map(_highest, values)
        found += [self._places(tools)[:DRAWN_BY_OPENINGS] for tools in questions.named_by_openings()]
        return np.unique(np.concatenate(found))

    def _places(self, positions: Ints) -> Ints:
        """Return where positions of the index stand in the pool, those that do in it."""
        at: Ints = np.minimum(np.searchsorted(self._pool, positions), self._size - 1)
        inside: Ints = at[self._pool[at] == positions]
        return inside


def _heaviest(tools: Ints, weights: Floats) -> Ints:
    """Return the few tools of the highest weights; equal ones in order."""
    some = weights != 0
    if len(weights) > NEAR_BY_WORDS:
        some &= weights >= np.partition(weights, -NEAR_BY_WORDS)[-NEAR_BY_WORDS]
    tools, weights = tools[some], weights[some]
    first: Ints = tools[np.lexsort((tools, -weights))[:NEAR_BY_WORDS]]
    return first


def _highest(values: Floats) -> Ints:
    """Return the positions of the few highest values above 0."""
    first = np.argsort(-values, kind="stable")[:DRAWN_BY_OPENINGS]
    return first[values[first] > 0]
