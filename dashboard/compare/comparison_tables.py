"""A comparison of two runs as tables, and the picture's lines. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from curator_core import Comparison, MetricChange, QueryChange, is_held_out
from curator_core.proof.paired import ENOUGH, TOO_FEW
from curator_core.proof.query_changes import Verdict
from dashboard.compare.rank_lines import SHOWN, Line
from dashboard.tables import decimals, moved, visible

SIGNS: dict[Verdict, str] = {
    "broke": "▼ broke",
    "fixed": "▲ fixed",
    "still failing": "✕ still failing",
    "moved": "⇅ moved",
    "unknown": "? unknown",
    "still right": "= still right",
}
NAMES = {
    "hit@1": "right tool first",
    "recall@5": "found in the first 5",
    "recall@10": "found in the first 10",
    "recall@20": "found in the first 20",
    "all@5": "all of them in the first 5",
    "all@10": "all of them in the first 10",
    "all@20": "all of them in the first 20",
    "mrr": "mean of 1 / rank",
    "ndcg@10": "order of the first 10",
}
_SHOWN_METRICS = ("hit@1", "recall@5", "recall@10", "recall@20", "all@10", "mrr", "ndcg@10")
_TAG_METRICS = ("hit@1", "recall@5", "ndcg@10")


def metrics_frame(metrics: Sequence[MetricChange], enough: int) -> pd.DataFrame:
    """Return one row a metric: before, after, difference with its interval, wins and losses, n. enough: questions for an interval."""
    rows = [
        {
            "figure": f"{one.name} · {NAMES[one.name]}",
            "before": decimals(one.before, 3),
            "after": decimals(one.after, 3),
            "difference": signed(one.difference) if one.queries >= enough else TOO_FEW,
            "95 % interval": f"{signed(one.interval[0])} … {signed(one.interval[1])}" if one.interval else "–",
            "better": one.wins,
            "worse": one.losses,
            "same": one.ties,
            "n": one.queries,
        }
        for one in metrics
        if one.name in _SHOWN_METRICS
    ]
    return pd.DataFrame(rows)


def changes_frame(changes: Sequence[QueryChange]) -> pd.DataFrame:
    """Return one row a question: what became of it, its tool's ranks, and which tools came and went among the first."""
    rows = [
        {
            "what": SIGNS[change.verdict] + (" !" if change.case.critical else ""),
            "question": visible(change.case.query),
            "before": rank_text(change.rank_before),
            "after": rank_text(change.rank_after),
            "change": moved(change.rank_before, change.rank_after),
            "tool": ", ".join(map(visible, change.case.expected or ())) or ("no tool" if change.case.expected == () else "–"),
            "came in": ", ".join(map(visible, change.entered)),
            "went out": ", ".join(map(visible, change.left)),
            "tags": ", ".join(map(visible, change.case.tags)),
            "note": visible(change.note),
        }
        for change in changes
    ]
    return pd.DataFrame(rows, columns=["what", "question", "before", "after", "change", "tool", "came in", "went out", "tags", "note"])


def unjudged_frame(changes: Sequence[QueryChange]) -> pd.DataFrame:
    """Return one row a question that nobody has judged: how alike both answers are, the least alike first."""
    known = [(change.overlap, change.case.query, change) for change in changes if change.overlap is not None]
    rows = []
    for overlap, query, change in sorted(known, key=lambda one: one[:2]):
        moves = [", ".join(map(visible, names)) for names in (change.entered, change.left)]
        rows.append((visible(query), decimals(overlap, 2), decimals(change.jaccard, 2), *moves))
    return pd.DataFrame(rows, columns=["question", "alike", "shared", "came in", "went out"])


def groups_frame(comparison: Comparison, by: str) -> pd.DataFrame:
    """Return one row a tag (or role): n, fixed, broke, and the main figures on both sides. by: "tag" or "role"."""
    groups = comparison.by_tag if by == "tag" else comparison.by_role
    rows = []
    for group in groups:
        figures = {one.name: one for one in group.metrics}
        cells = {name: _pair(figures[name]) for name in _TAG_METRICS if name in figures}
        counts = {by: visible(group.name) or "(none)", "n": group.queries, "fixed": group.fixed, "broke": group.broke}
        rows.append(counts | cells | {"remark": "" if group.queries >= ENOUGH else TOO_FEW})
    return pd.DataFrame(rows, columns=[by, "n", "fixed", "broke", *_TAG_METRICS, "remark"])


def shown_changes(comparison: Comparison, verdicts: Sequence[Verdict], tag: str | None) -> tuple[QueryChange, ...]:
    """Return the changes to list: of these verdicts, worst first, none of the held-out questions."""
    order = {verdict: at for at, verdict in enumerate(SIGNS)}
    wanted = [one for one in comparison.having(*verdicts) if not is_held_out(one.case) and tag in (None, *one.case.tags)]
    return tuple(sorted(wanted, key=lambda one: (order[one.verdict], not one.case.critical)))


def lines_of(changes: Sequence[QueryChange]) -> tuple[Line, ...]:
    """Return the picture's lines: of the first questions whose tool is ranked on a side."""
    ranked = [one for one in changes if one.rank_before or one.rank_after]
    return tuple(Line(one.case.query, one.rank_before, one.rank_after) for one in ranked[:SHOWN])


def rank_text(rank: int | None) -> str:
    """Return a rank, "–" for none."""
    return "–" if rank is None else str(rank)


def signed(number: float) -> str:
    """Return a difference with its sign and three decimals."""
    return f"{number:+.3f}".replace("-", "−") if round(number, 3) else "0"


def _pair(one: MetricChange) -> str:
    before, after = decimals(one.before, 3), decimals(one.after, 3)
    return before if before == after else f"{before} → {after}"
