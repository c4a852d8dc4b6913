"""What a draft does to questions before anybody saves: where tools stood, where they stand with the edits. No streamlit here."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import pandas as pd

from curator_core import Curator, Edit, Registry, Settings, TestQuery, Tool, Trace, without_held_out
from dashboard.tables import visible

WATCHED_AT_MOST = 12

Source = Literal["last question", "test query", "yours"]
Verdict = Literal["fixed", "broke", "moved"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question to watch. tools: keys, as the draft has them, of the tools whose rank counts (the best of them); role: who asks."""

    query: str
    tools: tuple[str, ...]
    source: Source
    role: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one question came out. rank: place of the best watched tool, None = in neither list; given: it is in the answer; first: key."""

    rank: int | None
    given: bool
    first: str


@dataclass(frozen=True, slots=True)
class Effect:
    """One question before and after. before, after: None where the question cannot be asked there, and why stands in note."""

    question: Question
    before: Outcome | None
    after: Outcome | None
    note: str = ""

    @property
    def change(self) -> str:
        """The change as a sign and a figure: ▲13, ▼2, =, new, gone; "in" or "out" where the tool came into the answer or fell out."""
        before = None if self.before is None else self.before.rank
        after = None if self.after is None else self.after.rank
        if before is None or after is None:
            return "new" if after is not None else "gone" if before is not None else "="
        sign = f"▲{before - after}" if before > after else f"▼{after - before}" if after > before else "="
        return sign + self._crossing()

    @property
    def better(self) -> int:
        """1 when the tool stands higher with the edit or has come into view, -1 when lower or gone, 0 when nothing changed."""
        sign = self.change[0]
        return 1 if sign in "▲n" else -1 if sign in "▼g" else 0

    def _crossing(self) -> str:
        before, after = bool(self.before and self.before.given), bool(self.after and self.after.given)
        return "" if before == after else ", in" if after else ", out"


@dataclass(frozen=True, slots=True)
class Moved:
    """A test query whose first tool is another with the edits. before, after: keys, "" for no answer."""

    case: TestQuery
    before: str
    after: str

    @property
    def verdict(self) -> Verdict:
        """Whether the first tool became right, became wrong, or is as right as it was."""
        right = self.case.expected or ()
        return "fixed" if self.after in right else "broke" if self.before in right else "moved"


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """How many of the questions get another first tool. asked: questions that could be asked on both sides; left: not asked yet."""

    asked: int
    changed: tuple[Moved, ...] = ()
    left: int = 0

    def count(self, verdict: Verdict) -> int:
        """Return how many of the changed questions have this verdict."""
        return sum(one.verdict == verdict for one in self.changed)


def watched_questions(
    registry: Registry, tools: Sequence[str], extra: Iterable[Question] = (), at_most: int = WATCHED_AT_MOST
) -> tuple[Question, ...]:
    """Return the questions to watch for some tools: the extra ones first, then test queries that expect one of the tools, none twice."""
    wanted = set(tools)
    tests = (
        Question(case.query, tuple(key for key in case.expected or () if key in wanted), "test query", case.role)
        for case in without_held_out(registry.test_queries)
        if wanted.intersection(case.expected or ())
    )
    chosen: dict[tuple[str, str | None], Question] = {}
    for question in (*extra, *tests):
        if question.query.strip():
            chosen.setdefault(_asked(question.query, question.role), question)
    return tuple(chosen.values())[:at_most]


def unwatched(cases: Iterable[TestQuery], watched: Iterable[Question]) -> tuple[TestQuery, ...]:
    """Return the test queries that are not among the watched questions."""
    seen = {_asked(question.query, question.role) for question in watched}
    return tuple(case for case in cases if _asked(case.query, case.role) not in seen)


def effects(
    before: Curator, after: Curator, questions: Iterable[Question], edits: Sequence[Edit] = (), settings: Settings | None = None
) -> tuple[Effect, ...]:
    """Ask every question on both sides. edits: those that lead from before to after, so that renamed tools are found again."""
    return tuple(_effect(before, after, question, edits, settings) for question in questions)


def elsewhere(
    before: Curator,
    after: Curator,
    cases: Iterable[TestQuery],
    edits: Sequence[Edit],
    seconds: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Elsewhere:
    """Ask test queries on both sides and list those whose first tool is another. seconds: stop after so long; None asks all."""
    cases, started, number = list(cases), time.monotonic(), 0
    asked, changed = 0, []
    for number, case in enumerate(cases, 1):
        was, now = (_first(curator, case) for curator in (before, after))
        if was is not None and now is not None:
            asked += 1
            if was != (key_before(edits, now) or ""):
                changed.append(Moved(case, was, now))
        if progress:
            progress(number, len(cases))
        if seconds is not None and time.monotonic() - started > seconds:
            break
    return Elsewhere(asked, tuple(changed), len(cases) - number)


def key_before(edits: Sequence[Edit], key: str) -> str | None:
    """Return the key that a tool of the draft had before the edits; None for a tool that they added."""
    for edit in reversed(edits):
        if edit.field == "tool" and isinstance(edit.new, Tool) and edit.tool == key:
            return None
        if edit.field in ("name", "group") and edit.inverse().tool == key:
            key = edit.tool
    return key


def _effect(before: Curator, after: Curator, question: Question, edits: Sequence[Edit], settings: Settings | None) -> Effect:
    was = tuple(key for key in (key_before(edits, tool) for tool in question.tools) if key is not None)
    sides: list[Outcome | None] = []
    note = ""
    for curator, tools in ((before, was), (after, question.tools)):
        if question.role is not None and question.role not in curator.index.registry.roles:
            note = f"no tool has the role {question.role} {'with the edit' if curator is after else 'in the saved text'}"
            sides.append(None)
            continue
        trace = curator.curate(question.query, role=question.role, settings=settings)
        note = note or trace.reason
        sides.append(_outcome(trace, tools))
    return Effect(question, sides[0], sides[1], note)


def _asked(query: str, role: str | None) -> tuple[str, str | None]:
    return query.strip().casefold(), role


def _outcome(trace: Trace, tools: Iterable[str]) -> Outcome:
    stories = [trace.story(tool) for tool in tools if tool in trace.registry]
    places = [story.place for story in stories if story.place is not None]
    beyond = [story.passes[0][2].rank for story in stories if story.passes and story.passes[0][2].rank is not None]
    rank = min(places) if places else min((rank for rank in beyond if rank is not None), default=None)
    return Outcome(rank, bool(places), trace.tools[0] if trace.tools else "")


def _first(curator: Curator, case: TestQuery) -> str | None:
    """Return the first tool of a test query's answer, "" when it has none, None where its role does not exist."""
    if case.role is not None and case.role not in curator.index.registry.roles:
        return None
    tools = curator.curate(case.query, role=case.role).tools
    return tools[0] if tools else ""


