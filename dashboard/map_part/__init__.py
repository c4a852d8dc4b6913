"""Which part of a chart the browser shows, and whether it shows any marks yet.

Streamlit draws a changed chart anew, and what was zoomed into would be lost. It does not say either when a chart has been drawn.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from dashboard import session
from dashboard.overlap.map_chart import Part

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


@cache
def _component() -> ComponentRenderer:
    js = Path(__file__).with_name("map_part.js").read_text(encoding="utf-8")
    return st.components.v2.component("tool_curator_map_part", js=js)


def watch(chart: str, key: str) -> None:
    """Keep an eye on the plotly chart with the key `chart`; takes no place on the page."""
    nothing = lambda: None
    _component()(key=key, data={"chart": chart}, on_part_change=nothing, on_marks_change=nothing, width="content")


def shown_part(key: str) -> Part | None:
    """Return the part of the chart that was shown when it last came to rest, None before that."""
    found = (session.value(key) or {}).get("part")
    return (found[0], found[1], found[2], found[3]) if found else None


def has_marks(key: str) -> bool:
    """Say whether the browser has drawn marks that say what they stand for."""
    return bool((session.value(key) or {}).get("marks"))
