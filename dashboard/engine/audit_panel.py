"""What the name rule and the split do to the test queries, on the Engine page: each asked with the stage and without it."""

from __future__ import annotations

import streamlit as st

from curator_core import Audit, Curator, ForcedTool, audit_name_rule, audit_split, forced_tools
from curator_core.proof.paired import too_few
from dashboard import panels, session
from dashboard.engine.audit_tables import cases_frame, figures, forced_frame
from dashboard.jobs import Job, Report
from dashboard.looks import look_every
from dashboard.resources import workbench
from dashboard.tables import plural

Audits = tuple[Audit, tuple[ForcedTool, ...], Audit]
_ROW_HEIGHT, _TABLE_HEIGHT = 28, 320
_RULE = "A tool comes first when the question says enough words of its name. What is that worth on this registry's test queries?"
_SOFT_RULE = "A name that the question says adds a little to the tool's score. What is that worth on this registry's test queries?"
_SPLIT = "A two-in-one question is also searched part by part. What is that worth on this registry's test queries?"
_MOVED_HELP = "Each right tool with its rank without the stage and with it; out: not in the answer."
_FORCED_HELP = "In how many test queries the rule puts the tool first."
_LIFTED_HELP = "In how many test queries, of those where a right tool moves, the rule lifts the tool: it is among the three lifted most."
_RIGHT_HELP = "In how many of those the tool is expected."
_HURT_HELP = "In how many of the others the right tools stand lower for it. Another name of the tool ends that."


def audits_tab() -> None:
    """Show both audits."""
    snapshot = session.snapshot()
    index = snapshot.full if snapshot.finished else None
    if index is None:
        st.info("The audits ask the test queries with meaning and words; they follow when the index is there.", icon=":material/info:")
        return
    curator, cases = Curator(index, session.settings()), session.registry().test_queries
    job: Job[Audits] = workbench().audits.of(
        (index.fingerprint, curator.settings, cases), lambda report: _audits(curator, report), len(cases)
    )
    if job.result is None:
        _waits(job)
        return
    rule, tools, split = job.result
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Name rule**", help=_SOFT_RULE if rule.soft else _RULE)
        _audit(rule, "name rule", curator.settings.anchor)
        if tools:
            _forced(tools, rule.soft)
    with right:
        st.markdown("**Two-in-one questions**", help=_SPLIT)
        _audit(split, "split", curator.settings.split)


def _audits(curator: Curator, report: Report) -> Audits:
    cases = curator.index.registry.test_queries
    rule = audit_name_rule(curator, cases, report)
    return rule, forced_tools(rule), audit_split(curator, cases)


def _waits(job: Job[Audits]) -> None:
    if job.error:
        panels.message("The audits are not there", job.error)
        return
    _busy(job)


@look_every(1)
def _busy(job: Job[Audits]) -> None:
    if job.finished:
        st.rerun(scope="app")
    st.badge(f"asking the test queries: {job.done} of {job.total}", icon=":material/hourglass_top:", color="blue", help="Kept afterwards.")


def _audit(audit: Audit, stage: str, on: bool) -> None:
    if not on:
        panels.note("It is switched off here: this is what it would do.")
    with st.container(horizontal=True, gap="small"):
        for name, value, help in figures(audit, stage):
            st.metric(name, value, help=help)
    if few := too_few(audit.queries):
        panels.note(f"{few.capitalize()}: take it as a hint, not as a verdict.")
    frame = cases_frame(audit.cases, audit.soft)
    if frame.empty:
        panels.note(f"It changes the rank of no right tool in {plural(audit.queries, 'test query')}.")
        return
    st.dataframe(
        frame,
        hide_index=True,
        key=f"engine_audit_{stage.replace(' ', '_')}",
        row_height=_ROW_HEIGHT,
        height=min(_TABLE_HEIGHT, _ROW_HEIGHT * len(frame) + 38),
        column_config={
            "outcome": st.column_config.TextColumn(width=76, help="Whether the right tools stand higher or lower with it."),
            "test query": st.column_config.TextColumn(width=180),
            "right tools, rank without → with": st.column_config.TextColumn(width=170, help=_MOVED_HELP),
        },
        alt=f"Test queries that the {stage} changes, those that it hurts first",
    )


def _forced(tools: tuple[ForcedTool, ...], soft: bool) -> None:
    panels.note(f"Tools that the rule {'lifts most' if soft else 'puts first'}, those that hurt most first")
    column = st.column_config
    st.dataframe(
        forced_frame(tools, soft),
        hide_index=True,
        key="engine_audit_forced",
        row_height=_ROW_HEIGHT,
        height=min(_TABLE_HEIGHT, _ROW_HEIGHT * len(tools) + 38),
        column_config={
            "lifted" if soft else "put first": column.TextColumn(width=64, alignment="right", help=_LIFTED_HELP if soft else _FORCED_HELP),
            "of that right": column.TextColumn(width=80, alignment="right", help=_RIGHT_HELP),
            "hurt others": column.TextColumn(width=76, alignment="right", help=_HURT_HELP),
            "words of its name": column.TextColumn(help="Words of its name that those questions say, the most frequent first."),
        },
        alt=f"Tools that the name rule {'lifts most' if soft else 'puts first'}",
    )
