"""One tool explained: its way through the stages of a question, its indexed text, and a read-only look at it."""

from __future__ import annotations

from functools import partial
from typing import Literal

import streamlit as st

from curator_core import Row, Story, ToolIndex, Trace
from dashboard import panels, session, tables
from dashboard.charts import stage_bars
from dashboard.playground.pinning import pin_buttons
from dashboard.tables import COMBINED_HELP, meaning_cell, visible, words_cell

Side = Literal["left", "right"]
_ROW_HEIGHT = 28
_PASS_COLUMNS: tuple[tuple[str, str, Side], ...] = (
    ("pass", "The whole question, or one part of a two-in-one question.", "left"),
    ("rank", "Place in this pass; – = in neither list.", "right"),
    ("meaning", "Meaning match: rank, then cosine similarity (dense retrieval).", "right"),
    ("words", "Word match: rank, then BM25 score; – = no shared word.", "right"),
    ("combined", COMBINED_HELP, "right"),
    (
        "name rule",
        "How many of the name's words the question says; ✓ = enough, it comes first; a number = what that adds (tuned).",
        "right",
    ),
)
_WORD_COLUMNS: tuple[tuple[str, str, Side], ...] = (
    ("word", "A word of the question.", "left"),
    ("adds", "What it adds to this tool's BM25 score; – = the tool's text does not have it.", "right"),
    ("weight", "How telling the word is: rare words weigh more (BM25's idf).", "right"),
    ("tools with it", "How many tools of the registry have the word; 0 = no tool knows it.", "right"),
)

_READ_HELP = "What its author wrote, parameters included."


def in_trace(index: ToolIndex, trace: Trace, key: str) -> None:
    """Show one tool's way through the stages of one question: the sentence, figures per pass, words, and the text that was indexed."""
    story = trace.story(key)
    st.text(visible(story.sentence))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        panels.tool_link(key)
        panels.press("Read it", "focus_peek", partial(peek, key), type="tertiary", icon=":material/visibility:", help=_READ_HELP)
    pin_buttons(trace.query, key)
    if not story.passes:
        return
    stage_breakdown(trace, story)
    number = _telling_pass(trace, key)
    words, text, encoded = st.tabs([panels.tab(text) for text in ("Words", "Indexed text", "Encoded question")])
    with words:
        words_of_tool(trace, story, number)
    with text:
        indexed_text(index, key, trace.settings.fields)
    with encoded:
        dense = trace.passes[number].dense
        st.caption("Exactly this text is given to the model." if dense else "Meaning match is off or not ready: nothing is encoded.")
        if dense:
            st.code(visible(dense.encoded), language=None, wrap_lines=True)


def _telling_pass(trace: Trace, key: str) -> int:
    """Return the pass that brought a tool, or the whole question."""
    place = trace.tools.index(key) if key in trace.tools else None
    return 0 if place is None else trace.pass_of(trace.picks[place])


def stage_breakdown(trace: Trace, story: Story) -> None:
    """Show the stage bars of one tool, and the same as a table."""
    bars = [(name, parts, _labels(row)) for name, parts, row in tables.stage_parts(story)]
    st.plotly_chart(
        stage_bars(bars, tables.best_score(trace.settings, [*trace.rows(), *(row for _, _, row in story.passes)])),
        key="focus_bars",
        config={"displayModeBar": False},
        alt="What each stage adds to the combined score in each pass; the table below has the same figures",
    )
    st.dataframe(
        tables.passes_frame(story),
        hide_index=True,
        key="focus_passes",
        row_height=_ROW_HEIGHT,
        column_config={name: st.column_config.TextColumn(help=said, alignment=side) for name, said, side in _PASS_COLUMNS},
        alt="The tool's figures in each pass",
    )


def _labels(row: Row) -> dict[str, str]:
    return {"dense": meaning_cell(row), "sparse": words_cell(row)}


def words_of_tool(trace: Trace, story: Story, number: int) -> None:
    """Show what each word of the question adds to a tool's word match."""
    st.dataframe(
        tables.words_frame(trace, number, story.passes[number][2]),
        hide_index=True,
        key="focus_words",
        row_height=_ROW_HEIGHT,
        column_config={name: st.column_config.TextColumn(help=said, alignment=side) for name, said, side in _WORD_COLUMNS},
        alt="What each word of the question adds to the tool's word match",
    )
    if number:
        st.caption(f"Words of part {tables.circled(number)}, which brought the tool.")


def indexed_text(index: ToolIndex, key: str, further: bool = False) -> None:
    """Show a tool's indexed text by segment, with what the model does not read. further: also what only the tuned profile looks at."""
    past = "It is past the model's limit; word match reads it."
    for name, read, unread in tables.segments(index, key, further):
        with st.container(gap=None):
            st.caption(name)
            if read:
                st.text(read)
            if unread:
                st.badge("not read by the model", color="orange", icon=":material/content_cut:", help=past)
                st.text(unread)


@st.dialog("Tool", position="right", width="medium", icon=":material/build:")
def peek(key: str) -> None:
    """Show a tool read-only in a drawer. Call it from a button's `if`; never from inside another dialog."""
    tool = session.registry().tool(key)
    st.text(visible(key))
    for name, text in tables.tool_texts(tool):
        with st.container(gap=None):
            st.caption(name)
            st.text(text)
    panels.tool_link(key)
