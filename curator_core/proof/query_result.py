"""What came back for one labelled question, measured.

Metrics: hit@1; recall@k = |expected in the first k| / |expected|; all@k = every expected tool in the first k; mrr = 1 / rank of the
first expected tool; ndcg@10 with binary gains and the ideal over all expected tools; forbidden@k = a forbidden tool in the first k.
An unanswered question counts 0.

A question is right when every expected tool stands in the first 5 (in as many as are expected where those are more; in as many as an
agent gets where those are fewer) and an agent gets no forbidden tool; one that no tool fits, when the answer is unsure or empty.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from curator_core.proof.losses import Loss
from curator_core.proof.margin import Margin, margin_in
from curator_core.registry import TestQuery

CUTS = (5, 10, 20)
RIGHT_WITHIN = 5
Status = Literal["judged", "no_tool", "unjudged", "invalid"]
Standing = Literal["failing", "ok", "no tool", "unjudged", "invalid"]
_UNJUDGED = "nobody has said which tools are right"


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What came back for one question.

    status: "judged" (counted in the metrics), "no_tool" (no tool is right), "unjudged" or "invalid" (see reason). tools: the answer, in
    order; an agent gets the first `given` of them. ranks: the rank of each expected tool, None = not in the answer. metrics: this
    question's own figures, empty unless judged. low_confidence, max_similarity: as in the trace. margin: by how many places it is
    right, or below 0 wrong; None where it names no tool, or cannot be asked. losses: which stages lost it, that of the margin's tool
    first; empty for a right question.
    """

    case: TestQuery
    status: Status
    reason: str = ""
    tools: tuple[str, ...] = ()
    ranks: Mapping[str, int | None] = dataclasses.field(default_factory=dict)
    metrics: Mapping[str, float] = dataclasses.field(default_factory=dict)
    low_confidence: bool = False
    max_similarity: float | None = None
    margin: Margin | None = None
    given: int = 0
    losses: tuple[Loss, ...] = ()

    @property
    def right(self) -> bool | None:
        """Whether the question came out right (see the top of this file); None where nobody can say."""
        named = None if self.margin is None or self.status == "invalid" else self.margin.places > 0
        if self.status == "no_tool":
            return (self.low_confidence or not self.tools) and named is not False
        return named

    @property
    def standing(self) -> Standing:
        """Whether every expected tool and no forbidden one stands where it should; where no tool is named, what kind of question it is."""
        if self.margin is not None and self.status != "invalid" and (self.status != "no_tool" or self.margin.places < 0):
            return "ok" if self.margin.places > 0 else "failing"
        kinds: dict[Status, Standing] = {"no_tool": "no tool", "invalid": "invalid"}
        return kinds.get(self.status, "unjudged")

    @property
    def rank(self) -> int | None:
        """The best rank of an expected tool, None when none came back."""
        return min((rank for rank in self.ranks.values() if rank), default=None)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as JSON-serialisable values."""
        case = {name: list(value) if isinstance(value, tuple) else value for name, value in dataclasses.asdict(self.case).items()}
        margin = dataclasses.asdict(self.margin) if self.margin else None
        outcome: dict[str, Any] = {name: getattr(self, name) for name in ("status", "reason", "standing", "right", "rank", "given")}
        sureness = {"low_confidence": self.low_confidence, "max_similarity": self.max_similarity}
        listed = {"ranks": dict(self.ranks), "tools": list(self.tools), "metrics": dict(self.metrics), "margin": margin}
        return case | outcome | listed | sureness | {"losses": [dataclasses.asdict(loss) for loss in self.losses]}


def judge(
    case: TestQuery,
    tools: tuple[str, ...],
    given: int,
    low_confidence: bool = False,
    max_similarity: float | None = None,
    margin: Margin | None = None,
    losses: tuple[Loss, ...] = (),
) -> QueryResult:
    """Return the result of a question that was asked, from its answer. margin: from the trace; None: as far as the answer tells it."""
    margin = margin or margin_in(tools, case.expected or (), case.forbidden, right_within(case, given), given)
    outcome = (low_confidence, max_similarity, margin, given, losses)
    if case.expected is None:
        return QueryResult(case, "unjudged", _UNJUDGED, tools, {}, {}, *outcome)
    places = {tool: place for place, tool in enumerate(tools, 1)}
    ranks = {tool: places.get(tool) for tool in case.expected}
    metrics = _measured(tools, case.expected, case.forbidden) if case.expected else {}
    return QueryResult(case, "judged" if case.expected else "no_tool", "", tools, ranks, metrics, *outcome)


def right_within(case: TestQuery, given: int) -> int:
    """Return in how many of the first tools the expected ones have to stand, when an agent gets `given`."""
    return min(max(RIGHT_WITHIN, len(set(case.expected or ()))), given)


def measure(tools: Sequence[str], expected: Sequence[str], forbidden: Sequence[str] = ()) -> dict[str, float]:
    """Return one question's metrics from its answer, best first. expected must not be empty; repeats in either count once."""
    return dict(_measured(tools, expected, forbidden))


def _measured(tools: Sequence[str], expected: Sequence[str], forbidden: Sequence[str]) -> Mapping[str, float]:
    """The same, in one dictionary for all questions that came out alike: a process keeps the results of many authors' edits."""
    ranks = {tool: rank for rank, tool in enumerate(dict.fromkeys(tools), 1)}
    right, wrong = set(expected), set(forbidden)
    metrics = _metrics(tuple(sorted(ranks[tool] for tool in right if tool in ranks)), len(right))
    if not wrong:
        return metrics
    first = min((ranks[tool] for tool in wrong if tool in ranks), default=math.inf)
    return {**metrics, **{f"forbidden@{cut}": float(first <= cut) for cut in CUTS}}


@lru_cache(maxsize=10_000)  # most questions have one right tool, and few ranks come back
def _metrics(ranks: tuple[int, ...], right: int) -> Mapping[str, float]:
    """Return the metrics of a question with so many right tools, from the ranks of those that came."""
    metrics = {"hit@1": float(1 in ranks), "mrr": 1 / ranks[0] if ranks else 0.0}
    for cut in CUTS:
        found = sum(rank <= cut for rank in ranks)
        metrics |= {f"recall@{cut}": found / right, f"all@{cut}": float(found == right)}
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= 10)
    metrics["ndcg@10"] = gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(right, 10) + 1))
    return metrics
