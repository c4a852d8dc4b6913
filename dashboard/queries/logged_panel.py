"""Questions that users really asked: load a day of them, see what nothing answers well, and make test queries of it with a click."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from datetime import datetime

import streamlit as st

from curator_core import (
    DOUBTS,
    Curator,
    LoggedAnswer,
    LoggedFile,
    LoggedQuestion,
    QuestionGroup,
    TestQuery,
    answer_logged,
    forget_logged,
    group_questions,
    keep_logged,
    logged_batches_of,
    logged_questions_of,
    not_tested,
    read_logged,
    usual_similarity,
)
from dashboard import panels, session
from dashboard.drafts.authoring import may_write
from dashboard.editor import text_editor
from dashboard.jobs import Job, Report
from dashboard.looks import look_every
from dashboard.queries import query_form
from dashboard.queries.logged_table import DOUBT_HELP, DOUBT_WORDS, USUAL, Asked, answers_table, batch_text, doubtful, groups_table, summary
from dashboard.queries.query_measuring import measured
from dashboard.queries.query_table import labels
from dashboard.resources import workbench
from dashboard.tables import plural, problems_table, visible

_PATIENCE_SECONDS = 0.4
_BLOCK = 50
_SHOWN = 300
_PRIVATE = (
    "Logged questions may hold what people said of themselves. They are kept in the store of drafts and history, for all who work on "
    "this registry: never in its files, and git leaves the store alone. Remove them when you are done."
)
_PURPOSE = (
    "**What do users really ask?** Paste or load a day of questions. Those that no tool answers well are grouped by meaning, the most "
    "asked first; a click makes a test query of one."
)
_LOGGED, _PASTED = "logged", "pasted text"


def logged_panel() -> None:
    """Show what was loaded, and what of it nothing answers well."""
    questions = logged_questions_of(session.store())
    with st.expander("Load questions", icon=":material/upload:", expanded=not questions, key="queries_log_open", on_change="rerun"):
        _load()
    if not questions:
        return
    asked = _asked(questions)
    if asked is None:
        panels.note("The model is being loaded; the questions are asked after that.")
    elif asked.error:
        panels.message("The questions could not be asked", asked.error)
    elif asked.result is None:
        _busy()
    else:
        _found(asked.result)


def _load() -> None:
    st.markdown(_PURPOSE)
    panels.note(_PRIVATE)
    for batch in logged_batches_of(session.store()):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(batch_text(batch), width="stretch")
            if may_write():
                st.button("Remove", key=f"queries_log_{batch.id}", icon=":material/delete:", type="tertiary", on_click=_forget(batch.id))
    if not may_write():
        return
    inputs, read = st.columns((3, 2), gap="medium")
    with inputs:
        name, content = _sources()
    with read:
        if content.strip():
            _offer(name, read_logged(name, content))


def _sources() -> tuple[str, bytes]:
    """Let the author give a file, or paste; return its name and content."""
    number = session.value("queries_log_number") or 0
    file = st.file_uploader("A log", ["txt", "csv", "tsv", "json", "jsonl", "log"], key=f"queries_log_file_{number}")
    pasted = str(session.value("queries_log_pasted") or "")
    text_editor(
        "Or paste it",
        pasted,
        key="queries_log_paste",
        version=number,
        on_commit=lambda text: session.put("queries_log_pasted", text),
        rows=4,
        placeholder="one question a line",
        help='One question a line; or a table with the columns question and count; or JSON lines with "question" and "count".',
    )
    return (file.name, file.getvalue()) if file else (_PASTED, pasted.encode("utf-8", "surrogatepass"))


def _offer(name: str, read: LoggedFile) -> None:
    asked = sum(one.count for one in read.questions)
    unusable = f"{plural(len(read.problems), 'line')} cannot be used."
    st.text(f"{plural(len(read.questions), 'different question')}, asked {plural(asked, 'time')}; {unusable}")
    if read.problems:
        st.dataframe(
            problems_table(read.problems[:_SHOWN]), hide_index=True, key="queries_log_problems", row_height=28, alt="Unusable lines"
        )
    label = name if name != _PASTED else f"pasted {datetime.now():%Y-%m-%d %H:%M}"
    st.button(
        f"Keep {plural(len(read.questions), 'question')}",
        key="queries_log_keep",
        type="primary",
        disabled=not read.questions,
        on_click=_keep(label, read.questions),
    )


def _keep(name: str, questions: Sequence[LoggedQuestion]) -> Callable[[], None]:
    def act() -> None:
        if session.attempt(lambda: _kept(name, questions)):
            session.put("queries_log_pasted", "")
            session.put("queries_log_number", (session.value("queries_log_number") or 0) + 1)
            session.put("queries_log_open", False)
            session.notify(session.Outcome(True, f"{plural(len(questions), 'logged question')} kept in the store, beside the drafts."))

    return act


def _kept(name: str, questions: Sequence[LoggedQuestion]) -> None:
    keep_logged(session.store(), session.person(), name, questions)


def _forget(batch: str) -> Callable[[], None]:
    def act() -> None:
        session.attempt(lambda: forget_logged(session.store(), session.person(), batch))

    return act


def _asked(questions: tuple[LoggedQuestion, ...]) -> Job[Asked] | None:
    """Return the asking of the logged questions with the draft; None while the model is being loaded or test queries are measured."""
    curator, tests = measured()
    if tests is None or not tests.finished:
        return None
    line = usual_similarity(tests.result.results) if tests.result else None
    key = (curator.index.fingerprint, curator.settings, line, questions)
    job = workbench().logs.of(key, lambda report: _ask(curator, questions, line, report))
    job.wait(_PATIENCE_SECONDS)
    return job


def _ask(curator: Curator, questions: Sequence[LoggedQuestion], line: float | None, report: Report) -> Asked:
    answers: list[LoggedAnswer] = []
    for start in range(0, len(questions), _BLOCK):
        report(start, len(questions))
        answers += answer_logged(curator, questions[start : start + _BLOCK], line)
    return Asked(curator.index, tuple(answers), line)


def _grouped(found: Asked, doubts: tuple[str, ...]) -> tuple[tuple[LoggedAnswer, ...], Job[tuple[QuestionGroup, ...]]]:
    """Return the answers that one of the doubts is about and that are no test query yet, and their groups."""
    weak = not_tested(session.registry(), doubtful(found.answers, doubts))
    job = workbench().logs.of(("groups", found.index.fingerprint, weak), lambda _: group_questions(found.index, weak))
    job.wait(_PATIENCE_SECONDS * 10)
    return weak, job


def _doubts(line: float | None) -> tuple[str, ...]:
    """Let the author choose what counts against an answer."""
    offered = [doubt for doubt in DOUBTS if line is not None or doubt != "weaker than your tests"]
    if session.value("queries_log_doubts") is None:
        session.put("queries_log_doubts", [doubt for doubt in offered if doubt in USUAL])
    chosen = st.pills(
        "What counts against an answer",
        offered,
        selection_mode="multi",
        key="queries_log_doubts",
        format_func=lambda doubt: panels.pill(DOUBT_WORDS[doubt]),
        help=DOUBT_HELP,
    )
    return tuple(doubt for doubt in offered if doubt in chosen)


@look_every(1)
def _busy() -> None:
    job = _asked(logged_questions_of(session.store()))
    if job is None or job.finished:
        st.rerun(scope="app")
    st.progress(job.done / job.total if job.total else 0.0, f"Asking the logged questions: {job.done:,} of {job.total:,}")


def _found(found: Asked) -> None:
    weak, job = _grouped(found, _doubts(found.line))
    st.text(summary(found, weak))
    if job.error:
        panels.message("The questions could not be grouped", job.error)
    elif job.result is None:
        _grouping(found)
    elif not job.result:
        panels.note("Nothing counts against any answer that is no test query yet. Look at a few in the Playground all the same.")
    else:
        _groups(job.result)


@look_every(1)
def _grouping(found: Asked) -> None:
    _, job = _grouped(found, tuple(session.value("queries_log_doubts") or ()))
    if job.finished:
        st.rerun(scope="app")
    st.caption("Grouping by meaning…")


def _groups(groups: Sequence[QuestionGroup]) -> None:
    left, right = st.columns((3, 2), gap="medium")
    with left:
        group = _choose(groups)
    with right:
        if group is None:
            panels.note("Choose a group, or click one, to see its questions and make test queries of them.")
        else:
            _group(group)


def _choose(groups: Sequence[QuestionGroup]) -> QuestionGroup | None:
    named = {visible(group.answers[0].question.text): group for group in groups[:_SHOWN]}
    if session.value("queries_log_group") not in (None, *named):
        session.put("queries_log_group", None)
    chosen = st.selectbox("Group", list(named), index=None, key="queries_log_group", placeholder="Choose a group, or click one")
    names = list(named)
    key = f"queries_log_groups_{zlib.crc32(repr(names).encode('utf-8', 'replace'))}"
    session.put(key, {"selection": {"rows": [], "columns": [], "cells": [[names.index(chosen), "such as"]] if chosen in named else []}})
    st.dataframe(
        groups_table(list(named.values())),
        hide_index=True,
        key=key,
        on_select=_clicked(key, names),
        selection_mode="single-cell",
        row_height=28,
        height=min(520, 28 * len(named) + 38),
        column_config={
            "asked": st.column_config.NumberColumn(width=60, help="How often these were asked in all."),
            "questions": st.column_config.NumberColumn(width=74, help="Different questions in the group."),
            "such as": st.column_config.TextColumn(width=280, help="The one that was asked most. A click opens the group."),
            "words": st.column_config.TextColumn(width=150, help="Words that most of them say."),
            "why": st.column_config.TextColumn(width=220, help=DOUBT_HELP),
        },
        alt="Groups of logged questions that nothing answers well",
    )
    return named.get(chosen) if chosen else None


def _clicked(key: str, names: Sequence[str]) -> Callable[[], None]:
    def act() -> None:
        cells = session.value(key)["selection"]["cells"]
        if cells:
            session.put("queries_log_group", names[cells[0][0]])

    return act


def _group(group: QuestionGroup) -> None:
    st.dataframe(
        answers_table(group.answers),
        hide_index=True,
        key="queries_log_answers",
        row_height=28,
        height=min(320, 28 * len(group.answers) + 38),
        column_config={"question": st.column_config.TextColumn(width=240), "brings now": st.column_config.TextColumn(width=180)},
        alt="Questions of the group",
    )
    if not may_write():
        return
    named = dict(zip(_names(group), group.answers, strict=True))
    chosen = st.selectbox("Which question?", list(named), key="queries_log_question")
    if chosen:
        text = named[chosen].question.text
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            st.button("Make it a test query", key="queries_log_make", type="primary", icon=":material/add:", on_click=_make(text))
            st.page_link("views/playground.py", label="Ask it", icon=":material/search:", query_params={"q": text})


def _names(group: QuestionGroup) -> tuple[str, ...]:
    return labels([TestQuery(one.question.text) for one in group.answers])


def _make(text: str) -> Callable[[], None]:
    def act() -> None:
        query_form.start_new(text, (_LOGGED,))
        session.forget("queries_view")

    return act
