"""The playground: ask a question, see which tools an agent would get, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

import streamlit as st

from curator_core import PROFILE_NAMES, STAGES, TUNED_STAGES, Settings, Trace, profile
from dashboard import panels, ready, session, tables
from dashboard.drafts import draft_bar
from dashboard.drafts.authoring import may_write, own_settings
from dashboard.engine.settings_table import PROFILE_HELP
from dashboard.playground import compare_panel, scratch_panel, tool_panel
from dashboard.playground.comparison import gone
from dashboard.playground.cost import answer_cost, cost_line, pool_cost
from dashboard.playground.facts import cut_line, verdict, what_happened
from dashboard.playground.pinning import FORBID, FORBID_HELP, PIN, PIN_HELP, pin
from dashboard.resources import workbench
from dashboard.tables import COMBINED_HELP, Listed, visible
from dashboard.tools.advice_panel import advice_for_question

ROWS_BELOW = 50
_PATIENCE_SECONDS = 0.2  # how long an answer waits for what all tools would cost
_ROW_HEIGHT = 28
_HELP = {spec.name: spec.metadata.get("help", "") for spec in fields(Settings)}
_LABEL = {spec.name: spec.metadata.get("label", "") for spec in fields(Settings)}
_WHERE_HELP = "Says where a tool stands for this question and what it lacks, also when it is not in the answer."
_SCRATCH_HELP = "Several questions at once: a list that you keep beside this one, and what each of them brings."
_COST_HELP = (
    "What the agent's model is given for the tools: name, description and parameters of each, on every turn. Extra context and synonyms "
    "are for the search only and cost nothing. Counted with this registry's embedding model; a chat model's count differs by some percent."
)
_EVIDENCE_HELP = "The best meaning match is below the unsure line, and the question says no tool's name."
_COLUMN_HELP = {
    "#": "Place in the answer; below the cut, the rank for the whole question.",
    "tool": "The tool's key. Select a row to see each stage.",
    "stages": "What meaning (blue) and words (orange) add to the combined score; the full width is first in both. In the profile tuned "
    "also the name (purple) and parts of the question (teal); the full width is the first tool's score.",
    "meaning": "Meaning match: rank, then cosine similarity of question and tool text (dense retrieval). –: off, or no model.",
    "words": "Word match: rank, then BM25 score of the shared words. –: no shared word, or off.",
    "combined": COMBINED_HELP,
    "flags": "①, ②: that part of the question brought it. name: the question says most of its name, so it comes first. "
    "top-up: filled in from the whole question. unsure: one of the extra tools of an unsure answer.",
    "saved #": "Place in the answer of the registry as saved; – = not in it.",
    "vs saved": "Place against the registry as saved: ▲ up, ▼ down, = same, new, gone.",
    "other #": "Place in the answer with the other settings; – = not in it.",
    "vs other": "Place here against the other settings: ▲ higher here, ▼ lower here, = same, new, gone.",
    "why": "What speaks for the tool, in words.",
}

_PLACES = ("saved #", "vs saved", "other #", "vs other")
_GONE = {"saved": "No longer shown:", "other": "Only with the other settings:"}


def show() -> None:
    """Show the page. All of it is one fragment, so that typing reruns nothing else."""
    playground()


@st.fragment
def playground() -> None:
    """Ask, answer, explain."""
    draft_bar.follow()
    tool = controls()
    if session.value("scratch_open"):
        scratch_panel.scratch_list()
    if not session.query().strip():
        introduction()
        return
    curator = session.curator()
    if ready.stalls(curator):
        return
    trace = curator.curate(session.query(), role=session.role())
    facts(trace, ready.reading(curator).finished)
    against, before = compare_panel.other_side(trace)
    left, right = st.columns([0.62, 0.38] if tool else [0.999, 0.001], gap="medium" if tool else None)
    with left:
        answer(trace, before, against)
    if tool:
        with right:
            compare_panel.versus(trace, tool)
            advice_for_question(tool, trace.query, trace.role)
            tool_panel.in_trace(session.snapshot().index, trace, tool)


def controls() -> str | None:
    """Show the question, and what the answer depends on; return the tool in focus."""
    own = own_settings()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input(
            "Question",
            key="q",
            type="search",
            live=True,
            bind="query-params",
            placeholder="Type what a user would ask: the answer follows as you type, and the page's address holds the question",
        )
        st.number_input("Tools", 1, 1_000_000, own.top_k, key="k", bind="query-params", width=120, help=_HELP["top_k"])
        st.selectbox(
            "Profile",
            PROFILE_NAMES,
            PROFILE_NAMES.index(own.profile),
            key="profile",
            bind="query-params",
            width=110,
            help=PROFILE_HELP,
        )
        tool = panels.choose_tool("Where is this tool?", "Any tool, or select a row", _WHERE_HELP, width=260)
    with st.container(horizontal=True, gap="small"):
        _switches(STAGES)
        st.space("stretch")
        compare_panel.switches()
        st.toggle("Several", key="scratch_open", bind="query-params", persist_state="session", help=_SCRATCH_HELP)
    if session.value("profile") == "tuned":
        with st.container(horizontal=True, gap="small"):
            _switches(TUNED_STAGES)
    return tool


def _switches(stages: Sequence[str]) -> None:
    """Show a switch for each stage; it starts as the registry has it, or as the profile does that is chosen here."""
    own, chosen = own_settings(), session.value("profile")
    start = own if chosen in (None, own.profile) else profile(str(chosen))
    for stage in stages:
        st.checkbox(_LABEL[stage], getattr(start, stage), key=stage, bind="query-params", help=_HELP[stage])


def introduction() -> None:
    """Say what the page is for, and offer questions of the registry to start with."""
    st.markdown("**Ask what a user would ask.** You see which tools an agent is shown, in which order, and what each stage saw in them.")
    examples = tables.example_questions(session.registry().test_queries, 3)
    if not session.registry().tools:
        st.markdown("This registry has no tools yet. Add one on the Tools page.")
    if examples:
        st.caption("Questions from this registry's test queries:")
    for number, example in enumerate(examples):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button("Ask", key=f"playground_ask_{number}", icon=":material/arrow_forward:", on_click=_ask(example))
            st.text(visible(example))


def facts(trace: Trace, line_known: bool) -> None:
    """Show what happened to the question, stage by stage. line_known: what the registry's own questions say of it is there."""
    with st.container(border=True, gap="xsmall"):
        if said := verdict(trace):
            with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
                st.badge("unsure", icon=":material/help:", color="grey", help=_EVIDENCE_HELP)
                st.text(visible(said))
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            for fact in what_happened(trace, not session.snapshot_now().finished, line_known):
                st.badge(fact.label, color=panels.STAGE_BADGE[fact.stage], help=fact.help or None)
                st.text(fact.text)


