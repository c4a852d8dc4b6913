"""The questions that an author watches: where their tools stood, where they stand with the edits; and tables of it. No streamlit here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from weakref import WeakKeyDictionary

import pandas as pd

from curator_core import (
    CloserPair,
    Curator,
    Edit,
    LoggedEffect,
    Push,
    Registry,
    Settings,
    ToolIndex,
    Trace,
    key_before,
    renames_between,
    without_held_out,
)
from curator_core.proof.logged_effect import LoggedChange
from curator_core.proof.query_changes import Verdict
from dashboard.tables import decimals, plural, visible

WATCHED_AT_MOST = 12
_KNOWN_AT_MOST = 1_000  # questions

Source = Literal["last question", "test query", "yours"]
_Asked = tuple[str, str | None, tuple[str, ...], Settings]


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


_known: WeakKeyDictionary[ToolIndex, dict[_Asked, tuple[Outcome, str]]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Watched:
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


def watch(
    before: Curator, after: Curator, questions: Iterable[Question], edits: Sequence[Edit] = (), settings: Settings | None = None
) -> tuple[Watched, ...]:
    """Ask every question on both sides. edits: those that lead from before to after, so that renamed tools are found again."""
    back = {now: was for was, now in renames_between(before.index.registry, after.index.registry, edits).items()}
    return tuple(_watched(before, after, question, edits, settings, back) for question in questions)


def _watched(
    before: Curator, after: Curator, question: Question, edits: Sequence[Edit], settings: Settings | None, back: Mapping[str, str]
) -> Watched:
    was = tuple(key for key in (back.get(tool) or key_before(edits, tool) for tool in question.tools) if key is not None)
    sides: list[Outcome | None] = []
    note = ""
    for curator, tools in ((before, was), (after, question.tools)):
        if question.role is not None and question.role not in curator.index.registry.roles:
            note = f"no tool has the role {question.role} {'with the edits' if curator is after else 'in the published text'}"
            sides.append(None)
            continue
        outcome, reason = (_published if curator is before else _asked_now)(curator, question, tools, settings)
        note = note or reason
        sides.append(outcome)
    return Watched(question, sides[0], sides[1], note)


def _asked_now(curator: Curator, question: Question, tools: tuple[str, ...], settings: Settings | None) -> tuple[Outcome, str]:
    """Return how a question comes out, and why with nothing."""
    trace = curator.curate(question.query, role=question.role, settings=settings)
    return _outcome(trace, tools), trace.reason


def _published(curator: Curator, question: Question, tools: tuple[str, ...], settings: Settings | None) -> tuple[Outcome, str]:
    """The same, kept for the registry that is edited: nobody's edits change it."""
    known = _known.setdefault(curator.index, {})
    key = (question.query, question.role, tools, settings or curator.settings)
    found = known.get(key)
    if found is None:
        if len(known) >= _KNOWN_AT_MOST:
            known.clear()
        found = known[key] = _asked_now(curator, question, tools, settings)
    return found


def _asked(query: str, role: str | None) -> tuple[str, str | None]:
    return query.strip().casefold(), role


def _outcome(trace: Trace, tools: Iterable[str]) -> Outcome:
    stories = [trace.story(tool) for tool in tools if tool in trace.registry]
    places = [story.place for story in stories if story.place is not None]
    beyond = [story.passes[0][2].rank for story in stories if story.passes and story.passes[0][2].rank is not None]
    rank = min(places) if places else min((rank for rank in beyond if rank is not None), default=None)
    return Outcome(rank, bool(places), trace.tools[0] if trace.tools else "")


def summary(found: Sequence[Watched]) -> str:
    """Return how many questions got better, worse and stayed, in words."""
    better, worse = (sum(one.better == sign for one in found) for sign in (1, -1))
    return f"{better} better · {worse} worse · {len(found) - better - worse} unchanged"


def watched_table(found: Sequence[Watched]) -> pd.DataFrame:
    """Return one row a question: the change, the two ranks, the question, and the first tool on both sides."""
    rows = []
    for one in found:
        first = [visible(outcome.first) if outcome else "" for outcome in (one.before, one.after)]
        firsts = first[0] if first[0] == first[1] else f"{first[0] or 'none'} → {first[1] or 'none'}"
        about = f"{one.question.source}{f', {one.question.role}' if one.question.role else ''}"
        ranks = (_rank(one.before), _rank(one.after))
        rows.append((visible(one.question.query), one.change, *ranks, firsts, visible(one.note or about)))
    return pd.DataFrame(rows, columns=["question", "change", "published", "with edits", "first tool", "from"])


def pushes_table(pushes: Sequence[Push]) -> pd.DataFrame:
    """Return one row a pair of tools: which came into the first 5 where which went out, and for how many questions."""
    rows = [(visible(push.tool), visible(push.out), push.questions) for push in pushes]
    return pd.DataFrame(rows, columns=["came in", "went out", "questions"])


def closer_table(pairs: Sequence[CloserPair]) -> pd.DataFrame:
    """Return one row a pair of tools that the edits bring closer."""
    rows = [(visible(one.tool), visible(one.other), decimals(one.before, 2), decimals(one.after, 2)) for one in pairs]
    return pd.DataFrame(rows, columns=["tool", "comes closer to", "published", "with edits"])


def logged_effect_text(effect: LoggedEffect) -> str:
    """Say how many of the logged questions are answered otherwise with the edits; nobody has judged them."""
    asked = f"Logged questions ({effect.questions:,}, asked {plural(effect.asked, 'time')})"
    if not effect.changes:
        return f"{asked}: no answer changes"
    more, less = (sum(one.unsure == sides for one in effect.changes) for sides in ((False, True), (True, False)))
    doubt = "".join(f" · {number:,} {said}" for number, said in ((more, "unsure now"), (less, "no longer unsure")) if number)
    return f"{asked}: {plural(len(effect.changes), 'answer')} changed, asked {plural(effect.asked_changed, 'time')}{doubt}"


def logged_effect_table(changes: Sequence[LoggedChange]) -> pd.DataFrame:
    """Return one row a logged question whose answer changes."""
    rows = []
    for one in changes:
        was, now = (visible(tool) or "none" for tool in one.first)
        entered, left = (", ".join(map(visible, tools)) for tools in (one.change.entered, one.change.left))
        sure = {(False, True): "unsure now", (True, False): "no longer unsure"}.get(one.unsure, "")
        first = was if was == now else f"{was} → {now}"
        rows.append((one.question.count, visible(one.question.text), first, entered, left, sure))
    return pd.DataFrame(rows, columns=["asked", "question", "first tool", "came in", "went out", "sure"])


def verdicts_text(counts: Mapping[Verdict, int]) -> str:
    """Return how many questions have each verdict, in words; those that stayed right are not said."""
    return " · ".join(f"{counts[verdict]:,} {verdict}" for verdict in ("fixed", "broke", "still failing", "moved", "unknown"))


def _rank(outcome: Outcome | None) -> str:
    """Write a rank; in brackets where the tool is ranked but not given to the agent."""
    if outcome is None or outcome.rank is None:
        return "–"
    return str(outcome.rank) if outcome.given else f"({outcome.rank})"
