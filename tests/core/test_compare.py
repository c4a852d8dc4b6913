from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Curator, Evaluation, QueryResult, Registry, Settings, TestQuery, Tool, build_index, compare_runs, evaluate
from curator_core.compare import ENOUGH
from curator_core.proof.agreement import jaccard, rank_biased_overlap
from curator_core.proof.paired import mean_interval
from curator_core.proof.query_result import judge
from tests.core.fakes import FakeEncoder

ANSWER = tuple("abcdefghij")


def result(query: str, expected: Sequence[str] | None, tools: Sequence[str] = ANSWER, unsure: bool = False, **more: object) -> QueryResult:
    """Return what came back for a question whose answer is known; an agent gets all of it."""
    return judge(TestQuery(query, None if expected is None else tuple(expected), **more), tuple(tools), len(tools), unsure)  # type: ignore[arg-type]


def run(*results: QueryResult) -> Evaluation:
    return Evaluation("test", Settings(), "fake", "f", results)


def only(before: QueryResult, after: QueryResult, renames: dict[str, str] | None = None) -> tuple[str, int | None, int | None]:
    (change,) = compare_runs(run(before), run(after), renames).changes
    return change.verdict, change.rank_before, change.rank_after


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("fxbcdea", "axbcdef", ("fixed", 7, 1)),
        ("abcde", "xbcdefa", ("broke", 1, 7)),
        ("xxbcdefga", "xbcdefga", ("still failing", 8, 8)),
        ("abcde", "bacde", ("moved", 1, 2)),
        ("abcde", "abxyz", ("still right", 1, 1)),
        ("bcde", "abcde", ("fixed", None, 1)),
    ],
)
def test_a_question_is_right_when_its_tool_is_among_the_first_five(before: str, after: str, expected: tuple[str, int, int]) -> None:
    unique = lambda text: tuple(dict.fromkeys(text))
    assert only(result("q", "a", unique(before)), result("q", "a", unique(after))) == expected


def test_every_expected_tool_has_to_be_there() -> None:
    assert only(result("q", "ab", "axyzwb"), result("q", "ab", "axyzb")) == ("fixed", 6, 5)


def test_a_forbidden_tool_anywhere_in_the_answer_breaks_a_question() -> None:
    assert only(result("q", "a", forbidden=("z",)), result("q", "a", (*ANSWER, "z"), forbidden=("z",)))[0] == "broke"


def test_a_question_that_no_tool_fits_is_right_while_the_answer_is_unsure() -> None:
    assert only(result("q", (), unsure=True), result("q", ()))[0] == "broke"
    assert only(result("q", ()), result("q", (), ()))[0] == "fixed"
    comparison = compare_runs(run(result("q", (), unsure=True), result("r", "a")), run(result("q", ()), result("r", "a")))
    assert comparison.no_tool == {"queries": 1, "before": 1, "after": 0}
    assert comparison.metrics[0].queries == 1


def test_nobody_can_say_of_what_is_unjudged_new_gone_or_cannot_be_asked() -> None:
    invalid = QueryResult(TestQuery("q", ("gone",)), "invalid", "no such tool in the registry: gone")
    before = run(result("unjudged", None), invalid, result("removed", "a"))
    after = run(result("unjudged", None, "bacde"), result("q", "a"), result("new", "a"))
    comparison = compare_runs(before, after)
    assert {change.case.query: change.note for change in comparison.having("unknown")} == {
        "unjudged": "nobody has said which tools are right",
        "q": "could not be asked before: no such tool in the registry: gone",
        "new": "a new question",
        "removed": "a question of the before side only",
    }
    assert comparison.unjudged["queries"] == 1 and comparison.unjudged["jaccard"] == 0.5


def test_both_sides_are_judged_by_what_is_expected_now() -> None:
    assert only(result("q", "z"), result("q", "a"))[0] == "still right"
    assert only(result("q", None), result("q", "a")) == ("still right", 1, 1)


def test_renamed_tools_are_found_again() -> None:
    assert only(result("q", "z", "zbcde"), result("q", "a"), {"z": "a"})[0] == "still right"


