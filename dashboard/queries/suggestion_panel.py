"""Suggestions: other texts for all tools whose test queries fail, tried on every test query, one click away from the draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from curator_core import Curator, Edit, TestQuery, ToolAdvice, ToolSuggestion, suggest_for_tools
from dashboard import panels, session
from dashboard.drafts.authoring import may_write
from dashboard.jobs import Job, Report
from dashboard.looks import look_every
from dashboard.queries.query_measuring import measured
from dashboard.queries.suggestion_table import losers_table, refused_table, suggestions_table, together_lines
from dashboard.resources import workbench
from dashboard.runs import Runs
from dashboard.tables import plural, visible

_JOB, _MADE, _TOOL = "suggestions_job", "suggestions_made", "suggestions_tool"
_PATIENCE_SECONDS = 0.5
_ROW_HEIGHT, _HEIGHT = 28, 460
_PURPOSE = (
    "For each tool that some test query does not put first, a few texts are tried: words of its own queries for the extra context, and, "
    "with the profile *tuned*, half of its queries as example questions. A text is judged by queries that it was not made from, and what "
    "other tools lose counts four times. What helps is offered. No language model writes it, and held-out queries are never looked at."
)


def suggestion_panel() -> None:
    """Show what is suggested for the failing tools, and take some or all of it."""
    st.markdown(_PURPOSE)
    curator, run = measured()
    if run is None:
        panels.note("Texts can be tried once the model has read the tools.")
        return
    _start(curator)
    job: Job[ToolAdvice] | None = session.value(_JOB)
    if job is None:
        return
    if not job.wait(_PATIENCE_SECONDS):
        _progress(job)
    elif job.result is None:
        panels.message("Texts could not be tried", job.error)
    else:
        _advice(job.result)


def open_suggestions() -> None:
    """Go to the suggestions for all failing tools. Call it from a button's `if`, on a page that has no part in the address."""
    session.put(_TOOL, None)
    session.put("queries_view", panels.tab("Suggestions"))
    st.switch_page("views/queries.py")


def _start(curator: Curator) -> None:
    """Offer to try texts, for all failing tools or for one."""
    tools = sorted({tool for case in session.registry().test_queries for tool in case.expected or ()} & session.registry().by_key.keys())
    if session.value(_TOOL) not in (None, *tools):
        session.forget(_TOOL)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        st.selectbox(
            "For",
            tools,
            index=None,
            key=_TOOL,
            persist_state="session",
            format_func=visible,
            placeholder="all tools that fail",
            width=320,
            help="One tool, or all whose test queries do not put them first.",
        )
        label = "Try again" if session.value(_JOB) else "Try texts"
        st.button(label, key="suggestions_try", icon=":material/lightbulb:", help=_TRY, on_click=_try(curator))
    if session.value(_JOB) and session.value(_MADE) != session.edits():
        panels.note("Your draft has changed since these were tried: what is said of each is as it was then.")


def _try(curator: Curator) -> Callable[[], None]:
    """Return a callback that begins to try texts in the background; what was being tried before is stopped."""

    def act() -> None:
        session.heed_editors()
        cases, tool, runs = session.registry().test_queries, session.value(_TOOL), workbench().runs
        key = (curator.index.fingerprint, curator.settings, cases, tool)
        work = lambda report: _suggested(runs, curator, cases, tool, report)
        session.put(_JOB, workbench().suggestions.of(key, work, 0, session.value(_JOB)))
        session.put(_MADE, session.edits())

    return act


def _suggested(runs: Runs, curator: Curator, cases: tuple[TestQuery, ...], tool: str | None, report: Report) -> ToolAdvice:
    known = runs.finished(curator, cases, lambda *_: report(0, 0))
    advice = suggest_for_tools(curator, None if tool is None else (tool,), known, report)
    if advice.together is not None:  # so that the effect is there as soon as all is in the draft
        runs.learn(advice.together, curator.settings)
    return advice


@look_every(1)
def _progress(job: Job[ToolAdvice]) -> None:
    if job.finished:
        st.rerun(scope="app")
    said = f"Trying texts: step {job.done:,} of {job.total:,}" if job.total else "Asking the test queries first"
    st.progress(min(1.0, job.done / max(job.total, 1)), said)


