"""Test queries from a file or the clipboard: what each line would do stands here before anything changes. And the way out again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from curator_core import (
    Problem,
    QueryFile,
    QueryPlan,
    UnknownTool,
    plan_queries,
    read_query_file,
    recognised,
    unknown_tools,
    write_csv,
    write_jsonl,
    write_qrels,
)
from dashboard import panels, session
from dashboard.drafts.authoring import may_write
from dashboard.editor import text_editor
from dashboard.queries.exchange_table import FORMATS, plan_counts, plan_table, take_over_text, unknown_table
from dashboard.queries.query_table import queries
from dashboard.tables import plural, problems_table, visible

PASTED, TOPICS = "pasted text", "pasted topics"
_KEEP, _LEAVE_OUT = "keep the name as it is", "leave these lines out"
_ASKED_SINGLY = 8  # unknown tools that get a choice of their own
_SHOWN = 500
_TYPES = ["csv", "tsv", "txt", "json", "jsonl", "qrels", "qrel", "xml", "trec"]
_EXAMPLE = "query,expected,role,tags\nhow do I pay my fees,pay_fees,student,fees|exact\nwhat is the weather,(no tool),,"
_HELP = (
    "A table with a first line of names (query, expected, forbidden, role, tags, critical, note), as spreadsheets save or copy it; or "
    "JSON lines as in test_queries.jsonl; or TREC qrels with their topics. Lines without names are questions that nobody has judged. "
    "In a cell, | parts several tools; (no tool) = no tool applies; empty = not judged yet."
)


def exchange() -> None:
    """Show the ways in and out."""
    left, right = st.columns((2, 3), gap="large")
    with left:
        if may_write():
            sources, topics = _bring_in()
        else:
            panels.note("You may look at the test queries and take them out; to change them takes the role author.")
        _take_out()
    with right:
        if may_write() and any(content.strip() for _, content in sources):
            _preview(_read(sources, topics))
        elif may_write():
            panels.note("What each line would do stands here before anything changes.")


def _bring_in() -> tuple[list[tuple[str, bytes]], str]:
    """Let the author give files, or paste; return name and content of each, and pasted topics."""
    st.markdown("**Bring in**", help=_HELP)
    number = session.value("queries_in_number") or 0
    files = st.file_uploader(
        "Files", _TYPES, accept_multiple_files=True, key=f"queries_files_{number}", help="For qrels, their topics too."
    )
    pasted = str(session.value("queries_pasted") or "")
    text_editor(
        "Or paste",
        pasted,
        key="queries_paste",
        version=number,
        on_commit=lambda text: session.put("queries_pasted", text),
        rows=5,
        placeholder=_EXAMPLE,
        help="It is read as soon as you stop typing; nothing changes before you take it over.",
    )
    topics = str(session.value("queries_topics") or "")
    if not files and pasted.strip() and recognised(PASTED, pasted) == "qrels":
        text_editor(
            "Their topics",
            topics,
            key="queries_paste_topics",
            version=number,
            on_commit=lambda text: session.put("queries_topics", text),
            rows=3,
            help="The questions of these numbers: number, tab, question.",
        )
    if files:
        return [(file.name, file.getvalue()) for file in files], ""
    return [(PASTED, pasted.encode("utf-8", "surrogatepass"))], topics


def _read(sources: Sequence[tuple[str, bytes]], topics: str) -> list[QueryFile]:
    """Read each source; two of which one is qrels are read together."""
    kinds = [recognised(name, content[:20_000].decode("utf-8", "replace")) for name, content in sources]
    if len(sources) == 2 and "qrels" in kinds:
        (name, content), (other, more) = sources
        return [read_query_file(name, content, other, more)]
    if topics and len(sources) == 1:
        return [read_query_file(*sources[0], TOPICS, topics)]
    return [read_query_file(name, content) for name, content in sources]


def _preview(read: Sequence[QueryFile]) -> None:
    """Show what taking over would do, line by line, and the button that does it as one step."""
    rows = [row for file in read for row in file.rows]
    unknown = unknown_tools(session.registry(), [row.case for row in rows])
    with st.container(border=True, gap="small"):
        st.text("Read as " + ", ".join(f"{FORMATS[file.format]} with {queries(len(file.rows))}" for file in read))
        instead = _unknown(unknown)
        plan = plan_queries(session.registry(), rows, instead)
        problems = [problem for file in read for problem in file.problems]
        _counts(QueryFile(read[0].format, tuple(rows), tuple(problems)), plan)
        _problems((*problems, *plan.problems))
        planned = (*plan.changed, *plan.new)
        if planned:
            st.dataframe(
                plan_table(planned[:_SHOWN]),
                hide_index=True,
                key="queries_plan",
                row_height=28,
                column_config=_PLAN_COLUMNS,
                alt="Test queries that would be new or change",
            )
            if len(planned) > _SHOWN:
                st.caption(f"and {len(planned) - _SHOWN:,} more")
        st.button(
            take_over_text(plan),
            key="queries_take",
            type="primary",
            icon=":material/download_done:",
            disabled=not planned,
            on_click=_taken(plan),
            help="Into your draft, as one step that “Undo last” takes back.",
        )


def _counts(read: QueryFile, plan: QueryPlan) -> None:
    colours: dict[str, panels.Colour] = {
        "new": "green",
        "changed": "violet",
        "unreadable": "red",
        "repeated": "orange",
        "left out": "orange",
    }
    with st.container(horizontal=True, gap="small"):
        for name, count in plan_counts(read, plan):
            st.badge(f"{count:,} {name}", color=colours.get(name, "orange" if name != "same" else "grey") if count else "grey")


def _problems(problems: Sequence[Problem]) -> None:
    if problems:
        st.dataframe(
            problems_table(problems),
            hide_index=True,
            key="queries_problems",
            row_height=28,
            height=min(220, 28 * len(problems) + 38),
            alt="Lines that are not used, or likely not meant so",
        )


def _unknown(unknown: Sequence[UnknownTool]) -> Mapping[str, str | None]:
    """List the tools that are not there; let the author put each right, keep it, or leave its lines out."""
    if not unknown:
        return {}
    panels.message(
        f"{len(unknown):,} {'tool is' if len(unknown) == 1 else 'tools are'} not in this registry",
        "Queries that name one are taken over, but listed as invalid, unless you choose otherwise.",
    )
    instead: dict[str, str | None] = {}
    for number, one in enumerate(unknown[:_ASKED_SINGLY]):
        named, choice = st.columns(2, gap="small", vertical_alignment="center")
        named.text(visible(f"{one.name}, in {queries(len(one.cases))}"))
        chosen = choice.selectbox(
            f"Instead of unknown tool {number + 1}",
            [_KEEP, *one.near, _LEAVE_OUT],
            key=f"queries_instead_{number}_{one.name}",
            format_func=lambda option: option if option in (_KEEP, _LEAVE_OUT) else visible(f"use {option}"),
            label_visibility="collapsed",
        )
        instead |= {} if chosen == _KEEP else {one.name: None if chosen == _LEAVE_OUT else chosen}
    rest = unknown[_ASKED_SINGLY:]
    if rest:
        st.dataframe(unknown_table(rest), hide_index=True, key="queries_unknown", row_height=28, alt="Further tools that are not there")
        if st.toggle(f"Leave out the lines with any of these {len(rest):,}", key="queries_leave_rest"):
            instead |= dict.fromkeys(one.name for one in rest)
    return instead


def _taken(plan: QueryPlan) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        if session.attempt(lambda: session.add(*plan.edits)):
            for name in ("queries_pasted", "queries_topics"):
                session.put(name, "")
            session.put("queries_in_number", (session.value("queries_in_number") or 0) + 1)
            done = f"{len(plan.new):,} new and {len(plan.changed):,} changed test queries are in your draft, as one step."
            session.notify(session.Outcome(True, done))

    return act


def _take_out() -> None:
    st.markdown("**Take out**", help="The test queries as they stand in your draft, those that are held out included.")
    cases = session.registry().test_queries
    name = "".join(letter if letter.isalnum() else "_" for letter in session.registry().name) or "registry"
    qrels = write_qrels(cases)
    place = st.container(horizontal=True, gap="small")
    for label, file, text, mime in (
        ("Table (CSV)", f"{name}_queries.csv", "\ufeff" + write_csv(cases), "text/csv"),
        ("JSON lines", f"{name}_queries.jsonl", write_jsonl(cases), "application/jsonl"),
        ("TREC qrels", f"{name}.qrels", qrels.qrels, "text/plain"),
        ("TREC topics", f"{name}.topics.tsv", qrels.topics, "text/tab-separated-values"),
    ):
        place.download_button(
            label,
            text.encode("utf-8", "replace"),
            file,
            mime,
            key=f"queries_out_{file.rsplit('.', 1)[-1]}",
            icon=":material/download:",
            on_click="ignore",
            disabled=not cases,
            help=_OUT_HELP[label],
        )
    if qrels.left_out:
        left_out = f"{plural(len(qrels.left_out), 'judgement')} {'is' if len(qrels.left_out) == 1 else 'are'} not in them"
        panels.note(f"Qrels cannot say everything: {left_out}, such as that no tool applies.")


_OUT_HELP = {
    "Table (CSV)": "For a spreadsheet. A cell that could start a formula begins with an apostrophe, which coming back takes off again.",
    "JSON lines": "As test_queries.jsonl has them.",
    "TREC qrels": "Judgements for retrieval tools such as trec_eval: question, 0, tool, grade (1 expected, -1 must not appear).",
    "TREC topics": "The questions that the qrels name by number.",
}
_PLAN_COLUMNS: dict[str, Any] = {
    "line": st.column_config.NumberColumn(width=50),
    "": st.column_config.TextColumn(width=70),
    "query": st.column_config.TextColumn(width=260),
    "expected": st.column_config.TextColumn(width=160),
    "what changes": st.column_config.TextColumn(width=260),
}