def test_it_says_which_tool_pushed_out_which() -> None:
    (change,) = compare_runs(run(result("q", "e", "abcdefgh")), run(result("q", "e", "abcdgefh"))).changes
    assert (change.verdict, change.entered, change.left) == ("broke", ("g",), ("e",))


def test_the_same_question_of_another_role_is_another_question_and_repeats_go_in_order() -> None:
    before = run(result("q", "a"), result("q", "z"), result("q", "a", "bcdefga", role="student"))
    after = run(result("q", "a", role="student"), result("q", "a"), result("q", "z"))
    assert [change.verdict for change in compare_runs(before, after).changes] == ["fixed", "still right", "still failing"]


def test_wins_and_losses_are_paired() -> None:
    before = run(result("1", "a", "ba"), result("2", "a", "ab"), result("3", "a"), result("4", "a", "ba"))
    after = run(result("1", "a", "ab"), result("2", "a", "cba"), result("3", "a"), result("4", "a", "ba"))
    mrr = next(change for change in compare_runs(before, after).metrics if change.name == "mrr")
    assert (mrr.queries, mrr.wins, mrr.losses, mrr.ties) == (4, 1, 1, 2)
    assert (mrr.before, mrr.after) == (pytest.approx((0.5 + 1 + 1 + 0.5) / 4), pytest.approx((1 + 1 / 3 + 1 + 0.5) / 4))


def test_fewer_forbidden_tools_are_a_win() -> None:
    before, after = (run(result("1", "a", tools, forbidden=("z",))) for tools in ("az", "a"))
    change = next(change for change in compare_runs(before, after).metrics if change.name == "forbidden@5")
    assert (change.wins, change.losses, change.difference) == (1, 0, -1)


def test_fewer_than_twenty_questions_are_too_few_to_say() -> None:
    some = [(result(str(n), "a", "bcdefa"), result(str(n), "a")) for n in range(ENOUGH)]
    enough = compare_runs(run(*(old for old, _ in some)), run(*(new for _, new in some)))
    few = compare_runs(run(*(old for old, _ in some[1:])), run(*(new for _, new in some[1:])))
    assert enough.headline == "20 fixed, 0 broke; recall@5 0.000 → 1.000 (+1.000, 20 queries)"
    assert few.headline == "19 fixed, 0 broke; too few queries to say (19 judged on both sides, 20 are the least)"
    assert few.metrics[0].interval is None and enough.metrics[0].interval == (1, 1)


def test_a_difference_that_chance_explains_is_no_clear_change() -> None:
    before = [result(str(n), "a", ANSWER if n else "bcdefa") for n in range(40)]
    after = [result(str(n), "a") for n in range(40)]
    assert "(+0.025, no clear change, 40 queries)" in compare_runs(run(*before), run(*after)).headline


def test_held_out_questions_have_their_figures_apart() -> None:
    before = run(result("1", "a", tags=("easy",)), result("2", "a", "bcdefa", tags=("easy", "held_out")))
    after = run(result("1", "a", "bcdefa", tags=("easy",)), result("2", "a", tags=("easy", "held_out")))
    comparison = compare_runs(before, after)
    figures = [{one.name: (one.queries, one.before, one.after) for one in some} for some in (comparison.metrics, comparison.held_out)]
    assert [some["recall@5"] for some in figures] == [(1, 1, 0), (1, 0, 1)]
    assert [(group.name, group.queries, group.broke) for group in comparison.by_tag] == [("easy", 1, 1)]
    assert "held out: too few queries to say" in comparison.headline


def test_it_becomes_json_without_what_stayed_as_it_was() -> None:
    record = compare_runs(run(result("1", "a"), result("2", "a")), run(result("1", "a"), result("2", "a", "bcdefga"))).to_dict()
    json.dumps(record, allow_nan=False)
    assert [(one["query"], one["verdict"]) for one in record["changes"]] == [("2", "broke")]
    assert record["counts"]["still right"] == 1 and record["before"]["judged"] == 2


