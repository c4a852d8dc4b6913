"""Which profile serves the test queries, on the Engine page: the advice, how many tools each profile takes, and the switch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from curator_core import Curator, ProfileFigures, RecallCurve, Recommendation, profile_figures
from curator_core.compare import ENOUGH
from dashboard import panels, session
from dashboard.compare.comparison_tables import groups_frame, metrics_frame
from dashboard.drafts.authoring import may_write, own_settings, put_settings
from dashboard.engine.profile_tables import advice_badge, curve_frame, needed_sentences, recall_chart
from dashboard.jobs import Job
from dashboard.looks import look_every
from dashboard.playground.cost import tool_cost
from dashboard.resources import workbench

_ROW, _HEIGHT, _PATIENCE_SECONDS = 28, 318, 0.4
_TOOLS, _TOKENS = "tools", "tokens"


def profiles_tab() -> None:
    """Show the advice and the curves."""
    found = figures()
    if found is None:
        return
    left, right = st.columns([0.54, 0.46], gap="large")
    with left:
        _advice(found.advice)
    with right:
        _curves(found.curves)


def figures() -> ProfileFigures | None:
    """Return what both profiles do on the test queries; where it is not there yet show how far it is, or why not, and return None."""
    curator = ready_curator()
    if curator is None:
        return None
    cases, index = curator.questions, curator.index
    key = ("profiles", index.fingerprint, curator.settings, cases)
    job: Job[ProfileFigures] = workbench().audits.of(
        key, lambda report: profile_figures(curator, cases, report, lambda one: tool_cost(index, one)), 2 * len(cases)
    )
    job.wait(_PATIENCE_SECONDS)
    if job.result is None:
        waits(job, "The profiles could not be asked")
    return job.result


def ready_curator() -> Curator | None:
    """Return the registry with its own settings, ready for all questions; where it is not, or has no test queries, say so."""
    snapshot = session.snapshot()
    index, cases = snapshot.full if snapshot.finished else None, session.registry().test_queries
    if index is None:
        st.info("The test queries are asked with meaning and words; this follows when the index is there.", icon=":material/info:")
        return None
    if not any(case.expected is not None for case in cases):
        st.info("This is measured on test queries, and there are none yet: write some on the Test queries page.", icon=":material/info:")
        return None
    return Curator(index, own_settings(), cases)


def waits(job: Job[Any], title: str) -> None:
    """Show how far long work is, or why it will not come."""
    if job.error:
        panels.message(title, job.error)
    else:
        _busy(job)


@look_every(1)
def _busy(job: Job[Any]) -> None:
    if job.finished:
        st.rerun(scope="app")
    st.progress(min(job.done / max(job.total, 1), 1.0), f"Asking the test queries: {job.done:,} of {job.total:,}. Kept afterwards.")


def _advice(advice: Recommendation) -> None:
    st.markdown("**Which profile serves your test queries**", help=_ADVICE_HELP)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.badge(advice_badge(advice), color="green" if advice.is_switch else "grey")
        st.text(advice.reason, width="stretch")
    if advice.is_switch and advice.profile is not None:
        st.button(
            f"Switch to {advice.profile}",
            key="engine_switch",
            type="primary",
            icon=":material/swap_horiz:",
            disabled=not may_write(),
            on_click=_switch(advice.profile),
            help=_SWITCH_HELP,
        )
    comparison = advice.comparison
    frame = metrics_frame(comparison.metrics, ENOUGH).rename(columns={"before": comparison.before.name, "after": comparison.after.name})
    st.dataframe(
        frame,
        hide_index=True,
        key="engine_profiles",
        row_height=_ROW,
        column_config={name: st.column_config.Column(width=width, help=said) for name, (width, said) in _FIGURES.items()},
        alt="Figures of both profiles on the test queries, with the difference and how sure it is",
    )
    if comparison.by_tag:
        panels.note(f"By tag, {comparison.before.name} → {comparison.after.name}")
        st.dataframe(
            groups_frame(comparison, "tag"), hide_index=True, key="engine_profile_tags", row_height=_ROW, alt="Both profiles by tag"
        )


def _switch(name: str) -> Callable[[], None]:
    def act() -> None:
        put_settings(own_settings().with_values({"profile": name}))

    return act


def _curves(curves: tuple[RecallCurve, ...]) -> None:
    st.markdown("**How many tools an agent must be given**", help=_CURVE_HELP)
    for said in needed_sentences(curves):
        st.text(said)
    against = st.segmented_control(
        "Against",
        (_TOOLS, _TOKENS),
        default=_TOOLS,
        key="engine_curve",
        required=True,
        format_func=panels.pill,
        label_visibility="collapsed",
    )
    st.plotly_chart(
        recall_chart(curves, "tokens" if against == _TOKENS else "tools"),
        key="engine_curves",
        config={"displayModeBar": False},
        alt="Share of right tools among the first ones of an answer, for each profile; the table below has the same figures",
    )
    frame = curve_frame(curves)
    st.dataframe(
        frame,
        hide_index=True,
        key="engine_curve_rows",
        row_height=_ROW,
        height=_HEIGHT,
        alt="Share of right tools and cost by number of tools",
    )


_SWITCH_HELP = (
    "Puts the profile into your draft, like any other edit: every page shows what it does, “Undo last” takes it back, and it is written to "
    "curator.toml when you publish."
)
_ADVICE_HELP = (
    "Both profiles are asked the same test queries, held-out ones apart. The first figure of these decides whose 95 % interval leaves zero "
    "out: recall@5, right tool first, order of the first 10. The interval is where the mean difference lies in 95 % of 2,000 resamples."
)
_CURVE_HELP = (
    "The mean share of the right tools that stand among the first ones (recall@k), against their number and against the tokens of their "
    "declarations, as this registry's embedding model counts them."
)
_FIGURES: dict[str, tuple[int, str]] = {
    "figure": (168, "recall@k: the mean share of the right tools among the first k."),
    "seed": (40, "The mean under the profile seed."),
    "tuned": (40, "The mean under the profile tuned."),
    "difference": (64, "The second profile's mean minus the first one's."),
    "95 % interval": (108, "Where the mean difference lies in 95 % of 2,000 resamples of the questions."),
    "better": (40, "Questions that the second profile answers better."),
    "worse": (40, "Questions that the second profile answers worse."),
    "same": (38, "Questions that both answer alike."),
    "n": (36, "Questions that name a right tool."),
}