def answer(trace: Trace, before: Trace | None, against: str) -> None:
    """Show the tools of the answer, the cut, and on demand what stands below it. before, against: what places are compared with."""
    lines = tables.answer(trace, before)
    if lines:
        tool_list("playground_rows", lines, trace, against, "Tools that the agent is shown, best first")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(cut_line(trace))
            st.caption(_cost(trace), help=_COST_HELP)
            st.space("stretch")
            st.toggle(f"Show {ROWS_BELOW} below the cut", key="playground_below", persist_state="session")
    if before and (lost := gone(trace, before)):
        st.caption(_GONE[against])
        tool_list("playground_gone", lost, trace, against, "Tools that are no longer in the answer, with their figures here")
    if lines and session.value("playground_below"):
        rest = tables.below(trace, ROWS_BELOW, before)
        tool_list("playground_further", rest, trace, against, "Tools below the cut, in the order of the whole question")


def _cost(trace: Trace) -> str:
    """Say what the answer costs; what all tools would cost is counted in the background, and said from the next answer on."""
    index = session.snapshot().index
    whole = workbench().costs.of((index.fingerprint, trace.role), lambda _: pool_cost(index, trace))
    whole.wait(_PATIENCE_SECONDS)
    return cost_line(answer_cost(index, trace), whole.result)


def tool_list(key: str, lines: Sequence[Listed], trace: Trace, against: str, alt: str) -> None:
    """Show lines as a table in which one row can be selected."""
    listed = tuple(line.key for line in lines)
    _show_selection(key, listed)
    frame = tables.list_frame(lines, trace.settings, against)
    if may_write():
        place = list(frame.columns).index("tool") + 1
        frame.insert(place, "pin", PIN)
        frame.insert(place + 1, "not", FORBID)
    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        row_height=_ROW_HEIGHT,
        height=_ROW_HEIGHT * min(len(lines), 26) + 38,
        on_select=_select(key, listed),
        selection_mode=["single-row", "single-cell"],
        column_config=_columns() | _pin_columns(key, listed, trace.query),
        alt=alt,
    )


def _columns() -> dict[str, Any]:
    column = st.column_config
    widths = {"tool": 186, "meaning": 64, "words": 68, "combined": 72, "why": 460} | dict.fromkeys(_PLACES, 60)
    figures = ("meaning", "words", "combined", *_PLACES)
    texts = {
        name: column.TextColumn(width=width, alignment="right" if name in figures else "left", help=_COLUMN_HELP[name])
        for name, width in widths.items()
    }
    flags, colours = list(panels.FLAG_COLOURS), list(panels.FLAG_COLOURS.values())
    return texts | {
        "#": column.NumberColumn(width=36, help=_COLUMN_HELP["#"]),
        "stages": column.ImageColumn(width=94, help=_COLUMN_HELP["stages"]),
        "flags": column.MultiselectColumn(width=112, options=flags, color=colours, help=_COLUMN_HELP["flags"]),
    }


def _pin_columns(key: str, listed: Sequence[str], question: str) -> dict[str, Any]:
    """Return two columns with a button a row: pin the tool as a test, or say that it must not appear."""

    def clicked(name: str, forbidden: bool) -> Callable[[], None]:
        def act() -> None:
            row = session.value(name)["row"]
            if row < len(listed):
                pin(question, listed[row], forbidden)()

        return act

    return {
        column: st.column_config.ButtonColumn(
            "", width=34, type="tertiary", help=said, key=f"{key}_{column}", on_click=clicked(f"{key}_{column}", forbidden)
        )
        for column, said, forbidden in (("pin", PIN_HELP, False), ("not", FORBID_HELP, True))
    }


def _ask(question: str) -> Callable[[], None]:
    return lambda: session.put("q", question)


def _select(key: str, listed: Sequence[str]) -> Callable[[], None]:
    """Return a callback that puts the selected row's tool into focus."""

    def act() -> None:
        state = session.value(key)["selection"]
        rows = [cell[0] for cell in state["cells"]] or state["rows"]  # a clicked cell comes beside the row that is marked
        session.put("tool", listed[rows[0]] if rows and rows[0] < len(listed) else None)

    return act


def _show_selection(key: str, listed: Sequence[str]) -> None:
    """Mark the row of the tool in focus, wherever it stands now."""
    tool = session.value("tool")
    rows = [listed.index(tool)] if tool in listed else []
    session.put(key, {"selection": {"rows": rows, "columns": [], "cells": []}})


if __name__ == "__main__":
    show()
