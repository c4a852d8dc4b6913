"""The clashes of the registry on the Overlap page: which tools take each other's questions, worst first, and with which test queries."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import partial

import streamlit as st

from curator_core import (
    Clashes,
    Curator,
    Dismissal,
    Evaluation,
    ToolIndex,
    bring_back,
    causes_of_swaps,
    counted_results,
    dismiss_clash,
    dismissed_clashes,
    find_clashes,
    mark_of,
    name_rule_sentences,
    put_away,
    swaps_between,
)
from dashboard import panels, session
from dashboard.jobs import Job
from dashboard.looks import look_every
from dashboard.overlap.clash_tables import clashes_frame, swaps_frame
from dashboard.overlap.near_panel import opened_table
from dashboard.overlap.separation_panel import CHOICE, separate
from dashboard.resources import workbench
from dashboard.tables import plural, visible

_LISTED = 100
_ROW_HEIGHT, _TABLE_HEIGHT = 28, 420
_HARM_HELP = "What the list is ordered by: swaps, plus 4 times the shares of their own questions that go to the other, plus closeness."
_SWAPS_HELP = "Test queries of one of the two whose first tool is the other; held-out ones are not counted."
_OWN_HELP = (
    "Each tool asks for itself with its own name, sentences, synonyms and examples, plainly and after usual openings such as “what is”. "
    "So many of what both ask are answered first by the other: an estimate that needs no test queries."
)
_CLOSE_HELP = "Share of this registry's tools that have no nearer neighbour than these two are near; 1 = nothing here is closer."
_PAIR_HELP = "The pair whose swapped test queries you want to see, or that you want to dismiss."
_RULE_HELP = "Name rule: a tool comes first when enough words of its name are in the question, whatever meaning and words say."
_DECIDES_HELP = "What puts the other tool before the expected one: meaning match, word match, or the name rule, with the words it found."
_AWAY_HELP = (
    "The pair leaves the list, for everybody, until the text of one of the two changes; of siblings only this pair: the next then stands "
    "for them. Say why: others then need not look."
)


def clashes_tab(index: ToolIndex) -> None:
    """Show the list, and the test queries behind the swaps of one pair."""
    if len(index.registry.pool(session.role())) < 2:
        st.info("There is only one tool to see here: nothing can take its questions.", icon=":material/info:")
        return
    known = worked_out(index)
    if known is None:
        return
    evaluation, all_clashes = known
    found = put_away(all_clashes, index, dismissed_clashes(session.store()), _LISTED)
    _list(found)
    chosen = _choose(found)
    if chosen is not None:
        _swapped(index, chosen, evaluation)
        separate(index, chosen, evaluation)
        _dismiss(mark_of(index, chosen))
    _dismissed(found.dismissed)


def worked_out(index: ToolIndex) -> tuple[Evaluation, Clashes] | None:
    """Return the results of the test queries and the clashes, None as long as they are not there; the page says how far they are."""
    curator = Curator(index, session.settings(), session.registry().test_queries)
    run = workbench().runs.of(curator, session.registry().test_queries)
    if run.result is None:
        _waits(run, "asking the test queries")
        return None
    job = _clashes(curator, run.result)
    if job.result is None:
        _waits(job, "asking every tool about itself")
        return None
    return run.result, job.result


def _clashes(curator: Curator, evaluation: Evaluation) -> Job[Clashes]:
    role, cases = session.role(), session.registry().test_queries
    key = (curator.index.fingerprint, curator.settings, role, cases)
    return workbench().clashes.of(
        key, lambda report: find_clashes(curator, evaluation, role, 2 * _LISTED, progress=lambda _, done, total: report(done, total))
    )


def _waits(job: Job[Evaluation] | Job[Clashes], doing: str) -> None:
    if job.error:
        panels.message("The clashes are not known", job.error)
        return
    _busy(job, doing)


@look_every(1)
def _busy(job: Job[Evaluation] | Job[Clashes], doing: str) -> None:
    if job.finished:
        st.rerun(scope="app")
    told = f"{doing}: {job.done} of {job.total}" if job.total else doing
    st.badge(told, icon=":material/hourglass_top:", color="blue", help="Kept afterwards: the same tools and test queries clash alike.")


def _list(found: Clashes) -> None:
    clashes = found.clashes
    seen = " that this role sees together" if found.role else ""
    evidence = f"the tools' own texts and {found.queries:,} of the test queries" if found.queries else "the tools' own texts alone"
    panels.note(f"The {plural(len(clashes), 'pair')} that most take each other's questions{seen}, worst first, by {evidence}")
    column = st.column_config
    opened_table(
        "overlap_clashes",
        clashes_frame(clashes),
        lambda row, name: clashes[row].tools[name == "and tool"],
        "Pairs of tools that take each other's questions, worst first",
        {
            "#": column.NumberColumn(width=32),
            "tool": column.TextColumn(width=150, help="A click opens the pair below and the tool at the right."),
            "and tool": column.TextColumn(width=150, help="A click opens the pair below and the tool at the right."),
            "harm": column.TextColumn(width=52, alignment="right", help=_HARM_HELP),
            "swaps": column.TextColumn(width=52, alignment="right", help=_SWAPS_HELP),
            "own questions": column.TextColumn(width=82, alignment="right", help=_OWN_HELP),
            "closeness": column.TextColumn(width=64, alignment="right", help=_CLOSE_HELP),
            "remarks": column.TextColumn(width=150),
            "shared words": column.TextColumn(width=220, help="Words about the matter that both tools have, the rarest first."),
        },
        min(_TABLE_HEIGHT, _ROW_HEIGHT * len(clashes) + 38),
        lambda row: session.put(CHOICE, clashes[row].tools),
    )


def _choose(found: Clashes) -> tuple[str, str] | None:
    pairs = [clash.tools for clash in found.clashes]
    if not pairs:
        panels.note("Every pair of this list is dismissed.")
        return None
    box = f"{CHOICE}_{zlib.crc32(repr(pairs).encode())}"  # a box of its own: what the browser says of another list's does not count
    session.put(box, session.value(CHOICE) if session.value(CHOICE) in pairs else pairs[0])
    name = lambda pair: " · ".join(map(visible, pair))
    wish = lambda: session.put(CHOICE, session.value(box))
    chosen: tuple[str, str] = st.selectbox("Look at the pair", pairs, key=box, on_change=wish, format_func=name, help=_PAIR_HELP)
    return chosen


def _swapped(index: ToolIndex, pair: tuple[str, str], evaluation: Evaluation) -> None:
    """Show the test queries behind the swaps of a pair, and what a change of texts cannot undo."""
    swaps = swaps_between(counted_results(evaluation), *pair)
    if not swaps:
        panels.note("No test query of the one brings the other first.")
        return
    causes = causes_of_swaps(Curator(index, session.settings()), swaps, *pair)
    for number, sentence in enumerate(name_rule_sentences(causes, session.settings())):
        with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small", key=f"overlap_rule_{number}"):
            st.badge("name rule", icon=":material/label:", color=panels.STAGE_BADGE["anchor"], help=_RULE_HELP)
            st.text(visible(sentence), width="stretch")
    st.dataframe(
        swaps_frame(causes),
        hide_index=True,
        key="overlap_swaps",
        row_height=_ROW_HEIGHT,
        column_config={"what decides": st.column_config.TextColumn(help=_DECIDES_HELP)},
        alt="The swapped test queries, and what decides each",
    )


def _dismiss(mark: tuple[str, str, str, str]) -> None:
    def act() -> None:
        reason = str(session.value("overlap_dismiss_reason") or "")
        if session.attempt(lambda: dismiss_clash(session.store(), session.person(), mark, reason)):
            session.put("overlap_dismiss_reason", "")

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.text_input("Why this is no clash", key="overlap_dismiss_reason", placeholder="the agent never has both", help=_AWAY_HELP)
        st.button("Dismiss the pair", key="overlap_dismiss", icon=":material/visibility_off:", on_click=act, help=_AWAY_HELP)


def _dismissed(away: Sequence[Dismissal]) -> None:
    """List what is dismissed, with a way back."""
    if not away:
        return
    with st.expander(f"Dismissed: {plural(len(away), 'pair')}", key="overlap_dismissed"):
        for one in away:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.text(visible(f"{' · '.join(one.tools)}: {one.reason} ({one.author}, {one.at:%Y-%m-%d})"), width="stretch")
                back, key = partial(_bring_back, one.mark), panels.key_of("overlap_bring_back", one.mark)
                st.button("Bring back", key=key, type="tertiary", on_click=back, help="Show the pair again.")


def _bring_back(mark: tuple[str, str, str, str]) -> None:
    session.attempt(lambda: bring_back(session.store(), session.person(), mark))
