"""What became of one question between two evaluations.

Both sides are judged by the later side's expectations, so that a corrected test query does not look like a better registry. Verdicts:

    fixed           not right before, right now              ("right" as curator_core.evaluation defines it: within the first 5)
    broke           right before, not right now
    still failing   right on neither side, wherever its tools stand now
    moved           right on both sides, with an expected tool at another rank
    still right     right on both sides, at the same ranks
    unknown         nobody can say: not judged, not to be asked, or only on one side; `note` says which
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from curator_core.proof.agreement import jaccard, rank_biased_overlap
from curator_core.proof.query_result import RIGHT_WITHIN, QueryResult, judge
from curator_core.registry import TestQuery

Verdict = Literal["fixed", "broke", "still failing", "moved", "still right", "unknown"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expected tool stands before and after; None = not in the answer."""

    tool: str
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class QueryChange:
    """One question on both sides. case: as the later side has it; before, after: None where that side does not have the question.

    note: why the verdict is "unknown". before's tools bear their names of now.
    """

    case: TestQuery
    verdict: Verdict
    before: QueryResult | None
    after: QueryResult | None
    note: str = ""

    @property
    def places(self) -> tuple[Place, ...]:
        """The rank of each expected tool on both sides; empty where only one side has an answer."""
        if self.before is None or self.after is None:
            return ()
        return tuple(Place(tool, self.before.ranks.get(tool), rank) for tool, rank in self.after.ranks.items())

    @property
    def rank_before(self) -> int | None:
        """Where the last expected tool stood, below the answer too where that is known; None = nowhere, or none is expected."""
        return self.before.margin.rank if self.before and self.before.margin else None

    @property
    def rank_after(self) -> int | None:
        """Where the last expected tool stands now."""
        return self.after.margin.rank if self.after and self.after.margin else None

    @property
    def entered(self) -> tuple[str, ...]:
        """The tools that are new among the first 5: what pushed the others out."""
        return _without(self.after, self.before)

    @property
    def left(self) -> tuple[str, ...]:
        """The tools that are no longer among the first 5: what was pushed out."""
        return _without(self.before, self.after)

    @property
    def overlap(self) -> float | None:
        """How alike the two answers are, early ranks counting most (rank-biased overlap); None where a side has no answer."""
        return rank_biased_overlap(self.before.tools, self.after.tools) if self.before and self.after else None

    @property
    def jaccard(self) -> float | None:
        """The share of tools in both answers among the tools in either; None where a side has no answer."""
        return jaccard(self.before.tools, self.after.tools) if self.before and self.after else None

    def to_dict(self) -> dict[str, Any]:
        """Return the change as JSON-serialisable values, without the whole answers."""
        names = ("verdict", "note", "rank_before", "rank_after", "overlap", "jaccard")
        case = {"query": self.case.query, "role": self.case.role, "tags": list(self.case.tags), "critical": self.case.critical}
        lists = {"entered": list(self.entered), "left": list(self.left), "places": [dataclasses.asdict(place) for place in self.places]}
        return case | {name: getattr(self, name) for name in names} | lists


def change_between(before: QueryResult | None, after: QueryResult, renames: Mapping[str, str]) -> QueryChange:
    """Return what became of one question; before: None where it is new; renames: the key of now for each tool key that changed."""
    if before is None:
        note = f"a new question, and it cannot be asked: {after.reason}" if after.status == "invalid" else "a new question"
        return QueryChange(after.case, "unknown", None, after, note)
    before = _rejudged(before, after.case, renames)
    verdict, note = _verdict(before, after)
    return QueryChange(after.case, verdict, before, after, note)


def _rejudged(before: QueryResult, case: TestQuery, renames: Mapping[str, str]) -> QueryResult:
    """Return an earlier result under the tools' names of now, judged by what is expected now."""
    if before.status == "invalid":
        return before
    if before.case == case and not renames and before.margin is not None:
        return dataclasses.replace(before, losses=()) if before.losses else before
    tools, expected, forbidden = (_renamed(some, renames) for some in (before.tools, before.case.expected or (), before.case.forbidden))
    margin = before.margin  # it knows ranks below the answer too
    if margin is not None:
        same = ({*expected}, {*forbidden}) == ({*(case.expected or ())}, {*case.forbidden})
        margin = dataclasses.replace(margin, tool=renames.get(margin.tool, margin.tool)) if same else None
    return judge(case, tools, before.given, before.low_confidence, before.max_similarity, margin)


def _renamed(tools: Sequence[str], renames: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(renames.get(tool, tool) for tool in tools)


def _verdict(before: QueryResult, after: QueryResult) -> tuple[Verdict, str]:
    for side, when in ((after, "cannot be asked now"), (before, "could not be asked before")):
        if side.status == "invalid":
            return "unknown", f"{when}: {side.reason}"
    if before.right is None or after.right is None:
        return "unknown", after.reason
    if before.right and after.right:
        return "still right" if before.ranks == after.ranks else "moved", ""
    return "fixed" if after.right else "broke" if before.right else "still failing", ""


def _without(one: QueryResult | None, other: QueryResult | None) -> tuple[str, ...]:
    if one is None or other is None:
        return ()
    return tuple(tool for tool in one.tools[:RIGHT_WITHIN] if tool not in other.tools[:RIGHT_WITHIN])
