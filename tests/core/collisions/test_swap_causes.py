"""What decides the swaps of a pair, and what would change it."""

from __future__ import annotations

from curator_core import Curator, Registry, Settings, TestQuery, Tool, build_index, counted_results, evaluate, swaps_between
from curator_core.collisions.separation import rename_tool
from curator_core.collisions.swap_causes import causes_of_swaps, name_rule_sentences
from tests.core.fakes import FakeEncoder

PAIR = ("attendance_shortage", "get_attendance")
REGISTRY = Registry(
    tools=(
        Tool("get_attendance", "Days in class"),
        Tool("attendance_shortage", "Who is in trouble and must come more often"),
        Tool("bus_times", "When the bus leaves"),
        Tool("weather", "Rain tomorrow"),
        Tool("library", "Books on a shelf"),
    ),
    test_queries=(TestQuery("am i in trouble with attendance", ("attendance_shortage",)), TestQuery("days in", ("attendance_shortage",))),
)


def sentences(registry: Registry, a: str, b: str, anchor: bool = True) -> tuple[list[bool], tuple[str, ...]]:
    curator = Curator(build_index(registry, FakeEncoder(dimension=64)), Settings(anchor=anchor))
    swaps = swaps_between(counted_results(evaluate(curator, registry.test_queries)), a, b)
    causes = causes_of_swaps(curator, swaps, a, b)
    return [cause.by_name for cause in causes], name_rule_sentences(causes, curator.settings)


def test_a_swap_that_the_name_rule_decides_is_told_from_one_that_texts_decide() -> None:
    by_name, said = sentences(REGISTRY, *PAIR)
    assert by_name == [True, False]
    assert len(said) == 1
    assert said[0].startswith("The name rule decides 1 of 2 swaps: it puts get_attendance first wherever a question says “attendance”")
    assert "Rename get_attendance, with one more word of 4 letters or more" in said[0]


def test_the_longer_name_that_is_asked_for_ends_the_rule() -> None:
    after = REGISTRY.with_edits(rename_tool(REGISTRY, "get_attendance", "get_attendance_overview"))
    by_name, said = sentences(after, "attendance_shortage", "get_attendance_overview")
    assert not any(by_name) and said == ()


def test_without_the_name_rule_it_decides_nothing() -> None:
    assert sentences(REGISTRY, *PAIR, anchor=False)[1] == ()
