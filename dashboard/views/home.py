"""Home: the registry's figures, what to fix next, the tour, and the way to other registries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from dashboard import panels, session
from dashboard.home import fix_panel, start_panel
from dashboard.home.health_table import Finding, Item, Level, figures, findings
from dashboard.home.tour import SAMPLE
from dashboard.jobs import Job
from dashboard.looks import look_every
from dashboard.resources import workbench
from dashboard.tables import plural

SHOWN, AT_MOST = 4, 50
_OVERLAP = "views/overlap.py"
_PATIENCE_SECONDS = 0.5  # how long the page waits for the checks before it shows that they are being made
_COLOURS: dict[Level, panels.Colour] = {"broken": "red", "harm": "orange", "hint": "grey"}
_ICONS: dict[Level, str] = {"broken": ":material/error:", "harm": ":material/trending_down:", "hint": ":material/info:"}


def show() -> None:
    """Show the page: a question and figures on top; what looks wrong at the left; the tour and other registries beside it."""
    _ask()
    _figures()
    left, right = st.columns((5, 3), gap="large")
    with left:
        fix_next()
    with right:
        if session.registry().tools:
            sample = session.registry().name == SAMPLE
            with st.expander("Three steps to a first fix", icon=":material/directions_walk:", expanded=sample, key="home_tour"):
                start_panel.tour()
        start_panel.registries()


def _ask() -> None:
    """Take a question to the Playground; an address with a question in it leads there too."""
    st.text_input(
        "Question",
        key="home_question",
        type="search",
        placeholder="Ask what a user would ask, and press Enter: the Playground shows which tools an agent gets, and why",
    )
    asked = session.value("home_question") or st.query_params.get("q")
    if asked and session.registry().tools:
        others = {name: value for name, value in st.query_params.to_dict().items() if name != "role"}  # that one is the header's
        st.switch_page("views/playground.py", query_params={**others, "q": asked})


def _figures() -> None:
    with st.container(horizontal=True, gap="small"):
        for figure in figures(session.registry()):
            st.metric(figure.name, figure.value, help=figure.help)
    st.caption(_model())


def _model() -> str:
    """Say how much of a tool the model reads, and whether the index is ready."""
    snapshot = session.snapshot_now()
    encoder, build = snapshot.index.encoder, snapshot.index.build
    if not snapshot.finished:
        return "The model is being loaded and reads the tools; until then, answers use words only."
    if encoder is None:
        return "There is no model: answers use words only. Engine & index says how to get one."
    ready = f"The index is ready: {plural(build.embedded, 'text')} read now, {build.reused:,} known from before."
    return f"{ready} The model reads the first {encoder.max_tokens:,} tokens of a tool."


def fix_next() -> None:
    """List what looks wrong, worst first."""
    st.markdown("**Fix next**", help="What looks wrong in this registry, worst first. Each name leads to where it is put right.")
    registry = session.registry()
    if not registry.tools:
        st.markdown("This registry has no tools yet. Import them from a file, or add the first one, then ask for it in the Playground.")
        with st.container(horizontal=True, gap="small"):
            st.page_link("views/exchange.py", label="Import tools", icon=":material/import_export:")
            st.page_link("views/tools.py", label="Add a tool", icon=":material/add:")
        return
    fix_panel.failing_queries()
    index, settings, finished = session.snapshot().index, session.settings(), session.snapshot_now().finished
    key = (registry.content, registry.test_queries, registry.problems, index.fingerprint, settings)
    job = workbench().checks.of(key, lambda _: findings(registry, index, settings))
    if not job.wait_at_first(_PATIENCE_SECONDS):
        _checking(job)
    elif job.result is None:
        panels.message("The texts could not be checked", job.error)
    else:
        _found(job.result, finished)


@look_every(1)
def _checking(job: Job[tuple[Finding, ...]]) -> None:
    if job.finished:
        st.rerun(scope="app")
    st.progress(0.0, "Checking the texts of all tools, and which are the closest; of thousands it takes some seconds.")


def _found(found: Sequence[Finding], finished: bool) -> None:
    for finding in found:
        _finding(finding)
    if not finished:
        st.caption("Cut texts and close pairs follow when the model has read the tools.")
    elif all(finding.level == "hint" for finding in found):
        st.success("Nothing serious looks wrong. Ask in the Playground whether the right tools come.", icon=":material/check:")


def _finding(finding: Finding) -> None:
    with st.container(border=True, gap="xsmall", key=f"home_{finding.kind.replace(' ', '_')}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(f"{len(finding.items):,}", icon=_ICONS[finding.level], color=_COLOURS[finding.level])
            st.markdown(f"**{finding.title}**", width="content")
            st.space("stretch")
            _see_all(finding)
        st.caption(finding.harm)
        shown = f"home_more_{finding.kind}"
        few = len(finding.items) if len(finding.items) <= SHOWN + 1 else SHOWN
        listed = finding.items[: AT_MOST if session.value(shown) else few]
        _items(listed)
        if len(finding.items) > len(listed):
            if session.value(shown):
                st.caption(f"and {len(finding.items) - len(listed):,} more")
            else:
                st.button(f"{len(finding.items) - few:,} more", key=f"{shown}_button", type="tertiary", on_click=_unfold(shown))


def _items(items: Sequence[Item]) -> None:
    if not any(item.said for item in items):
        with st.container(horizontal=True, gap="xsmall"):
            for item in items:
                _links(item)
        return
    for item in items:
        links, said = st.columns((1, 2), gap="small", vertical_alignment="center")
        with links, st.container(horizontal=True, gap="xsmall"):
            _links(item)
        said.text(item.said)


def _links(item: Item) -> None:
    for key in item.tools[:SHOWN]:
        panels.name_link(key)
    if item.term:
        panels.name_link(item.term, "views/synonyms.py", "term")


def _unfold(name: str) -> Callable[[], None]:
    return lambda: session.put(name, True)


def _see_all(finding: Finding) -> None:
    """Lead to the page where all cases of a kind can be worked through."""
    if finding.kind == "close pairs" and panels.has_page(_OVERLAP):
        st.page_link(_OVERLAP, label="Overlap", icon=":material/arrow_forward:")
    if finding.only:
        key = f"home_all_{finding.only.replace(' ', '_')}"
        panels.press("All in the list", key, lambda: panels.all_in_list(finding.only), type="tertiary")


if __name__ == "__main__":
    show()
