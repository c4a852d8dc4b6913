"""Evaluation: run labelled questions through the curator and measure what came back (the measures: curator_core.proof.query_result).

Questions that no tool fits, that nobody judged, or that are invalid are counted apart.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from curator_core.curator import Curator
from curator_core.encoder import fingerprint_of
from curator_core.no_tool import NoToolLine
from curator_core.proof.losses import LOST, Loss, Lost, looked_sure, losses_of
from curator_core.proof.margin import margin_of
from curator_core.proof.query_result import CUTS, QueryResult, Status, judge, measure, right_within
from curator_core.proof.sureness import Sureness, sureness
from curator_core.queries.held_out import is_held_out
from curator_core.registry import TestQuery
from curator_core.settings import Settings
from curator_core.splitting import split_query
from curator_core.text import has_word_character
from curator_core.trace import Trace

_BLOCK = 500  # questions that are encoded together, before they are asked


@dataclass(frozen=True)
class Evaluation:
    """The figures of one run.

    settings, model, fingerprint: what was measured; results: one a question, in their order. unread: lines of the file that are no
    question, and why. model_fingerprint: identifies the model's files, "" without a model. no_tool_line: below which best meaning match
    probably no tool applies, None without meaning match.
    """

    registry: str
    settings: Settings
    model: str | None
    fingerprint: str
    results: tuple[QueryResult, ...]
    unread: tuple[str, ...] = ()
    model_fingerprint: str = ""
    no_tool_line: NoToolLine | None = None

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
    def apart(self) -> tuple[Evaluation, Evaluation]:
        """The run of the questions to tune on, and that of the held-out ones: figures that a page must not mix."""
        held_out = tuple(result for result in self.results if is_held_out(result.case))
        others = tuple(result for result in self.results if not is_held_out(result.case))
        return dataclasses.replace(self, results=others), dataclasses.replace(self, results=held_out, unread=())

    @property
    def no_tool(self) -> dict[str, float | int | None]:
        """How often a question that no tool fits was answered with "unsure" or with nothing; and what the registry's own line does.

        noticed: those below the line; flagged_wrongly: of the `answerable` questions, which name a right tool, those below it; auroc: how
        well the best meaning match tells both kinds apart. line: None without meaning match; line_is_own: 1 = drawn through test queries.
        """
        results = self.having("no_tool")
        flagged = sum(result.low_confidence or not result.tools for result in results)
        counts = {"queries": len(results), "flagged": flagged, "rate": flagged / len(results) if results else None}
        found = self.sureness
        if found is None:
            return counts | dict.fromkeys(("noticed", "answerable", "flagged_wrongly", "auroc", "line", "line_is_own"))
        told = {"noticed": found.flagged, "answerable": found.answered, "flagged_wrongly": found.flagged_wrongly}
        return counts | told | {"auroc": found.auroc, "line": found.line.value, "line_is_own": int(found.line.own)}

    @property
    def sureness(self) -> Sureness | None:
        """What the line of `no_tool` does to these questions; None without meaning match."""
        return None if self.no_tool_line is None else sureness(self.results, self.no_tool_line)

    @property
    def lost(self) -> dict[Lost, int]:
        """How many questions each stage lost, by each question's first loss; only stages that lost some."""
        first = Counter(result.losses[0].stage for result in self.results if result.losses)
        return {stage: first[stage] for stage in LOST if first[stage]}

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
            "model_fingerprint": self.model_fingerprint,
            "queries": len(self.results),
            "judged": len(self.having("judged")),
            "metrics": self.metrics,
            "by_tag": self.by_tag,
            "by_role": self.by_role,
            **self._parts(),
            "no_tool": self.no_tool,
            "no_tool_line": self.no_tool_line.to_dict() if self.no_tool_line else None,
            "lost": self.lost,
            **listed,
            "results": [result.to_dict() for result in self.results],
        }

    def _parts(self) -> dict[str, Any]:
        """Return the figures with and without the held-out questions, where there are some."""
        tune, held_out = self.apart
        if not held_out.results:
            return {}
        names = ("metrics", "by_tag", "by_role", "no_tool")
        return {
            title: {"judged": len(run.having("judged")), **{name: getattr(run, name) for name in names}}
            for title, run in (("tune", tune), ("held_out", held_out))
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
    model, files = (index.encoder.model_id, fingerprint_of(index.encoder)) if index.encoder else (None, "")
    line = curator.no_tool_line(settings) if index.store is not None and settings.dense else None
    return Evaluation(index.registry.name, settings, model, index.fingerprint, tuple(results), tuple(unread), files, line)


def asked_for(settings: Settings) -> int:
    """Return how many tools each question asks for: as many as the metrics look at, at least."""
    return max(20, settings.top_k)


def encode_ahead(curator: Curator, cases: Iterable[TestQuery], settings: Settings | None = None) -> int:
    """Make the vectors of questions and of their parts ready, together and kept on disk; return how many the model had to encode."""
    settings, store = settings or curator.settings, curator.index.store
    if store is None or not settings.dense:
        return 0
    texts = [text for case in cases if not why_invalid(curator, case) for text in _encoded(case.query, settings)]
    encoded = store.queries.ahead(texts)
    if vectors := curator.index.dense(settings):
        vectors.keep(map(store.queries.of, texts), settings.similarity_decimals)
    return encoded


def _result(curator: Curator, case: TestQuery, settings: Settings) -> QueryResult:
    if reason := why_invalid(curator, case):
        return QueryResult(case, "invalid", reason)
    trace = curator.curate(case.query, top_k=asked_for(settings), role=case.role, settings=settings)
    given = _given(trace, settings.top_k)
    within = right_within(case, given)
    margin = margin_of(trace, case.expected or (), case.forbidden, within, given)
    result = judge(case, trace.tools, given, trace.confidence.low_confidence, trace.confidence.max_similarity, margin)
    return dataclasses.replace(result, losses=_losses(trace, result, within)) if result.right is False else result


def _losses(trace: Trace, result: QueryResult, within: int) -> tuple[Loss, ...]:
    """Return why a question is not right, the tool that decides its margin first."""
    named = losses_of(trace, result.case.expected or (), result.case.forbidden, within, result.given)
    if not named:
        return (looked_sure(trace),)
    return tuple(sorted(named, key=lambda loss: result.margin is None or loss.tool != result.margin.tool))


def _given(trace: Trace, top_k: int) -> int:
    """Return how many tools of the answer an agent gets: all, unless fewer are asked for than are measured."""
    return len(trace.tools) if top_k >= max(CUTS) else top_k + trace.effective_k - trace.top_k


def _encoded(query: str, settings: Settings) -> Iterator[str]:
    yield query
    if settings.split:
        yield from (part.query for part in split_query(query, asked_for(settings), settings).parts)


def why_invalid(curator: Curator, case: TestQuery) -> str:
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
