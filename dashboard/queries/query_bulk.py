"""What can be done with many test queries at once: tag, delete, hold some out for measuring; each is one step of the draft."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import streamlit as st

from curator_core import HELD_OUT, Edit, TestQuery, is_held_out, moved_to_examples, released, tag_queries, to_hold_out
from dashboard import panels, session
from dashboard.queries.query_table import queries, scope_text, tags_of
from dashboard.tables import visible

_SHARE = 30
_EXPLAINED = (
    "Text that is tuned until its test queries pass may only fit these queries. So some are put aside: they get the tag *held_out*, are "
    "not shown while you write, and their figures stand apart. Good figures there mean that others ask like this too. The choice follows "
    "a hash of the question, tool by tool; critical ones and the last query of a tool stay open."
)
_EXAMPLES = (
    "An example question helps to find its tool, so it is no test any more: it leaves the test queries in the same step, and comes "
    "back with it when you undo. Keep some queries of each tool as tests, or nothing measures it."
)


def bulk_actions(marked: Sequence[TestQuery], shown: Sequence[TestQuery]) -> None:
    """Show what can be done with the queries whose rows are marked, or with all that the filter leaves."""
    with st.container(horizontal=True, gap="xsmall"):
        with st.popover("Tag many", icon=":material/label:", key="queries_tag", on_change="rerun", disabled=not shown):
            _tag(marked, shown)
        with st.popover("Delete many", icon=":material/delete:", key="queries_delete_many", on_change="rerun", disabled=not shown):
            some = _scope("queries_delete_scope", marked, shown)
            st.caption("Nothing is written until you publish, and “Undo last” brings them back.")
            act = _step(lambda: tuple(Edit("", "test_query", case, None) for case in some), "queries_delete_many", "deleted")
            st.button(f"Delete {queries(len(some))}", key="queries_delete_many_sure", type="primary", on_click=act)
        with st.popover("Make examples", icon=":material/school:", key="queries_examples", on_change="rerun", disabled=not shown):
            _make_examples(marked, shown)
        with st.popover("Hold out", icon=":material/visibility_off:", key="queries_hold", on_change="rerun"):
            _hold_out()


def _make_examples(marked: Sequence[TestQuery], shown: Sequence[TestQuery]) -> None:
    """Offer to make test queries example questions of their tools."""
    st.markdown(_EXAMPLES)
    some = _scope("queries_examples_scope", marked, shown)
    moved = moved_to_examples(session.registry(), some)
    if not session.settings().examples:
        panels.note("The profile in use does not look at example questions; *tuned* does (Engine & index).")
    act = _step(lambda: moved.edits, "queries_examples", "made examples", len(moved.taken))
    label = f"Make {queries(len(moved.taken))} examples"
    st.button(label, key="queries_examples_sure", type="primary", disabled=not moved.taken, on_click=act)
    for reason, count in Counter(reason for _, reason in moved.left).items():
        st.caption(f"{queries(count)} left as they are: {reason}")


def _tag(marked: Sequence[TestQuery], shown: Sequence[TestQuery]) -> None:
    some = _scope("queries_tag_scope", marked, shown)
    tag = st.selectbox(
        "Tag",
        tags_of(session.registry().test_queries),
        index=None,
        key="queries_tag_name",
        format_func=visible,
        accept_new_options=True,
        placeholder="Choose one, or write a new one",
    )
    name = (tag or "").strip()
    give = _step(lambda: tag_queries(some, name), "queries_tag", "tagged")
    take = _step(lambda: tag_queries(some, name, on=False), "queries_tag", "freed of the tag")
    with st.container(horizontal=True, gap="xsmall"):
        st.button("Add the tag", key="queries_tag_on", type="primary", disabled=not name, on_click=give)
        st.button("Remove the tag", key="queries_tag_off", disabled=not name, on_click=take)


def _scope(key: str, marked: Sequence[TestQuery], shown: Sequence[TestQuery]) -> Sequence[TestQuery]:
    said = scope_text(len(marked), len(shown))
    if session.value(key) not in (None, *said):
        session.forget(key)
    chosen = st.radio("Which?", list(said), format_func=said.__getitem__, key=key)
    return marked if chosen == "marked" else shown


def _hold_out() -> None:
    st.markdown(_EXPLAINED)
    cases = session.registry().test_queries
    held = [case for case in cases if is_held_out(case)]
    said = "Of the judged queries, those that are held out included."
    share = st.slider("Share to hold out, in %", 10, 60, _SHARE, 5, key="queries_share", help=said)
    chosen = to_hold_out(cases, share / 100)
    with st.container(horizontal=True, gap="xsmall"):
        act = _step(lambda: tag_queries(chosen, HELD_OUT), "queries_hold", "held out")
        st.button(f"Hold out {queries(len(chosen))}", key="queries_hold_sure", type="primary", disabled=not chosen, on_click=act)
        if held:
            back = _step(lambda: [Edit("", "test_query", case, released(case)) for case in held], "queries_hold", "open again")
            st.button(f"Open all {len(held):,} again", key="queries_hold_back", on_click=back)
    if not chosen:
        panels.note("So many are held out already, or there is nothing to choose from: two judged queries of one tool are the least.")


def _step(edits: Callable[[], Sequence[Edit]], popover: str, done: str, count: int | None = None) -> Callable[[], None]:
    """Return a callback that makes the edits as one step, closes its popover and says what was done.

    count: of the queries, where it is not that of the edits.
    """

    def act() -> None:
        session.heed_editors()
        made = tuple(edits())
        if not made:
            session.notify(session.Outcome(False, "Nothing changes: it is so already."))
        elif session.attempt(lambda: session.add(*made)):
            session.put(popover, False)
            session.renew_editors()
            session.notify(
                session.Outcome(True, f"{queries(len(made) if count is None else count)} {done}, as one step that can be undone.")
            )

    return act
