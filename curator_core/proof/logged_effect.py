"""What edits do to the questions that users really asked: whose answers change, the most asked first. Nobody has judged them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from curator_core.evaluation import Evaluation
from curator_core.proof.query_changes import QueryChange, change_between
from curator_core.queries.logged import LoggedQuestion
from curator_core.registry import Registry
from curator_core.text import folded_question
from curator_core.tool import TestQuery

ASKED_AT_MOST = 300  # different logged questions, the most asked; each is asked before and after every edit


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A logged question whose answer changed: other tools among its first 5, or sure before and unsure now, or back."""

    question: LoggedQuestion
    change: QueryChange

    @property
    def first(self) -> tuple[str, str]:
        """The first tool before and after, "" where there is none."""
        sides = (self.change.before, self.change.after)
        return tuple(side.tools[0] if side and side.tools else "" for side in sides)  # type: ignore[return-value]

    @property
    def unsure(self) -> tuple[bool, bool]:
        """Whether the answer was and is unsure."""
        before, after = self.change.before, self.change.after
        return bool(before and before.low_confidence), bool(after and after.low_confidence)


@dataclass(frozen=True, slots=True)
class LoggedEffect:
    """What edits do to logged questions.

    questions: how many different ones were asked; asked: how often in all; changes: the most asked first.
    """

    questions: int
    asked: int
    changes: tuple[LoggedChange, ...]

    @property
    def asked_changed(self) -> int:
        """How often users asked the questions whose answers change."""
        return sum(one.question.count for one in self.changes)


def logged_to_ask(questions: Iterable[LoggedQuestion], *registries: Registry, at_most: int = ASKED_AT_MOST) -> tuple[LoggedQuestion, ...]:
    """Return the most asked questions that no test query asks: those have a verdict already, and held-out ones must not be shown."""
    some = tuple(questions)
    if not some:
        return ()
    known = {folded_question(case.query) for registry in registries for case in registry.test_queries}
    return tuple(one for one in some if folded_question(one.text) not in known)[:at_most]


def logged_cases(questions: Iterable[LoggedQuestion]) -> tuple[TestQuery, ...]:
    """Return logged questions as test queries that nobody has judged, to be asked like these."""
    return tuple(TestQuery(one.text) for one in questions)


def effect_on_logged(
    questions: Sequence[LoggedQuestion], before: Evaluation, after: Evaluation, renames: Mapping[str, str] | None = None
) -> LoggedEffect:
    """Return what edits do to logged questions. before, after: `logged_cases` of them, asked on both sides; renames: see renamed_keys."""
    changes = []
    for question, was, now in zip(questions, before.results, after.results, strict=True):
        one = LoggedChange(question, change_between(was, now, renames or {}))
        if one.change.entered or one.change.left or one.first[0] != one.first[1] or one.unsure[0] != one.unsure[1]:
            changes.append(one)
    return LoggedEffect(len(questions), sum(one.count for one in questions), tuple(changes))
