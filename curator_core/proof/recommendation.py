"""Which profile serves a registry's own test queries better, how sure that is, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from curator_core.compare import ENOUGH, Comparison, compare_runs
from curator_core.evaluation import Evaluation
from curator_core.proof.paired import MetricChange
from curator_core.text import plural

MEASURES = ("recall@5", "hit@1", "ndcg@10")  # what decides, in this order
_WORDS = {"recall@5": "puts the right tool among the first 5", "hit@1": "puts the right tool first", "ndcg@10": "has the better order"}


@dataclass(frozen=True)
class Recommendation:
    """Advice between two profiles. now: the registry's own. profile: the one to use, None where there are too few questions to say.

    decided_by: the figure whose interval leaves zero out, None where none does: then `now` stays. comparison: the first profile as
    "before" against the second. against: figures that clearly speak for the other profile.
    """

    now: str
    profile: str | None
    decided_by: MetricChange | None
    comparison: Comparison
    against: tuple[MetricChange, ...] = ()

    @property
    def queries(self) -> int:
        """How many questions it rests on."""
        return next((one.queries for one in self.comparison.metrics if one.name in MEASURES), 0)

    @property
    def is_switch(self) -> bool:
        """Whether another profile than the registry's own is better."""
        return self.profile not in (None, self.now)

    @property
    def reason(self) -> str:
        """The advice in plain words, with its figures."""
        if self.profile is None:
            return f"Too few to say: {plural(self.queries, 'test query')} with a right tool, and {ENOUGH} are the least."
        one = self.decided_by
        if one is None:
            return f"No clear difference on {self.queries} test queries: {self.now} can stay."
        more, less = (one.wins, one.losses) if one.difference > 0 else (one.losses, one.wins)
        low, high = sorted(map(abs, one.interval or (0.0, 0.0)))
        other = self.comparison.before.profile if self.profile == self.comparison.after.profile else self.comparison.after.profile
        said = (
            f"{self.profile} {_WORDS[one.name]} for {more} questions where {other} does less well; for {less} it is the other way round "
            f"({one.queries} questions; {one.name} {abs(one.difference):.3f} higher, 95 % interval {low:.3f} to {high:.3f})."
        )
        return said + "".join(f" But {other} {_WORDS[less_of.name]} more often." for less_of in self.against)

    def to_dict(self) -> dict[str, Any]:
        """Return the advice as JSON-serialisable values."""
        told = self.comparison.to_dict()
        decided = self.decided_by.name if self.decided_by else None
        advice = {"now": self.now, "profile": self.profile, "queries": self.queries, "decided_by": decided, "reason": self.reason}
        return advice | {name: told[name] for name in ("metrics", "by_tag", "no_tool")}


def recommend(first: Evaluation, second: Evaluation, now: str) -> Recommendation:
    """Compare the same test queries under two profiles; held-out questions do not count. now: the registry's own profile."""
    names = (first.settings.profile, second.settings.profile)
    comparison = compare_runs(first.apart[0], second.apart[0], names=names)
    figures = {one.name: one for one in comparison.metrics}
    some = [figures[name] for name in MEASURES if name in figures]
    if not some or some[0].queries < ENOUGH:
        return Recommendation(now, None, None, comparison)
    clear = [one for one in some if one.clear]
    if not clear:
        return Recommendation(now, now, None, comparison)
    better = names[clear[0].difference > 0]
    against = tuple(one for one in clear if (one.difference > 0) != (clear[0].difference > 0))
    return Recommendation(now, better, clear[0], comparison, against)
