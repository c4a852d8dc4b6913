"""Test queries: what should come for which question, how each stands now, and what the set does not cover."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from dashboard import panels, session
from dashboard.derived import leaks
from dashboard.drafts.authoring import may_write
from dashboard.queries import query_choice
from dashboard.queries.coverage_panel import coverage_panel
from dashboard.queries.logged_panel import logged_panel
from dashboard.queries.query_exchange import exchange
from dashboard.queries.query_form import NEW, new_form, query_form, start_new
from dashboard.queries.query_list import HELD, query_list
from dashboard.queries.query_measuring import measured, progress
from dashboard.queries.query_table import figures_table, leak_marks, split_parts
from dashboard.queries.starter_panel import starter_panel
from dashboard.queries.suggestion_panel import suggestion_panel
from dashboard.resources import workbench
from dashboard.runs import Run

LIST, SUGGESTIONS, COVERAGE, STARTERS, LOGGED, FILES = map(
    panels.tab, ("Queries", "Suggestions", "Coverage", "Starters", "Logged questions", "Paste and files")
)
VIEW = "queries_view"
_FIGURES_HELP = {
    "judged": "Queries that name a right tool; the means are over these.",
    "hit@1": "Right tool first: share of the judged queries.",
    "recall@5": "Share of the expected tools that are found in the first 5, mean over judged queries. An unanswered query counts 0.",
    "recall@20": "Share of the expected tools that are found in the first 20.",
    "mrr": "Mean of 1 / rank of the first expected tool.",
    "no tool flagged": "Of the questions that no tool fits: how many were answered as unsure, or with nothing. Counted apart.",
    "unjudged": "Nobody has said yet which tools are right. Listed, not averaged.",
    "invalid": "They cannot be asked or judged: a blank question, a tool or a role that does not exist. Listed, not averaged.",
}


def show() -> None:
    """Show the page."""
    tabs = st.tabs([LIST, SUGGESTIONS, COVERAGE, STARTERS, LOGGED, FILES], key=VIEW, on_change="rerun")
    bodies: tuple[Callable[[], None], ...] = (_queries, suggestion_panel, coverage_panel, starter_panel, logged_panel, exchange)
    for tab, body in zip(tabs, bodies, strict=True):
        if tab.open:
            with tab:
                body()


def _queries() -> None:
    if not session.registry().test_queries:
        _empty()
        return
    curator, job = measured()
    results, marks = workbench().runs.known(curator), leak_marks(leaks(session.registry()))
    left, right = st.columns((0.62, 0.38), gap="medium")
    with right:
        if may_write() and session.value(NEW) is None:
            st.button("New test query", key="queries_new_open", icon=":material/add:", on_click=start_new)
        if session.value(NEW) is not None:
            new_form()
        case = query_choice.choose_query(bool(session.value(HELD)))
    with left:
        progress(job)
        _figures(job)
        query_list(results, marks)
    with right:
        if case is not None:
            query_form(case, results.get(case), marks.get(case, ""))
        elif session.value(NEW) is None:
            panels.note(_CHOOSE)


def _figures(job: Run | None) -> None:
    """Show the figures: held-out queries apart from the others."""
    if job is None or job.result is None:
        return
    parts = {name: replace(job.result, results=some) for name, some in split_parts(job.result).items()}
    column = st.column_config
    figures = {name: column.TextColumn(alignment="right", help=said) for name, said in _FIGURES_HELP.items()}
    st.dataframe(
        figures_table(parts),
        hide_index=True,
        key="queries_figures",
        row_height=28,
        column_config=figures | {"": column.TextColumn(width=70)},
        alt="Figures of the test queries, those held out apart",
    )


def _empty() -> None:
    """Say what test queries are for, and offer the first steps."""
    with st.container(border=True, gap="small"):
        st.markdown(_PURPOSE)
        if not may_write():
            return
        if session.value(NEW) is not None:
            new_form()
            return
        with st.container(horizontal=True, gap="small"):
            st.button("Write the first one", key="queries_first", type="primary", icon=":material/add:", on_click=start_new)
            st.button("Start from the tools' own words", key="queries_first_starters", icon=":material/lightbulb:", on_click=_to(STARTERS))
            st.button("Paste or load a file", key="queries_first_file", icon=":material/upload:", on_click=_to(FILES))
            st.button("Look at what users ask", key="queries_first_logged", icon=":material/forum:", on_click=_to(LOGGED))


def _to(view: str) -> Callable[[], None]:
    return lambda: session.put(VIEW, view)


_CHOOSE = "Choose a test query, or click one in the list, to read and edit it. In the Playground, *Pin as test* makes one of any question."
_PURPOSE = (
    "**A test query says which tools should come for a question.** With a few dozen of them, every edit shows at once what it fixes and "
    "what it breaks, and a colleague can see that a change hurt nothing. Ask the Playground and pin what is right, or begin here:"
)

if __name__ == "__main__":
    show()
