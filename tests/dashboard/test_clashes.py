"""The Clashes tab of the Overlap page as its user sees it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import Registry, TestQuery, Tool, build_index, find_clashes
from curator_core.curator import Curator
from dashboard.overlap.clash_tables import clashes_frame
from dashboard.panels import tab
from tests.core.fakes import FakeEncoder
from tests.dashboard.conftest import TOOLS, first_button, settled, write_registry

Start = Callable[..., AppTest]
SWAPPED = {"name": "ask_for_books", "description": "Library shelf and desk."}


@pytest.fixture
def page(app: Start) -> Start:
    def start(**address: str) -> AppTest:
        return app(page="overlap", state={"overlap_view": tab("Clashes")}, **address)

    return start


def table(at: AppTest, *columns: str) -> Any:
    return next(element.value for element in at.dataframe if set(columns) <= set(element.value))


def pairs_box(at: AppTest) -> Any:
    return next(box for box in at.selectbox if box.label == "Look at the pair")


def test_the_worst_pair_comes_first_with_the_test_queries_that_are_swapped(folder: Path, page: Start) -> None:
    write_registry(folder, [*TOOLS, SWAPPED])
    queries = [{"query": "borrowed library book", "expected": ["ask_for_books"]}]
    (folder / "test_queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries), encoding="utf-8")
    at = page()
    assert not at.exception
    first = table(at, "harm", "swaps").iloc[0]
    assert (first["tool"], first["and tool"], first["swaps"]) == ("ask_for_books", "renew_book", "1")
    assert list(table(at, "test query", "brings first").iloc[0]) == ["borrowed library book", "ask_for_books", "renew_book", "2", "meaning"]


def test_moving_a_phrase_shows_the_swaps_that_are_left_before_it_is_a_step_of_the_draft(folder: Path, page: Start) -> None:
    tools = [*TOOLS, {"name": "ask_for_books", "description": "Shelf and desk."}]
    tools[3] = {**TOOLS[3], "extra_context": "loan desk, sharp pencil"}
    write_registry(folder, tools)
    queries = [{"query": "sharp pencil", "expected": ["ask_for_books"]}]
    (folder / "test_queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries), encoding="utf-8")
    at = page()
    assert tuple(table(at, "harm", "swaps").iloc[0][["tool", "and tool", "swaps"]]) == ("ask_for_books", "renew_book", "1")
    at.selectbox(key="overlap_change_tool").set_value("renew_book")
    at.text_input(key="overlap_change_phrase").set_value("sharp pencil").run()
    effect = "swaps 1 → 0 · their 1 test query: 1 → 1 right, 0 → 1 with the right tool first"
    assert effect in [text.value for text in at.text]
    assert any("Elsewhere: 0 fixed, 0 broke" in element.value for element in at.markdown)
    at.button(key="overlap_change_add").click().run()
    edits = at.session_state["session_overlay"].edits
    assert [(edit.tool, edit.field, edit.new) for edit in edits] == [
        ("renew_book", "extra_context", "loan desk"),
        ("ask_for_books", "extra_context", "sharp pencil"),
    ]


def test_where_the_name_rule_decides_the_page_says_so_and_another_name_ends_the_swaps(folder: Path, page: Start) -> None:
    shortage = {"name": "attendance_shortage", "description": "Tells who is below the limit of classes in a course."}
    write_registry(folder, [*TOOLS, shortage])
    query = {"query": "am i in trouble with attendance", "expected": ["attendance_shortage"]}
    (folder / "test_queries.jsonl").write_text(json.dumps(query) + "\n", encoding="utf-8")
    at = page()
    first = table(at, "harm", "swaps").iloc[0]
    assert tuple(first[["tool", "and tool", "swaps"]]) == ("attendance_shortage", "get_attendance", "1")
    assert table(at, "test query", "what decides").iloc[0]["what decides"] == "name rule: attendance"
    assert any("The name rule decides 1 of 1 swap: it puts get_attendance first" in text.value for text in at.text)
    at.selectbox(key="overlap_change_tool").set_value("get_attendance")
    at.selectbox(key="overlap_change_kind").set_value("rename")
    at.text_input(key="overlap_change_phrase").set_value("get_attendance_percentage").run()
    assert any(text.value.startswith("swaps 1 → 0 · ") for text in at.text)
    at.button(key="overlap_change_add").click().run()
    settled(at)
    assert "get_attendance_percentage" in set(table(at, "harm", "swaps")["and tool"])
    assert at.session_state["session_overlay"].edits[0].field == "name"


def test_the_pair_whose_tool_was_renamed_stays_the_chosen_one(page: Start) -> None:
    at = page()
    pairs_box(at).set_value(("pay_fees", "renew_book")).run()
    at.selectbox(key="overlap_change_tool").set_value("renew_book")
    at.selectbox(key="overlap_change_kind").set_value("rename")
    at.text_input(key="overlap_change_phrase").set_value("extend_loan").run()
    at.button(key="overlap_change_add").click().run()
    assert pairs_box(settled(at)).value == ("extend_loan", "pay_fees")
    pairs_box(at).set_value(("get_attendance", "pay_fees")).run()
    assert pairs_box(at.run()).value == ("get_attendance", "pay_fees")


def test_a_click_on_a_phrase_of_the_text_takes_it_into_the_field(page: Start) -> None:
    at = page()
    pairs_box(at).set_value(("pay_fees", "renew_book")).run()
    at.button_group[0].set_value("challan").run()
    assert at.text_input(key="overlap_change_phrase").value == "challan"


def test_a_phrase_that_does_not_stand_in_the_text_is_refused_with_what_to_do(page: Start) -> None:
    at = page()
    at.text_input(key="overlap_change_phrase").set_value("nowhere said").run()
    assert any("does not stand there; choose a phrase of this text" in text.value for text in at.text)


def test_without_swaps_the_list_is_there_and_says_that_no_test_query_is_swapped(page: Start) -> None:
    at = page()
    assert not at.exception
    assert len(table(at, "harm", "swaps")) == 10
    assert any("No test query of the one" in str(element.value) for element in (*at.markdown, *at.text, *at.caption))


def test_a_dismissed_pair_is_away_with_its_reason_and_comes_back(page: Start) -> None:
    at = page()
    first = tuple(table(at, "harm", "swaps").iloc[0][["tool", "and tool"]])
    at.button(key="overlap_dismiss").click().run()
    assert tuple(table(at, "harm", "swaps").iloc[0][["tool", "and tool"]]) == first  # not without a reason
    at.text_input(key="overlap_dismiss_reason").set_value("never seen together")
    at.button(key="overlap_dismiss").click().run()
    assert tuple(table(at, "harm", "swaps").iloc[0][["tool", "and tool"]]) != first
    assert any("never seen together (Asha" in text.value for text in at.text)
    first_button(at, "overlap_bring_back").click().run()
    assert tuple(table(at, "harm", "swaps").iloc[0][["tool", "and tool"]]) == first


def test_a_tool_that_comes_first_for_questions_of_others_is_a_magnet_with_the_words_that_cause_it(folder: Path, page: Start) -> None:
    queries = [{"query": f"borrowed library book {word}", "expected": ["pay_fees"]} for word in ("today", "late", "again")]
    (folder / "test_queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries), encoding="utf-8")
    at = page()
    at.session_state["overlap_view"] = tab("Magnets & ghosts")
    settled(at)
    first = table(at, "tool", "words that cause it").iloc[0]
    assert (first["tool"], first["first"], first["wrongly"]) == ("renew_book", "3", "3")
    assert set(first["words that cause it"].split(", ")) == {"book", "borrowed", "library"}


def test_without_magnets_and_ghosts_the_page_says_what_they_would_be(page: Start) -> None:
    at = page()
    at.session_state["overlap_view"] = tab("Magnets & ghosts")
    settled(at)
    assert not at.exception
    assert any("no tool comes first for 3 or more" in element.value for element in at.markdown)
    assert any("every tool comes for one of 2 test queries" in element.value for element in at.markdown)


def test_one_tool_alone_has_no_clashes(folder: Path, page: Start) -> None:
    write_registry(folder, TOOLS[:1])
    assert any("only one tool" in element.value for element in page().info)


def test_a_row_says_what_a_pair_stands_for_and_shows_hidden_letters() -> None:
    tools = [Tool(f"get_meter_{n}", "Reads a\u200b meter", roles=("staff",) if n == 11 else ("guest",)) for n in range(11, 16)]
    registry = Registry(tools=tuple(tools), test_queries=(TestQuery("meter 12", ("get_meter_11",)),))
    frame = clashes_frame(find_clashes(Curator(build_index(registry, FakeEncoder(dimension=64)))).clashes)
    assert frame["remarks"][0] == "stands for 5 siblings (1 swap) · they say the same · no role sees both"
