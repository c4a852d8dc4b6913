"""The panel "What your edits do": ranks of chosen questions, and what becomes of every test query, before anything is published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import streamlit as st

from curator_core import (
    Curator,
    Effect,
    LoggedEffect,
    TestQuery,
    closer_pairs_of,
    effect_on_logged,
    logged_cases,
    logged_questions_of,
    logged_to_ask,
)
from curator_core.proof.effects import Shown
from dashboard import panels, session
from dashboard.compare.comparison_tables import changes_frame
from dashboard.compare.sides import DRAFT, PUBLISHED, Chosen, Measured, measured, questions, renamed
from dashboard.drafts.effects import (
    WATCHED_AT_MOST,
    Question,
    Watched,
    closer_table,
    logged_effect_table,
    logged_effect_text,
    pushes_table,
    summary,
    verdicts_text,
    watch,
    watched_questions,
    watched_table,
)
from dashboard.looks import look_every
from dashboard.resources import workbench

_PATIENCE_SECONDS = 1.5  # how long the panel waits for an effect before it shows how far it is
_ROW, _SHOWN = 28, 50
_TABS = (*get_args(Shown), "pushed out")
_RUN, _LOGGED_RUN = "effect_run", "effect_logged_run"


@st.fragment
def effect_panel(tools: tuple[str, ...], subject: str, also: tuple[Question, ...] = ()) -> None:
    """Show what the draft does to the questions of some tools (keys as the draft has them), and to all test queries.

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
    chosen = watched_questions(session.registry(), tools, (*_own_questions(tools, mine), *also))
    sides = _sides()
    if not chosen:
        st.caption(f"No test query expects {subject}, and no question was asked in the Playground. Type one above to see its rank.")
    elif sides is None:
        st.caption("The model is reading your text; the ranks come in a moment.")
    else:
        _watched(watch(*sides, chosen, session.edits()), words_only=sides[0].index.encoder is None)
    if sides is not None and session.edits():
        if session.registry().test_queries:
            all_queries()
        _closer(*sides)
        _logged_questions()


def _own_questions(tools: tuple[str, ...], mine: Sequence[str]) -> list[Question]:
    """Return the author's questions and the Playground's last one, asked as the role on screen."""
    asked: list[Question] = [Question(query, tools, "yours", session.role()) for query in mine]
    return [Question(session.query(), tools, "last question", session.role()), *asked]


def _sides() -> tuple[Curator, Curator] | None:
    """Return the curators over the published text and over the draft; None while only one of them has the model's vectors."""
    before, after = session.curator(saved=True), session.curator()
    return (before, after) if (before.index.encoder is None) == (after.index.encoder is None) else None


def _watched(found: Sequence[Watched], words_only: bool) -> None:
    told = summary(found) if session.edits() else "Nothing is edited: these are the ranks now"
    st.text(told + (" (by words only, until the model is there)" if words_only else ""))
    st.dataframe(
        watched_table(found),
        hide_index=True,
        key="effect_rows",
        row_height=_ROW,
        height="content",
        column_config={
            "question": st.column_config.TextColumn(width=150),
            "change": st.column_config.TextColumn(width=54, help=_CHANGE),
            "published": st.column_config.TextColumn(width=72, alignment="right", help=_RANK),
            "with edits": st.column_config.TextColumn(width=72, alignment="right", help=_RANK),
            "first tool": st.column_config.TextColumn(help="The first tool of the answer, published → with your edits."),
        },
        alt="Ranks of the watched questions as published and with your edits",
    )


def all_queries() -> None:
    """Show what becomes of every test query of the draft, as soon as both sides have been asked."""
    effect_between(*_published_and_draft())


@look_every(1)
def effect_between(before: Chosen, after: Chosen) -> bool:
    """Show what becomes of every test query from one registry to another, as soon as both have been asked; until then how far they are."""
    names = renamed(before, after)
    first, second = _both(before, after, questions(before, after, names), _RUN)
    if not (first.finished and second.finished):
        _progress(first, second)
        return False
    if first.run is None or second.run is None or first.evaluation is None or second.evaluation is None:
        panels.message("The test queries could not be asked", first.error or second.error)
    else:
        _effect(workbench().runs.effect(first.run, second.run, names))
    return True


def _both(
    before: Chosen, after: Chosen, cases: tuple[tuple[TestQuery, ...], tuple[TestQuery, ...]], kept: str
) -> tuple[Measured, Measured]:
    """Return what both sides come to, as far as it is there. kept: where the later one's run is kept, which the next replaces."""
    first, last = measured(before, cases[0], 0.0), session.value(kept)
    second = measured(after, cases[1], 0.0, last if last is not first.run else None)
    session.put(kept, second.run)
    for run in (first.run, second.run):
        if run is not None and second.run is not last:  # just begun: a little patience, so that no progress flickers
            run.wait(_PATIENCE_SECONDS)
    return first, second


def _closer(before: Curator, after: Curator) -> None:
    """Show which tools the edits bring closer together."""
    pairs = closer_pairs_of(before.index, after.index, after.settings)
    if pairs:
        st.text("Tools that come closer", help=_CLOSER)
        st.dataframe(
            closer_table(pairs),
            hide_index=True,
            key="effect_closer",
            row_height=_ROW,
            column_config={
                name: st.column_config.TextColumn(width=72, alignment="right", help=_SIMILARITY) for name in ("published", "with edits")
            },
            alt="Tools that the edits bring closer together",
        )


