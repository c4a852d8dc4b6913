"""Word X-ray of a tool: which of its words and phrases help its test queries, hurt them, or do nothing."""

from __future__ import annotations

import streamlit as st

from curator_core import Xray, without_held_out, xray
from curator_core.compare import ENOUGH
from dashboard import panels, session
from dashboard.jobs import Job
from dashboard.looks import look_every
from dashboard.resources import workbench
from dashboard.tools.xray_table import dead_phrases, drawn_pieces, xray_chart, xray_frame, xray_summary

_PATIENCE_SECONDS = 0.5
_ROW, _HEIGHT, _DEAD = 28, 320, 12
_OPENED, _JOB = "xray_of", "xray_job"


@st.fragment
def xray_panel(tool: str) -> None:
    """Offer the X-ray of a tool; once it was asked for, it follows the tool's text."""
    with st.expander("Word X-ray: which words help, hurt or do nothing", icon=":material/radiology:", key="xray"):
        cases = [case for case in without_held_out(session.registry().test_queries) if tool in (case.expected or ())]
        if not cases:
            panels.note("No test query expects this tool: write one, and its words can be judged by it.")
        elif not session.snapshot_now().finished:
            panels.note("The model is reading the texts; the words can be judged in a moment.")
        elif session.value(_OPENED) != tool:
            st.button(
                "Judge its words", key="xray_start", icon=":material/play_arrow:", help=_HELP, on_click=lambda: session.put(_OPENED, tool)
            )
        else:
            _follow(tool)


def _follow(tool: str) -> None:
    curator, cases = session.curator(), session.registry().test_queries
    key = (curator.index.fingerprint, curator.settings, cases, tool)
    job = workbench().xrays.of(key, lambda report: xray(curator, tool, report, cases), 0, session.value(_JOB))
    session.put(_JOB, job)
    if not job.wait(_PATIENCE_SECONDS):
        _progress(job)
    elif job.result is None:
        panels.message("The words could not be judged", job.error)
    else:
        _result(job.result)


@look_every(1)
def _progress(job: Job[Xray]) -> None:
    if job.finished:
        st.rerun(scope="app")
    st.progress(job.done / max(job.total, 1), f"Leaving words out: {job.done:,} of {job.total:,}")


def _result(found: Xray) -> None:
    st.caption(xray_summary(found), help=_HELP)
    if found.queries < ENOUGH:
        panels.note(f"Too few queries to say more than this (n = {found.queries}): take it as a hint, not as a verdict.")
    if drawn_pieces(found):
        st.plotly_chart(
            xray_chart(found),
            key="xray_chart",
            config={"displayModeBar": False},
            alt="How many places the tool stands higher with each word or phrase, in the mean; the table below has the same figures",
        )
    if dead := dead_phrases(found):
        more = f" and {len(dead) - _DEAD} more" if len(dead) > _DEAD else ""
        st.text(f"Phrases that are dead weight: {', '.join(dead[:_DEAD])}{more}")
    frame = xray_frame(found.pieces)
    st.dataframe(
        frame,
        hide_index=True,
        key="xray_rows",
        row_height=_ROW,
        height=min(_HEIGHT, _ROW * (len(frame) + 1) + 10),
        column_config={name: st.column_config.Column(width=width, help=said) for name, (width, said) in _COLUMNS.items()},
        alt="Each word and phrase of the tool with what it is worth to the tool's test queries",
    )


_HELP = (
    "Each word and phrase of description, extra context and synonyms is left out in turn, and the tool's test queries are asked again: "
    "what they lose without it is what it is worth. helps, hurts: some query ranks the tool higher, or lower, with it. in reserve: it "
    "adds to a match and moves no rank yet. dead weight: it adds to nothing. Held-out queries are not asked."
)
_COLUMNS = {
    "word or phrase": (124, "As it is written; a word counts once a field, wherever it stands there."),
    "stands in": (110, "The field; for a synonym, the term of its rule. Without it other tools that the rule reaches lose it too."),
    "verdict": (100, "▲ helps, ▼ hurts, ▲▼ both, = in reserve (adds to a match, moves no rank), – dead weight (adds nothing)."),
    "places": (52, "How many places the tool stands higher with it, in the mean over its test queries; below 0: lower."),
    "helps": (56, "Test queries that rank the tool higher with it."),
    "hurts": (56, "Test queries that rank the tool lower with it."),
    "keeps in": (66, "Test queries in which the tool is among the first 5 only with it."),
    "keeps out": (70, "Test queries in which the tool is among the first 5 only without it."),
    "meaning": (66, "What it adds to meaning match (cosine similarity), in the mean."),
    "words": (60, "What it adds to word match (BM25), in the mean."),
}
