from __future__ import annotations

from curator_core import HELD_OUT, Registry, TestQuery, Tool
from curator_core.queries.coverage import TagCount, coverage_of

REGISTRY = Registry(
    tools=(Tool("pay"), Tool("show", roles=("student",)), Tool("renew"), Tool("refund")),
    test_queries=(
        TestQuery("a", ("pay", "show"), tags=("fees", "exact")),
        TestQuery("b", ("pay",), tags=("fees", HELD_OUT)),
        TestQuery("c", ("renew",), tags=(HELD_OUT,)),
        TestQuery("d", (), tags=("fees",)),
        TestQuery("e", None, forbidden=("payy",)),
        TestQuery("f", ("show",), role="staff"),
    ),
)


def test_tools_without_a_query_and_those_of_held_out_ones_only_are_told() -> None:
    found = coverage_of(REGISTRY)
    assert found.queries_of == {"pay": 2, "refund": 0, "renew": 1, "show": 2}
    assert (found.untested, found.only_held_out) == (("refund",), ("renew",))


def test_queries_whose_tools_are_not_there_come_with_the_nearest_names() -> None:
    (unknown,) = coverage_of(REGISTRY).unknown
    assert (unknown.name, [case.query for case in unknown.cases], unknown.near[0]) == ("payy", ["e"], "pay")


def test_a_tool_that_the_queries_role_may_not_see_is_told() -> None:
    case = TestQuery("x", ("show", "hire"), role="staff")
    registry = Registry(
        tools=(Tool("show", roles=("student",)), Tool("hire", roles=("staff",))),
        test_queries=(case,),
    )
    assert coverage_of(registry).unseen == ((case, "show"),)


def test_each_tag_is_counted_with_what_kind_its_queries_are() -> None:
    assert coverage_of(REGISTRY).tags == (
        TagCount("fees", 3, 2, 1, 1),
        TagCount(HELD_OUT, 2, 2, 0, 2),
        TagCount("exact", 1, 1, 0, 0),
        TagCount("", 2, 1, 0, 0),
    )


def test_a_registry_without_anything_has_an_empty_coverage() -> None:
    found = coverage_of(Registry())
    assert (found.queries_of, found.untested, found.unknown, found.tags) == ({}, (), (), ())
