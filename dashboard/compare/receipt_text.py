"""Receipts as a line, a table and lists of questions. Pure: no Streamlit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curator_core import Receipt
from curator_core.proof.paired import ENOUGH, TOO_FEW, too_few
from dashboard.tables import frame, visible

if TYPE_CHECKING:
    import pandas as pd

NAMES = {
    "hit@1": "first tool right (hit@1)",
    "recall@5": "right tools in the first 5 (recall@5)",
    "ndcg@10": "order of the first 10 (nDCG@10)",
}


def receipt_line(receipt: Receipt) -> str:
    """Say in a line what a change did: recall before and after, what it fixed and broke."""
    if receipt.missing:
        return visible(f"no figures: {receipt.missing}")
    told = f"{receipt.fixed:,} fixed · {receipt.broke:,} broke"
    if not receipt.is_telling:
        return f"{told} · {too_few(receipt.queries)}"
    return f"recall@5 {receipt.before['recall@5']:.2f} → {receipt.after['recall@5']:.2f} · {told}"


def receipt_frame(receipt: Receipt) -> pd.DataFrame:
    """Return one row a metric: before, after, the difference, and over how many queries; held-out ones apart."""
    rows = [(NAMES.get(name, name), was, receipt.after[name], receipt.queries) for name, was in receipt.before.items()]
    rows += [(f"held out: {NAMES.get(name, name)}", *pair, receipt.held_out_queries) for name, pair in receipt.held_out.items()]
    lines = [(name, f"{was:.3f}", f"{now:.3f}", _difference(now - was, count), count) for name, was, now, count in rows]
    return frame(lines, ["figure", "before", "after", "difference", "queries"])


def _difference(difference: float, queries: int) -> str:
    if queries < ENOUGH:
        return TOO_FEW
    return f"{difference:+.3f}" if abs(difference) >= 0.0005 else "="


def receipt_about(receipt: Receipt) -> str:
    """Say what was measured: the model, the index's fingerprint, and what else to know."""
    model = visible(receipt.model or "words only")
    note = f" · {visible(receipt.note)}" if receipt.note else ""
    return f"model {model} · index {receipt.fingerprint_before[:7]} → {receipt.fingerprint[:7]}{note}"


def questions_text(queries: tuple[str, ...], count: int) -> str:
    """Return questions one a line, and how many more there are."""
    lines = [visible(query) for query in queries]
    more = count - len(queries)
    return "\n".join([*lines, f"and {more:,} more, held-out ones among them"] if more else lines)
