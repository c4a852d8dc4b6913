"""Which profile serves a registry's own test queries, and how many tools each takes."""

from __future__ import annotations

import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from curator_core import (
    HELD_OUT,
    Curator,
    Evaluation,
    QueryResult,
    Registry,
    Settings,
    TestQuery,
    Tool,
    build_index,
    declaration_cost,
    profile,
    profile_figures,
    recall_curve,
    recommend,
    settings_by_profile,
)
from curator_core.proof.query_result import judge
from tests.core.fakes import FakeEncoder

TOOLS = tuple(Tool(f"tool_{letter}", f"does {letter * 3}") for letter in "abcdefghij")
KEYS = tuple(tool.name for tool in TOOLS)


def run(name: str, ranks: list[int], tags: tuple[str, ...] = ()) -> Evaluation:
    """Return a run in which the right tool of each question stands at a rank."""
    results: list[QueryResult] = []
    for number, rank in enumerate(ranks):
        tools = [key for key in KEYS if key != "tool_a"]
        tools.insert(rank - 1, "tool_a")
        results.append(judge(TestQuery(f"question {number}", ("tool_a",), tags=tags), tuple(tools), len(tools)))
    return Evaluation("test", profile(name), "fake", "f", tuple(results))


def test_the_profile_whose_gain_chance_hardly_explains_is_recommended_with_its_figures() -> None:
    found = recommend(run("seed", [7] * 15 + [1] * 10), run("tuned", [1] * 24 + [8]), "seed")
    assert (found.profile, found.is_switch, found.queries) == ("tuned", True, 25)
    assert found.decided_by is not None and found.decided_by.name == "recall@5"
    assert "for 15 questions" in found.reason and "for 1 it is the other way round" in found.reason and "25 questions" in found.reason
    low, high = found.decided_by.interval or (0, 0)
    assert f"{low:.3f} to {high:.3f}" in found.reason


def test_the_other_way_round_seed_stays_and_what_speaks_against_is_said() -> None:
    found = recommend(run("seed", [4] * 30), run("tuned", [7] * 20 + [1] * 10), "tuned")
    assert (found.profile, found.is_switch) == ("seed", True)
    assert "seed puts the right tool among the first 5 for 20 questions where tuned does less well" in found.reason
    assert "But tuned puts the right tool first more often." in found.reason


def test_without_a_clear_difference_the_registrys_own_profile_stays() -> None:
    found = recommend(run("seed", [1] * 30), run("tuned", [1] * 30), "seed")
    assert (found.profile, found.is_switch, found.decided_by) == ("seed", False, None)
    assert found.reason == "No clear difference on 30 test queries: seed can stay."


@pytest.mark.parametrize("tags", [(), (HELD_OUT,)])
def test_on_few_questions_or_held_out_ones_nothing_is_recommended(tags: tuple[str, ...]) -> None:
    count = 30 if tags else 19
    found = recommend(run("seed", [7] * count, tags), run("tuned", [1] * count, tags), "seed")
    assert (found.profile, found.is_switch) == (None, False)
    assert found.reason == f"Too few to say: {0 if tags else 19} test queries with a right tool, and 20 are the least."


def test_the_curve_says_how_many_tools_and_tokens_it_takes_to_have_the_right_one() -> None:
    index = build_index(Registry(tools=TOOLS), FakeEncoder())
    curve = recall_curve(run("seed", [1, 1, 1, 4]), index)
    assert [point.recall for point in curve.points][:4] == [0.75, 0.75, 0.75, 1.0]
    needed = curve.needed(0.8)
    assert needed is not None and needed.tools == 4
    cost = declaration_cost(index.registry, KEYS[:4], index.encoder).tokens
    assert cost is not None and curve.unit == "tokens" and needed.cost == pytest.approx(cost)
    assert curve.needed(1.01) is None


@given(some.lists(some.integers(1, 10), min_size=1, max_size=12))
def test_more_tools_never_find_less_nor_cost_less(ranks: list[int]) -> None:
    points = recall_curve(run("seed", ranks), build_index(Registry(tools=TOOLS), None)).points
    assert points[-1].recall == 1.0
    assert all(a.recall <= b.recall and a.cost <= b.cost for a, b in itertools.pairwise(points))


def test_what_the_registry_has_set_apart_counts_in_both_profiles() -> None:
    both = settings_by_profile(Settings("tuned", top_k=15))
    assert both == {"seed": Settings(top_k=15), "tuned": Settings("tuned", top_k=15)}


def test_all_figures_of_both_profiles_come_with_progress_and_are_json() -> None:
    cases = tuple(TestQuery(f"does {letter * 3} {n}", (f"tool_{letter}",)) for letter in "abcde" for n in range(4))
    cases += (TestQuery("zebra", ()), TestQuery("kept for measuring", ("tool_a",), tags=(HELD_OUT,)))
    seen: list[int] = []
    one = Curator(build_index(Registry(name="test", tools=TOOLS, test_queries=cases), FakeEncoder(128)))
    found = profile_figures(one, cases, lambda done, _: seen.append(done))
    assert seen == list(range(1, 2 * 21 + 1))
    assert [curve.profile for curve in found.curves] == ["seed", "tuned"]
    assert {name: (one.answered, one.no_tool) for name, one in found.sureness.items()} == {"seed": (20, 1), "tuned": (20, 1)}
    told = json.dumps(found.to_dict())
    assert "kept for measuring" not in told
    words = profile_figures(Curator(build_index(Registry(tools=TOOLS, test_queries=cases), None)), cases)
    assert not words.sureness and words.curves[0].unit == "characters"
