"""Evaluation: run labelled questions through the curator and measure what came back.

Metrics: hit@1; recall@k = |expected in the first k| / |expected|; all@k = every expected tool in the first k; mrr = 1 / rank of the
first expected tool; ndcg@10 with binary gains and the ideal over all expected tools; forbidden@k = a forbidden tool in the first k.
An unanswered question counts 0. Questions that no tool fits, that nobody judged, or that are invalid are counted apart.

A question is right when every expected tool stands in the first 5 (in as many as are expected where those are more; in as many as an
agent gets where those are fewer) and an agent gets no forbidden tool; one that no tool fits, when the answer is unsure or empty.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from curator_core.curator import Curator
from curator_core.margin import Margin, margin_in, margin_of
from curator_core.registry import TestQuery
from curator_core.settings import Settings
from curator_core.splitting import split_query
from curator_core.text import has_word_character
from curator_core.trace import Trace

CUTS = (5, 10, 20)
RIGHT_WITHIN = 5
_BLOCK = 500  # questions that are encoded together, before they are asked
Status = Literal["judged", "no_tool", "unjudged", "invalid"]
_UNJUDGED = "nobody has said which tools are right"
Standing = Literal["failing", "ok", "no tool", "unjudged", "invalid"]


@dataclass(frozen=True, slots=True)
class QueryResult:
    """What came back for one question.

    status: "judged" (counted in the metrics), "no_tool" (no tool is right), "unjudged" or "invalid" (see reason). tools: the answer, in
    order; an agent gets the first `given` of them. ranks: the rank of each expected tool, None = not in the answer. metrics: this
    question's own figures, empty unless judged. low_confidence, max_similarity: as in the trace. margin: by how many places it is
    right, or below 0 wrong; None where it names no tool, or cannot be asked.
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
        return case | outcome | listed | sureness


@dataclass(frozen=True)
class Evaluation:
    """The figures of one run.

    settings, model, fingerprint: what was measured; results: one a question, in their order. unread: lines of the file that are no
    question, and why.
    """

    registry: str
    settings: Settings
    model: str | None
    fingerprint: str
    results: tuple[QueryResult, ...]
    unread: tuple[str, ...] = ()

    @property
    def metrics(self) -> dict[str, float | None]:
        """The means over the judged questions; None where there is none."""
        return _means(self.having("judged"))

    @property
    def by_tag(self) -> dict[str, dict[str, float | int | None]]:
        """The means per tag, with the number of judged questions as "queries"."""
        return self._grouped(lambda case: case.tags)

    @property
    def by_role(self) -> dict[str, dict[str, float | int | None]]:
        """The means per role; questions without a role stand under ""."""
        return self._grouped(lambda case: (case.role or "",))

    @property
    def no_tool(self) -> dict[str, float | int | None]:
        """How often a question that no tool fits was answered with "unsure" or with nothing."""
        results = self.having("no_tool")
        flagged = sum(result.low_confidence or not result.tools for result in results)
        return {"queries": len(results), "flagged": flagged, "rate": flagged / len(results) if results else None}

    def having(self, status: Status) -> tuple[QueryResult, ...]:
        """Return the results of one status."""
        return tuple(result for result in self.results if result.status == status)

    def to_dict(self) -> dict[str, Any]:
        """Return the evaluation as JSON-serialisable values."""
        listed: dict[str, list[dict[str, Any]]] = {
            name: [{"query": result.case.query, "reason": result.reason} for result in self.having(name)]
            for name in ("unjudged", "invalid")
        }
        listed["invalid"] += [{"query": None, "reason": reason} for reason in self.unread]
        return {
            "registry": self.registry,
            "profile": self.settings.profile,
            "settings": self.settings.changed(),
            "model": self.model,
            "fingerprint": self.fingerprint,
            "queries": len(self.results),
            "judged": len(self.having("judged")),
            "metrics": self.metrics,
            "by_tag": self.by_tag,
            "by_role": self.by_role,
            "no_tool": self.no_tool,
            **listed,
            "results": [result.to_dict() for result in self.results],
        }

    def _grouped(self, groups: Callable[[TestQuery], Iterable[str]]) -> dict[str, dict[str, float | int | None]]:
        members: dict[str, list[QueryResult]] = {}
        for result in self.having("judged"):
            for group in groups(result.case):
                members.setdefault(group, []).append(result)
        return {group: {"queries": len(results), **_means(results)} for group, results in sorted(members.items())}


