"""The soft name rule: how much of a tool's name the question says, rare words counting more; nothing is forced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from sys import intern

import numpy as np

from curator_core.patch import Patch
from curator_core.ranking import Ranking
from curator_core.records import AnchorRecord, Floats, Ints, frozen
from curator_core.settings import Settings


class NameWords:
    """The words of every tool's name, each with its weight: ln(1 + (N - n + 0.5) / (n + 0.5)) where n of N names have it.

    names: for each tool (word, what it is compared by), such as its stem; a word that stands twice counts once.
    """

    def __init__(self, names: Iterable[Sequence[tuple[str, str]]]) -> None:
        self.shown: list[dict[str, str]] = [_distinct(name) for name in names]
        self._numbers: dict[str, int] = {}
        ids = [[self._numbers.setdefault(form, len(self._numbers)) for form in forms] for forms in self.shown]
        self.of: Ints = frozen(np.array([len(some) for some in ids], dtype=np.int64))
        self._ids: Ints = np.array([number for some in ids for number in some], dtype=np.int64)
        self._postings: dict[str, tuple[Ints, Floats]] = {}

    def patched(self, patch: Patch, names: Iterable[Sequence[tuple[str, str]]]) -> NameWords:
        """Return the same for an edited registry; names: those of the patch's own tools."""
        own, made = NameWords(names), NameWords(())
        known = [*self.shown, *own.shown]
        made.shown = [known[source] for source in patch.sources.tolist()]
        made._numbers = dict(self._numbers)
        numbers = np.array([made._numbers.setdefault(form, len(made._numbers)) for form in own._numbers], dtype=np.int64)
        starts, own_starts = self._starts, own._starts
        pieces = [(at, self._ids[starts[first] : starts[last]]) for at, first, last in patch.stretches()]
        pieces += [(at, numbers[own._ids[own_starts[n] : own_starts[n + 1]]]) for n, at in enumerate(patch.own.tolist())]
        made._ids = np.concatenate([ids for _, ids in sorted(pieces, key=lambda piece: piece[0])])
        made.of = frozen(np.concatenate([self.of, own.of])[patch.sources])
        return made

    def tools_of(self, form: str) -> Ints:
        """Return the tools whose names have a word."""
        number = self._numbers.get(form)
        if number is None:
            return np.zeros(0, dtype=np.int64)
        by_word, starts = self._by_word
        return by_word[starts[number] : starts[number + 1]]

    def postings(self, form: str) -> tuple[Ints, Floats]:
        """Return the tools whose names have a word, and its weight for each."""
        if form not in self._postings:
            tools = self.tools_of(form)
            if not len(tools):
                return tools, np.zeros(0)
            self._postings[form] = tools, np.full(len(tools), self._weights[self._numbers[form]])
        return self._postings[form]

    @cached_property
    def totals(self) -> Floats:
        """The sum of the weights of each name's words."""
        totals: Floats = np.bincount(self._tools, self._weights[self._ids], minlength=len(self.of)).astype(np.float64)
        return totals

    @cached_property
    def divisors(self) -> Floats:
        """The totals, 1 for a name without words: nothing divided by it is nothing."""
        return np.where(self.totals > 0, self.totals, 1.0)

    @cached_property
    def _starts(self) -> Ints:
        return np.concatenate([[0], np.cumsum(self.of)])

    @cached_property
    def _tools(self) -> Ints:
        return np.repeat(np.arange(len(self.of)), self.of)

    @cached_property
    def _having(self) -> Ints:
        return np.bincount(self._ids, minlength=len(self._numbers))

    @cached_property
    def _weights(self) -> Floats:
        return np.log1p((len(self.of) - self._having + 0.5) / (self._having + 0.5))

    @cached_property
    def _by_word(self) -> tuple[Ints, Ints]:
        order = np.argsort(self._ids, kind="stable")
        return self._tools[order], np.concatenate([[0], np.cumsum(self._having)])


def _distinct(name: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Return each form of a name's words with the word, in their order."""
    words: dict[str, str] = {}
    for word, form in name:
        words.setdefault(intern(form), intern(word))  # names say few different words: each is in memory once
    return words


def name_share(names: NameWords, asked: Iterable[str], pool: Ints, settings: Settings) -> AnchorRecord:
    """Say for each pool tool which share of its name, by weight, is among the forms asked for: 0 to 1."""
    size = len(names.of)
    found = {form: posting for form in asked if len((posting := names.postings(form))[0])}
    tools = np.concatenate([some for some, _ in found.values()]) if found else np.zeros(0, dtype=np.int64)
    weights = np.concatenate([values for _, values in found.values()]) if found else np.zeros(0)
    said, hits, of, divisors = np.bincount(tools, weights, size), np.bincount(tools, minlength=size), names.of, names.divisors
    if len(pool) < size:
        said, hits, of, divisors = said[pool], hits[pool], of[pool], divisors[pool]
    share, forced = (said / divisors).round(settings.similarity_decimals), np.zeros(len(pool), dtype=bool)
    return AnchorRecord(frozen(hits), frozen(of), frozen(forced), frozenset(found), names.shown, pool, Ranking(share, above=0.0))
