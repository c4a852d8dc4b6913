"""Magnets and ghosts as tables, made from core records. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from curator_core import Ghost, Magnet
from dashboard.tables import visible


def magnets_frame(magnets: Sequence[Magnet]) -> pd.DataFrame:
    """Return the magnets, one a row, worst first."""
    return pd.DataFrame(
        {
            "tool": [visible(one.key) for one in magnets],
            "returned": [f"{one.returned}" for one in magnets],
            "first": [f"{one.first}" for one in magnets],
            "wrongly": [f"{one.wrongly}" for one in magnets],
            "by name": [f"{one.by_name}" for one in magnets],
            "draws": [f"{one.pull:.1f}" for one in magnets],
            "words that cause it": [visible(", ".join(one.words)) or "–" for one in magnets],
        }
    )


def ghosts_frame(ghosts: Sequence[Ghost]) -> pd.DataFrame:
    """Return the ghosts, one a row, those that test queries expect first."""
    return pd.DataFrame(
        {
            "tool": [visible(one.key) for one in ghosts],
            "expected": [f"{one.expected}" for one in ghosts],
            "own questions": [f"{one.found} of {one.asked}" for one in ghosts],
            "words it shares": [visible(", ".join(one.shared)) or "–" for one in ghosts],
        }
    )
