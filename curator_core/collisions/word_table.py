"""All words of all tools as sparse matrices, for the questions of many tools at once: each word's postings, turned around and back."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core.records import Floats, Ints

Posting = tuple[Ints, Floats]


class WordTable:
    """What each word adds to each tool. Words are known by numbers, in the order in which they are met.

    by_word: words x tools; by_tool: the same turned around; having: how many tools each word has. texts: the different words of each
    text, in their order.
    """

    def __init__(self, texts: Iterable[Sequence[str]], posting: Callable[[str], Posting], tools: int) -> None:
        """texts: words whose postings are looked up; posting: which tools have a word, and what it adds to each."""
        from scipy.sparse import csr_array

        numbers = defaultdict[str, int](itertools.count().__next__)
        self.texts = [np.fromiter(map(numbers.__getitem__, dict.fromkeys(some)), dtype=np.int32) for some in texts]
        self._numbers = dict(numbers)
        postings = [posting(word) for word in self._numbers]
        self.having: Ints = np.array([len(some) for some, _ in postings], dtype=np.int64)
        columns, values = np.concatenate([np.zeros(0, np.int64), *(some for some, _ in postings)]), [some for _, some in postings]
        cells = np.concatenate([np.zeros(0), *values]), columns, _starts(self.having)
        self.by_word = csr_array(cells, shape=(len(postings), tools))
        self.by_tool = self.by_word.T.tocsr()

    def numbers_of(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of words, those that are known, in their order."""
        known = self._numbers.get
        return [number for number in map(known, words) if number is not None]

    def sums(self, asked: Sequence[Sequence[int] | NDArray[np.int32]]) -> Any:
        """Return what the words of each text add up to for every tool (texts x tools, sparse), added in the order of the words."""
        lengths = np.array([len(some) for some in asked], dtype=np.int64)
        return _matrix(np.concatenate([np.zeros(0, np.int32), *asked]), lengths, len(self.having)) @ self.by_word

    def sums_near(self, asked: Sequence[Sequence[int]], owner: Ints, near: Ints, there: Any) -> Floats:
        """Return what the words of each text add up to for the tools near it: (texts, width), added in the order of the words.

        asked: the words of each text; owner: which row of `near` a text is about; near: tools (rows, width), where there are any.
        """
        rows, size = len(near), len(self.having)
        numbers = np.fromiter(itertools.chain.from_iterable(asked), dtype=np.int64)
        lengths = np.array([len(some) for some in asked], dtype=np.int64)
        wanted = np.repeat(owner, lengths) * size + numbers
        codes, place = distinct(wanted), np.full(rows * size, -1, dtype=np.int32)
        place[codes] = np.arange(len(codes))
        row, column = there.nonzero()
        cells = self.by_tool[near[there]]
        count = np.diff(cells.indptr)
        found = place[np.repeat(row * size, count) + cells.indices]
        some = found >= 0
        added = np.zeros((len(codes), near.shape[1]))
        added[found[some], np.repeat(column, count)[some]] = cells.data[some]
        sums: Floats = _matrix(place[wanted], lengths, len(codes)) @ added
        return sums


def ranges_summed(values: Floats, ranges: Ints) -> Floats:
    """Return the sums of rows from … to (n, 2), added in their order."""
    lengths = ranges[:, 1] - ranges[:, 0]
    numbers = np.repeat(ranges[:, 0] - _starts(lengths)[:-1], lengths) + np.arange(int(lengths.sum()))
    sums: Floats = _matrix(numbers, lengths, len(values)) @ values
    return sums


def _matrix(numbers: Ints, lengths: Ints, width: int) -> Any:
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(numbers)), numbers, _starts(lengths)), shape=(len(lengths), width))


def _starts(lengths: Ints) -> Ints:
    starts: Ints = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return starts


def distinct(codes: Ints) -> Ints:
    """Return each code once, ascending; for millions of them several times as fast as np.unique, which hashes."""
    ordered = np.sort(codes)
    first: Ints = ordered[np.concatenate([np.ones(min(len(ordered), 1), bool), ordered[1:] != ordered[:-1]])]
    return first
