"""Suggestions for all tools whose questions fail: what helps is taken in order of its worth, each judged with those taken before.

Everything offered is asked again, every test query, so that what is shown is what is measured afterwards. Held-out queries are neither
read nor aimed at; what all suggestions together do to them is the check.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from curator_core.curator import Curator
from curator_core.evaluation import Evaluation, evaluate
from curator_core.index import build_index
from curator_core.proof.effects import Effect, effect_of
from curator_core.proof.query_changes import QueryChange
from curator_core.queries.held_out import is_held_out
from curator_core.registry import Edit, TestQuery
from curator_core.suggestions.advice import Count
from curator_core.suggestions.phrase_trial import Progress
from curator_core.suggestions.score_table import ScoreTable
from curator_core.suggestions.tool_ideas import Judged, ToolIdea, ToolTrial

_FEW = "one test query is too few: a text is judged by a question that it was not made from"
_NO_WORD = "its questions have no word that its text does not have"
_NO_HELP = "nothing that was tried helps the questions that it was not made from without costing other tools more"
_OVERTAKEN = "what would help it costs other tools too much once the suggestions above are taken"


@dataclass(frozen=True)
class ToolSuggestion:
    """An idea that helps, and what it does by itself. own: how many of the tool's other test queries it puts first (fixed), and how many
    are first no longer (broke); others: the same for all other tools' queries. losers: those of the others that are first no longer.
    effect: what becomes of every test query.
    """

    idea: ToolIdea
    own: Count
    others: Count
    losers: tuple[QueryChange, ...]
    effect: Effect

    @property
    def net(self) -> int:
        """How many more test queries put the right tool first."""
        return self.own.net + self.others.net


@dataclass(frozen=True, slots=True)
class Refusal:
    """A tool for which nothing is suggested, and why."""

    tool: str
    reason: str


@dataclass(frozen=True)
class ToolAdvice:
    """What is suggested for tools whose questions fail.

    suggestions: best first; refused: the tools without one. together: what all suggestions do, None where there are none. first: open
    test queries that put the right tool first, before and with all suggestions; held_out: the same for held-out ones; each with how many.
    """

    suggestions: tuple[ToolSuggestion, ...]
    refused: tuple[Refusal, ...]
    together: Effect | None
    first: tuple[int, int, int] = (0, 0, 0)
    held_out: tuple[int, int, int] = (0, 0, 0)


def suggest_for_tools(
    curator: Curator, tools: Collection[str] | None = None, before: Evaluation | None = None, progress: Progress | None = None
) -> ToolAdvice:
    """Suggest other texts for the tools whose open test queries do not put them first. The same registry gives the same advice.

    tools: only for these; None = for all. before: all test queries of the registry as it is; None = they are asked here. progress:
    called with (steps done, steps).
    """
    registry = curator.index.registry
    before = before or evaluate(curator, registry.test_queries)
    chosen, refused = choose_ideas(curator, before, tools, progress)
    found = []
    for number, idea in enumerate(chosen):
        found.append(_asked(curator, idea, before))
        if progress:
            progress(len(chosen) + len(refused) + number, 2 * len(chosen) + len(refused))
    together = effect_with(curator, chosen, before) if chosen else None
    some = [(together.open, together.held_out)] if together else []
    counts = [_firsts(changes) for changes in some[0]] if some else [(0, 0, 0)] * 2
    return ToolAdvice(tuple(sorted(found, key=lambda one: -one.net)), refused, together, counts[0], counts[1])


def choose_ideas(
    curator: Curator, before: Evaluation, tools: Collection[str] | None = None, progress: Progress | None = None
) -> tuple[tuple[ToolIdea, ...], tuple[Refusal, ...]]:
    """Return the ideas that help, in the order in which they are taken, and the tools without one."""
    table = ScoreTable(curator, [one.case for one in before.having("judged") if not is_held_out(one.case)])
    failing = [key for key in failing_tools(table) if tools is None or key in tools]
    found: list[tuple[ToolTrial, Judged]] = []
    refused: list[Refusal] = []
    for number, key in enumerate(failing):
        trial = ToolTrial(table, key)
        judged = trial.judged()
        if (helping := _best(judged)) is not None:
            found.append((trial, helping))
        else:
            refused.append(Refusal(key, _reason(table, key, judged)))
        if progress:
            progress(number, 2 * len(failing))
    return _taken(table, found, refused)


def failing_tools(table: ScoreTable) -> tuple[str, ...]:
    """Return the tools that some question expects and does not put first, in order of keys."""
    keys = table.curator.index.keys
    return tuple(key for key in keys if (table.lead[table.expecting(key)] <= 0).any())


def effect_with(curator: Curator, ideas: Iterable[ToolIdea], before: Evaluation) -> Effect:
    """Return what some ideas do together, every test query asked again; those that become examples are left out."""
    registry = curator.index.registry
    return _effect(curator, [edit for idea in ideas for edit in idea.edits(registry)], before)


def _taken(
    table: ScoreTable, found: Sequence[tuple[ToolTrial, Judged]], refused: list[Refusal]
) -> tuple[tuple[ToolIdea, ...], tuple[Refusal, ...]]:
    """Take the ideas in order of their worth; each has to be worth it with those before."""
    ideas: list[ToolIdea] = []
    for trial, one in sorted(found, key=lambda pair: (-pair[1].worth, pair[0].tool)):
        again = _best(trial.judged()) if ideas else one
        if again is not None:
            ideas.append(again.idea)
            table.take(trial.tool, trial.index_with(again.idea), again.column)
        else:
            refused.append(Refusal(trial.tool, _OVERTAKEN))
    return tuple(ideas), tuple(sorted(refused, key=lambda one: one.tool))


def _best(judged: Sequence[Judged]) -> Judged | None:
    return next((one for one in judged if one.helps), None)


def _reason(table: ScoreTable, key: str, judged: Sequence[Judged]) -> str:
    if judged:
        return _NO_HELP
    return _FEW if len(table.expecting(key)) < 2 else _NO_WORD


def _asked(curator: Curator, idea: ToolIdea, before: Evaluation) -> ToolSuggestion:
    """Ask every test query with one idea."""
    effect = _effect(curator, list(idea.edits(curator.index.registry)), before)
    asked = [change for change in effect.open if change.after is not None]
    own = [change for change in asked if idea.tool in (change.case.expected or ())]
    others = [change for change in asked if idea.tool not in (change.case.expected or ())]
    losers = tuple(change for change in others if _turned(change) < 0)
    return ToolSuggestion(idea, _count(own), _count(others), losers, effect)


def _effect(curator: Curator, edits: Sequence[Edit], before: Evaluation) -> Effect:
    index = curator.index
    edited = index.registry.with_edits([edit for edit in edits if edit.tool])  # no ranking depends on test queries
    after = Curator(build_index(edited, index.encoder, index.store.cache_dir if index.store else None, previous=index), curator.settings)
    return effect_of(before, evaluate(after, _staying([one.case for one in before.results], edits)))


def _staying(cases: Sequence[TestQuery], edits: Sequence[Edit]) -> list[TestQuery]:
    """Return the test queries that do not become examples."""
    gone = {edit.old for edit in edits if edit.field == "test_query"}
    return [case for case in cases if case not in gone]


def _turned(change: QueryChange) -> int:
    """Return 1 where the right tool is first now and was not, -1 where it is no longer, else 0."""
    if change.before is None or change.after is None or not (change.before.metrics and change.after.metrics):
        return 0
    return int(change.after.metrics["hit@1"] - change.before.metrics["hit@1"])


def _count(changes: Sequence[QueryChange]) -> Count:
    turned = np.array([_turned(change) for change in changes], dtype=np.int64)
    return Count(int((turned > 0).sum()), int((turned < 0).sum()), len(turned))


def _firsts(changes: Sequence[QueryChange]) -> tuple[int, int, int]:
    """Return how many judged questions put the right tool first before and after, and how many there are."""
    pairs = [(one.before.metrics["hit@1"], one.after.metrics["hit@1"]) for one in changes if _is_judged(one) and one.before and one.after]
    return int(sum(before for before, _ in pairs)), int(sum(after for _, after in pairs)), len(pairs)


def _is_judged(change: QueryChange) -> bool:
    return all(side is not None and side.status == "judged" for side in (change.before, change.after))