def evaluate(
    curator: Curator,
    cases: Iterable[TestQuery],
    settings: Settings | None = None,
    progress: Callable[[int, int], None] | None = None,
    unread: Iterable[str] = (),
) -> Evaluation:
    """Ask every question and measure the answers. Each asks for max(20, top_k) tools, and metrics cut at their own k.

    progress: called with (questions done, questions in all). unread: lines that are no question, to be listed with the invalid ones.
    """
    settings, questions, results = settings or curator.settings, list(cases), []
    for number, case in enumerate(questions, 1):
        if number % _BLOCK == 1:
            encode_ahead(curator, questions[number - 1 : number - 1 + _BLOCK], settings)
        results.append(_result(curator, case, settings))
        if progress:
            progress(number, len(questions))
    index = curator.index
    model = index.encoder.model_id if index.encoder else None
    return Evaluation(index.registry.name, settings, model, index.fingerprint, tuple(results), tuple(unread))


def encode_ahead(curator: Curator, cases: Iterable[TestQuery], settings: Settings | None = None) -> int:
    """Make the vectors of questions and of their parts ready, together and kept on disk; return how many the model had to encode."""
    settings, store = settings or curator.settings, curator.index.store
    if store is None or not settings.dense:
        return 0
    return store.queries.ahead(text for case in cases if not _invalid(curator, case) for text in _encoded(case.query, settings))


def judge(
    case: TestQuery,
    tools: tuple[str, ...],
    given: int,
    low_confidence: bool = False,
    max_similarity: float | None = None,
    margin: Margin | None = None,
) -> QueryResult:
    """Return the result of a question that was asked, from its answer. margin: from the trace; None: as far as the answer tells it."""
    margin = margin or margin_in(tools, case.expected or (), case.forbidden, right_within(case, given), given)
    asked = QueryResult(case, "unjudged", _UNJUDGED, tools, {}, {}, low_confidence, max_similarity, margin, given)
    if case.expected is None:
        return asked
    places = {tool: place for place, tool in enumerate(tools, 1)}
    ranks = {tool: places.get(tool) for tool in case.expected}
    metrics = measure(tools, case.expected, case.forbidden) if case.expected else {}
    return dataclasses.replace(asked, status="judged" if case.expected else "no_tool", reason="", ranks=ranks, metrics=metrics)


def right_within(case: TestQuery, given: int) -> int:
    """Return in how many of the first tools the expected ones have to stand, when an agent gets `given`."""
    return min(max(RIGHT_WITHIN, len(set(case.expected or ()))), given)


def measure(tools: Sequence[str], expected: Sequence[str], forbidden: Sequence[str] = ()) -> dict[str, float]:
    """Return one question's metrics from its answer, best first. expected must not be empty; repeats in either count once."""
    answer, right, wrong = list(dict.fromkeys(tools)), set(expected), set(forbidden)
    ranks = [rank for rank, tool in enumerate(answer, 1) if tool in right]
    metrics = {"hit@1": float(1 in ranks), "mrr": 1 / ranks[0] if ranks else 0.0}
    for cut in CUTS:
        found = sum(rank <= cut for rank in ranks)
        metrics |= {f"recall@{cut}": found / len(right), f"all@{cut}": float(found == len(right))}
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= 10)
    metrics["ndcg@10"] = gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(len(right), 10) + 1))
    if wrong:
        metrics |= {f"forbidden@{cut}": float(any(tool in wrong for tool in answer[:cut])) for cut in CUTS}
    return metrics


def _result(curator: Curator, case: TestQuery, settings: Settings) -> QueryResult:
    if reason := _invalid(curator, case):
        return QueryResult(case, "invalid", reason)
    trace = curator.curate(case.query, top_k=max(20, settings.top_k), role=case.role, settings=settings)
    given = _given(trace, settings.top_k)
    margin = margin_of(trace, case.expected or (), case.forbidden, right_within(case, given), given)
    return judge(case, trace.tools, given, trace.confidence.low_confidence, trace.confidence.max_similarity, margin)


def _given(trace: Trace, top_k: int) -> int:
    """Return how many tools of the answer an agent gets: all, unless fewer are asked for than are measured."""
    return len(trace.tools) if top_k >= max(CUTS) else top_k + trace.effective_k - trace.top_k


def _encoded(query: str, settings: Settings) -> Iterator[str]:
    yield query
    if settings.split:
        yield from (part.query for part in split_query(query, max(20, settings.top_k), settings).parts)


def _invalid(curator: Curator, case: TestQuery) -> str:
    """Say why a question cannot be asked or judged, "" when it can."""
    registry = curator.index.registry
    if not has_word_character(case.query):
        return "the question has no letter or digit"
    if case.role is not None and case.role not in registry.roles:
        return f"role {case.role!r} does not exist; there are: {', '.join(registry.roles) or 'none'}"
    unknown = [tool for tool in (*(case.expected or ()), *case.forbidden) if tool not in registry.by_key]
    return f"no such tool in the registry: {', '.join(unknown)}" if unknown else ""


def _means(results: Sequence[QueryResult]) -> dict[str, float | None]:
    names = list(measure((), ("x",), ("y",)))
    return {name: _mean([result.metrics[name] for result in results if name in result.metrics]) for name in names}


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
