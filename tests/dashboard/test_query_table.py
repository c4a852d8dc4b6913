"""The list of test queries: names that tell them apart, filters, how each stands, and figures that say when they are too few."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator_core import HELD_OUT, Curator, Evaluation, QueryResult, Registry, Settings, TestQuery, Tool, build_index, evaluate
from dashboard.queries.query_table import (
    NO_ROLE,
    NO_TAG,
    QueryFilter,
    count_line,
    figures_table,
    labels,
    matching,
    queries_table,
    split_parts,
)
from tests.core.fakes import FakeEncoder

TOOLS = (
    Tool("pay_fees", "Pay tuition fees."),
    Tool("show_attendance", "Classes attended.", roles=("student",)),
    Tool("hire", "Hire staff."),
)
PAY = TestQuery("pay tuition fees", ("pay_fees",), tags=("fees",), critical=True, note="asked daily")
SEEN = TestQuery("classes attended", ("show_attendance",), role="student", tags=("fees", "exact"))
FAILS = TestQuery("hire staff", ("hire",), forbidden=("hire",))
WEATHER = TestQuery("quantum banana", ())
OPEN = TestQuery("what now", None)
BLANK = TestQuery("   ", ("pay_fees",))
HELD = TestQuery("kept apart", ("hire",), tags=(HELD_OUT,))
CASES = (PAY, SEEN, FAILS, WEATHER, OPEN, BLANK, HELD)


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    registry = Registry("r", TOOLS)
    return evaluate(Curator(build_index(registry, FakeEncoder(2048)), Settings(top_k=2, low_confidence=True)), CASES)


@pytest.fixture
def results(evaluation: Evaluation) -> dict[TestQuery, QueryResult]:
    return {result.case: result for result in evaluation.results}


def test_names_tell_queries_with_one_question_apart() -> None:
    cases = [TestQuery("a"), TestQuery("b", role="x"), TestQuery("b"), TestQuery("b"), TestQuery("  "), TestQuery("c\u200b " + "y" * 200)]
    found = labels(cases)
    assert found[:5] == ("a", "b · x", f"b · {NO_ROLE}", f"b · {NO_ROLE} (2)", "(blank)")
    assert found[5].startswith("c‹U+200B› yyy") and found[5].endswith("…")
    assert len(set(found)) == len(found)


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        (QueryFilter(), [PAY, SEEN, FAILS, WEATHER, OPEN, BLANK]),
        (QueryFilter(held_out=True), list(CASES)),
        (QueryFilter(text="FEES pay"), [PAY, BLANK]),
        (QueryFilter(text="daily"), [PAY]),
        (QueryFilter(tag="fees"), [PAY, SEEN]),
        (QueryFilter(tag=NO_TAG), [FAILS, WEATHER, OPEN, BLANK]),
        (QueryFilter(role="student"), [SEEN]),
        (QueryFilter(role=NO_ROLE), [PAY, FAILS, WEATHER, OPEN, BLANK]),
        (QueryFilter(lens="student", tag="fees"), [PAY, SEEN]),
        (QueryFilter(lens="teacher", tag="fees"), [PAY]),
        (QueryFilter(critical=True), [PAY]),
        (QueryFilter(standing="failing"), [FAILS]),
        (QueryFilter(standing="no tool"), [WEATHER]),
        (QueryFilter(standing="invalid"), [BLANK]),
        (QueryFilter(standing="unjudged"), [OPEN]),
    ],
)
def test_each_filter_leaves_what_it_says(wanted: QueryFilter, left: list[TestQuery], results: dict[TestQuery, QueryResult]) -> None:
    assert [CASES[place] for place in matching(CASES, results, wanted)] == left


def test_a_row_says_how_its_query_stands_and_why(results: dict[TestQuery, QueryResult]) -> None:
    frame = queries_table(CASES[:6], results, {PAY: "a near-copy stands in the text of pay_fees"})
    assert [cell[0] for cell in frame["status"]] == ["✓ ok", "✓ ok", "✕ failing", "∅ no tool", "? unjudged", "! invalid"]
    assert list(frame["expected"]) == ["pay_fees", "show_attendance", "hire", "(no tool)", "", "pay_fees"]
    assert (frame["rank now"][0], frame["margin"][0], frame["margin"][2] < 0) == (1, 2, True)
    assert frame["rank now"].isna()[3] and frame["margin"].isna()[4]
    assert frame["lost by"][2] == "forbidden"
    assert frame["remarks"][0] == "a near-copy stands in the text of pay_fees"
    assert "must not come" in frame["remarks"][2]
    assert frame["remarks"][3] == "answered as unsure, as it should be"
    assert "no letter or digit" in frame["remarks"][5]


def test_what_is_not_measured_yet_is_blank_and_counted_apart(results: dict[TestQuery, QueryResult]) -> None:
    frame = queries_table([PAY, OPEN], {PAY: results[PAY]}, {})
    assert frame["status"][1] == ["…"] and frame["margin"].isna()[1]
    assert count_line([PAY, OPEN], {PAY: results[PAY]}) == "1 ok · 1 not measured yet"
    assert count_line(CASES[:6], results) == "1 failing · 2 ok · 1 no tool · 1 unjudged · 1 invalid"


def many(evaluation: Evaluation, number: int) -> Evaluation:
    judged = next(result for result in evaluation.results if result.status == "judged")
    return replace(evaluation, results=tuple(judged for _ in range(number)) + evaluation.results[3:6])


def test_means_stand_beside_their_number_and_only_where_there_are_enough(evaluation: Evaluation) -> None:
    few, enough = (figures_table({"open": many(evaluation, number)}).iloc[0] for number in (19, 20))
    assert (few["judged"], few["hit@1"], few["recall@5"]) == ("19", "too few queries to say (n = 19)", "")
    assert (enough["judged"], enough["hit@1"]) == ("20", "1.000")
    assert (enough["no tool flagged"], enough["unjudged"], enough["invalid"]) == ("1 of 1", "1", "1")
    none = figures_table({"open": replace(evaluation, results=())}).iloc[0]
    assert (none["hit@1"], none["no tool flagged"]) == ("none judged", "–")


def test_held_out_queries_have_figures_of_their_own_and_no_figure_mixes_the_two(evaluation: Evaluation) -> None:
    parts = split_parts(evaluation)
    assert {name: len(some) for name, some in parts.items()} == {"open": 6, "held out": 1}
    assert split_parts(replace(evaluation, results=evaluation.results[:2])).keys() == {"open"}
