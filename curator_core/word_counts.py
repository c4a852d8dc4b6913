"""How often each word stands in each tool's text, and the same after a few texts have changed, without counting the others again."""

from __future__ import annotations

import itertools
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from curator_core.patch import Ints, Patch

_KEPT, _KEPT_OF_AN_EDIT = 2**20, 2**16  # entries of WordScores: at most 16 MB for a registry, 1 MB for one more author's draft of it


class Counts(Protocol):
    """lengths: how many tokens each tool has. Words are known by numbers; `number_of` a word that no tool has is None."""

    lengths: Ints
    kept: int  # how many entries of what follows from them may be kept

    def number_of(self, word: str) -> int | None: ...

    def frequencies(self) -> dict[int, int]:
        """Return how many tools have each word, in the order in which the words are met: tool by tool, token by token."""
        ...

    def postings(self, number: int) -> tuple[Ints, NDArray[np.int32]]:
        """Return which tools have a word, ascending, and how often."""
        ...


class WordCounts:
    """The words of all tools, counted."""

    kept = _KEPT

    def __init__(self, documents: Iterable[Sequence[str]]) -> None:
        numbers = defaultdict[str, int](itertools.count().__next__)
        ids, counts, sizes, lengths = array("i"), array("i"), [0], []
        for document in documents:
            counted = Counter(document) if document else {}
            ids.extend(map(numbers.__getitem__, counted))
            counts.extend(counted.values())
            sizes.append(len(counted))
            lengths.append(len(document))
        self.numbers = dict(numbers)
        self.lengths: Ints = np.array(lengths, dtype=np.int64)
        self.ids, self.starts = np.array(ids, dtype=np.int32), np.cumsum(sizes, dtype=np.int64)
        order, self.word_starts = _by_word(self.ids, len(self.numbers))
        self._tools: Ints = np.repeat(np.arange(len(lengths)), np.diff(self.starts))[order]
        self._counts = np.array(counts, dtype=np.int32)[order]

    def number_of(self, word: str) -> int | None:
        return self.numbers.get(word)

    def having(self, number: int) -> int:
        """Return how many tools have a word; none for a number that is no word's."""
        return int(self.word_starts[number + 1] - self.word_starts[number]) if number < len(self.numbers) else 0

    def frequencies(self) -> dict[int, int]:
        return dict(enumerate(np.diff(self.word_starts).tolist()))

    def postings(self, number: int) -> tuple[Ints, NDArray[np.int32]]:
        some = slice(self.word_starts[number], self.word_starts[number + 1])
        return self._tools[some], self._counts[some]


def _by_word(ids: NDArray[np.int32], words: int) -> tuple[Ints, Ints]:
    """Return the order that puts equal word numbers together, each in the order of the tools, and where each word starts in it."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(ids, minlength=words))])
    return np.argsort(ids.astype(np.uint16) if words <= 2**16 else ids, kind="stable"), starts  # 16 bits are sorted ten times as fast


class PatchedWordCounts:
    """The words of a base's tools where they are kept, and of the patch's own texts; exactly what counting all texts would give."""

    kept = _KEPT_OF_AN_EDIT

    def __init__(self, base: WordCounts, patch: Patch, documents: Sequence[Sequence[str]]) -> None:
        self._base, self._patch = base, patch
        self._added: dict[str, int] = {}  # words that the base does not have
        self._own: list[list[int]] = []  # the words of each own text, in the order in which they are met
        own_postings: dict[int, list[tuple[int, int]]] = {}
        for position, document in zip(patch.own.tolist(), documents, strict=True):
            counted = {self._number(word): count for word, count in Counter(document).items()}
            self._own.append(list(counted))
            for number, count in counted.items():
                own_postings.setdefault(number, []).append((position, count))
        self._own_postings = own_postings
        # of each word that a changed text has or had: how many more tools have it than in the base
        self._more = Counter(itertools.chain.from_iterable(self._own))
        for tool in (patch.places < 0).nonzero()[0].tolist():
            self._more.subtract(base.ids[base.starts[tool] : base.starts[tool + 1]].tolist())
        lengths: Ints = np.concatenate([base.lengths, [len(document) for document in documents]]).astype(np.int64)[patch.sources]
        self.lengths = base.lengths if np.array_equal(lengths, base.lengths) else lengths  # most fields of most edits: one array for all

    def number_of(self, word: str) -> int | None:
        number = self._base.numbers.get(word, self._added.get(word))
        return None if number is None or not self._base.having(number) + self._more[number] else number

    def frequencies(self) -> dict[int, int]:
        pieces = [(at, self._base.ids[self._base.starts[first] : self._base.starts[last]]) for at, first, last in self._patch.stretches()]
        pieces += [(at, np.array(ids, dtype=np.int32)) for at, ids in zip(self._patch.own.tolist(), self._own, strict=True)]
        met = np.concatenate([ids for _, ids in sorted(pieces, key=lambda piece: piece[0])])
        having = np.concatenate([np.diff(self._base.word_starts), np.zeros(len(self._added), dtype=np.int64)])
        having[np.fromiter(self._more, np.int64)] += np.fromiter(self._more.values(), np.int64)
        first_met = np.full(len(having), len(met), dtype=np.int64)
        first_met[met[::-1]] = np.arange(len(met) - 1, -1, -1)  # of equal places the last one assigned stays
        order = np.argsort(first_met)[: int(np.count_nonzero(having))]
        return dict(zip(order.tolist(), having[order].tolist(), strict=True))

    def postings(self, number: int) -> tuple[Ints, NDArray[np.int32]]:
        tools, counts = self._base.postings(number) if number < len(self._base.numbers) else (np.zeros(0, np.int64), np.zeros(0, np.int32))
        if self._patch.in_place and number not in self._more:
            return tools, counts
        tools = self._patch.places[tools]
        if len(gone := np.flatnonzero(tools < 0)):
            tools, counts = np.delete(tools, gone), np.delete(counts, gone)
        if own := self._own_postings.get(number):
            positions, own_counts = zip(*own, strict=True)
            at = np.searchsorted(tools, positions)
            tools, counts = np.insert(tools, at, positions), np.insert(counts, at, own_counts)
        return tools, counts

    def _number(self, word: str) -> int:
        number = self._base.numbers.get(word)
        return self._added.setdefault(word, len(self._base.numbers) + len(self._added)) if number is None else number
