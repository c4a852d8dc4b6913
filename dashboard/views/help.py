"""Help: the tour, the scores of the last question step by step, the words of the screen, the keys."""

from __future__ import annotations

import streamlit as st

from dashboard import panels, session, tables
from dashboard.glossary import matching_terms
from dashboard.home import start_panel
from dashboard.tables import visible
from dashboard.walkthrough import Step, walkthrough

PARTS = ("Tour", "Your last question", "Vocabulary", "Keys")
_KEYS = (
    ("Ctrl+S", "in a text of a tool or a synonym: takes what you typed into your draft at once"),
    ("Tab, Shift+Tab", "to the next or the previous control"),
    ("Enter, Space", "presses a button, follows a link, switches a box"),
    ("↑ ↓, then Space", "in a table: goes from row to row, and selects one"),
    ("Ctrl+F", "in a table: finds text in it"),
    ("Esc", "closes a list or a drawer"),
)


def show() -> None:
    """Show the part that is chosen; the others are not computed."""
    part = st.radio("Part", PARTS, key="help", bind="query-params", label_visibility="collapsed", horizontal=True)
    shown = {PARTS[0]: _tour, PARTS[1]: _last_question, PARTS[2]: _vocabulary, PARTS[3]: _keys}
    shown[part if part in shown else PARTS[0]]()


def _tour() -> None:
    text, _ = st.columns((3, 2))
    with text:
        st.markdown(_PURPOSE)
        if not session.is_open():
            start_panel.registries()
            return
        start_panel.tour()
        if session.registry().name != "campus":
            st.caption("The steps use your registry's own questions. The sample *campus*, on Home, has a question made for the tour.")


def _last_question() -> None:
    if not session.is_open() or not session.query().strip():
        st.markdown(
            "Ask a question in the Playground; here you then see, step by step and with its own numbers, how its scores came about."
        )
        st.page_link("views/playground.py", label="To the Playground", icon=":material/search:")
        return
    trace = session.curator().curate(session.query(), role=session.role())
    st.text(visible(session.query()))
    if not trace.tools:
        st.text(visible(f"There is no answer: {trace.reason}."))
        return
    keys = tables.offered(trace.tools, None, panels.OFFERED)
    tool = st.selectbox("Tool of the answer", keys, key="help_tool", format_func=visible, width=360, help="The best one first.")
    for step in walkthrough(trace, tool if tool in trace.tools else trace.tools[0]):
        _step(step)
    st.caption("Figures are shown rounded; sums are made before rounding.")


def _step(step: Step) -> None:
    label, lines = st.columns((1, 7), gap="small")
    with label:
        st.badge(step.label, color=panels.STAGE_BADGE.get(step.stage, "grey"))
    with lines:
        st.text("\n".join(step.lines))


def _vocabulary() -> None:
    text = st.text_input("Find a word", key="help_word", type="search", live=True, placeholder="such as synonym, or BM25", width=360)
    terms = matching_terms(text or "")
    if not terms:
        st.text("No word of the vocabulary has this.")
        return
    rows = "\n".join(f"| **{term.word}** | {term.sentence} | {term.engineer or '–'} |" for term in terms)
    st.markdown(f"| On screen | What it means | An engineer says |\n|:--|:--|:--|\n{rows}")


def _keys() -> None:
    rows = "\n".join(f"| **{keys}** | {said} |" for keys, said in _KEYS)
    st.markdown(f"| Keys | What they do |\n|:--|:--|\n{rows}")
    st.caption("Everything can be done without a mouse; what a click on a table row does, the selection fields above it do too.")


_PURPOSE = (
    "An agent with hundreds of tools is shown only the few that fit a question. Which ones, depends on a few lines of text that you write. "
    "Here you see, stage by stage, why a tool comes or not, change the text, and see at once what that does."
)

if __name__ == "__main__":
    show()
