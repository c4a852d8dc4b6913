"""The panel "What this edit does": ranks of chosen questions before and after the draft's edits, without saving."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from curator_core import Curator, Settings, TestQuery
from dashboard import session
from dashboard.effects import (
    WATCHED_AT_MOST,
    Effect,
    Elsewhere,
    Question,
    effects,
    effects_table,
    elsewhere,
    moved_table,
    summary,
    unwatched,
    watched_questions,
)

A_MOMENT = 1.0  # seconds for which other test queries are checked without being asked to
_ROW, _SHOWN = 28, 50
_RESULT = "effect_elsewhere_result"
_Asked = tuple[str, str, Settings, tuple[TestQuery, ...]]


@st.fragment
def effect_panel(tools: tuple[str, ...], subject: str, also: tuple[Question, ...] = ()) -> None:
    """Show what the draft does to the questions of some tools (keys as the draft has them).

    subject: what they are, such as "this tool". also: further questions to watch, before the test queries that expect one of the tools.
    """
    st.markdown("**What your edits do**", help=_HELP)
    mine = st.multiselect(
        "Questions you watch",
        session.value("effect_watched") or [],
        key="effect_watched",
        accept_new_options=True,
        persist_state="session",
        placeholder="Type a question, press Enter",
        help="They are asked with your edits each time you stop typing, for as long as this tab is open.",
    )
    questions = watched_questions(session.registry(), tools, (*_own_questions(tools, mine), *also))
    sides = _sides()
    if not questions:
        st.caption(f"No test query expects {subject}, and no question was asked in the Playground. Type one above to see its rank.")
    elif sides is None:
        st.caption("The model is reading your text; the ranks come in a moment.")
    else:
        _watched(effects(*sides, questions, session.edits()), words_only=sides[0].index.encoder is None)
    if sides is not None and session.edits():
        _elsewhere(*sides, unwatched(session.registry().test_queries, questions))


def _own_questions(tools: tuple[str, ...], mine: Sequence[str]) -> list[Question]:
    """Return the author's questions and the Playground's last one, asked as the role on screen."""
    asked: list[Question] = [Question(query, tools, "yours", session.role()) for query in mine]
    return [Question(session.query(), tools, "last question", session.role()), *asked]


def _sides() -> tuple[Curator, Curator] | None:
    """Return the curators over the saved text and over the draft; None while only one of them has the model's vectors."""
    before, after = session.curator(saved=True), session.curator()
    return (before, after) if (before.index.encoder is None) == (after.index.encoder is None) else None


def _watched(found: Sequence[Effect], words_only: bool) -> None:
    told = summary(found) if session.edits() else "Nothing is edited: these are the ranks now"
    st.text(told + (" (by words only, until the model is there)" if words_only else ""))
    st.dataframe(
        effects_table(found),
        hide_index=True,
        key="effect_rows",
        row_height=_ROW,
        height="content",
        column_config={
            "change": st.column_config.TextColumn(width=72, help=_CHANGE),
            "rank saved": st.column_config.TextColumn("saved", width=60, alignment="right", help=_RANK),
            "rank with edit": st.column_config.TextColumn("edited", width=60, alignment="right", help=_RANK),
            "question": st.column_config.TextColumn(width="medium"),
            "first tool": st.column_config.TextColumn(width="medium", help="The first tool of the answer, saved → with your edits."),
        },
        alt="Ranks of the watched questions as saved and with your edits",
    )


def _elsewhere(before: Curator, after: Curator, others: Sequence[TestQuery]) -> None:
    """Say how many other test queries get another first tool: as many as a moment allows, all of them on request."""
    if not others:
        return
    asked = (before.index.fingerprint, after.index.fingerprint, after.settings, tuple(others))
    whole = session.value("effect_whole") == asked
    place = st.empty()
    found = _checked(before, after, asked, None if whole else A_MOMENT, place)
    st.text(_told(found))
    if found.left:
        st.button(
            f"Check the remaining {found.left:,} too",
            key="effect_all",
            icon=":material/checklist:",
            on_click=lambda: session.put("effect_whole", asked),
            help="Asks every other test query as saved and with your edits, and counts those whose first tool changes.",
        )
    if found.changed:
        _moved(found)


def _moved(found: Elsewhere) -> None:
    st.dataframe(
        moved_table(found.changed)[:_SHOWN],
        hide_index=True,
        key="effect_elsewhere_rows",
        row_height=_ROW,
        column_config={"change": st.column_config.TextColumn(width=90), "question": st.column_config.TextColumn(width="medium")},
        alt="Other test queries whose first tool changes",
    )


def _checked(before: Curator, after: Curator, asked: _Asked, seconds: float | None, place: DeltaGenerator) -> Elsewhere:
    """Ask the other test queries, unless exactly this was asked before."""
    known: tuple[_Asked, Elsewhere] | None = session.value(_RESULT)
    if known is not None and known[0] == asked and not (known[1].left and seconds is None):
        return known[1]
    progress = _report(place.progress(0.0, _CHECKING)) if seconds is None else None
    found = elsewhere(before, after, asked[3], session.edits(), seconds, progress)
    place.empty()
    session.put(_RESULT, (asked, found))
    return found


def _told(found: Elsewhere) -> str:
    which = f"the first {found.asked:,} other test queries" if found.left else f"all {found.asked:,} other test queries"
    if not found.changed:
        return f"Elsewhere: {which} keep their first tool."
    fixed, broke = found.count("fixed"), found.count("broke")
    verdict = f"{fixed} fixed (now right) · {broke} broke (was right)"
    return f"Elsewhere: of {which}, the first tool changes for {len(found.changed)}: {verdict}."


def _report(bar: DeltaGenerator) -> Callable[[int, int], None]:
    def tell(done: int, total: int) -> None:
        if done % 20 == 0 or done == total:
            bar.progress(done / total, f"Checked {done:,} of {total:,} other test queries")

    return tell


_CHECKING = "Checking the other test queries…"
_CHANGE = "▲ places won, ▼ places lost, = the same. in, out: the tool came into the answer, fell out of it."
_RANK = "The place in the answer. In brackets: ranked there by the whole question, but not given to the agent. –: in neither list."
_HELP = (
    "Ranks as saved and with your edits, for the last question of the Playground, the questions you watch, and test queries that expect "
    f"a tool you look at: {WATCHED_AT_MOST} at most. Nothing has to be saved for this."
)
