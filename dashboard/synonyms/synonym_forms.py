"""Adding a term, deleting one, and pasting a list of them: small forms behind buttons, each one step of the draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from curator_core import ListedTerm, Problem, compare_synonym_list, read_synonym_list
from dashboard import panels, session
from dashboard.drafts.authoring import may_write
from dashboard.editor import text_editor
from dashboard.synonyms.synonym_reach import Reach, preview, reach_text
from dashboard.synonyms.synonym_table import listed_table, listed_text, phrase_lines
from dashboard.tables import plural, visible

_ADD, _PASTE, _DELETE = "synonyms_add", "synonyms_paste", "synonyms_delete"
_UNREAD = 20  # places of a list that are named


def synonym_forms(term: str | None, reach: Reach | None) -> None:
    """Show the buttons, and that of the open term with what it reaches; nothing to somebody who may only look."""
    if not may_write():
        return
    with st.container(horizontal=True, gap="xsmall"):
        with st.popover("Add a term", icon=":material/add:", key=_ADD, on_change="rerun", width="content"):
            _new_term()
        with st.popover("Paste a list", icon=":material/content_paste:", key=_PASTE, on_change="rerun", width="content"):
            _paste()
        if term is not None and reach is not None:
            with st.popover("Delete", icon=":material/delete:", key=_DELETE, on_change="rerun"):
                _delete(term, reach)


def _new_term() -> None:
    """Let the author write a term and its phrases, and say what they would reach before they are added."""
    st.text_input("Term", key="synonyms_new_term", live=True, placeholder="a word of the tools' texts, such as grievance")
    _editor("What users say for it", "synonyms_new", "One phrase a line.", rows=3)
    term, phrases = str(session.value("synonyms_new_term") or "").strip(), phrase_lines(_text("synonyms_new"))
    st.text(_preview(term, phrases))
    st.button("Add this term", key="synonyms_add_sure", type="primary", disabled=not term, on_click=_added)


def _preview(term: str, phrases: Sequence[str]) -> str:
    if not term:
        return "Write a term to see which tools it reaches."
    if term in session.registry().synonyms:
        return "This term is there already: choose it above to edit its phrases."
    said = phrases or ("no phrase yet",)  # which tools have the term depends on no phrase
    return f"Reaches {reach_text(preview(session.registry(), {term: said})[term])}"


def _added() -> None:
    session.heed_editors()
    term = str(session.value("synonyms_new_term") or "").strip()
    if term in session.registry().synonyms:
        session.notify(session.Outcome(False, "This term is there already: choose it to edit its phrases."))
    elif session.attempt(lambda: session.add_edit(term, "synonyms", phrase_lines(_text("synonyms_new")))):
        session.put("synonyms_new_term", "")
        _empty("synonyms_new")
        session.put(_ADD, False)
        session.put("term", term)


def _paste() -> None:
    """Let the author paste a list, and show what was understood of it before anything is added."""
    _editor("Terms, and what users say for them", "synonyms_list", _FORMS, rows=6)
    text = _text("synonyms_list")
    listed, problems = _understood(text)
    if not text.strip():
        panels.note("What was understood of the list stands here before you add it. Phrases that are there already stay.")
    else:
        st.text(listed_text(listed, len(problems)))
    if listed:
        reach = preview(session.registry(), {one.term: one.phrases for one in listed})
        st.dataframe(
            listed_table(listed, reach),
            hide_index=True,
            key="synonyms_list_rows",
            row_height=28,
            height=min(40 + 28 * len(listed), 180),
            column_config=_LISTED,
            alt="What the pasted list does to each term",
        )
    if problems:
        st.text("\n".join(visible(str(problem)) for problem in problems[:_UNREAD]) + ("\n…" if len(problems) > _UNREAD else ""))
    st.button("Put them into the draft", key="synonyms_paste_sure", type="primary", on_click=_pasted)


def _understood(text: str) -> tuple[tuple[ListedTerm, ...], tuple[Problem, ...]]:
    found = read_synonym_list(text)
    return compare_synonym_list(found, session.registry().synonyms), found.problems


def _pasted() -> None:
    """Put all that a list adds into the draft as one step."""
    session.heed_editors()
    listed = [one for one in _understood(_text("synonyms_list"))[0] if one.kind != "same"]
    edits = [session.registry().edit(one.term, "synonyms", one.phrases) for one in listed]
    if not edits:
        session.notify(session.Outcome(False, "The list adds nothing: paste lines such as “term: phrase, phrase”."))
    elif session.attempt(lambda: session.add(*edits)):
        _empty("synonyms_list")
        session.put(_PASTE, False)
        session.renew_editors()
        phrases = plural(sum(len(one.added) for one in listed), "phrase")
        said = f"{phrases} for {plural(len(listed), 'term')} are in your draft; “Undo last” takes all of them back."
        session.notify(session.Outcome(True, said))


def _delete(term: str, reach: Reach) -> None:
    st.text(f"Takes its phrases from {reach_text(reach)}")
    st.caption("Nothing is written until you publish, and “Undo last” brings it back.")
    st.button("Delete this term", key="synonyms_delete_sure", type="primary", on_click=_deleted(term))


def _deleted(term: str) -> Callable[[], None]:
    def confirmed() -> None:
        session.heed_editors()
        if session.attempt(lambda: session.add_edit(term, "synonyms", None)):
            session.put(_DELETE, False)

    return confirmed


def _editor(label: str, name: str, help: str, rows: int) -> None:
    """Show an editor for a text that is no part of the draft yet."""
    text_editor(
        label,
        _text(name),
        key=f"{name}_text",
        version=session.value(f"{name}_number") or 0,
        on_commit=lambda text: session.put(f"{name}_typed", text),
        help=help,
        rows=rows,
    )


def _text(name: str) -> str:
    return str(session.value(f"{name}_typed") or "")


def _empty(name: str) -> None:
    session.put(f"{name}_typed", "")
    session.put(f"{name}_number", (session.value(f"{name}_number") or 0) + 1)


_FORMS = (
    "One term a line, then “:”, “=>” or a tab, then its phrases with commas between: grievance: formal complaint, raise an issue. Rows of "
    "a spreadsheet and a JSON object of terms with lists of phrases can be pasted too."
)
_LISTED = {
    "term": st.column_config.TextColumn(width=120),
    "what": st.column_config.TextColumn(width=70, help="new: not there yet. extended: gets phrases. same: has them all."),
    "phrases added": st.column_config.TextColumn(width=220),
    "tools": st.column_config.NumberColumn(width=50, help="Tools whose text has the term: they get the phrases."),
}
