"""Compare: two states of the registry, two profiles, or a saved run, question by question."""

from __future__ import annotations

import json
from collections.abc import Sequence

import streamlit as st

from curator_core import Comparison, Evaluation, QueryChange, compare_runs, comparison_markdown
from curator_core.compare import ENOUGH
from curator_core.proof.paired import too_few
from curator_core.proof.query_changes import Verdict
from dashboard import panels, session
from dashboard.compare.comparison_tables import (
    NAMES,
    SIGNS,
    changes_frame,
    groups_frame,
    lines_of,
    metrics_frame,
    shown_changes,
    unjudged_frame,
)
from dashboard.compare.rank_lines import LAST, SHOWN, rank_lines
from dashboard.compare.sides import DRAFT, PUBLISHED, Chosen, Measured, choose_side, measured, questions, renamed
from dashboard.looks import look_every
from dashboard.tables import plural, visible

_ROW, _HEIGHT = 28, 480
_FIRST: tuple[Verdict, ...] = ("broke", "fixed", "still failing", "moved")
LIST, LINES, GROUPS, UNJUDGED = map(panels.tab, ("Questions", "Rank lines", "By tag and role", "Not judged"))


def show() -> None:
    """Show the page: the two sides, then what changed between them."""
    if not session.registry().test_queries:
        st.info(_NO_QUERIES, icon=":material/info:")
    _follow_draft()
    left, right = st.columns(2, gap="medium")
    with left:
        before = choose_side("Before", "before", PUBLISHED)
    with right:
        after = choose_side("After", "after", DRAFT if session.edits() else PUBLISHED)
    if before is None or after is None:
        return
    result(before, after)


def _follow_draft() -> None:
    """Turn to the draft when there is one since the last look: that is what the page was opened for."""
    if session.value("compare_had_draft") is False and session.edits() and session.value("after") == PUBLISHED:
        session.put("after", DRAFT)
    session.put("compare_had_draft", bool(session.edits()))


def result(before: Chosen, after: Chosen) -> None:
    """Show the comparison once both sides are measured, and until then how far they are."""
    names = renamed(before, after)
    sides = [measured(side, cases) for side, cases in zip((before, after), questions(before, after, names), strict=True)]
    if any(not side.finished for side in sides):
        _progress(sides)
        return
    for side in sides:
        if side.error:
            panels.message(f"No figures of one side: {side.name}", side.error)
    first, second = (side.evaluation for side in sides)
    if first is None or second is None:
        return
    if before == after:
        panels.note("Both sides are the same: choose another state, or other settings, on one of them.")
    if first.model != second.model:
        panels.note("The two sides were made with different models: a difference may be the model's, not the text's.")
    compared = compare_runs(first, second, names, (before.name, after.name))
    _headline(compared)
    _tabs(compared)
    _take_along(compared, first, second)


@look_every(1)
def _progress(sides: Sequence[Measured]) -> None:
    """Show how far each side is, and the result once both are there."""
    if all(side.finished for side in sides):
        st.rerun(scope="app")
    for side in sides:
        st.progress(side.share, visible(side.told))


def _headline(compared: Comparison) -> None:
    st.text(visible(compared.headline))
    frame = metrics_frame(compared.metrics, ENOUGH)
    if frame.empty:
        panels.note("No question is judged on both sides; the tab “Not judged” says how alike the answers are.")
        return
    column = st.column_config
    st.dataframe(
        frame,
        hide_index=True,
        key="compare_metrics",
        row_height=_ROW,
        height="content",
        column_config={
            "figure": column.TextColumn(width=240, help="; ".join(f"{name}: {said}" for name, said in NAMES.items())),
            **{name: column.TextColumn(width=90, alignment="right") for name in ("before", "after")},
            "difference": column.TextColumn(width=150, alignment="right", help=_DIFFERENCE),
            "95 % interval": column.TextColumn(width=150, alignment="right", help=_INTERVAL),
            "better": column.NumberColumn(width=70, help="Questions for which this figure rose."),
            "worse": column.NumberColumn(width=70, help="Questions for which it fell."),
            "same": column.NumberColumn(width=70),
            "n": column.NumberColumn(width=60, help="Questions that are judged on both sides, without the held-out ones."),
        },
        alt="Each figure before and after, with the number of questions",
    )
    _apart(compared)


def _apart(compared: Comparison) -> None:
    """Say what is counted apart: held-out questions and those that no tool fits."""
    if compared.held_out:
        figure = next(one for one in compared.held_out if one.name == "recall@5")
        mean = too_few(figure.queries) or f"recall@5 {figure.before:.3f} → {figure.after:.3f}"
        panels.note(f"Held out, never listed: {plural(figure.queries, 'question')}, {mean}.")
    flagged = compared.no_tool
    if flagged["queries"]:
        counted = f"{flagged['before']} → {flagged['after']} of {flagged['queries']}"
        few = too_few(flagged["queries"])
        panels.note(f"Questions that no tool fits: {counted} are answered as unsure{f'; {few}' if few else ''}.")


def _tabs(compared: Comparison) -> None:
    changes = _filtered(compared)
    listed, lines, groups, unjudged = st.tabs([LIST, LINES, GROUPS, UNJUDGED], key="compare_tab", on_change="rerun")
    if listed.open:
        with listed:
            _questions(changes)
    if lines.open:
        with lines:
            _lines(compared, changes)
    if groups.open:
        with groups:
            _groups(compared)
    if unjudged.open:
        with unjudged:
            _unjudged(compared)


