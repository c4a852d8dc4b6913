"""Home: the registry's figures, what to fix next, the tour, and the way to other registries."""

from __future__ import annotations

import streamlit as st

from dashboard import panels, session, start_panel
from dashboard.health_table import Finding, Item, Level, figures, findings
from dashboard.tables import plural, short_model

SHOWN = 6
_OVERLAP = "views/overlap.py"
_COLOURS: dict[Level, panels.Colour] = {"broken": "red", "harm": "orange", "hint": "grey"}
_ICONS: dict[Level, str] = {"broken": ":material/error:", "harm": ":material/trending_down:", "hint": ":material/info:"}


def show() -> None:
    """Show the page: figures on top; what looks wrong at the left; the tour and other registries beside it."""
    _figures()
    left, right = st.columns((5, 3), gap="large")
    with left:
        fix_next()
    with right:
        if session.registry().tools:
            with st.container(border=True):
                st.markdown("**Three steps to a first fix**")
                start_panel.tour()
        with st.container(border=True):
            st.markdown("**Another registry**")
            start_panel.registries()


def _figures() -> None:
    with st.container(horizontal=True, gap="small"):
        for figure in figures(session.registry()):
            st.metric(figure.name, figure.value, help=figure.help, border=True)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _model()


def _model() -> None:
    """Say which model reads the tools, and whether the index is ready."""
    snapshot = session.snapshot_now()
    encoder, build = snapshot.index.encoder, snapshot.index.build
    if not snapshot.finished:
        st.caption("The model is being loaded and reads the tools; until then, answers use words only.")
    elif encoder is None:
        st.caption("There is no model: answers use words only. Engine & index says how to get one.")
    else:
        st.text(short_model(encoder.model_id), width="content")
        limit = f"reads the first {encoder.max_tokens:,} tokens of a tool"
        st.caption(f"{limit} · index ready: {build.embedded:,} texts read now, {build.reused:,} known from before")


def fix_next() -> None:
    """List what looks wrong, worst first."""
    st.subheader("Fix next", anchor=False)
    registry = session.registry()
    if not registry.tools:
        st.markdown("This registry has no tools yet. Add the first one, then ask for it in the Playground.")
        st.page_link("views/tools.py", label="Add a tool", icon=":material/add:")
        return
    snapshot = session.snapshot()
    found = findings(registry, snapshot.index, session.settings())
    for finding in found:
        _finding(finding)
    if not snapshot.finished:
        st.caption("Cut texts and close pairs follow when the model has read the tools.")
    elif not found:
        st.success("Nothing looks wrong. Ask questions in the Playground to see whether the right tools come.", icon=":material/check:")


def _finding(finding: Finding) -> None:
    with st.container(border=True, gap="xsmall", key=f"home_{finding.kind.replace(' ', '_')}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(f"{len(finding.items):,}", icon=_ICONS[finding.level], color=_COLOURS[finding.level])
            st.markdown(f"**{finding.title}**", width="content")
            st.caption(finding.harm, width="stretch")
            _see_all(finding)
        listed = finding.items[:SHOWN]
        if any(item.said for item in listed):
            for item in listed:
                with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                    _item(item)
        else:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                for item in listed:
                    _item(item)
        if len(finding.items) > SHOWN:
            st.caption(f"and {plural(len(finding.items) - SHOWN, 'more')[:-1] if len(finding.items) - SHOWN > 1 else '1 more'}")


def _item(item: Item) -> None:
    for key in item.tools[:SHOWN]:
        panels.name_link(key)
    if item.term:
        panels.name_link(item.term, "views/synonyms.py", "term")
    if item.said:
        st.text(item.said, width="stretch")


def _see_all(finding: Finding) -> None:
    """Lead to the page where all cases of a kind can be worked through."""
    if finding.kind == "close pairs" and panels.has_page(_OVERLAP):
        st.page_link(_OVERLAP, label="Overlap", icon=":material/arrow_forward:")
    if finding.only and st.button("All in the list", key=f"home_all_{finding.only.replace(' ', '_')}", type="tertiary"):
        session.put("tools_only", finding.only)
        st.switch_page("views/tools.py")


if __name__ == "__main__":
    show()
