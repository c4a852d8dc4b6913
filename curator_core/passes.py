"""One pass: what the stages made of the whole question or of a part of it, and what that says of single tools."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np

from curator_core.first_look import at_first_look
from curator_core.records import AnchorRecord, DenseRecord, FusionRecord, Ints, Row, SparseRecord

if TYPE_CHECKING:
    from curator_core.fusion import CombinedRank


@dataclass(frozen=True, slots=True)
class Stages:
    """What the stages made of one text. dense, sparse or anchor is None where that stage is off. combined: the order that comes of them."""

    dense: DenseRecord | None
    sparse: SparseRecord | None
    anchor: AnchorRecord | None
    combined: CombinedRank


@dataclass(frozen=True)
class PassRecord:
    """One run of the ranking, on the whole question or on a part of it.

    budget: how many of its first tools may enter the answer. run: runs the stages. brief: of a question in very many parts; such a pass
    keeps no more than its share of the answer, and runs again for whoever looks at the rest.
    """

    kind: Literal["whole", "part"]
    query: str
    budget: int
    run: Callable[[], Stages] = field(repr=False, compare=False)
    brief: bool = False

    @at_first_look
    def stages(self) -> Stages:
        """The stages' records."""
        return self.run()

    @property
    def dense(self) -> DenseRecord | None:
        """Meaning match."""
        return self.stages.dense

    @property
    def sparse(self) -> SparseRecord | None:
        """Word match."""
        return self.stages.sparse

    @property
    def anchor(self) -> AnchorRecord | None:
        """The name rule."""
        return self.stages.anchor

    @property
    def combined(self) -> CombinedRank:
        """The combined rank."""
        return self.stages.combined

    @at_first_look
    def best(self) -> float | None:
        """The highest similarity of the pool, None without meaning match."""
        return self.dense.best if self.dense else None

    @at_first_look
    def speaks(self) -> tuple[bool, bool]:
        """Whether some name is in the question, and whether some tool shares a word that weighs anything."""
        named = self.anchor is not None and self.anchor.names_one
        return named, self.sparse is not None and self.sparse.skipped_because is None

    @at_first_look
    def _first(self) -> Ints:
        return self.combined.first(self.budget).copy()

    def settle(self) -> None:
        """Let go of everything but this pass's share of the answer, where the pass is brief."""
        if self.brief and (self._first, self.best, self.speaks):
            self.__dict__.pop("stages", None)

    @property
    def fusion(self) -> FusionRecord:
        """The combined scores of the whole pool."""
        return self.combined.scores

    @property
    def order(self) -> Ints:
        """Pool positions from first to last; tools that neither list ranks nor the name rule forces are not in it."""
        return self.combined.order

    @property
    def ranks(self) -> Ints:
        """Each position's place in the order, 0 = not in it."""
        return self.combined.ranks

    def first(self) -> Ints:
        """Return the pool positions within the budget, from first to last."""
        return self._first

    def rank_of(self, position: int) -> int:
        """Return one position's place in the order, 0 = not in it."""
        if len(found := (self._first == position).nonzero()[0]):
            return int(found[0]) + 1
        return int(self.combined.ranks_of(np.array([position]))[0])

    def rows(self, positions: Sequence[int], tools: Sequence[str]) -> Iterator[Row]:
        """Make the rows of the tools at some pool positions; tools: their keys."""
        at, dense, sparse, anchor = np.array(positions, dtype=np.int64), self.dense, self.sparse, self.anchor
        ranks, fused = self.combined.ranks_of(at).tolist(), self.combined.scores_of(at)
        meaning = (dense.ranking.values_of(at), dense.ranking.of(at)) if dense else None
        words = (sparse.ranking.values_of(at), sparse.ranking.of(at), sparse.words_of(*positions)) if sparse else None
        for number, (position, tool) in enumerate(zip(positions, tools, strict=True)):
            yield Row(
                tool=tool,
                rank=ranks[number] or None,
                similarity=float(meaning[0][number]) if meaning else None,
                dense_rank=int(meaning[1][number]) if meaning else None,
                bm25=float(words[0][number]) if words else None,
                sparse_rank=int(words[1][number]) or None if words else None,
                by_word=words[2][number] if words else {},
                parts={name: float(part[number]) for name, part in fused.parts.items()},
                score=float(fused.scores[number]),
                forced=bool(anchor.forced[position]) if anchor else False,
                forced_hits=int(anchor.hits[position]) if anchor else 0,
                forced_of=int(anchor.of[position]) if anchor else 0,
                forced_by=anchor.words_of(position) if anchor else (),
            )
        self.settle()
