"""The records that the stages leave behind: arrays over the pool, read-only, made when somebody looks. No stage works in here.

Position i of every array is the i-th tool of the pool, and the pool is in order of keys. A rank starts at 1; 0 means "not ranked".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from curator_core.ranking import Floats as Floats
from curator_core.ranking import Ints as Ints
from curator_core.ranking import Ranking

Bools = NDArray[np.bool_]
SkipReason = Literal["no shared word", "no weight"]
_Array = TypeVar("_Array", bound=NDArray[Any])


def frozen(array: _Array) -> _Array:
    """Make an array read-only and return it."""
    array.setflags(write=False)
    return array


@dataclass(frozen=True, slots=True)
class DenseRecord:
    """Meaning match. encoded: exactly the text that was encoded; ranking: of the pool, by similarity."""

    encoded: str
    ranking: Ranking

    @property
    def similarities(self) -> Floats:
        """Cosines, rounded."""
        return self.ranking.values

    @property
    def ranks(self) -> Ints:
        """1 = most alike."""
        return self.ranking.ranks

    @property
    def best(self) -> float:
        """The highest similarity of the pool."""
        return self.ranking.best


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One word of the question. count: times asked; idf: its weight; tools: how many of the registry have it, 0 = no tool knows it."""

    word: str
    count: int
    idf: float
    tools: int


@dataclass(frozen=True)
class SparseRecord:
    """Word match. ranking: of the pool, by BM25 score; only tools with a score above 0 have a rank. postings: for each of `words`, which
    tools of the registry have it, ascending, and what one mention of it adds to their scores. tools: which stands at a pool position.

    skipped_because: None, or why no tool is ranked: "no shared word", or "no weight" where the shared words weigh nothing.
    describe: makes `words`.
    """

    ranking: Ranking
    postings: Mapping[str, tuple[Ints, Floats]]
    tools: Ints
    skipped_because: SkipReason | None
    describe: Callable[[], tuple[QueryWord, ...]] = field(repr=False, compare=False)

    @cached_property
    def words(self) -> tuple[QueryWord, ...]:
        """The words of the question, in its order, each once."""
        return self.describe()

    @property
    def scores(self) -> Floats:
        """BM25 scores."""
        return self.ranking.values

    @property
    def ranks(self) -> Ints:
        """1 = the highest score, 0 = not ranked."""
        return self.ranking.ranks

    def words_of(self, *positions: int) -> list[dict[str, float]]:
        """Return, for each position, what the words that it shares with the question add to its score; 0 for one that weighs nothing."""
        wanted = self.tools[list(positions)]
        found: list[dict[str, float]] = [{} for _ in positions]
        for word, (tools, values) in zip(self.words, self.postings.values(), strict=True):
            at = np.searchsorted(tools, wanted)
            for number in (np.append(tools, -1)[at] == wanted).nonzero()[0].tolist():
                found[number][word.word] = float(values[at[number]] * word.count)
        return found


@dataclass(frozen=True, slots=True)
class FusionRecord:
    """The combined rank's score. parts: what each list adds to it; scores: their sum."""

    parts: Mapping[str, Floats]
    scores: Floats


@dataclass(frozen=True, slots=True)
class AnchorRecord:
    """The name rule. hits of `of` name words are in the question; forced: enough of them, so the tool comes first.

    found: the name words that were found, over all tools. tokens, tools: each registry tool's counted name words (with what they are
    compared by, where that is not the word itself), and which tool stands at each pool position. ranking: by the share of the name
    that is said, where the rule is soft.
    """

    hits: Ints
    of: Ints
    forced: Bools
    found: frozenset[str]
    tokens: Sequence[Sequence[str] | Mapping[str, str]]
    tools: Ints
    ranking: Ranking | None = None

    @property
    def names_one(self) -> bool:
        """Whether the question says some tool's name: enough of it for the rule, all of it where the rule is soft."""
        return bool(self.forced.any()) if self.ranking is None else self.ranking.best >= 1.0

    def words_of(self, position: int) -> tuple[str, ...]:
        """Return the words of one tool's name that the question has."""
        name = self.tokens[self.tools[position]]
        forms = name.items() if isinstance(name, Mapping) else zip(name, name, strict=True)
        return tuple(word for form, word in forms if form in self.found)


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
    """Low confidence. max_similarity: best of all passes, None without meaning match; effective_k: how many tools are asked for then.

    unsure_below: the similarity below which the answer is unsure. As a number it is the best similarity: the lower, the
    likelier that no tool applies.
    """

    max_similarity: float | None
    low_confidence: bool
    effective_k: int
    unsure_below: float

    def __float__(self) -> float:
        return self.max_similarity or 0.0


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
