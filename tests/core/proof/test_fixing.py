"""What to fix next: tools with failing queries, the most harm first, each with the query to begin with."""

from __future__ import annotations

from curator_core import Curator, Registry, Settings, TestQuery, Tool, build_index, evaluate, fix_next
from tests.core.fakes import FakeEncoder

TOOLS = (
    *(Tool(f"room_{number}", "hostel room list") for number in range(6)),
    Tool("zz_leave", "hostel absence form"),
    Tool("zz_fee", "dues"),
)


def found(*cases: TestQuery) -> list[tuple[str, str, int, int, int, str]]:
    curator = Curator(build_index(Registry(name="r", tools=TOOLS), FakeEncoder()), Settings(dense=False, anchor=False))
    return [
        (one.tool, one.kind, one.failing, one.critical, one.queries, one.first.case.query) for one in fix_next(evaluate(curator, cases))
    ]


def test_tools_with_more_failing_queries_come_first_and_a_critical_one_counts_three_times() -> None:
    assert found(
        TestQuery("hostel room", ("zz_leave",)),
        TestQuery("room list", ("zz_leave",)),
        TestQuery("absence form", ("zz_leave",)),
        TestQuery("list of rooms", ("zz_fee",), critical=True),
    ) == [
        ("zz_fee", "not found", 1, 1, 1, "list of rooms"),
        ("zz_leave", "not found", 2, 0, 3, "hostel room"),
    ]


def test_one_begins_with_the_query_that_is_nearest_to_passing() -> None:
    nowhere, seventh = TestQuery("room", ("zz_leave",)), TestQuery("hostel room", ("zz_leave",))
    assert found(nowhere, seventh)[0][-1] == "hostel room"


def test_a_tool_that_must_not_come_is_to_be_fixed_where_it_comes() -> None:
    assert found(TestQuery("dues", (), forbidden=("zz_fee",))) == [("zz_fee", "must not come", 1, 0, 1, "dues")]


def test_held_out_queries_are_never_named_and_right_ones_need_nothing() -> None:
    assert found(TestQuery("hostel room", ("zz_leave",), tags=("held_out",)), TestQuery("absence form", ("zz_leave",))) == []


def test_the_reason_is_the_sentence_of_the_stage_that_lost_it() -> None:
    curator = Curator(build_index(Registry(name="r", tools=TOOLS), FakeEncoder()), Settings(dense=False, anchor=False))
    run = evaluate(curator, [TestQuery("hostel room", ("zz_leave",))])
    assert fix_next(run)[0].why == run.results[0].losses[0].sentence