def _published_and_draft() -> tuple[Chosen, Chosen]:
    settings = session.settings()
    return Chosen(PUBLISHED, session.base(), settings), Chosen(DRAFT, session.registry(), settings)


@look_every(1)
def _logged_questions() -> bool:
    """Show whose answers change among the questions that users asked, where some are kept; after the test queries, in their turn."""
    asked = logged_to_ask(logged_questions_of(session.store()), session.base(), session.registry())
    if not asked:
        return True
    before, after = _published_and_draft()
    cases = logged_cases(asked)
    first, second = _both(before, after, (cases, cases), _LOGGED_RUN)
    if not (first.finished and second.finished):
        _progress(first, second)
        return False
    if first.evaluation is not None and second.evaluation is not None:
        _logged(effect_on_logged(asked, first.evaluation, second.evaluation, renamed(before, after)))
    return True


def _logged(effect: LoggedEffect) -> None:
    st.text(logged_effect_text(effect))
    if effect.changes:
        st.dataframe(
            logged_effect_table(effect.changes[:_SHOWN]),
            hide_index=True,
            key="effect_logged",
            row_height=_ROW,
            column_config={
                "asked": st.column_config.NumberColumn(width=52, help="How often users asked it."),
                "question": st.column_config.TextColumn(width=112),
                "first tool": st.column_config.TextColumn(help="The first tool of the answer, published → with your edits."),
                "came in": st.column_config.TextColumn(help="Tools that are new among the first 5 of the answer."),
                "went out": st.column_config.TextColumn(help="Tools that are no longer among the first 5."),
                "sure": st.column_config.TextColumn(width=96, help=_SURE),
            },
            alt="Logged questions whose answers change, the most asked first",
        )


def _progress(*sides: Measured) -> None:
    """Show how far the test queries are."""
    for side in sides:
        st.progress(side.share, side.told)


def _effect(effect: Effect) -> None:
    st.text(f"Test queries ({len(effect.open):,}): {verdicts_text(effect.counts)}")
    if effect.held_out:
        counts = effect.held_out_counts
        st.text(f"Held out, only counted: {counts['fixed']:,} fixed · {counts['broke']:,} broke of {len(effect.held_out):,}")
    shown = st.segmented_control(
        "List",
        _TABS,
        default=_TABS[0],
        key="effect_list",
        required=True,
        format_func=panels.pill,
        persist_state="session",
        help=_LIST,
        width="stretch",
    )
    if shown == "pushed out":
        _pushes(effect)
    else:
        _changes(effect, shown)


def _changes(effect: Effect, shown: Shown) -> None:
    listed = effect.listed(shown)
    if not listed:
        panels.note(_NOTHING[shown])
        return
    frame = changes_frame(listed[:_SHOWN])
    st.dataframe(
        frame[["what", "question", "before", "after", "came in", "went out", "tool", "note"]],
        hide_index=True,
        key=f"effect_list_{shown.replace(' ', '_')}",
        row_height=_ROW,
        column_config={
            "what": st.column_config.TextColumn(width=80, help="A ! marks a critical question."),
            "question": st.column_config.TextColumn(width=112),
            "before": st.column_config.TextColumn(width=52, alignment="right", help=_PLACE),
            "after": st.column_config.TextColumn(width=46, alignment="right", help=_PLACE),
            "came in": st.column_config.TextColumn(help="Tools that are new among the first 5 of the answer."),
            "went out": st.column_config.TextColumn(help="Tools that are no longer among the first 5."),
        },
        alt="What becomes of the test queries",
    )
    if len(listed) > _SHOWN:
        panels.note(f"The first {_SHOWN} of {len(listed):,}; the Compare page lists all.")


def _pushes(effect: Effect) -> None:
    if not effect.pushes:
        panels.note("No tool came into the first 5 of an answer.")
        return
    st.dataframe(
        pushes_table(effect.pushes[:_SHOWN]),
        hide_index=True,
        key="effect_list_pushed",
        row_height=_ROW,
        column_config={"questions": st.column_config.NumberColumn(width=80, help="For how many test queries it happened.")},
        alt="Which tool pushed out which",
    )


_CLOSER = "Two tools that say the same words are equal for every question that uses them. Say in each what only it does."
_SIMILARITY = "How alike the model finds both texts (cosine); 1 = the same."
_SURE = "Whether the answer is unsure: its best meaning match is below the unsure line."
_NOTHING: dict[Shown, str] = {
    "changed": "No question was fixed, broke or moved.",
    "still failing": "No question fails on both sides.",
    "unknown": "Every question is judged and can be asked on both sides.",
}
_LIST = (
    "changed: what broke, was fixed, or is right at another rank. still failing: right on neither side. unknown: not judged, or not to be "
    "asked. pushed out: which tool came into the first 5 of an answer where which went out."
)
_CHANGE = "▲ places won, ▼ places lost, = the same. in, out: the tool came into the answer, fell out of it."
_RANK = "The place in the answer. In brackets: ranked there by the whole question, but not given to the agent. –: in neither list."
_PLACE = "Where the last of the right tools stands, published and with your edits; below the answer it is its rank for the whole question."
_HELP = (
    "Ranks as published and with your edits, for the last question of the Playground, the questions you watch, and test queries that "
    f"expect a tool you look at: {WATCHED_AT_MOST} at most; below, what becomes of every test query. Nothing has to be published for this."
)
