"""One test query in its form: each change is a step of the draft at once. And the form for a new one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from curator_core import Edit, QueryResult, TestQuery, Trace
from dashboard import panels, session
from dashboard.drafts.authoring import may_write, note_draft, own_settings
from dashboard.editor import Status, text_editor
from dashboard.queries import query_choice
from dashboard.queries.query_table import STANDINGS, remark, tags_of
from dashboard.tables import offered, plural, visible

THESE, NONE, OPEN = "these tools", "no tool applies", "not judged yet"
_ORDINARY = 12  # tools of the answer that stand first in the list of tools
NEW = "queries_new"
_HELP = {
    "judged": "Which tools are right for this question. No tool applies: the agent should be told that nothing fits. Not judged yet: it is "
    "listed and counted apart.",
    "expected": "The tools that must be in the answer. Those that come now stand first in the list.",
    "forbidden": "Tools that must not be in the answer.",
    "role": "Who asks; none: everybody. Only tools that the role may see are searched.",
    "tags": "Your own groups of questions. starter: accepted from a candidate; held_out: only for measuring.",
    "critical": "A change that breaks this query is reported as critical.",
    "note": "Why this is right, for whoever reads it later.",
}


def query_form(case: TestQuery, result: QueryResult | None, mark: str) -> None:
    """Show one test query of the draft in its editors. mark: a further remark."""
    _standing(case, result, mark)
    text_editor(
        "Question",
        case.query,
        key="queries_query",
        version=query_choice.version(),
        on_commit=lambda text: _set_question(case, text),
        on_save=note_draft,
        normal=str.strip,
        rows=2,
        help="What a user would ask, in the user's words.",
        status=_status(case),
    )
    tools = _answer(case.query, case.role)
    _judgement(case, tools)
    _tools(case, "forbidden", "Must not appear", tools)
    left, right = st.columns((1, 1), vertical_alignment="bottom")
    with left:
        _widget("role", case.role, lambda name: _role(case, name))
    with right:
        _widget("critical", case.critical, lambda name: _critical(case, name))
    _widget("tags", list(case.tags), lambda name: _tags(case, name))
    text_editor(
        "Note",
        case.note,
        key="queries_note",
        version=query_choice.version(),
        on_commit=lambda text: query_choice.change(case, note=text),
        on_save=note_draft,
        rows=1,
        help=_HELP["note"],
    )
    _where(case)
    if may_write():
        st.button(
            "Delete this test query", key="queries_delete", icon=":material/delete:", on_click=query_choice.delete(case), type="tertiary"
        )


def new_form() -> None:
    """Let the author write a new test query; what was typed elsewhere, such as a logged question, may stand in it already."""
    number = session.value("queries_new_number") or 0
    with st.container(border=True, gap="small"):
        text = st.text_input("New question", key=f"queries_new_text_{number}", placeholder="what a user would ask", live=True)
        tools = _answer(text or "", session.role())
        name = f"queries_new_expected_{number}"
        picked = _pick(name, "Expected tools", (), tools, help=_HELP["expected"])
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Add",
                key="queries_new_add",
                type="primary",
                icon=":material/add:",
                disabled=not (text or "").strip(),
                on_click=_add(f"queries_new_text_{number}", name),
                help="Without a tool it counts as not judged yet; the form opens afterwards for all else.",
            )
            st.button("Close", key="queries_new_close", type="tertiary", on_click=lambda: session.put(NEW, None))
    if picked and (text or "").strip():
        panels.note(f"Asked as {panels.literal(session.role() or '')}" if session.role() else "Asked as everybody.")


def start_new(question: str = "", tags: Sequence[str] = ()) -> None:
    """Open the form for a new test query with a question in it; only in a callback."""
    number = (session.value("queries_new_number") or 0) + 1
    session.put("queries_new_number", number)
    session.put(f"queries_new_text_{number}", question)
    session.put(NEW, tuple(tags))


def _add(text: str, tools: str) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        question, role = str(session.value(text) or "").strip(), session.role()
        known = session.registry().by_key
        expected = tuple(tool for tool in session.value(tools) or () if tool in known) or None
        case = TestQuery(question, expected, role=role, tags=session.value(NEW) or ())
        if question and session.attempt(lambda: session.add(Edit("", "test_query", None, case))):
            session.put(NEW, None)
            query_choice.open_case(case)

    return act


def _standing(case: TestQuery, result: QueryResult | None, mark: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if result is not None:
            colours: dict[str, panels.Colour] = {"ok": "green", "failing": "red", "invalid": "orange"}
            st.badge(STANDINGS[result.standing], color=colours.get(result.standing, "grey"))
        st.text(visible(_place_text(result)), width="content")
        st.space("stretch")
        address = {"q": case.query} | ({"role": case.role} if case.role else {})
        st.page_link("views/playground.py", label="Ask it", icon=":material/search:", query_params=address)
    if said := remark(result, mark):
        st.text(said)


def _place_text(result: QueryResult | None) -> str:
    if result is None:
        return "not measured yet"
    margin = result.margin
    if margin is None:
        return ""
    needs = f"{abs(margin.places)} {'place' if abs(margin.places) == 1 else 'places'}"
    where = f"rank {margin.rank}, " if margin.rank else ""
    return f"{where}passes by {needs}" if margin.places > 0 else f"{where}lacks {needs}"


def _judgement(case: TestQuery, tools: Sequence[str]) -> None:
    name = f"queries_judged_{query_choice.version()}"
    if session.value(name) is None:
        session.put(name, THESE if case.expected else NONE if case.expected == () else OPEN)
    st.radio(
        "What is right?",
        (THESE, NONE, OPEN),
        key=name,
        horizontal=True,
        disabled=not may_write(),
        on_change=_judged(case, name),
        help=_HELP["judged"],
    )
    if session.value(name) == THESE:
        _tools(case, "expected", "Expected tools", tools)


def _judged(case: TestQuery, name: str) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        chosen = session.value(name)
        if chosen != THESE:
            query_choice.change(case, expected=() if chosen == NONE else None)
            session.forget(f"queries_expected_{query_choice.version()}")

    return act


def _tools(case: TestQuery, field: str, label: str, first: Sequence[str]) -> None:
    own: tuple[str, ...] = getattr(case, field) or ()
    name = f"queries_{field}_{query_choice.version()}"
    if session.value(name) is None:
        session.put(name, list(own))
    _pick(name, label, own, first, help=_HELP[field], on_change=query_choice.changed(case, field, name, _read(field, own)))


def _read(field: str, own: Sequence[str]) -> Callable[[Any], Any]:
    """Return how a choice of tools becomes a field's value; what is typed and no tool is no choice."""

    def read(chosen: Any) -> tuple[str, ...] | None:
        known = session.registry().by_key
        tools = tuple(tool for tool in chosen or () if tool in known or tool in own)
        return tools or None if field == "expected" else tools

    return read