def test_ranks_below_the_answer_are_known_where_the_trace_told_them() -> None:
    tools = tuple(Tool(f"tool{number:02d}", f"matter{number:02d}") for number in range(40))
    curator = Curator(build_index(Registry(tools=tools), FakeEncoder(64)), Settings(low_confidence=False))
    far = next(row.tool for row in curator.curate("matter07").rows(0, "all") if row.rank == 34)
    once = evaluate(curator, [TestQuery("matter07", (far,))])
    (change,) = compare_runs(once, once).changes
    assert (change.verdict, change.rank_before, change.rank_after) == ("still failing", 34, 34)


# -- laws


answers = st.lists(st.sampled_from(ANSWER), unique=True, max_size=10).map(tuple)
judged = st.builds(
    lambda expected, tools, unsure: (expected, tools, unsure),
    st.one_of(st.none(), st.lists(st.sampled_from(ANSWER), unique=True, max_size=3).map(tuple)),
    answers,
    st.booleans(),
)
runs = st.lists(judged, max_size=6).map(lambda some: run(*(result(str(n), *one) for n, one in enumerate(some))))


@given(runs)
def test_a_run_compared_with_itself_changes_nothing(one: Evaluation) -> None:
    comparison = compare_runs(one, one)
    assert not comparison.having("fixed", "broke", "moved")
    assert all(not change.difference and not change.wins and not change.losses for change in comparison.metrics)


@given(runs, runs)
def test_what_one_direction_fixes_the_other_breaks(one: Evaluation, other: Evaluation) -> None:
    there = compare_runs(one, other)
    both = [change for change in there.changes if change.before and change.after]
    back = compare_runs(run(*(c.after for c in both if c.after)), run(*(c.before for c in both if c.before)))
    assert (back.counts["fixed"], back.counts["broke"]) == (there.counts["broke"], there.counts["fixed"])
    for forward, backward in zip(there.metrics, back.metrics, strict=True):
        assert (forward.wins, forward.losses, forward.difference) == (backward.losses, backward.wins, -backward.difference)


@given(answers, answers)
def test_overlap_lies_between_none_and_all_and_has_no_direction(first: tuple[str, ...], second: tuple[str, ...]) -> None:
    for measure in (rank_biased_overlap, jaccard):
        found = measure(first, second)
        assert -1e-12 <= found <= 1 + 1e-12 and found == pytest.approx(measure(second, first))
        assert measure(first, first) == pytest.approx(1)


def test_overlap_as_worked_out_by_hand() -> None:
    # at depths 1 and 2 the answers share 0 and 2 tools: (1 - p)/p * (0/1 p + 2/2 p²) + 2/2 p²
    assert rank_biased_overlap("ab", "ba", 0.9) == pytest.approx(0.1 / 0.9 * 0.81 + 0.81)
    # one longer: of "a" and "ab" depth 1 shares 1; depth 2 is carried on from what depth 1 promises
    assert rank_biased_overlap("a", "ab", 0.9) == pytest.approx(0.1 / 0.9 * (0.9 + 0.81 / 2 + 1 * 1 / (1 * 2) * 0.81) + 1 * 0.81)
    assert (rank_biased_overlap("", ""), rank_biased_overlap("", "a"), rank_biased_overlap("a", "b")) == (1, 0, 0)
    assert jaccard("abc", "bcd") == 0.5


def test_the_interval_is_the_same_every_time_and_holds_the_mean() -> None:
    differences = [0.0] * 50 + [1.0] * 10 + [-1.0] * 4
    low, high = mean_interval(differences)
    assert mean_interval(differences) == (low, high)
    assert low < 6 / 64 < high and high - low == pytest.approx(0.22, abs=0.03)
    assert mean_interval([0.0] * 30) == (0, 0)


def test_some_means_without_intervals_are_those_of_the_metrics() -> None:
    before = run(*(result(str(n), "a") for n in range(30)), result("held out", "a", tags=("held_out",)))
    after = run(*(result(str(n), "a", "bcdefa" if n % 3 else ANSWER) for n in range(30)), result("held out", "a", tags=("held_out",)))
    comparison = compare_runs(before, after)
    for held_out, all_of in ((False, comparison.metrics), (True, comparison.held_out)):
        some = comparison.means(("hit@1", "recall@5"), held_out)
        assert some == tuple(dataclasses.replace(one, interval=None) for one in all_of if one.name in ("hit@1", "recall@5"))
    assert any(one.interval for one in comparison.metrics)
