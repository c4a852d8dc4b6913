"""The records that the stages leave behind: read-only arrays over the pool, and look-ups into them. No stage works in here.

Position i of every array is the i-th tool of the pool, and the pool is in order of keys. A rank starts at 1; 0 means "not ranked".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
SkipReason = Literal["no shared word", "no weight"]
_Array = TypeVar("_Array", bound=NDArray[Any])


def frozen(array: _Array) -> _Array:
    """Make an array read-only and return it."""
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True)
class DenseRecord:
    """Meaning match. encoded: exactly the text that was encoded; similarities: cosines, rounded; ranks: 1 = most alike."""

    encoded: str
    similarities: Floats
    ranks: Ints

    @property
    def best(self) -> float:
        """The highest similarity of the pool."""
        return float(self.similarities.max())


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of the question. count: times asked; idf: its weight; tools: how many of the registry have it, 0 = no tool knows it."""

    word: str
    count: int
    idf: float
    tools: int


@dataclass(frozen=True, slots=True)
class SparseRecord:
    """Word match. scores: BM25; ranks: only tools with a score above 0 have one; by_word: one row of score parts per word that some
    tool has, in the order of `words`; shared: which of them each tool has at all, also where they weigh nothing.

    skipped_because: None, or why no tool is ranked: "no shared word", or "no weight" where the shared words weigh nothing.
    """

    words: tuple[QueryWord, ...]
    scores: Floats
    ranks: Ints
    by_word: Floats
    shared: Bools
    skipped_because: SkipReason | None

    def words_of(self, position: int) -> dict[str, float]:
        """Return what each word that the question and one tool share adds to its BM25 score; 0 for a word that weighs nothing."""
        known = [word.word for word in self.words if word.tools]
        return {known[row]: float(self.by_word[row, position]) for row in np.flatnonzero(self.shared[:, position])}


@dataclass(frozen=True, slots=True)
class FusionRecord:
    """The combined rank's score. parts: what each list adds to it; scores: their sum."""

    parts: Mapping[str, Floats]
    scores: Floats


@dataclass(frozen=True, slots=True)
class AnchorRecord:
    """The name rule. hits of `of` name words are in the question; forced: enough of them, so the tool comes first.

    found: the name words that were found, over all tools. tokens, tools: each registry tool's counted name words, and which tool
    stands at each pool position.
    """

    hits: Ints
    of: Ints
    forced: Bools
    found: frozenset[str]
    tokens: Sequence[Sequence[str]]
    tools: Ints

    def words_of(self, position: int) -> tuple[str, ...]:
        """Return the words of one tool's name that the question has."""
        return tuple(word for word in self.tokens[self.tools[position]] if word in self.found)


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a question that asks for several things. budget: how many tools it may give."""

    query: str
    budget: int


@dataclass(frozen=True, slots=True)
class SplitRecord:
    """The compound split. markers: the joining words found; parts: empty when the question was not split."""

    markers: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class ConfidenceRecord:
    """Low confidence. max_similarity: best of all passes, None without meaning match; effective_k: how many tools are asked for then."""

    max_similarity: float | None
    low_confidence: bool
    effective_k: int


Via = Literal["rank", "part", "forced", "top-up"]


@dataclass(frozen=True, slots=True)
class Pick:
    """One tool of the answer. via: its rank in the whole question, a part, the name rule of the whole question, or the top-up.

    parts: numbers (from 1) of the parts whose budget it is in. position: in the pool.
    """

    position: int
    via: Via
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """Everything one pass knows of one tool.

    rank: 1 = first, None = in neither list. similarity, dense_rank: meaning match; bm25, sparse_rank, by_word: word match, with what
    each word adds; parts: what each list adds to score, the combined rank's number. forced: the name rule puts it first, because
    forced_hits of its forced_of name words (forced_by) are in the question. A stage that is off or does not rank it leaves None.
    """

    tool: str
    rank: int | None
    similarity: float | None
    dense_rank: int | None
    bm25: float | None
    sparse_rank: int | None
    by_word: dict[str, float]
    parts: dict[str, float]
    score: float
    forced: bool
    forced_hits: int
    forced_of: int
    forced_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PassRecord:
    """One run of the ranking, on the whole question or on a part of it.

    budget: how many of its first tools may enter the answer. dense or sparse is None where that stage is off. order: pool positions
    from first to last; tools that neither list ranks nor the name rule forces are not in it. ranks: each position's place in order.
    """

    kind: Literal["whole", "part"]
    query: str
    budget: int
    dense: DenseRecord | None
    sparse: SparseRecord | None
    fusion: FusionRecord
    anchor: AnchorRecord | None
    order: Ints
    ranks: Ints

    def first(self) -> Ints:
        """Return the pool positions within the budget, from first to last."""
        return self.order[: self.budget]

    def row(self, position: int, tool: str) -> Row:
        """Return what this pass knows of the tool at a pool position."""
        dense, sparse, anchor = self.dense, self.sparse, self.anchor
        return Row(
            tool=tool,
            rank=int(self.ranks[position]) or None,
            similarity=float(dense.similarities[position]) if dense else None,
            dense_rank=int(dense.ranks[position]) if dense else None,
            bm25=float(sparse.scores[position]) if sparse else None,
            sparse_rank=int(sparse.ranks[position]) or None if sparse else None,
            by_word=sparse.words_of(position) if sparse else {},
            parts={name: float(part[position]) for name, part in self.fusion.parts.items()},
            score=float(self.fusion.scores[position]),
            forced=bool(anchor.forced[position]) if anchor else False,
            forced_hits=int(anchor.hits[position]) if anchor else 0,
            forced_of=int(anchor.of[position]) if anchor else 0,
            forced_by=anchor.words_of(position) if anchor else (),
        )
