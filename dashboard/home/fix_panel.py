"""Home's list of failing test queries: tool by tool, the most harm first, each with the way to put it right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from curator_core import Evaluation, ToFix, fix_next, is_held_out
from dashboard import panels, session
from dashboard.looks import look_every
from dashboard.queries.suggestion_panel import open_suggestions
from dashboard.resources import workbench
from dashboard.runs import Run
from dashboard.tables import plural, visible

SHOWN, AT_MOST = 5, 50
_PATIENCE_SECONDS = 0.3
_MORE = "home_fix_more"


def failing_queries() -> None:
    """Show which tools' test queries fail; until they are asked, how far that is."""
    cases = session.registry().test_queries
    if not cases:
        panels.note("No test queries yet: write down what users ask and which tool is right, and this list says what fails.")
        return
    if not session.snapshot_now().finished:
        panels.note("Which test queries fail is said here once the model has read the tools.")
        return
    run = workbench().runs.of(session.curator(), cases)
    run.wait_at_first(_PATIENCE_SECONDS)
    if run.finished:
        _result(run)
    else:
        _progress(run)


@look_every(1)
def _progress(run: Run) -> None:
    if run.finished:
        st.rerun(scope="app")
    st.progress(run.done / max(run.total, 1), f"Asking the test queries: {run.done:,} of {run.total:,}")


def _result(run: Run) -> None:
    if run.result is None:
        panels.message("The test queries could not be asked", run.error)
        return
    found = fix_next(run.result)
    with st.container(border=True, gap="xsmall", key="home_failing"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(f"{len(found):,}", icon=":material/priority_high:", color="red" if found else "green")
            st.markdown("**Tools whose test queries fail**", width="content", help=_HELP)
            st.space("stretch")
            if found:
                panels.press("Suggest texts", "home_suggest", open_suggestions, icon=":material/lightbulb:", type="tertiary", help=_SUGGEST)
            st.page_link("views/compare.py", label="All questions", icon=":material/arrow_forward:")
        st.caption(_passing(run.result))
        _rows(found[: AT_MOST if session.value(_MORE) else SHOWN])
        if len(found) > SHOWN and not session.value(_MORE):
            st.button(f"{len(found) - SHOWN:,} more", key=f"{_MORE}_button", type="tertiary", on_click=lambda: session.put(_MORE, True))


def _passing(evaluation: Evaluation) -> str:
    """Say how many questions are right, held-out ones too: they count, and are never named."""
    known = [result for result in evaluation.results if result.right is not None]
    right = sum(bool(result.right) for result in known)
    held = sum(is_held_out(result.case) for result in known)
    return f"{right:,} of {plural(len(known), 'test query')} {'is' if len(known) == 1 else 'are'} right" + (
        f", {held:,} of them held out." if held else "."
    )


def _rows(found: Sequence[ToFix]) -> None:
    for one in found:
        name, said, act = st.columns((4, 9, 2), gap="small", vertical_alignment="center")
        with name:
            panels.name_link(one.tool)
        said.text(visible(_said(one)))
        with act:
            panels.press(
                "Fix", panels.key_of("home_fix", one.tool, one.kind, one.first.case.query), *_ways(one), icon=":material/build:", help=_FIX
            )


def _said(one: ToFix) -> str:
    critical = f", {one.critical} critical" if one.critical else ""
    what = "fail" if one.kind == "not found" else "get it and must not"
    return f"{one.failing} of {one.queries} {what}{critical} · “{one.first.case.query}”\n{one.why}"


def _ways(one: ToFix) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return what leads to the tool, and what takes the question along, to be watched beside it."""
    case = one.first.case

    def lead() -> None:
        st.switch_page("views/tools.py", query_params={"tool": one.tool} | ({"role": case.role} if case.role else {}))

    def take() -> None:
        session.put("tool", one.tool)
        session.put("q", case.query)
        session.put("role", case.role)

    return lead, take


_HELP = (
    "A query fails when one of its tools is not among the first 5, or a forbidden one comes. Critical queries count three times. "
    "Each line names the query that is nearest to passing, and what lost it."
)
_SUGGEST = "Other texts for all these tools, tried on every test query: the tab Suggestions of the page Test queries."
_FIX = (
    "Open the tool with this question beside it: phrases that would help are tried there at once, and with each edit you see the rank move "
    "before anything is published."
)
