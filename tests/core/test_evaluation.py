from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, R, Success, nDCG

from curator_core import Curator, Evaluation, Registry, Settings, TestQuery, Tool, build_index, evaluate, judge
from curator_core.proof.query_result import CUTS, measure
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
    figures = {"queries": 1, "flagged": 1, "rate": 1.0, "noticed": 1, "answerable": 1, "flagged_wrongly": 0, "auroc": 1.0}
    assert evaluation.no_tool == figures | {"line": 0.25, "line_is_own": 0}
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


def test_held_out_questions_have_figures_of_their_own(curator_of: MakeCurator) -> None:
    cases = [
        TestQuery("give money back", ("refund_order",), tags=("easy",)),
        TestQuery("quantum banana telescope", ("track_parcel",), tags=("easy", "held-out")),
        TestQuery("quantum banana telescope", (), tags=("held_out",)),
    ]
    evaluation = evaluate(curator_of(TOOLS, dense=False), cases)
    record = evaluation.to_dict()
    assert [part["judged"] for part in (record["tune"], record["held_out"])] == [1, 1]
    assert [part["metrics"]["hit@1"] for part in (record, record["tune"], record["held_out"])] == [0.5, 1, 0]
    assert record["tune"]["by_tag"]["easy"]["queries"] == 1 and record["held_out"]["no_tool"]["queries"] == 1
    assert "tune" not in evaluate(curator_of(TOOLS), cases[:1]).to_dict()


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=4, unique=True), st.integers(0, 3), st.booleans())
def test_right_is_what_the_metrics_say_of_the_first_five(answer: list[str], padding: int, critical: bool) -> None:
    tools = (*answer[:1], *(f"x{number}" for number in range(2 * padding)), *answer[1:])
    found = judge(TestQuery("q", ("a", "b"), ("c",), critical=critical), tools, len(tools))
    assert found.right == (found.metrics["all@5"] == 1 and "c" not in tools)
    assert found.margin is not None and (found.margin.places > 0) == found.right


# -- the reference: ir-measures, which measures with trec_eval


def random_runs(count: int) -> Iterator[tuple[list[str], list[str]]]:
    """Yield answers with what is expected: also unanswered, found nowhere, longer than any cut, more expected than any cut."""
    draw = random.Random(5)
    tools = [f"tool{number}" for number in range(40)]
    for _ in range(count):
        yield draw.sample(tools, draw.choice([0, 1, 3, 10, 20, 30])), draw.sample(tools, draw.choice([1, 1, 1, 2, 3, 12]))


def test_metrics_are_those_of_the_reference_library_on_a_thousand_random_runs() -> None:
    runs = {str(number): run for number, run in enumerate(random_runs(1000))}
    names = {"hit@1": Success @ 1, "mrr": RR, "ndcg@10": nDCG @ 10, **{f"recall@{cut}": R @ cut for cut in CUTS}}
    qrels = {number: dict.fromkeys(expected, 1) for number, (_, expected) in runs.items()}
    answers = {number: {tool: -float(place) for place, tool in enumerate(answer)} for number, (answer, _) in runs.items()}
    theirs = {(one.query_id, one.measure): one.value for one in ir_measures.iter_calc(names.values(), qrels, answers)}
    for number, (answer, expected) in runs.items():
        mine = measure(answer, expected)
        assert {name: mine[name] for name in names} == pytest.approx({name: theirs[number, one] for name, one in names.items()}, abs=1e-12)
        assert all(mine[f"all@{cut}"] == (theirs[number, R @ cut] == 1) for cut in CUTS)


def test_the_means_are_those_of_the_reference_library() -> None:
    runs = list(random_runs(50))
    results = tuple(judge(TestQuery(str(number), tuple(expected)), tuple(answer), 20) for number, (answer, expected) in enumerate(runs))
    qrels = {str(number): dict.fromkeys(expected, 1) for number, (_, expected) in enumerate(runs)}
    answers = {str(number): {tool: -float(place) for place, tool in enumerate(answer)} for number, (answer, _) in enumerate(runs)}
    theirs = ir_measures.calc_aggregate([RR, nDCG @ 10, R @ 5], qrels, answers)
    metrics = Evaluation("r", Settings(), None, "", results).metrics
    assert [metrics["mrr"], metrics["ndcg@10"], metrics["recall@5"]] == pytest.approx([theirs[RR], theirs[nDCG @ 10], theirs[R @ 5]])


@pytest.mark.parametrize(
    ("answer", "expected", "figures"),
    [
        ("xa", "a", {"hit@1": 0, "mrr": 1 / 2, "recall@5": 1, "ndcg@10": 1 / math.log2(3)}),
        ("axb", "abc", {"hit@1": 1, "mrr": 1, "recall@5": 2 / 3, "all@5": 0, "ndcg@10": 1.5 / (1 + 1 / math.log2(3) + 1 / 2)}),
        ("xyz", "a", {"hit@1": 0, "mrr": 0, "recall@20": 0, "ndcg@10": 0}),
        ("", "ab", {"hit@1": 0, "mrr": 0, "recall@20": 0, "all@20": 0, "ndcg@10": 0}),
        ("xxab", "ab", {"mrr": 1 / 2, "recall@5": 1, "all@5": 1, "ndcg@10": (1 / math.log2(3) + 1 / 2) / (1 + 1 / math.log2(3))}),
        ("ab", "aab", {"recall@5": 1, "ndcg@10": 1}),
    ],
    ids=["one right", "several right", "none found", "unanswered", "a tool twice in the answer", "a tool twice among the expected"],
)
def test_figures_worked_out_by_hand(answer: str, expected: str, figures: dict[str, float]) -> None:
    found = measure(list(answer), list(expected))
    assert {name: found[name] for name in figures} == pytest.approx(figures)


def test_too_many_expected_tools_for_ten_places_have_an_ideal_of_ten() -> None:
    everything = [f"tool{number}" for number in range(12)]
    assert measure(everything, everything)["ndcg@10"] == 1
    assert measure(everything, everything)["recall@10"] == pytest.approx(10 / 12)
