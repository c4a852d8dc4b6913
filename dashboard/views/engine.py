"""Engine & index: the settings of the whole registry, the model that reads the texts, and the index that was made."""

from __future__ import annotations

import streamlit as st

from curator_core import CuratorError
from curator_core.encoder import ModelReport, model_report
from dashboard import panels, session
from dashboard.drafts import draft_bar
from dashboard.engine.audit_panel import audits_tab
from dashboard.engine.engine_facts import Facts, index_facts, limit_facts, model_facts
from dashboard.engine.no_tool_panel import no_tool_tab
from dashboard.engine.profile_panel import profiles_tab
from dashboard.engine.settings_panel import save_panel, settings_form
from dashboard.engine.stage_panel import stages_tab
from dashboard.tables import visible

SETTINGS, PROFILES, STAGES = map(panels.tab, ("Settings", "Profiles", "Stages"))
NO_TOOL, AUDITS, MODEL = map(panels.tab, ("No tool", "Audits", "Model & index"))
_PULL = "tool-curator model pull"
_COSINES = (
    "Its similarities lie higher and closer together than the bundled model's, mostly above 0.5: an answer is then hardly ever below the "
    "unsure line of 0.25, and pairs that have nothing in common look close. Set the line anew after a change of model, and compare figures "
    "of one model only."
)


@st.fragment
def show() -> None:
    """Show the page."""
    draft_bar.follow()
    titles = [SETTINGS, PROFILES, STAGES, NO_TOOL, AUDITS, MODEL]
    settings, profiles, stages, no_tool, audits, model = st.tabs(titles, key="engine_view", on_change="rerun")
    if settings.open:
        with settings:
            form, beside = st.columns([0.64, 0.36], gap="medium")
            with form:
                settings_form()
            with beside:
                save_panel()
    if model.open:
        with model:
            left, right = st.columns(2, gap="large")
            with left:
                _model()
            with right:
                _index()
    for tab, fill in ((profiles, profiles_tab), (stages, stages_tab), (no_tool, no_tool_tab), (audits, audits_tab)):
        if tab.open:
            with tab:
                fill()


def _model() -> None:
    st.markdown("**The model that reads the texts**")
    config = session.opened().config
    try:
        report = model_report(config.model)
    except CuratorError as error:
        panels.message("The model is not there", str(error))
        return
    _facts(model_facts(report, config))
    _recommended(report)


def _recommended(report: ModelReport) -> None:
    """Say how to get the recommended model, and what changes with it."""
    st.markdown("**The recommended model**")
    if report.model == report.preferred:
        st.text(f"{visible(report.preferred)} is in use.")
    elif report.preferred_found:
        st.text(f'{visible(report.preferred)} is on this machine. Write model = "auto" in curator.toml to use it.')
    else:
        st.text(f"{visible(report.preferred)} was not found in {visible(report.preferred_folder)}. To get it, on a machine with network:")
        st.code(_PULL, language="bash")
        panels.note("Then start the workbench again. Without it the bundled model is used, which needs no network.")
    panels.note(_COSINES)


def _index() -> None:
    st.markdown("**The index**")
    snapshot = session.snapshot()
    if not snapshot.finished:
        st.info("The index is being made: " + snapshot.progress.stage, icon=":material/hourglass_top:")
        return
    _facts(index_facts(snapshot.index, snapshot.finished_at))
    st.markdown("**Limits**")
    _facts(limit_facts(snapshot.index))


def _facts(facts: Facts) -> None:
    """Show facts as a list that can be read and copied."""
    for label, text in facts:
        name, said = st.columns([0.28, 0.72], gap="small")
        with name:
            panels.note(label)
        said.text(text)


if __name__ == "__main__":
    show()
