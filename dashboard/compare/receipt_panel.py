"""Receipts on the screen: in the draft bar as a line that comes when it is there, on the review page in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from curator_core import CuratorError, Edit, Receipt, Registry
from curator_core.compare import ENOUGH
from dashboard import panels, session
from dashboard.compare.receipt_text import questions_text, receipt_about, receipt_frame, receipt_line
from dashboard.drafts.figures import Figures, figures_of, figures_of_draft
from dashboard.looks import look_every

_ASKED, _SEEN = "figures_asked", "figures_seen"  # the state of the draft whose figures are made; that was there a second ago
_WIDTH = 390  # of the place that is kept for the line while it is made
_TABLE = 640
_LINE_HELP = (
    "All test queries, asked with the registry's own settings: as published → with your edits. Fixed: all right tools stand in the first "
    "five now, and did not; broke: the other way round."
)


def draft_line() -> None:
    """Show in the draft bar what the draft does to the test queries, as soon as that is known."""
    with st.container(width=_WIDTH, horizontal=True, vertical_alignment="center", gap="small"):
        _line_of_draft()
        if panels.has_page("views/compare.py"):
            st.page_link("views/compare.py", label="Show effect", help="Every test query before and after, on the Compare page.")


def _line_of_draft() -> None:
    asked = (session.base(), session.overlay().draft.version)
    if session.value(_ASKED) != asked:  # typing may go on: a pause of a second begins the asking
        _line_soon(asked)
        return
    figures = figures_of_draft()
    if figures.receipt is None:
        _line_soon(asked)
    else:
        _line(figures)


@look_every(1)
def _line_soon(asked: tuple[Registry, int]) -> bool:
    begun = session.value(_SEEN) == asked
    session.put(_SEEN, asked)
    if begun:
        session.put(_ASKED, asked)
    figures = figures_of_draft() if begun else Figures()
    _line(figures)
    return figures.receipt is not None


def _line(figures: Figures) -> None:
    receipt = figures.receipt
    if receipt is None:
        st.badge("recall@5 …", icon=":material/hourglass_top:", color="grey", help=_LINE_HELP)
    elif receipt.missing:
        st.badge("no figures", icon=":material/info:", color="grey", help=receipt_line(receipt).replace("`", "'"))
    else:
        bad, good = bool(receipt.broke), bool(receipt.fixed)
        icon = ":material/trending_down:" if bad else ":material/trending_up:" if good else ":material/trending_flat:"
        st.badge(receipt_line(receipt), icon=icon, color="orange" if bad else "green" if good else "grey", help=_LINE_HELP)


def receipt_panel(kept: Any, key: str) -> None:
    """Show a receipt as it was kept with what was handed over or published."""
    receipt = Receipt.from_json(kept)
    if receipt is not None:
        _whole(receipt, key)


def receipt_now(edits: Sequence[Edit], key: str) -> None:
    """Show what edits do to the registry as it is now, as soon as that is known."""
    try:
        figures = figures_of(edits)
    except CuratorError:
        panels.note("No figures for the registry as it is now: these edits conflict with it.")
        return
    if figures.receipt is None:
        _now_soon(tuple(edits), key)
    else:
        _whole(figures.receipt, key)


@look_every(1)
def _now_soon(edits: tuple[Edit, ...], key: str) -> bool:
    receipt = figures_of(edits).receipt
    if receipt is None:
        panels.note("The test queries are being asked…")
    else:
        _whole(receipt, key)
    return receipt is not None


def _whole(receipt: Receipt, key: str) -> None:
    st.text(receipt_line(receipt))
    if receipt.missing:
        return
    column = st.column_config
    narrow = {name: column.TextColumn(width=80, alignment="right") for name in ("before", "after")}
    narrow["difference"] = column.TextColumn(
        width=150, alignment="right", help=f"After minus before; below {ENOUGH} queries nothing is said."
    )
    st.dataframe(
        receipt_frame(receipt),
        hide_index=True,
        key=f"{key}_figures",
        width=_TABLE,
        row_height=28,
        height="content",
        column_config={**narrow, "queries": column.NumberColumn(width=70, help="Test queries that are judged on both sides.")},
        alt="Figures of the test queries before and after",
    )
    for name, queries, count in (("Fixed", receipt.fixed_queries, receipt.fixed), ("Broke", receipt.broke_queries, receipt.broke)):
        if count:
            with st.expander(f"{name}: {count:,}", key=f"{key}_{name.lower()}"):
                st.text(questions_text(queries, count))
    st.caption(receipt_about(receipt))
