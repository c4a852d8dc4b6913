"""Synonyms: what users say for the domain's terms, which tools each term reaches, and what a change does to questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from dashboard import session
from dashboard.authoring import note_draft
from dashboard.editor import Status, text_editor
from dashboard.effect_panel import effect_panel
from dashboard.effects import Question
from dashboard.row_list import row_list
from dashboard.synonym_table import Reach, in_order, matching_terms, phrase_lines, preview, reach_of_terms, remarks, synonyms_table
from dashboard.tables import visible


def show() -> None:
    """Show the page: the list at the left, the open term and what its edits do beside it."""
    reach = reach_of_terms(session.registry(), session.snapshot().index)
    listing, detail = st.columns((4, 5), gap="medium")
    with detail:
        term = choose_term()
    with listing:
        term_list(term, reach)
    with detail:
        if term is None:
            st.info(_PURPOSE, icon=":material/arrow_back:")
            return
        _phrases(term, reach[term])
        _reached(reach[term])
        cases = reach[term].queries
        said = tuple(Question(case.query, case.expected or reach[term].tools, "test query", case.role) for case in cases)
        effect_panel(reach[term].tools, "a tool that this term reaches", said)


def choose_term() -> str | None:
    """Let the author name the term to open, add one, or delete the open one. Return the term."""
    synonyms = session.registry().synonyms
    if session.value("term") not in synonyms:
        session.put("term", None)
    field, actions = st.columns((3, 2), vertical_alignment="bottom")
    with field:
        term: str | None = st.selectbox(
            "Term",
            in_order(synonyms),
            index=None,
            key="term",
            bind="query-params",
            persist_state="session",
            format_func=visible,
            placeholder="Type a part of it",
        )
    with actions, st.container(horizontal=True, gap="xsmall"):
        with st.popover("Add a term", icon=":material/add:", key="synonyms_add", on_change="rerun", width="content"):
            _new_term()
        if term is not None:
            with st.popover("Delete", icon=":material/delete:", key="synonyms_delete", on_change="rerun"):
                st.caption("Nothing is written until you publish, and “Undo last” brings it back.")
                st.button("Delete this term", key="synonyms_delete_sure", type="primary", on_click=_deleted(term))
    return term


@st.fragment
def term_list(current: str | None, reach: Mapping[str, Reach]) -> None:
    """Show the terms that the filter leaves; a click on a row opens its term."""
    if session.value("term") != current:
        st.rerun()  # a row was clicked: what stands beside the list must follow
    synonyms = session.registry().synonyms
    text = st.text_input(
        "Find terms", key="synonyms_text", type="search", live=True, persist_state="session", placeholder="words of a term or a phrase"
    )
    dead = st.toggle(
        "Only terms that do nothing",
        key="synonyms_dead",
        persist_state="session",
        help="Terms without phrases, and terms that stand in no tool's name, description or extra context.",
    )
    shown = [term for term in matching_terms(synonyms, text or "") if not dead or remarks(synonyms[term], reach[term])]
    st.caption(f"{len(shown):,} of {len(synonyms):,} terms")
    edited = [edit.tool for edit in session.edits() if edit.field == "synonyms"]
    row_list(
        "synonyms_rows",
        synonyms_table(synonyms, shown, reach, edited),
        lambda row, _: shown[row],
        "term",
        height=620,
        columns=_COLUMNS,
        alt="The synonym terms that the filter leaves",
    )


def _phrases(term: str, reach: Reach) -> None:
    phrases = session.registry().synonyms[term]
    same = session.base().synonyms.get(term) == phrases
    text_editor(
        "Phrases",
        "\n".join(phrases),
        key=f"synonyms_phrases_{term}",
        version=session.opened().number,
        on_commit=lambda text: _set(term, phrase_lines(text)),
        on_save=note_draft,
        normal=lambda text: "\n".join(phrase_lines(text)),
        rows=4,
        help="What users say for this term, one phrase a line. They are added to the text of every tool that has the term.",
        status=Status("as published") if same else Status("in your draft, not published yet", "draft"),
    )
    for remark in remarks(phrases, reach):
        st.badge(_REMARKS[remark], icon=":material/warning:", color="orange")


def _reached(reach: Reach) -> None:
    """List the tools that get the phrases, and the test queries that say one."""
    tools, queries = st.columns(2)
    with tools, st.expander(f"Tools it reaches: {len(reach.tools)}", key="synonyms_tools"):
        st.text("\n".join(map(visible, reach.tools)) or "none")
    with queries, st.expander(f"Test queries that say a phrase: {len(reach.queries)}", key="synonyms_queries"):
        st.text("\n".join(visible(case.query) for case in reach.queries) or "none")


def _new_term() -> None:
    """Let the author write a term and its phrases, and say what they would reach before they are added."""
    st.text_input("Term", key="synonyms_new_term", live=True, placeholder="a word of the tools' texts, such as grievance")
    text_editor(
        "What users say for it",
        str(session.value("synonyms_new_text") or ""),
        key="synonyms_new_phrases",
        version=session.value("synonyms_new_number") or 0,
        on_commit=lambda text: session.put("synonyms_new_text", text),
        help="One phrase a line.",
    )
    term, phrases = str(session.value("synonyms_new_term") or "").strip(), phrase_lines(str(session.value("synonyms_new_text") or ""))
    st.text(_preview(term, phrases))
    st.button("Add this term", key="synonyms_add_sure", type="primary", disabled=not term, on_click=_added)


def _preview(term: str, phrases: Sequence[str]) -> str:
    if not term:
        return "Write a term to see which tools it reaches."
    if term in session.registry().synonyms:
        return "This term is there already: choose it above to edit its phrases."
    reach = preview(session.registry(), term, phrases or ("no phrase yet",))  # which tools have the term depends on no phrase
    names = ", ".join(map(visible, reach.tools[:6])) + (", …" if len(reach.tools) > 6 else "")
    tools = f"Reaches {len(reach.tools)} tool{'' if len(reach.tools) == 1 else 's'}{f': {names}' if names else ''}."
    return f"{tools}\nTest queries that say a phrase: {len(reach.queries)}."


def _added() -> None:
    session.heed_editors()
    term = str(session.value("synonyms_new_term") or "").strip()
    if term in session.registry().synonyms:
        session.notify(session.Outcome(False, "This term is there already: choose it to edit its phrases."))
    elif session.attempt(lambda: session.add_edit(term, "synonyms", phrase_lines(str(session.value("synonyms_new_text") or "")))):
        session.put("synonyms_new_term", "")
        session.put("synonyms_new_text", "")
        session.put("synonyms_new_number", (session.value("synonyms_new_number") or 0) + 1)
        session.put("synonyms_add", False)
        session.put("term", term)


def _deleted(term: str) -> Callable[[], None]:
    def confirmed() -> None:
        session.heed_editors()
        if session.attempt(lambda: session.add_edit(term, "synonyms", None)):
            session.put("synonyms_delete", False)

    return confirmed


def _set(term: str, phrases: tuple[str, ...]) -> None:
    session.attempt(lambda: session.add_edit(term, "synonyms", phrases))


_COLUMNS = {
    "term": st.column_config.TextColumn(width=120),
    "phrases": st.column_config.TextColumn(width=190),
    "tools": st.column_config.NumberColumn(
        width=50, help="Tools whose name, description or extra context has the term: their text gets the phrases."
    ),
    "test queries": st.column_config.NumberColumn("queries", width=60, help="Test queries that have all words of one of the phrases."),
}
_REMARKS = {
    "no phrases": "Without phrases this term does nothing",
    "reaches no tool": "No tool's name, description or extra context has this term",
}
_PURPOSE = (
    "A synonym rule says what users call something: where a tool's text has the term, the phrases are added to it, so that a question in "
    "the users' words finds the tool. Choose a term to edit its phrases, or add one."
)

if __name__ == "__main__":
    show()