def _pick(
    name: str, label: str, own: Sequence[str], first: Sequence[str], *, help: str, on_change: Callable[[], None] | None = None
) -> list[str]:
    """Let the author choose tools: those of the answer first; in a registry of thousands, by a part of the name."""
    keys = session.registry().by_key
    many = len(keys) > panels.OFFERED
    chosen = [str(tool) for tool in session.value(name) or ()]
    typed = next((tool for tool in chosen if tool not in keys and tool not in own), None)
    if typed is not None:  # a part of a name: the list offers what has it, and the part itself is not chosen
        session.put(name, [tool for tool in chosen if tool != typed])
        found = len(offered(keys, typed, panels.OFFERED))
        st.text(visible(f"“{typed}”: {plural(found, 'tool')} with this in the name; open the list and choose."))
    options = dict.fromkeys((*own, *(tool for tool in chosen if tool != typed), *first, *offered(keys, typed, panels.OFFERED)))
    return st.multiselect(
        label,
        list(options),
        key=name,
        format_func=visible,
        accept_new_options=many,
        select_all=False,  # it would stand first in the list, and Enter would choose it
        wrap=True,
        disabled=not may_write(),
        placeholder="Type a part of a name",
        on_change=on_change,
        help=help,
    )


def _answer(question: str, role: str | None) -> tuple[str, ...]:
    """Return the first tools that the question brings now."""
    return _trace(question, role).tools[:_ORDINARY] if question.strip() else ()


def _trace(question: str, role: str | None) -> Trace:
    asked = role if role in session.registry().roles else None
    return session.curator().curate(question, role=asked, settings=own_settings())


def _widget(field: str, value: Any, show: Callable[[str], None]) -> None:
    """Show a widget whose value starts as the draft has it, anew when another query is opened and after each undo."""
    name = f"queries_{field}_{query_choice.version()}"
    if session.value(name) is None:
        session.put(name, value)
    show(name)


def _role(case: TestQuery, name: str) -> None:
    roles = dict.fromkeys((*session.registry().roles, *([case.role] if case.role else [])))
    st.selectbox(
        "Role",
        list(roles),
        index=None,
        key=name,
        format_func=visible,
        placeholder="everybody",
        disabled=not may_write(),
        on_change=query_choice.changed(case, "role", name),
        help=_HELP["role"],
    )


def _critical(case: TestQuery, name: str) -> None:
    act = query_choice.changed(case, "critical", name, bool)
    st.checkbox("Critical", key=name, disabled=not may_write(), on_change=act, help=_HELP["critical"])


def _tags(case: TestQuery, name: str) -> None:
    st.multiselect(
        "Tags",
        list(dict.fromkeys((*tags_of(session.registry().test_queries), *(session.value(name) or ())))),
        key=name,
        format_func=visible,
        accept_new_options=True,
        select_all=False,
        wrap=True,
        disabled=not may_write(),
        placeholder="none",
        on_change=query_choice.changed(case, "tags", name, lambda chosen: tuple(chosen or ())),
        help=_HELP["tags"],
    )


def _set_question(case: TestQuery, text: str) -> None:
    if text.strip():
        query_choice.change(case, query=text.strip())
    else:
        session.notify(session.Outcome(False, "A test query needs a question. Delete it instead, below its form."))


def _status(case: TestQuery) -> Status:
    same = case in session.base().test_queries
    return Status("as published") if same else Status("in your draft, not published yet", "draft")


def _where(case: TestQuery) -> None:
    """Say in a sentence where each named tool stands for the question now."""
    named = [tool for tool in (*(case.expected or ()), *case.forbidden) if tool in session.registry().by_key]
    if not named or not case.query.strip():
        return
    trace = _trace(case.query, case.role)
    with st.container(gap="xsmall"):
        for tool in named:
            with st.container(horizontal=True, gap="small", vertical_alignment="top"):
                panels.name_link(tool)
                st.text(visible(trace.story(tool).sentence))
