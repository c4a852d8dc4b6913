"""What would it take? Phrases for a tool's extra context that bring it up for a question, each tried before it is offered.

No language model, nothing drawn by lot: words come from the question, the tool's other test queries and the synonyms, and each phrase
is offered with what it does to every test query. Held-out queries are counted, but neither read nor aimed at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curator_core.curator import Curator
from curator_core.evaluation import Evaluation, evaluate
from curator_core.proof.effects import Effect, effect_of
from curator_core.proof.query_changes import QueryChange
from curator_core.proof.query_result import RIGHT_WITHIN
from curator_core.registry import Edit, TestQuery
from curator_core.suggestions.phrase_trial import PhraseTrial, Progress
from curator_core.suggestions.phrases import Phrase
from curator_core.suggestions.shortfall import Shortfall, shortfall_of
from curator_core.text import plural

COSTLY = 0.005  # of other tools' mean recall@5: a phrase that costs them more comes after those that cost less
_NO_WORDS = "The question has no word about its matter that the tool's text does not have; write down more test queries for the tool."


@dataclass(frozen=True, slots=True)
class Count:
    """Of `queries` test queries, how many an edit sets right (fixed), and how many it breaks (broke)."""

    fixed: int
    broke: int
    queries: int

    @property
    def net(self) -> int:
        """How many more come out right."""
        return self.fixed - self.broke


@dataclass(frozen=True)
class Suggestion:
    """A phrase that was tried. edit: what adds it. before, after: the tool's rank for the question, None = in neither list.

    sisters: the other open test queries that expect the tool; others: the open ones of all other tools. recall: mean recall@5 of the
    others before and after, None where none is judged. effect: what becomes of every test query.
    """

    phrase: Phrase
    edit: Edit
    before: int | None
    after: int | None
    sisters: Count
    others: Count
    recall: tuple[float, float] | None
    effect: Effect

    @property
    def helps(self) -> bool:
        """Whether the tool stands among the first 5 with the phrase."""
        return self.after is not None and self.after <= RIGHT_WITHIN

    @property
    def costly(self) -> bool:
        """Whether other tools lose more than half a point of recall@5."""
        return self.recall is not None and self.recall[0] - self.recall[1] > COSTLY

    @property
    def useful(self) -> bool:
        """Whether it does anything for the question, or for another one of the tool."""
        rises = self.after is not None and (self.before is None or self.after < self.before)
        return rises or self.sisters.net > 0


@dataclass(frozen=True)
class Advice:
    """What a tool lacks for a question, and what would help.

    tried: how many phrases were tried; offered: the best of them, best first; reason: why none is offered, "" where some are.
    """

    query: str
    role: str | None
    shortfall: Shortfall
    tried: int
    offered: tuple[Suggestion, ...]
    reason: str = ""


def suggest(
    curator: Curator,
    query: str,
    tool: str,
    role: str | None = None,
    before: Evaluation | None = None,
    progress: Progress | None = None,
) -> Advice:
    """Say what would bring a tool into the first 5 for a question, with the curator's settings.

    before: all test queries of the registry as it is; None = they are asked here. progress: called with (questions asked, to ask).
    Raises UnknownName for a tool or role that does not exist.
    """
    registry = curator.index.registry
    asked = TestQuery(query, (tool,), role=role)
    lacks = shortfall_of(curator.curate(query, top_k=max(20, curator.settings.top_k), role=role), tool, RIGHT_WITHIN)
    if lacks.row is None:
        return Advice(query, role, lacks, 0, (), f"No text can help: {lacks.sentence}")
    trial = PhraseTrial(curator, asked, tool, before or evaluate(curator, registry.test_queries), progress)
    phrases = trial.chosen()
    if not phrases:
        return Advice(query, role, lacks, 0, (), _NO_WORDS)
    found = [_tried(trial, phrase, curator) for phrase, curator in zip(phrases, trial.edited(phrases), strict=True)]
    useful = sorted((one for one in found if one.useful), key=lambda one: (not one.helps, one.costly))  # stable: the most general first
    reason = "" if useful else f"None of the {plural(len(found), 'phrase')} tried brings the tool up."
    return Advice(query, role, lacks, len(found), tuple(useful), reason)


def _tried(trial: PhraseTrial, phrase: Phrase, curator: Curator) -> Suggestion:
    """Ask every test query with the phrase."""
    effect = effect_of(trial.before, trial.ask_all(curator))
    own, others = [], []
    for change in effect.open:
        if trial.tool not in (change.case.expected or ()):
            others.append(change)
        elif not trial.is_asked(change.case):
            own.append(change)
    before, after = (_rank(some, trial.asked) for some in (trial.curator, curator))
    return Suggestion(phrase, trial.edit(phrase), before, after, _count(own), _count(others), _recall(others), effect)


def _rank(curator: Curator, asked: TestQuery) -> int | None:
    (result,) = evaluate(curator, (asked,)).results
    return None if result.margin is None else result.margin.rank


def _count(changes: Sequence[QueryChange]) -> Count:
    fixed, broke = (sum(change.verdict == verdict for change in changes) for verdict in ("fixed", "broke"))
    return Count(fixed, broke, len(changes))


def _recall(changes: Sequence[QueryChange]) -> tuple[float, float] | None:
    pairs = [
        (change.before.metrics["recall@5"], change.after.metrics["recall@5"])
        for change in changes
        if change.before and change.after and change.before.status == change.after.status == "judged"
    ]
    if not pairs:
        return None
    before, after = zip(*pairs, strict=True)
    return sum(before) / len(pairs), sum(after) / len(pairs)
