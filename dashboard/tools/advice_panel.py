"""What would it take? Where a tool lost a question, and phrases that were tried, each one click away from the draft."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from curator_core import RIGHT_WITHIN, Advice, Curator, Shortfall, Suggestion, TestQuery, copy_phrase, shortfall_of, suggest
from dashboard import panels, session
from dashboard.drafts.authoring import may_write
from dashboard.drafts.effects import Question, watched_questions
from dashboard.jobs import Job, Report
from dashboard.looks import look_every
from dashboard.resources import workbench
from dashboard.runs import Runs
from dashboard.tables import visible
from dashboard.tools.advice_text import cost, gain

_PATIENCE_SECONDS = 0.5
_LOOKED_AT = 100  # of the tool's test queries, to see which fail
_ASKED, _JOB = "advice_asked", "advice_job"
_Key = tuple[str, str, str | None]


def advice_for_tool(tool: str) -> None:
    """Offer help for the questions that this tool should answer and does not: the Playground's last one, and its failing test queries.

    For a question that came along from Home phrases are tried at once, before anything of the tool is edited. No fragment: a click
    changes the editors and the effect beside it.
    """
    if not session.snapshot_now().finished:
        return
    last = Question(session.query(), (tool,), "last question", session.role())
    lacking = _lacking(tool, watched_questions(session.registry(), (tool,), (last,), _LOOKED_AT))
    if not lacking:
        return
    with st.container(border=True, gap="xsmall", key="advice"):
        question, lacks = _choose(lacking)
        untouched = tool not in session.overlay().touched
        _what_it_takes(tool, question.query, question.role, lacks, at_once=untouched and question.source == "last question")


def advice_for_question(tool: str, query: str, role: str | None) -> None:
    """Offer help for one question, where the tool is not among the first 5 of its answer."""
    if not session.snapshot_now().finished:
        return
    lacks = _shortfall(session.curator(), tool, query, role)
    if lacks.stage is not None:
        with st.container(border=True, gap="xsmall", key="advice"):
            st.markdown("**What would it take?**", help=_HELP)
            _what_it_takes(tool, query, role, lacks)


def _lacking(tool: str, questions: Sequence[Question]) -> list[tuple[Question, Shortfall]]:
    curator, roles = session.curator(), (None, *session.registry().roles)
    found = [(one, _shortfall(curator, tool, one.query, one.role)) for one in questions if one.role in roles]
    return [(one, lacks) for one, lacks in found if lacks.stage is not None]


def _shortfall(curator: Curator, tool: str, query: str, role: str | None) -> Shortfall:
    return shortfall_of(curator.curate(query, top_k=max(20, curator.settings.top_k), role=role), tool, RIGHT_WITHIN)


def _choose(lacking: Sequence[tuple[Question, Shortfall]]) -> tuple[Question, Shortfall]:
    st.markdown(f"**What would it take?** {len(lacking):,} of its questions {'fails' if len(lacking) == 1 else 'fail'}", help=_HELP)
    if len(lacking) == 1:
        st.text(visible(f"“{lacking[0][0].query}”"))
        return lacking[0]
    named = {(one.query, one.role): (one, lacks) for one, lacks in lacking}
    if session.value("advice_question") not in named:
        session.forget("advice_question")  # it stands well now, or another tool is open
    chosen = st.selectbox(
        "Failing question", list(named), key="advice_question", format_func=lambda one: visible(one[0]), label_visibility="collapsed"
    )
    return named[chosen]


def _what_it_takes(tool: str, query: str, role: str | None, lacks: Shortfall, at_once: bool = False) -> None:
    """Say where the tool lost, then what would help: when asked for, or at once."""
    st.text(visible(lacks.sentence))
    asked: _Key = (tool, query, role)
    if not (at_once or session.value(_ASKED) == (asked, session.edits())):
        if (last := session.value(_JOB)) is not None:
            workbench().advice.let_go(last)
        st.button("Try phrases", key="advice_try", icon=":material/lightbulb:", help=_TRY, on_click=_ask(asked))
        return
    job = _job(session.curator(), session.registry().test_queries, asked, session.value(_JOB))
    session.put(_JOB, job)
    if not job.wait(_PATIENCE_SECONDS):
        _progress(job)
    elif job.result is None:
        st.text(visible(f"Phrases could not be tried: {job.error}"))
    else:
        _advice(job.result, tool)


def _ask(asked: _Key) -> Callable[[], None]:
    return lambda: session.put(_ASKED, (asked, session.edits()))


def _job(curator: Curator, cases: tuple[TestQuery, ...], asked: _Key, last: Job[Advice] | None) -> Job[Advice]:
    """Return the advice, which is worked out in the background; the last one is stopped where nobody waits for it any more."""
    runs, (tool, query, role) = workbench().runs, asked
    key = (curator.index.fingerprint, curator.settings, cases, *asked)
    return workbench().advice.of(key, lambda report: _advise(runs, curator, cases, query, tool, role, report), len(cases), last)


def _advise(runs: Runs, curator: Curator, cases: tuple[TestQuery, ...], query: str, tool: str, role: str | None, report: Report) -> Advice:
    advice = suggest(curator, query, tool, role, runs.finished(curator, cases, report), report)
    for one in reversed(advice.offered):  # so that the effect of a phrase is there as soon as it is in the draft
        runs.learn(one.effect, curator.settings)
    return advice


@look_every(1)
def _progress(job: Job[Advice]) -> None:
    if job.finished:
        st.rerun(scope="app")
    st.progress(min(1.0, job.done / max(job.total, 1)), f"Trying phrases: {job.done:,} of {job.total:,} questions asked")


def _advice(advice: Advice, tool: str) -> None:
    if not advice.offered:
        st.text(visible(f"Nothing that was tried helped. {advice.reason}"))
        return
    for one in advice.offered:
        said, act = st.columns((7, 3), gap="small", vertical_alignment="center")
        with said, st.container(gap=None):
            st.text(visible(one.phrase.text))
            st.caption(gain(one), help=_GAIN)
            st.caption(cost(one), help=_COST)
        with act:
            key, may = panels.key_of("advice_add", tool, one.phrase), may_write()
            st.button("Add", key=key, icon=":material/add:", help=_ADD, disabled=not may, on_click=_add(one, tool))


def _add(one: Suggestion, tool: str) -> Callable[[], None]:
    """Return a callback that puts the phrase behind the tool's extra context, as one step of the draft."""

    def act() -> None:
        session.heed_editors()
        if session.attempt(lambda: session.add(*copy_phrase(session.registry(), tool, one.phrase.text), typed=False)):
            session.renew_editors()

    return act


_HELP = (
    "For a question that this tool should answer and that does not bring it into the first 5: which stage lost it and by how much, and "
    "phrases for its extra context. They are made of words of the question, of the tool's other test queries and of your synonyms, "
    "some with the way people begin. No language model writes them; edit them as you like."
)
_TRY = "Tries a few phrases on every test query, as if each were in the tool's extra context already. It takes some seconds."
_GAIN = (
    "Where the tool stands for this question, without the phrase → with it. Then the other test queries that expect the tool: how "
    "many come out right with it, and how many no longer do. Held-out ones are not counted here."
)
_COST = (
    "What becomes of the test queries of all other tools, asked again with the phrase: exactly what the list of effects shows once it "
    "is in your draft. Found in the first 5: the mean share of right tools among the first 5 (recall@5), without the phrase → with it."
)
_ADD = "Adds the phrase to the tool's extra context in your draft, as one step; “Undo last” takes it back."