def _filtered(compared: Comparison) -> tuple[QueryChange, ...]:
    """Let the author choose which questions to see."""
    chips, tags = st.columns((5, 2), vertical_alignment="bottom")
    with chips:
        chosen = st.pills(
            "What became of the questions",
            tuple(SIGNS),
            selection_mode="multi",
            default=_FIRST,
            key="compare_verdicts",
            format_func=lambda one: panels.pill(f"{SIGNS[one]} {compared.counts[one]:,}"),
            persist_state="session",
            help=_VERDICTS,
        )
    with tags:
        known = [group.name for group in compared.by_tag]
        if session.value("compare_tag") not in (None, *known):
            session.put("compare_tag", None)
        tag = st.selectbox("Tag", known, index=None, key="compare_tag", format_func=visible, placeholder="any", persist_state="session")
    return shown_changes(compared, chosen, tag)


def _questions(changes: tuple[QueryChange, ...]) -> None:
    if not changes:
        panels.note("No question is like that.")
        return
    column = st.column_config
    st.dataframe(
        changes_frame(changes),
        hide_index=True,
        key="compare_rows",
        row_height=_ROW,
        height=min(_HEIGHT, _ROW * len(changes) + 38),
        column_config={
            "what": column.TextColumn(width=110, help="! marks a critical question."),
            "question": column.TextColumn(width=300),
            **{name: column.TextColumn(width=56, alignment="right", help=_RANK) for name in ("before", "after")},
            "change": column.TextColumn(width=60, alignment="right", help="▲ places won, ▼ places lost."),
            "tool": column.TextColumn(width=180, help="The tools that are right for the question."),
            "came in": column.TextColumn(width=150, help="New among the first 5: what pushed the others out."),
            "went out": column.TextColumn(width=150, help="No longer among the first 5."),
        },
        alt="What became of each question, worst first",
    )
    _open_question(changes)


def _open_question(changes: tuple[QueryChange, ...]) -> None:
    """Lead to one of the questions in the Playground, where each stage explains it."""
    by_query = {one.case.query: one.case for one in changes}
    if session.value("compare_question") not in (None, *by_query):
        session.put("compare_question", None)
    field, link = st.columns((5, 2), vertical_alignment="bottom")
    with field:
        query = st.selectbox(
            "Look at one of them", tuple(by_query), index=None, key="compare_question", format_func=visible, placeholder="a question"
        )
    if query is not None:
        case = by_query[query]
        with link:
            address = {"q": query} | ({"role": case.role} if case.role else {})
            st.page_link("views/playground.py", label="Open in the Playground", icon=":material/search:", query_params=address)


def _lines(compared: Comparison, changes: tuple[QueryChange, ...]) -> None:
    lines = lines_of(changes)
    if not lines:
        panels.note("No question that is chosen has a ranked tool.")
        return
    st.plotly_chart(
        rank_lines(lines, compared.before.name, compared.after.name),
        key="compare_lines",
        config={"displayModeBar": False},
        alt="Rank of each question's tool on both sides; the tab Questions has the same as a table.",
    )
    panels.note(f"The first {SHOWN} of the chosen questions. Green: came up; red: went down; ranks beyond {LAST} share a line.")


def _groups(compared: Comparison) -> None:
    for by in ("tag", "role"):
        frame = groups_frame(compared, by)
        if frame.empty:
            continue
        st.dataframe(
            frame,
            hide_index=True,
            key=f"compare_by_{by}",
            row_height=_ROW,
            height="content",
            column_config={"n": st.column_config.NumberColumn(width=60, help="Questions judged on both sides. Few say little.")},
            alt=f"Figures by {by}, before → after",
        )


def _unjudged(compared: Comparison) -> None:
    some = [one for one in compared.shown if one.verdict == "unknown" and one.overlap is not None]
    if not some:
        panels.note("Every question says which tools are right. Others would be compared here by how alike the two answers are.")
        return
    st.dataframe(
        unjudged_frame(some),
        hide_index=True,
        key="compare_unjudged",
        row_height=_ROW,
        column_config={
            "question": st.column_config.TextColumn(width=320),
            "alike": st.column_config.TextColumn(width=70, alignment="right", help=_ALIKE),
            "shared": st.column_config.TextColumn(width=70, alignment="right", help=_SHARED),
        },
        alt="How alike both answers are, the least alike first",
    )


def _take_along(compared: Comparison, before: Evaluation, after: Evaluation) -> None:
    """Offer the receipt, and each side's figures as a run that can be compared with later."""
    with st.container(horizontal=True, gap="small"):
        for label, name, text in (
            ("Receipt (Markdown)", "receipt.md", comparison_markdown(compared)),
            ("Receipt (JSON)", "receipt.json", _json(compared.to_dict())),
            ("Figures before (JSON)", "before.json", _json(before.to_dict())),
            ("Figures after (JSON)", "after.json", _json(after.to_dict())),
        ):
            st.download_button(label, text, name, key=f"compare_{name}", icon=":material/download:", on_click="ignore")


def _json(data: dict[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)


_NO_QUERIES = (
    "This registry has no test queries yet, so there is nothing to ask on both sides. Write some on the Test queries page: a question, and "
    "the tools that are right for it."
)
_DIFFERENCE = f"After minus before. Below {ENOUGH} questions nothing is said: one question would move it too far."
_INTERVAL = "Where the difference lies in 95 % of 2,000 draws of as many questions. If it spans 0, chance may explain the difference."
_VERDICTS = (
    "A question is right when all its tools stand in the first 5. Fixed: right only after. Broke: right only before. Still failing: right "
    "on neither side. Moved: right on both, at other ranks. Unknown: nobody has said what is right, or it is on one side only."
)
_RANK = "Where the last of the right tools stands. –: nowhere."
_ALIKE = "Rank-biased overlap: 1 = the same tools in the same order; early ranks count most."
_SHARED = "Jaccard: tools in both answers, as a share of tools in either."

if __name__ == "__main__":
    show()
