"""Which test query is open, in this tab and in the address; and edits of it, each a step of the draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from curator_core import Edit, TestQuery, is_held_out
from dashboard import session, tables
from dashboard.queries.query_table import labels

CHOSEN = "test"  # the widget's key, and the name in the address
_TURN, _NAMED, _PLACE, _BECAME = "queries_turn", "queries_named", "queries_place", "queries_became"
_OFFERED = 500  # test queries in one list
_HELP = "The test query to read and edit; a click in the list opens one too."


def choose_query(shown_held_out: bool) -> TestQuery | None:
    """Let the author name the test query to open, by a part of its text. shown_held_out: offer those that are held out too."""
    cases = session.registry().test_queries
    named = [(label, case) for label, case in zip(labels(cases), cases, strict=True) if shown_held_out or not is_held_out(case)]
    known = dict(named)
    many = len(known) > _OFFERED
    asked = session.value(CHOSEN)
    if asked not in (None, *known):
        meant = _only_one(known, asked) if many else _moved_to(cases, known)
        if meant or not many:
            asked = meant
            session.put(CHOSEN, asked)
    chosen: str | None = st.selectbox(
        "Test query",
        tables.offered(known, asked, _OFFERED),
        index=None,
        key=CHOSEN,
        bind="query-params",
        persist_state="session",
        placeholder="Type a part of it",
        help=_HELP,
        accept_new_options=many,
        on_change=_named,
    )
    if chosen is None:
        return None
    if chosen not in known:
        found = len(tables.offered(known, chosen, _OFFERED))
        st.text(f"{found} have this in their text; open the list and choose." if found else "No test query has this in its text.")
        return None
    _remember(cases, known[chosen])
    session.forget(_BECAME)
    return known[chosen]


def open_query(label: str | None) -> None:
    """Open a test query by its label; only in a callback."""
    session.heed_editors()
    session.put(CHOSEN, label)
    _turned()


def open_case(case: TestQuery) -> None:
    """Open a test query of the draft; only in a callback."""
    cases = session.registry().test_queries
    if case in cases:
        open_query(labels(cases)[cases.index(case)])


def version() -> str:
    """Return what an editor's state belongs to: it changes when another query is opened, and after an undo, a reload or a publishing."""
    return f"{session.opened().number}_{session.value(_TURN) or 0}"


def change(case: TestQuery, **fields: Any) -> None:
    """Give fields of a test query new values; only in a callback.

    case: as the page showed it. What is typed and the click that follows can arrive together: then it has become another meanwhile.
    """
    now = _now(case)
    new = replace(now, **fields)
    before = session.registry().test_queries
    if new == now or now not in before:
        return
    named = labels(before)[before.index(now)]
    if not session.attempt(lambda: session.add(Edit("", "test_query", now, new))):
        return
    session.put(_BECAME, {**(session.value(_BECAME) or {}), now: new})
    after = session.registry().test_queries
    if session.value(CHOSEN) == named and new in after:
        session.put(CHOSEN, labels(after)[after.index(new)])


def delete(case: TestQuery) -> Callable[[], None]:
    """Return a callback that takes a test query out."""

    def act() -> None:
        session.heed_editors()
        if session.attempt(lambda: session.add(Edit("", "test_query", _now(case), None))):
            open_query(None)

    return act


def changed(case: TestQuery, field: str, name: str, read: Callable[[Any], Any] = lambda value: value) -> Callable[[], None]:
    """Return a callback that puts a widget's value into a field of a test query."""

    def act() -> None:
        session.heed_editors()
        change(case, **{field: read(session.value(name))})

    return act


def _now(case: TestQuery) -> TestQuery:
    """Return what a test query has become by what was done since the page showed it."""
    became = session.value(_BECAME) or {}
    while case in became and case not in session.registry().test_queries:
        case = became.pop(case)
    return case


def list_turn() -> int:
    """Return how often a query was opened by its name: the list begins anew then, or its last click would be heard again."""
    return int(session.value(_NAMED) or 0)


def _named() -> None:
    session.put(_NAMED, list_turn() + 1)
    _turned()


def _turned() -> None:
    session.put(_TURN, (session.value(_TURN) or 0) + 1)


def _only_one(known: dict[str, TestQuery], typed: str) -> str | None:
    """Return the one test query that has this in its text, None where several or none have."""
    found = tables.offered(known, typed, 2)
    return found[0] if len(found) == 1 else None


def _remember(cases: Sequence[TestQuery], case: TestQuery) -> None:
    session.put(_PLACE, (len(cases), cases.index(case)))


def _moved_to(cases: Sequence[TestQuery], known: dict[str, TestQuery]) -> str | None:
    """Return what the open query is called now, where an undo has given it another text; None where it is gone."""
    count, place = session.value(_PLACE) or (-1, 0)
    if count != len(cases):
        return None
    return next((label for label, case in known.items() if case == cases[place]), None)
