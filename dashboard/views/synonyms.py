"""Synonyms: what users say for the domain's terms, which tools each term reaches, and what a change does to questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from curator_core import SynonymRemark
from dashboard import session
from dashboard.drafts.authoring import note_draft
from dashboard.drafts.effect_panel import effect_panel
from dashboard.drafts.effects import Question
from dashboard.editor import Status, text_editor
from dashboard.row_list import row_list
from dashboard.synonyms.synonym_forms import synonym_forms
from dashboard.synonyms.synonym_reach import Change, Reach, change_of, change_text, query_lines, reach_of_terms, tool_lines
from dashboard.synonyms.synonym_table import (
    REMARK_WORDS,
    Remarks,
    in_order,
    matching_terms,
    phrase_lines,
    remarks_of_terms,
    synonyms_table,
)
from dashboard.tables import plural, visible


def show() -> None:
    """Show the page: the list at the left, the open term and what its edits do beside it."""
    registry, index = session.registry(), session.snapshot().index
    reach, remarks = reach_of_terms(registry, index), remarks_of_terms(registry, index)
    listing, detail = st.columns((4, 5), gap="medium")
    with detail:
        term = choose_term(reach)
    with listing:
        term_list(term, reach, remarks)
    with detail:
        if term is None:
            st.info(_PURPOSE, icon=":material/arrow_back:")
            return
        _phrases(term)
        _reached(reach[term], _change(term, reach[term]))
        _remarks(remarks.get(term, ()))
        said = (Question(case.query, case.expected or reach[term].tools, "test query", case.role) for case in reach[term].shown)
        effect_panel(reach[term].tools, "a tool that this term reaches", tuple(said))


def choose_term(reach: Mapping[str, Reach]) -> str | None:
    """Let the author name the term to open, and offer what can be done with whole terms. Return the term."""
    synonyms = session.registry().synonyms
    if session.value("term") not in synonyms:
        session.put("term", None)
    field, actions = st.columns((2, 3), vertical_alignment="bottom")
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
    with actions:
        synonym_forms(term, None if term is None else reach[term])
    return term


@st.fragment
def term_list(current: str | None, reach: Mapping[str, Reach], remarks: Remarks) -> None:
    """Show the terms that the filter leaves; a click on a row opens its term."""
    if session.value("term") != current:
        st.rerun()  # a row was clicked: what stands beside the list must follow
    synonyms = session.registry().synonyms
    text = st.text_input(
        "Find terms", key="synonyms_text", type="search", live=True, persist_state="session", placeholder="words of a term or a phrase"
    )
    remarked = st.toggle("Only terms with a remark", key="synonyms_remarked", persist_state="session", help=_REMARKED)
    shown = [term for term in matching_terms(synonyms, text or "") if not remarked or term in remarks]
    st.caption(f"{len(shown):,} of {plural(len(synonyms), 'term')}")
    edited = [edit.tool for edit in session.edits() if edit.field == "synonyms"]
    row_list(
        "synonyms_rows",
        synonyms_table(synonyms, shown, reach, remarks, edited),
        lambda row, _: shown[row],
        "term",
        height=620,
        columns=_COLUMNS,
        alt="The synonym terms that the filter leaves",
    )


def _phrases(term: str) -> None:
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


def _set(term: str, phrases: tuple[str, ...]) -> None:
    session.attempt(lambda: session.add_edit(term, "synonyms", phrases))


def _change(term: str, reach: Reach) -> Change | None:
    """Return what the draft does to the term, None where that is nothing."""
    if not session.edits():
        return None
    published = reach_of_terms(session.base(), session.saved_snapshot().index).get(term, Reach())
    change = change_of(session.base(), session.registry(), (published, reach), term, session.edits())
    return None if change == Change() else change


def _reached(reach: Reach, change: Change | None) -> None:
    """Say what the draft changes, and list the tools that get the phrases and the test queries that say one."""
    st.text(change_text(change, reach))
    tools, queries = st.columns(2)
    with tools, st.expander(f"Tools it reaches: {len(reach.tools)}", key="synonyms_tools"):
        st.text(tool_lines(reach, change))
    with queries, st.expander(f"Test queries that say a phrase: {len(reach.queries)}", key="synonyms_queries"):
        st.text(query_lines(reach, change))


def _remarks(remarks: Sequence[SynonymRemark]) -> None:
    """Show each remark with its sentence, which may quote the registry."""
    for remark in remarks:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.badge(REMARK_WORDS[remark.kind], icon=":material/warning:", color="orange")
            st.text(visible(remark.sentence), width="stretch")


_COLUMNS = {
    "term": st.column_config.TextColumn(width=110),
    "phrases": st.column_config.TextColumn(width=142),
    "tools": st.column_config.NumberColumn(
        width=50, help="Tools whose name, description or extra context has the term: their text gets the phrases."
    ),
    "test queries": st.column_config.NumberColumn("queries", width=60, help="Test queries that have all words of one of the phrases."),
    "remarks": st.column_config.TextColumn(width=126, help="What keeps a rule from doing what it is meant to; the open term says more."),
}
_REMARKED = (
    "Terms that reach no tool or very many, have no phrases or one that no question can say, are the same as another, share a phrase with "
    "a term that reaches other tools, or have a phrase that is a term itself."
)
_PURPOSE = (
    "A synonym rule says what users call something: where a tool's text has the term, the phrases are added to it, so that a question in "
    "the users' words finds the tool. Choose a term to edit its phrases, or add one."
)

if __name__ == "__main__":
    show()
