from __future__ import annotations

import json
import math
from collections.abc import Callable

import pytest

from curator_core import Curator, Registry, TestQuery, Tool, build_index, evaluate
from curator_core.query_result import measure
from tests.core.fakes import FakeEncoder

MakeCurator = Callable[..., Curator]
TOOLS = {"refund_order": "Give money back", "track_parcel": "Where a delivery is", "get_weather": "Show the weather"}


def test_one_right_tool_in_third_place() -> None:
    metrics = measure(["a", "b", "c", "d"], ["c"])
    assert (metrics["hit@1"], metrics["mrr"], metrics["recall@5"], metrics["all@5"]) == (0, pytest.approx(1 / 3), 1, 1)
    assert metrics["ndcg@10"] == pytest.approx((1 / math.log2(4)) / 1)


def test_several_right_tools_are_measured_against_the_ideal_over_all_of_them() -> None:
    metrics = measure(["a", "x", "b"], ["a", "b", "c"])
    assert metrics["recall@5"] == pytest.approx(2 / 3) and metrics["all@5"] == 0
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert metrics["ndcg@10"] == pytest.approx((1 + 1 / math.log2(4)) / ideal)


def test_recall_cuts_at_its_own_k() -> None:
    metrics = measure([f"x{number}" for number in range(7)] + ["right"], ["right"])
    assert (metrics["recall@5"], metrics["recall@10"]) == (0, 1)


def test_an_unanswered_question_counts_zero() -> None:
    assert set(measure([], ["a"]).values()) == {0.0}


def test_repeats_count_once() -> None:
    assert measure(["a", "a", "b"], ["b", "b"])["mrr"] == pytest.approx(1 / 2)


def test_forbidden_tools_are_measured_where_some_are_named() -> None:
    assert measure(["bad", "good"], ["good"], ["bad"])["forbidden@5"] == 1
    assert "forbidden@5" not in measure(["good"], ["good"])


def test_no_tool_unjudged_and_invalid_questions_are_counted_apart(curator_of: MakeCurator) -> None:
    cases = [
        TestQuery("give money back", ("refund_order",)),
        TestQuery("quantum banana telescope", ()),
        TestQuery("weather", None),
        TestQuery("   ", ("refund_order",)),
        TestQuery("weather", ("nobody",)),
        TestQuery("weather", ("get_weather",), role="ghost"),
    ]
    evaluation = evaluate(curator_of(TOOLS, encoder=FakeEncoder(2048)), cases)
    assert [result.status for result in evaluation.results] == ["judged", "no_tool", "unjudged", "invalid", "invalid", "invalid"]
    assert evaluation.metrics["hit@1"] == 1
    assert evaluation.no_tool == {"queries": 1, "flagged": 1, "rate": 1.0}
    assert "role 'ghost'" in evaluation.results[-1].reason


def test_without_a_judged_question_there_are_no_figures_rather_than_nan(curator_of: MakeCurator) -> None:
    record = evaluate(curator_of(TOOLS), [TestQuery("weather", None)]).to_dict()
    assert set(record["metrics"].values()) == {None}
    json.dumps(record, allow_nan=False)


def test_means_by_tag_and_role_carry_their_number_of_questions(encoder: FakeEncoder) -> None:
    registry = Registry(tools=(Tool("refund_order", "money back", roles=("shop",)), Tool("get_weather", "weather")))
    cases = [
        TestQuery("money back", ("refund_order",), role="shop", tags=("easy", "money")),
        TestQuery("weather today", ("get_weather",), tags=("easy",)),
    ]
    evaluation = evaluate(Curator(build_index(registry, encoder)), cases)
    assert {tag: means["queries"] for tag, means in evaluation.by_tag.items()} == {"easy": 2, "money": 1}
    assert {role: means["queries"] for role, means in evaluation.by_role.items()} == {"": 1, "shop": 1}


def test_it_asks_for_twenty_tools_even_when_fewer_are_shown(curator_of: MakeCurator) -> None:
    tools = {f"tool{number:02d}": f"matter{number}" for number in range(30)}
    (result,) = evaluate(curator_of(tools, top_k=3), [TestQuery("matter1", ("tool01",))]).results
    assert len(result.tools) == 20


def test_each_result_names_the_rank_of_each_expected_tool(curator_of: MakeCurator) -> None:
    (result,) = evaluate(curator_of(TOOLS), [TestQuery("give money back", ("refund_order", "get_weather"))]).results
    assert result.ranks["refund_order"] == result.rank == 1
    assert result.to_dict()["expected"] == ["refund_order", "get_weather"]
