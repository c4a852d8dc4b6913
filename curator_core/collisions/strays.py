"""Strays: which tools the questions about a tool go to, estimated from the tools' own texts, without test queries and without a model.

Every tool asks for itself: each of its probes after each of the usual openings, in the pool of the tools near it. A question about a tool
means about what the tool's text means, so its own vector, moved a little towards the opening's, stands for the vector of each of its
questions: nothing has to be embedded, and a tool cannot be found by its vector alone where an opening belongs to another one. The words
are the question's own; and once more, since many users say it in other words, those of the opening alone.
`curator_core.collisions.self_retrieval` asks the same for real, one tool at a time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core.collisions.asked_together import AskedTogether
from curator_core.collisions.own_questions import Answers, OwnQuestions
from curator_core.index import Progress, ToolIndex
from curator_core.nearest import blocks
from curator_core.records import Floats, Ints, frozen
from curator_core.settings import Settings

AT_ONCE = 4  # threads at most, so that memory does not grow with the machine
BLOCK_TOOLS = 16  # tools that ask at once: their answers still lie in the processor's cache


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
    settings, pool = settings or Settings(), index.pool(role)
    questions, answers, size = OwnQuestions(index, pool.positions, settings), list[Answers](), len(pool.keys)
    together, parts = AskedTogether(questions), list(blocks(size, size))
    ask = lambda part: [questions.ask(*piece) for piece in _pieces(part, together.of(*part))]
    with closing(_at_once(ask, parts)) as found:
        for (_, stop), some in zip(parts, found, strict=True):
            answers += some
            if progress:
                progress(stop, size)
    return _gathered(pool.keys, answers, by_rank=not settings.add_scores)


def _at_once(ask: Callable[[tuple[int, int]], list[Answers]], parts: Sequence[tuple[int, int]]) -> Generator[list[Answers]]:
    """Give what is asked of each part, in their order, from several threads: most of it is done in numpy, which works beside others."""
    with ThreadPoolExecutor(min(os.cpu_count() or 1, AT_ONCE)) as workers:
        try:
            yield from workers.map(ask, parts)
        finally:
            workers.shutdown(wait=False, cancel_futures=True)  # whoever stops listening does not wait for the rest


def _pieces(part: tuple[int, int], together: tuple[Ints, Ints]) -> Iterator[tuple[Ints, Ints, NDArray[np.bool_]]]:
    """Give (places, the places asked together with each, where there are any) of a few tools at a time; together: (how many, which)."""
    (start, stop), (counts, near) = part, together
    starts = np.concatenate([[0], np.cumsum(counts)])
    for first in range(0, stop - start, BLOCK_TOOLS):
        last = min(first + BLOCK_TOOLS, stop - start)
        there = np.arange(counts[first:last].max()) < counts[first:last, None]
        table = np.zeros(there.shape, dtype=np.int64)
        table[there] = near[starts[first] : starts[last]]
        yield np.arange(start + first, start + last), table, there


def _gathered(keys: tuple[str, ...], answers: Sequence[Answers], by_rank: bool) -> Strays:
    asked, found, counts, others, firsts = (_all(answers, name, np.int64) for name in ("asked", "found", "counts", "others", "firsts"))
    shares, reworded, similarities, meant = (_all(answers, name, np.float64) for name in ("shares", "reworded", "similarities", "meant"))
    starts = frozen(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))
    return Strays(keys, asked, found, starts, others, firsts, shares, reworded, similarities, meant, by_rank)


def _all(answers: Sequence[Answers], name: str, kind: type) -> NDArray[Any]:
    """Return one of the fields, of all tools."""
    return frozen(np.concatenate([np.zeros(0, kind), *(getattr(one, name) for one in answers)]))
