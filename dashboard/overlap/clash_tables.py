"""Clashes as tables, made from core records. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from curator_core import Clash, SwapCause
from dashboard.tables import decimals, plural, visible


def clashes_frame(clashes: Sequence[Clash]) -> pd.DataFrame:
    """Return the clashes, one a row, worst first."""
    return pd.DataFrame(
        {
            "#": range(1, len(clashes) + 1),
            "tool": [visible(clash.tools[0]) for clash in clashes],
            "and tool": [visible(clash.tools[1]) for clash in clashes],
            "harm": [decimals(clash.harm, 2) for clash in clashes],
            "swaps": [f"{clash.swaps}" for clash in clashes],
            "own questions": [f"{clash.steals} of {clash.asked}" for clash in clashes],
            "closeness": [decimals(clash.closeness, 2) for clash in clashes],
            "remarks": [visible(remarks(clash)) for clash in clashes],
            "shared words": [visible(", ".join(clash.shared_words)) for clash in clashes],
        }
    )


def remarks(clash: Clash) -> str:
    """Return what else there is to know of a pair, in few words."""
    siblings = f"stands for {len(clash.family)} siblings ({plural(clash.family_swaps, 'swap')})" if clash.family else ""
    alike = "they say the same" if clash.duplicate else ""
    apart = "" if clash.together else "no role sees both"
    return " · ".join(filter(None, (siblings, alike, apart, "same group" if clash.same_group else "")))


def swaps_frame(causes: Sequence[SwapCause]) -> pd.DataFrame:
    """Return the test queries of one of two tools that bring the other first, with what decides it."""
    swaps = [cause.result for cause in causes]
    return pd.DataFrame(
        {
            "test query": [visible(swap.case.query) for swap in swaps],
            "expects": [visible(", ".join(swap.case.expected or ())) for swap in swaps],
            "brings first": [visible(swap.tools[0]) for swap in swaps],
            "rank": [f"{swap.rank}" if swap.rank else "not in it" for swap in swaps],
            "what decides": [visible(decides(cause)) for cause in causes],
        }
    )


def decides(cause: SwapCause) -> str:
    """Return in few words what puts the tool first that is not wanted."""
    row = cause.row
    if cause.by_name and row is not None:
        return f"name rule: {', '.join(row.forced_by)}"
    words = {"dense": "meaning", "sparse": "words", "name order": "the order of names: equal scores", "pool": "the role"}
    return words.get(cause.versus.decided_by, "a part of the question")
