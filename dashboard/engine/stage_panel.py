"""What each stage is worth on the test queries, on the Engine page: all asked with that one stage switched over."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from curator_core import PROFILE_NAMES, Settings, StageWorth, settings_by_profile, stage_worths, switches_of
from curator_core.compare import ENOUGH
from dashboard import panels
from dashboard.engine.profile_panel import ready_curator, waits
from dashboard.engine.profile_tables import stage_tags_frame, stages_frame
from dashboard.jobs import Job
from dashboard.resources import workbench

_ROW, _PATIENCE_SECONDS = 28, 0.4


def stages_tab() -> None:
    """Show each stage's worth under a profile, and one stage's by tag."""
    curator = ready_curator()
    if curator is None:
        return
    settings = settings_by_profile(curator.settings)
    chosen = st.segmented_control(
        "Profile",
        PROFILE_NAMES,
        default=curator.settings.profile,
        key="engine_stages_of",
        required=True,
        format_func=panels.pill,
        help="Under which profile the stages are switched over; what the registry has set apart counts in both.",
    )
    own: Settings = settings[str(chosen or curator.settings.profile)]
    cases = curator.questions
    key = ("stages", curator.index.fingerprint, own, cases)
    total = len(cases) * (1 + len(switches_of(own.profile)))
    job: Job[tuple[StageWorth, ...]] = workbench().audits.of(key, lambda report: stage_worths(curator, cases, own, report), total)
    job.wait(_PATIENCE_SECONDS)
    if job.result is None:
        waits(job, "The stages could not be judged")
        return
    _table(job.result)
    _tags(job.result)


def _table(worths: tuple[StageWorth, ...]) -> None:
    n = worths[0].changes[0].queries if worths and worths[0].changes else 0
    st.markdown("**What each stage is worth on your test queries**", help=_WORTH_HELP)
    if n < ENOUGH:
        panels.note(f"Too few to say: {n} test queries name a right tool, {ENOUGH} are the least for a verdict.")
    frame = stages_frame(worths)
    st.dataframe(
        frame,
        hide_index=True,
        key="engine_stages",
        row_height=_ROW,
        height=_ROW * len(frame) + 38,
        column_config=_columns(frame),
        alt="Each stage with the figures of the test queries without it and with it",
    )


def _tags(worths: tuple[StageWorth, ...]) -> None:
    if not any(one.comparison.by_tag for one in worths):
        return
    by_name = {one.stage: one for one in worths}
    stage = st.selectbox(
        "By tag", list(by_name), key="engine_stage_tags", format_func=lambda name: by_name[name].label, width=260, help=_TAG_HELP
    )
    worth = by_name.get(stage) or worths[0]
    frame = stage_tags_frame(worth)
    st.dataframe(
        frame,
        hide_index=True,
        key="engine_stage_tag_rows",
        row_height=_ROW,
        column_config=_columns(frame),
        height=min(318, _ROW * len(frame) + 38),
        alt="One stage by tag",
    )


def _columns(frame: pd.DataFrame) -> dict[str, Any]:
    texts, column = ("stage", "tag", "verdict"), st.column_config.TextColumn
    return {
        name: column(width=width, help=said, alignment="left" if name in texts else "right")
        for name, (width, said) in _COLUMNS.items()
        if name in frame.columns
    }


_WORTH_HELP = (
    "All test queries are asked as the settings are, and once more for each stage with that one switch turned over: off where it is on. "
    "Held-out questions are not asked. helps: one of the figures is clearly higher with the stage (its 95 % interval leaves zero out) and "
    "none clearly lower."
)
_TAG_HELP = "The stage whose worth is shown for each tag of the test queries."
_SIDES, _SPAN = "without the stage → with it", "Where the mean gain lies in 95 % of 2,000 resamples of the questions; – below 20 questions."
_GAIN, _COUNTS = "With the stage minus without it.", "Questions that are better with the stage / worse with it."
_COLUMNS: dict[str, tuple[int, str]] = {
    "stage": (150, "(off): the settings have it off; it was asked as if it were on."),
    "tag": (150, "A tag of the test queries."),
    "verdict": (126, "What the figures say together; too few to say below 20 questions."),
    "n": (36, "Questions that name a right tool."),
    "hit@1": (94, f"Share of questions whose right tool stands first, {_SIDES}."),
    "hit@1 gain": (72, _GAIN),
    "hit@1 95 %": (114, _SPAN),
    "hit@1 ▲ ▼": (70, _COUNTS),
    "recall@5": (94, f"Mean share of the right tools among the first 5, {_SIDES}."),
    "recall@5 gain": (92, _GAIN),
    "recall@5 95 %": (114, _SPAN),
    "recall@5 ▲ ▼": (90, _COUNTS),
    "no tool noticed": (100, f"Questions that no tool fits and that are noticed as such, {_SIDES}."),
}
