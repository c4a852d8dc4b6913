"""The playground: ask a question, see which tools an agent would get, and why."""

from __future__ import annotations

import streamlit as st

from dashboard import session
from dashboard.tables import visible


@st.fragment
def search() -> None:
    """The live part: the question and its answer."""
    st.text_input("Question", key="q", type="search", live=True, bind="query-params", placeholder="Type what a user would ask")
    if not session.query():
        return
    trace = session.curator().curate(session.query(), role=session.role())
    st.dataframe({"tool": [visible(key) for key in trace.tools]})


def show() -> None:
    """Show the page."""
    search()


if __name__ == "__main__":
    show()