def summary(found: Sequence[Effect]) -> str:
    """Return how many questions got better, worse and stayed, in words."""
    better, worse = (sum(effect.better == sign for effect in found) for sign in (1, -1))
    return f"{better} better · {worse} worse · {len(found) - better - worse} unchanged"


def effects_table(found: Sequence[Effect]) -> pd.DataFrame:
    """Return one row a question: the change, the two ranks, the question, and the first tool on both sides."""
    rows = []
    for effect in found:
        first = [visible(outcome.first) if outcome else "" for outcome in (effect.before, effect.after)]
        firsts = first[0] if first[0] == first[1] else f"{first[0] or 'none'} → {first[1] or 'none'}"
        about = f"{effect.question.source}{f', {effect.question.role}' if effect.question.role else ''}"
        ranks = (_rank(effect.before), _rank(effect.after))
        rows.append((effect.change, *ranks, visible(effect.question.query), firsts, visible(effect.note or about)))
    return pd.DataFrame(rows, columns=["change", "rank saved", "rank with edit", "question", "first tool", "from"])


def moved_table(found: Sequence[Moved]) -> pd.DataFrame:
    """Return one row a test query whose first tool changed: those that broke first."""
    order = {"broke": 0, "fixed": 1, "moved": 2}
    words = {"broke": "▼ was right", "fixed": "▲ now right", "moved": "other tool"}
    rows = [
        (words[one.verdict], visible(one.case.query), visible(one.before) or "none", visible(one.after) or "none")
        for one in sorted(found, key=lambda one: order[one.verdict])
    ]
    return pd.DataFrame(rows, columns=["change", "question", "first tool saved", "with edit"])


def _rank(outcome: Outcome | None) -> str:
    """Write a rank; in brackets where the tool is ranked but not given to the agent."""
    if outcome is None or outcome.rank is None:
        return "–"
    return str(outcome.rank) if outcome.given else f"({outcome.rank})"
