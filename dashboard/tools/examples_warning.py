"""What an author should know of a tool's example questions: those that are test queries too, so that they pass by their own words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from curator_core import Edit, NearCopy, TestQuery, Tool
from dashboard import panels, session
from dashboard.derived import copies_in_examples
from dashboard.drafts.authoring import may_write
from dashboard.tables import plural, visible

_SHOWN = 3


def examples_warning(tool: Tool) -> None:
    """Say which examples repeat a test query, nearly word for word, and offer to take these out of the test set."""
    copies = copies_in_examples(tool, session.registry().test_queries)
    if not copies:
        return
    seen = [copy for copy in copies if not copy.held_out]
    with st.container(border=True, gap="xsmall", key="tools_example_copies"):
        st.badge(_title(copies), icon=":material/content_copy:", color="orange", help=_HELP)
        for copy in seen[:_SHOWN]:
            st.text(visible(f"“{copy.case.query}”"))
        if len(seen) > _SHOWN:
            panels.note(f"and {len(seen) - _SHOWN:,} more")
        if hidden := len(copies) - len(seen):
            panels.note(f"Held out, and not shown: {hidden:,}. There the example has to go, for the query only measures.")
        if seen and may_write():
            label = "Take it out of the tests" if len(seen) == 1 else f"Take these {len(seen):,} out of the tests"
            st.button(label, key="tools_example_copies_out", icon=":material/playlist_remove:", on_click=_out([one.case for one in seen]))


def _title(copies: Sequence[NearCopy]) -> str:
    cases = len({copy.case for copy in copies})
    return f"{plural(cases, 'test query')} repeated in examples"


def _out(cases: Sequence[TestQuery]) -> Callable[[], None]:
    """Return a callback that deletes test queries, as one step."""

    def act() -> None:
        session.heed_editors()
        session.attempt(lambda: session.add(*(Edit("", "test_query", case, None) for case in dict.fromkeys(cases))))

    return act


_HELP = (
    "An example question helps to find its tool, so a test query that says nearly the same passes by its own words and proves nothing. "
    "Take the query out of the tests, or the example out of the tool."
)
