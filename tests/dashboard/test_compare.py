"""The Compare page: two sides, what became of each question, and figures that are those of the core."""

from __future__ import annotations

import json
from collections.abc import Callable

import pandas as pd
from streamlit.testing.v1 import AppTest

from curator_core import Curator, Registry, Settings, TestQuery, Tool, build_index, compare_runs, evaluate, load_registry
from dashboard.compare import comparison_tables
from dashboard.compare.rank_lines import Line, rank_lines
from tests.core.fakes import FakeEncoder
from tests.dashboard.conftest import edit, settled

Start = Callable[..., AppTest]


def table(at: AppTest, column: str) -> pd.DataFrame:
    """Return the table on the page that has a column."""
    found: pd.DataFrame = next(frame.value for frame in at.dataframe if column in frame.value)
    return found


def test_without_a_draft_both_sides_are_the_same_and_nothing_changed(app: Start) -> None:
    at = app(page="compare")
    assert not at.exception
    assert [box.value for box in at.selectbox if box.key in ("before", "after")] == ["published", "published"]
    assert any("Both sides are the same" in note.value for note in at.markdown)


def test_what_a_draft_moves_is_on_the_page_with_its_ranks(app: Start) -> None:
    at = app(page="compare")
    edit(at, "pay_fees", "description", "how many classes did I miss")
    at = settled(at)
    assert not at.exception
    assert next(box.value for box in at.selectbox if box.key == "after") == "your draft"
    rows = table(at, "what")
    assert list(zip(rows["question"], rows["what"], rows["before"], rows["after"], strict=True)) == [
        ("how many classes did I miss", "⇅ moved", "1", "2")
    ]


def test_the_figures_are_those_of_the_core(app: Start) -> None:
    at = app(page="compare")
    at.selectbox(key="after").set_value("published").run()
    at.multiselect(key="after_off").set_value(["dense"]).run()
    at = settled(at)
    registry = load_registry(at.session_state["session_opened"].folder)
    index = build_index(registry, FakeEncoder(dimension=64))
    sides = [evaluate(Curator(index, settings), registry.test_queries) for settings in (Settings(), Settings(dense=False))]
    expected = compare_runs(sides[0], sides[1])
    shown = table(at, "figure")
    assert list(shown["before"]) == list(comparison_tables.metrics_frame(expected.metrics, 20)["before"])
    assert list(shown["after"]) == list(comparison_tables.metrics_frame(expected.metrics, 20)["after"])
    assert set(shown["difference"]) == {"too few queries to say"}


def test_an_earlier_revision_is_a_side_of_its_own(app: Start) -> None:
    at = app(page="compare", before="revision 1")
    assert next(box.value for box in at.selectbox if box.key == "before") == "revision 1"
    assert not at.exception


def test_a_saved_run_is_a_side_and_a_file_that_is_none_is_said(app: Start) -> None:
    at = app(page="compare", before="a saved run")
    registry = load_registry(at.session_state["session_opened"].folder)
    run = evaluate(Curator(build_index(registry, FakeEncoder(dimension=64))), registry.test_queries)
    at.get("file_uploader")[0].upload("monday.json", json.dumps(run.to_dict()).encode(), "application/json").run()
    at = settled(at)
    assert not at.exception
    assert list(table(at, "figure")["n"]) == [2] * 7
    at.get("file_uploader")[0].upload("other.json", b"[1]", "application/json").run()
    assert any("This file holds no run" in badge.value for badge in at.markdown)


def test_questions_stand_worst_first_and_held_out_ones_never() -> None:
    registry = Registry(name="r", tools=(Tool("a", "ask a"), Tool("b", "ask b")))
    index = build_index(registry, FakeEncoder())
    run = evaluate(Curator(index), [TestQuery("ask a", ("a",)), TestQuery("ask b", ("b",), tags=("held_out",))])
    compared = compare_runs(run, run)
    listed = comparison_tables.shown_changes(compared, ("still right", "still failing", "moved"), None)
    assert [change.case.query for change in listed] == ["ask a"]


def test_rank_lines_have_one_line_a_question_and_ranks_far_down_share_a_place() -> None:
    figure = rank_lines([Line("up", 14, 2), Line("down", 1, None), Line("<b>same</b>", 3, 3)], "published", "draft")
    ways = {tuple(height for height in trace.y if height is not None) for trace in figure.data}
    assert ways == {(14, 2), (1, 23), (3, 3)}
    assert "&lt;b&gt;same" in figure.to_json().replace("\\u0026", "&").replace("\\u003c", "<")
