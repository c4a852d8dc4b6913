"""The tools: find one, edit its texts, and see at once what the edit does to questions."""

from __future__ import annotations

import streamlit as st

from dashboard import panels, session
from dashboard.drafts.effect_panel import effect_panel
from dashboard.row_list import row_list
from dashboard.tables import plural
from dashboard.tools.advice_panel import advice_for_tool
from dashboard.tools.tool_actions import tool_actions
from dashboard.tools.tool_detail import tool_detail
from dashboard.tools.tool_table import ONLY, ROWS_PER_PAGE, Facts, ToolFilter, edited_tools, groups, matching, page_of, pages, tools_table
from dashboard.tools.xray_panel import xray_panel


def show() -> None:
    """Show the page: the list at the left, the open tool and what its edits do beside it."""
    listing, detail = st.columns((3, 8), gap="medium")
    with detail:
        key = choose_tool()
    with listing:
        tool_list(key)
    with detail:
        if key is None:
            st.info(_CHOOSE if session.registry().tools else _ADD, icon=":material/arrow_back:")
            return
        texts, effect = st.columns(2, gap="medium")
        with texts:
            tool_detail(key)
        with effect:
            advice_for_tool(key)
            effect_panel((key,), "this tool")
            xray_panel(key)


def choose_tool() -> str | None:
    """Let the author name the tool to open, and offer what can be done with whole tools. Return its key."""
    field, actions = st.columns((3, 4), vertical_alignment="bottom")
    with field:
        key = panels.choose_tool("Tool", "Type a part of its name", "The tool to read and edit; a click in the list opens one too.")
    with actions:
        tool_actions(key)
    return key


@st.fragment
def tool_list(current: str | None) -> None:
    """Show the tools that the filter leaves; a click on a row opens its tool."""
    registry, asked = session.registry(), session.value("tool")
    if asked != current and asked in registry.by_key:
        st.rerun()  # a row was clicked: what stands beside the list must follow
    wanted = _filter()
    index = session.snapshot().index
    cut_off = frozenset(index.cut_off()) if wanted.only == "too long for the model" else frozenset()
    facts = Facts(cut_off, edited_tools(session.edits()))
    keys = matching(registry, wanted, facts)
    shown = page_of(keys, _page(len(keys)))
    if not wanted.only:
        limit = index.encoder.max_tokens if index.encoder else 0
        facts = Facts(frozenset(key for key in shown if limit and (index.tokens(key) or 0) > limit), facts.edited)
    st.caption(
        f"{len(keys):,} of {plural(len(registry.pool(wanted.role)), 'tool')}" + (f" that {wanted.role} may see" if wanted.role else "")
    )
    row_list(
        "tools_rows",
        tools_table(registry, shown, facts),
        lambda row, _: shown[row],
        "tool",
        height=620,
        columns={"tool": st.column_config.TextColumn(width=186)},
        alt="The tools that the filter leaves",
    )


def _filter() -> ToolFilter:
    registry = session.registry()
    text = st.text_input(
        "Find tools", key="tools_text", type="search", live=True, persist_state="session", placeholder="words of a name or a text"
    )
    left, right = st.columns(2, gap="xsmall")
    group = left.selectbox("Group", groups(registry), index=None, key="tools_group", persist_state="session", placeholder="any")
    only = right.selectbox("Only with", ONLY, index=None, key="tools_only", persist_state="session", placeholder="any")
    return ToolFilter(text or "", session.role(), group, only)


def _page(count: int) -> int:
    if count <= ROWS_PER_PAGE:
        return 1
    last = pages(count)
    if (session.value("tools_page") or 1) > last:  # the filter leaves fewer pages than before
        session.put("tools_page", last)
    return int(st.number_input(f"Page of {last}", 1, last, key="tools_page", help=f"{ROWS_PER_PAGE} tools a page, in order of names."))


_CHOOSE = "Choose a tool in the list, or by its name above, to read and edit its texts."
_ADD = "This registry has no tools yet. Add the first one above: a name, then what it does."

if __name__ == "__main__":
    show()
