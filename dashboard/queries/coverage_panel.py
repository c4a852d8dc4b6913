"""What the test queries cover, both ways: tools that none expects, queries whose tools are not there, and how many there are by tag."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

from curator_core import Coverage, Edit, NearCopy, TestQuery, UnknownTool
from dashboard import panels, session
from dashboard.derived import coverage, leaks
from dashboard.drafts.authoring import may_write
from dashboard.queries import query_choice
from dashboard.queries.query_table import FIELDS, NO_TAG, queries
from dashboard.tables import visible

SHOWN = 60
_UNKNOWN_SHOWN = 20


def coverage_panel() -> None:
    """Show what is covered and what is not."""
    registry = session.registry()
    found = coverage(registry)
    left, right = st.columns(2, gap="large")
    with left:
        _untested(found)
    with right:
        _unknown(found.unknown)
        _unseen(found.unseen)
        _leaks(leaks(registry))
        _tags(found)


def _untested(found: Coverage) -> None:
    pool = set(session.registry().pool(session.role()))
    untested = [key for key in found.untested if key in pool]
    st.markdown(f"**Tools that no test query expects** · {len(untested):,} of {len(pool):,}", help=_UNTESTED)
    if not pool:
        panels.note("There are no tools yet.")
    elif not untested:
        panels.note("Every tool is expected by some test query.")
    _links(untested)
    if len(untested) > SHOWN:
        show = lambda: panels.all_in_list("no test query")
        panels.press("All in the list of tools", "queries_untested_all", show, type="tertiary")
    held = [key for key in found.only_held_out if key in pool]
    if held:
        st.markdown(f"**Expected by held-out queries only** · {len(held):,}", help=_ONLY_HELD)
        _links(held)


def _links(keys: Sequence[str]) -> None:
    with st.container(horizontal=True, gap="xsmall"):
        for key in keys[:SHOWN]:
            panels.name_link(key)
    if len(keys) > SHOWN:
        st.caption(f"and {len(keys) - SHOWN:,} more")


def _unknown(unknown: Sequence[UnknownTool]) -> None:
    st.markdown(f"**Test queries whose tools are not there** · {len({case for one in unknown for case in one.cases}):,}", help=_UNKNOWN)
    if not unknown:
        panels.note("Every tool that a test query names is there.")
    for one in unknown[:_UNKNOWN_SHOWN]:
        with st.container(border=True, gap="xsmall"), st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(visible(f"{one.name}, in {queries(len(one.cases))}"), width="content")
            st.space("stretch")
            for near in one.near if may_write() else ():
                label = f"Use {panels.literal(near)}"
                st.button(label, key=panels.key_of("queries_use", one.name, near), type="tertiary", on_click=_use(one, near))
    if len(unknown) > _UNKNOWN_SHOWN:
        st.caption(f"and {len(unknown) - _UNKNOWN_SHOWN:,} more; the list's status “invalid” has them all")


def _use(unknown: UnknownTool, near: str) -> Callable[[], None]:
    """Return a callback that writes another name into all test queries that have this one, as one step."""

    def act() -> None:
        edits = [Edit("", "test_query", case, _renamed(case, unknown.name, near)) for case in unknown.cases]
        if session.attempt(lambda: session.add(*edits)):
            session.notify(session.Outcome(True, f"{queries(len(edits))} changed, as one step that can be undone."))

    return act


def _renamed(case: TestQuery, old: str, new: str) -> TestQuery:
    def put(tools: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(new if tool == old else tool for tool in tools))

    return replace(case, expected=None if case.expected is None else put(case.expected), forbidden=put(case.forbidden))


def _unseen(unseen: Sequence[tuple[TestQuery, str]]) -> None:
    if not unseen:
        return
    st.markdown(f"**Expected, but the role may not see it** · {len(unseen):,}", help="Such a query can never pass.")
    for number, (case, tool) in enumerate(unseen[:_UNKNOWN_SHOWN]):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            panels.name_link(tool)
            st.text(visible(f"{case.role}: {case.query}"), width="stretch")
            st.button("Open", key=f"queries_unseen_{number}", type="tertiary", on_click=_open(case))


def _leaks(copies: Sequence[NearCopy]) -> None:
    """List the near-copies, by tool; of a held-out query only that there is one."""
    if not copies:
        return
    st.markdown(f"**Repeated in a tool's text** · {len({copy.line for copy in copies}):,}", help=_LEAKS)
    for number, copy in enumerate(copies[:_UNKNOWN_SHOWN]):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            panels.name_link(copy.tool)
            said = "a held-out query" if copy.held_out else f"“{copy.case.query}”"
            st.text(visible(f"{FIELDS[copy.field]}: {said}"), width="stretch")
            if not copy.held_out:
                st.button("Open", key=f"queries_leak_{number}", type="tertiary", on_click=_open(copy.case))
    if len(copies) > _UNKNOWN_SHOWN:
        st.caption(f"and {len(copies) - _UNKNOWN_SHOWN:,} more")


def _open(case: TestQuery) -> Callable[[], None]:
    def act() -> None:
        query_choice.open_case(case)
        session.forget("queries_view")

    return act


def _tags(found: Coverage) -> None:
    st.markdown("**By tag**", help="How many test queries have each tag. A query with two tags counts in both.")
    rows = [(visible(one.tag) or NO_TAG, one.queries, one.judged, one.no_tool, one.held_out) for one in found.tags]
    st.dataframe(
        pd.DataFrame(rows, columns=["tag", "queries", "judged", "no tool", "held out"]),
        hide_index=True,
        key="queries_tags",
        row_height=28,
        column_config={"tag": st.column_config.TextColumn(width=200)},
        alt="Test queries by tag",
    )
    counts = sorted(found.queries_of.values())
    if counts:
        panels.note(f"Half of the tools are expected by {queries(counts[len(counts) // 2])} or fewer; the most is {counts[-1]:,}.")


_LEAKS = (
    "The query stands nearly word for word in a tool's extra context or examples. It passes whatever the text is worth, and helps nobody "
    "who asks in other words: put the text into other words, or take the query for measuring no more."
)
_UNTESTED = "Nobody would notice if these stopped being found. A click opens the tool; Starters has candidates for most of them."
_ONLY_HELD = "While writing you see no query of theirs. Write one that you may look at."
_UNKNOWN = "They were renamed or deleted outside, or are misspelt. Such queries are listed as invalid, not averaged."
