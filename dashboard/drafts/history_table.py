"""The history as a table, and what putting something back means as edits. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from curator_core import Edit, Receipt, Revision, Submission
from dashboard.tables import frame, plural, visible

if TYPE_CHECKING:
    import pandas as pd

_KINDS = {"first": "found", "published": "published", "outside": "changed outside", "set aside": "set aside"}


def revisions_table(revisions: Sequence[Revision]) -> pd.DataFrame:
    """Return the revisions: number, when, who, why, what, and what it did to the test queries."""
    rows = [
        (
            one.number,
            when(one.at),
            visible(one.author) or "–",
            visible(one.reason) or _KINDS[one.kind],
            what(one.edits),
            effect(one),
            _KINDS[one.kind],
        )
        for one in revisions
    ]
    return frame(rows, ["revision", "when", "who", "why", "what", "test queries", "kind"])


def when(at: datetime) -> str:
    """Return a time as this computer's clock has it."""
    return f"{at.astimezone():%Y-%m-%d %H:%M}"


def what(edits: Sequence[Edit]) -> str:
    """Say in a few words what edits are about."""
    names = list(dict.fromkeys(visible(edit.tool) or "test queries" for edit in edits))
    if not names:
        return "–"
    return f"{plural(len(edits), 'edit')}: {', '.join(names[:3])}{', …' if len(names) > 3 else ''}"


def effect(one: Revision) -> str:
    """Say what a revision fixed and broke, "" where that was not measured."""
    receipt = Receipt.from_json(one.receipt)
    return "" if receipt is None or receipt.missing else f"{receipt.fixed:,} fixed · {receipt.broke:,} broke"


def headline(one: Revision) -> str:
    """Say who made a revision, when and why."""
    approved = f" · approved by {one.approved_by}" if one.approved_by else ""
    reason = f" · {one.reason}" if one.reason else ""
    return visible(f"Revision {one.number} · {_KINDS[one.kind]} · {one.author or 'nobody known'} · {when(one.at)}{approved}{reason}")


def submission_text(one: Submission) -> str:
    """Say in a line what was handed over, by whom and when."""
    return visible(f"{one.author} · {when(one.at)} · {what(one.edits)} · {one.state}")