def _advice(advice: ToolAdvice) -> None:
    """Show what was found."""
    if advice.suggestions:
        with st.container(border=True, gap="xsmall", key="suggestions_together"):
            for line in together_lines(advice):
                st.text(line)
        marked = _rows(advice.suggestions)
        if may_write():
            _take(advice.suggestions, marked)
        _losers(advice.suggestions)
    else:
        panels.note(
            "Nothing is suggested."
            if advice.refused
            else "Nothing to suggest: each open test query that was looked at puts its tool first."
        )
    if advice.refused:
        title = f"{plural(len(advice.refused), 'failing tool')} without a suggestion"
        with st.expander(title, icon=":material/block:", key="suggestions_refused", expanded=not advice.suggestions):
            st.dataframe(refused_table(advice.refused), hide_index=True, row_height=_ROW_HEIGHT, alt="Tools without a suggestion")
            panels.note(
                "More test queries of a tool give it more to learn from. On the tool's own page phrases are tried for one question."
            )


def _rows(found: Sequence[ToolSuggestion]) -> list[ToolSuggestion]:
    """Show the table; return the suggestions whose rows are ticked."""
    column = st.column_config
    widths = {"tool": 190, "adds": 380, "its own": 92, "others": 92, "unseen": 86, "who loses": 170, "state": 100}
    state = st.dataframe(
        suggestions_table(found, session.registry()),
        hide_index=True,
        key="suggestions_rows",
        on_select="rerun",
        selection_mode="multi-row" if may_write() else "single-row",
        row_height=_ROW_HEIGHT,
        height=min(_HEIGHT, _ROW_HEIGHT * max(len(found), 2) + 38),
        column_config={name: column.TextColumn(width=width, help=_HELP.get(name)) for name, width in widths.items()}
        | {"net": column.NumberColumn(width=48, format="%+d", help=_HELP["net"])},
        alt="Suggested texts, what each does by itself, and who loses",
    )
    return [found[row] for row in state["selection"]["rows"] if row < len(found)]


def _take(found: Sequence[ToolSuggestion], marked: Sequence[ToolSuggestion]) -> None:
    open_ones = [one for one in found if not one.idea.stands_in(session.registry())]
    ticked = [one for one in marked if one in open_ones]
    with st.container(horizontal=True, gap="small"):
        st.button(
            f"Apply all that help ({len(open_ones):,})",
            key="suggestions_all",
            type="primary",
            icon=":material/playlist_add_check:",
            disabled=not open_ones,
            help=_APPLY,
            on_click=_add(open_ones),
        )
        label = f"Apply the {len(ticked):,} ticked"
        st.button(label, key="suggestions_ticked", icon=":material/add:", disabled=not ticked, help=_APPLY, on_click=_add(ticked))


def _add(some: Sequence[ToolSuggestion]) -> Callable[[], None]:
    """Return a callback that puts suggestions into the draft, as one step."""

    def act() -> None:
        session.heed_editors()
        edits: list[Edit] = [edit for one in some for edit in one.idea.edits(session.registry())]
        if session.attempt(lambda: session.add(*edits, typed=False)):
            session.renew_editors()
            said = f"{plural(len(some), 'suggestion')} put into your draft as one step; “Undo last” takes all of it back."
            session.notify(session.Outcome(True, said))

    return act


def _losers(found: Sequence[ToolSuggestion]) -> None:
    losers = sum(len(one.losers) for one in found)
    if losers:
        with st.expander(f"Who loses: {plural(losers, 'question')}", icon=":material/trending_down:", key="suggestions_losers"):
            st.dataframe(losers_table(found), hide_index=True, row_height=_ROW_HEIGHT, alt="Questions that lose the first place")


_TRY = (
    "Tries a few texts a tool on every open test query; what helps is then asked exactly as after publishing. With many failing tools "
    "it takes a minute or more; you can go on working meanwhile."
)
_APPLY = (
    "Puts the texts into your draft as one step, which can be undone. A test query that becomes an example leaves the test set with it. "
    "Nothing is published before you publish."
)
_HELP = {
    "adds": "What the tool gets: words for its extra context, or test queries that become its example questions.",
    "net": "How many more open test queries put the right tool first, if only this is applied.",
    "its own": "Of the tool's own open test queries: how many are first with it and were not (+), how many no longer are (−).",
    "others": "The same for the test queries of all other tools.",
    "unseen": "Of the tool's own queries: how many put it first now → with a text that was made without them. The fairest figure here.",
    "who loses": "Tools whose questions are first no longer. The list below names the questions.",
    "state": "Whether your draft has it already.",
}
