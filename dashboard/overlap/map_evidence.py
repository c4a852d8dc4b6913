"""What the author wants to see over the map, and where that comes from: the test queries, the clashes, the question, the draft."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import streamlit as st

from curator_core import Evaluation, ToolIndex, counted_results, dismissed_clashes, put_away, renamed_keys
from dashboard import session
from dashboard.overlap.clash_panel import worked_out
from dashboard.overlap.drawings import Drawing
from dashboard.overlap.map_overlay import Overlay, moved_tools, nearest_keys
from dashboard.resources import workbench

_EDGES = 60
_RETURNED_HELP = "The larger a mark, the more test queries have its tool in what an agent gets; held-out ones are not counted."
_EDGES_HELP = "A line between two tools that take each other's questions, the 60 worst. The Clashes tab has them as a list."


def evidence_wanted(index: ToolIndex) -> Overlay:
    """Let the author choose what to see over the map, and return it as far as it is known; what is still worked out is said beside it."""
    keep: dict[str, Any] = {"bind": "query-params", "persist_state": "session", "width": "content"}
    sized = st.checkbox("times returned", key="overlap_returned", help=_RETURNED_HELP, **keep)
    lined = st.checkbox("clashes", key="overlap_edges", help=_EDGES_HELP, **keep)
    known = worked_out(index) if sized or lined else None
    if known is None:
        return Overlay()
    evaluation, clashes = known
    left = put_away(clashes, index, dismissed_clashes(session.store()), _EDGES).clashes if lined else ()
    edges = tuple(clash.tools for clash in left if clash.swaps or clash.steals)
    return Overlay(_returned(evaluation) if sized else None, edges)


def over_the_map(index: ToolIndex, drawing: Drawing, question: str, evidence: Overlay) -> Overlay:
    """Return what to draw over the map: what the author chose, a question's lines, and the arrows of the draft."""
    near = nearest_keys(index, question, session.role(), session.settings()) if question else ()
    return replace(evidence, near=near, moved=_moved(index, drawing))


def _returned(evaluation: Evaluation) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(Counter(tool for result in counted_results(evaluation) for tool in result.tools[: result.given]).items()))


def _moved(index: ToolIndex, drawing: Drawing) -> tuple[tuple[str, tuple[float, float]], ...]:
    """Return what the draft moves, once both maps are there."""
    saved = session.saved_snapshot().read if session.edits() else None
    if saved is None or saved.fingerprint == index.fingerprint or drawing.layout is None:
        return ()
    before = workbench().drawings.of(saved).layout
    return () if before is None else moved_tools(before, drawing.layout, renamed_keys(session.edits(), index.keys))
