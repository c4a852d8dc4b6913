"""Audits of the name rule and of the split as tables and figures, made from core records. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from curator_core import Audit, AuditCase, ForcedTool
from curator_core.proof.audits import Ranks
from dashboard.tables import visible

_WORDS = {"helped": "▲ helped", "hurt": "▼ hurt", "same": "="}
_TOUCHED = {
    "name rule": ("forced", "Test queries in which the rule puts at least one tool first."),
    "split": ("split", "Test queries that the split cuts into parts."),
}

_SOFT = ("moved", "Test queries in which a name that is said moves a right tool; where the rule is soft it puts none first.")


def figures(audit: Audit, stage: str) -> tuple[tuple[str, str, str], ...]:
    """Return (name, value, help) of the figures of an audit. stage: "name rule" or "split"."""
    name, help = _SOFT if audit.soft else _TOUCHED[stage]
    return (
        (name, f"{len(audit.cases)} of {audit.queries}", f"{help} Of those that name a right tool; held-out ones are not asked."),
        ("helped", f"{audit.count('helped')}", "The right tools stand higher with it than without it (by the sum of 1 / rank)."),
        ("hurt", f"{audit.count('hurt')}", "The right tools stand lower with it than without it (by the sum of 1 / rank)."),
        ("displaced", f"{audit.displaced}", "Only without it does a right tool stand in the first 5, where it should."),
        ("brought in", f"{audit.brought}", "Only with it does a right tool stand in the first 5, where it should."),
    )


def cases_frame(cases: Sequence[AuditCase], soft: bool = False) -> pd.DataFrame:
    """Return the questions that a stage changes, one a row, those that it hurts first. soft: it adds to scores and puts no tool first."""
    changed = [case for case in cases if case.outcome != "same"]
    frame = pd.DataFrame(
        {
            "outcome": [_WORDS[case.outcome] for case in changed],
            "test query": [visible(case.case.query) for case in changed],
            "right tools, rank without → with": [visible(_moved(case.without, case.with_)) for case in changed],
        }
    )
    if any(case.parts for case in changed):
        frame["parts"] = [visible(" · ".join(case.parts)) for case in changed]
    else:
        frame["lifted most, by these words" if soft else "put first, by these words"] = [visible(_named(case)) for case in changed]
    return frame


def forced_frame(tools: Sequence[ForcedTool], soft: bool = False) -> pd.DataFrame:
    """Return the tools that the name rule puts first, or lifts where it is soft, one a row, those that hurt most first."""
    return pd.DataFrame(
        {
            "tool": [visible(one.key) for one in tools],
            "lifted" if soft else "put first": [f"{one.forced}" for one in tools],
            "of that right": [f"{one.right}" for one in tools],
            "hurt others": [f"{one.hurt}" for one in tools],
            "words of its name": [visible(", ".join(one.words)) for one in tools],
        }
    )


def _moved(without: Ranks, with_: Ranks) -> str:
    after = dict(with_)
    return ", ".join(f"{key} {rank or 'out'} → {after[key] or 'out'}" for key, rank in without)


def _named(case: AuditCase) -> str:
    return ", ".join(f"{key} ({', '.join(words)})" for key, words in case.forced)
