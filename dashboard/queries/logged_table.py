"""Logged questions as tables: groups of those that nothing answers well, and why. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import pandas as pd

from curator_core import DOUBTS, LoggedAnswer, LoggedBatch, QuestionGroup, ToolIndex
from dashboard.drafts.history_table import when
from dashboard.tables import decimals, plural, visible

DOUBT_WORDS = {
    "no tool": "no tool came",
    "unsure": "unsure",
    "no shared word": "no shared word",
    "weaker than your tests": "weaker than your test queries",
    "near tie": "near tie",
}
DOUBT_HELP = (
    "unsure: the best meaning match is below the unsure line. no shared word: no tool has a word of the question. weaker than your test "
    "queries: the best meaning match is below what nine in ten of your passing test queries reach. near tie: one place in one list would "
    "have put another tool first."
)
USUAL = tuple(doubt for doubt in DOUBTS if doubt != "near tie")


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of the logged questions. index: that was asked; line: the meaning match that nine in ten of the passing test queries
    reach, None where too few pass to say.
    """

    index: ToolIndex
    answers: tuple[LoggedAnswer, ...]
    line: float | None


def doubtful(answers: Sequence[LoggedAnswer], doubts: Collection[str]) -> tuple[LoggedAnswer, ...]:
    """Return the answers with one of these doubts."""
    return tuple(one for one in answers if set(doubts) & set(one.doubts))


def groups_table(groups: Sequence[QuestionGroup]) -> pd.DataFrame:
    """Return one row a group: how often it was asked, how many spellings it has, an example, and what speaks against the answers."""
    rows = [
        (
            group.asked,
            len(group.answers),
            visible(group.answers[0].question.text),
            ", ".join(map(visible, group.words)),
            ", ".join(DOUBT_WORDS[doubt] for doubt in DOUBTS if any(doubt in one.doubts for one in group.answers)),
        )
        for group in groups
    ]
    return pd.DataFrame(rows, columns=["asked", "questions", "such as", "words", "why"])


def answers_table(answers: Sequence[LoggedAnswer]) -> pd.DataFrame:
    """Return one row a question: how often it was asked, the first tools it brings, its best meaning match, and the doubts."""
    rows = [
        (
            one.question.count,
            visible(one.question.text),
            visible(", ".join(one.tools)) or "none",
            decimals(one.similarity, 2) or "–",
            ", ".join(DOUBT_WORDS[doubt] for doubt in one.doubts),
        )
        for one in answers
    ]
    return pd.DataFrame(rows, columns=["asked", "question", "brings now", "meaning", "why"])


def summary(found: Asked, weak: Sequence[LoggedAnswer]) -> str:
    """Say how many of the questions may not be answered well, and what counts as weak."""
    asked, doubted = (sum(one.question.count for one in some) for some in (found.answers, weak))
    said = f"Of {plural(asked, 'question')} asked ({len(found.answers):,} different), {doubted:,} may not be answered well."
    if found.line is None:
        return said
    return f"{said} A meaning match below {decimals(found.line, 2)} counts as weak: nine in ten of your passing test queries reach it."


def batch_text(batch: LoggedBatch) -> str:
    """Say in a line what was loaded, by whom and when."""
    asked = f"{plural(batch.questions, 'question')}, asked {plural(batch.asked, 'time')}"
    return visible(f"{batch.name} · {asked} · {batch.author} · {when(batch.at)}")
