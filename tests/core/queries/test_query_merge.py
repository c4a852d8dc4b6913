"""Test queries as edits: pinned from a question, taken over from a file, tagged in one step."""

from __future__ import annotations

from curator_core import Edit, Registry, TestQuery, Tool
from curator_core.queries.query_files import read_query_file
from curator_core.queries.query_merge import QueryPlan, pin_tool, plan_queries, tag_queries, unknown_tools

PAY = TestQuery("How do I pay?", ("pay_fees",), tags=("fees",), critical=True)
PAY_STAFF = TestQuery("how do I pay", ("pay_salary",), role="staff")
WEATHER = TestQuery("weather", ())
REGISTRY = Registry(
    tools=(Tool("pay_fees"), Tool("pay_salary", roles=("staff",)), Tool("show_attendance")),
    test_queries=(PAY, PAY_STAFF, WEATHER),
)


def plan(text: str, **instead: str | None) -> QueryPlan:
    return plan_queries(REGISTRY, read_query_file("a", text).rows, instead)


# pin


def test_a_pinned_question_becomes_a_test_query_that_expects_the_tool() -> None:
    new = TestQuery("where was I", ("show_attendance",), role="staff")
    assert pin_tool(REGISTRY, " where was I ", "show_attendance", "staff") == Edit("", "test_query", None, new)


def test_a_pin_joins_the_test_query_that_has_the_question_whatever_its_case_and_end() -> None:
    edit = pin_tool(REGISTRY, "how do i pay", "show_attendance")
    assert edit is not None and edit.old == PAY
    assert (edit.new.expected, edit.new.critical) == (("pay_fees", "show_attendance"), True)


def test_a_tool_is_never_expected_and_forbidden_at_once() -> None:
    edit = pin_tool(REGISTRY, "how do I pay", "pay_fees", forbidden=True)
    assert edit is not None
    assert (edit.new.expected, edit.new.forbidden) == (None, ("pay_fees",))
    back = pin_tool(REGISTRY.with_edits([edit]), "how do I pay", "pay_fees")
    assert back is not None and (back.new.expected, back.new.forbidden) == (("pay_fees",), ())


def test_what_must_not_appear_leaves_the_other_expected_tools_and_a_no_tool_question_as_it_is() -> None:
    both = pin_tool(REGISTRY, "how do I pay", "show_attendance", forbidden=True)
    assert both is not None and both.new.expected == ("pay_fees",)
    none = pin_tool(REGISTRY, "weather", "pay_fees", forbidden=True)
    assert none is not None and (none.new.expected, none.new.forbidden) == ((), ("pay_fees",))


def test_pinning_what_is_pinned_changes_nothing() -> None:
    assert pin_tool(REGISTRY, "how do I pay", "pay_fees") is None


# files


def test_a_file_brings_new_changed_and_same_queries() -> None:
    found = plan("query,expected\nhow do I pay?,show_attendance\nweather,(no tool)\nwhere was I,show_attendance\n")
    assert [(one.old, one.new.expected, one.new.tags) for one in found.changed] == [(PAY, ("show_attendance",), ("fees",))]
    assert [one.new for one in found.new] == [TestQuery("where was I", ("show_attendance",))]
    assert [row.line for row in found.same] == [3]
    after = REGISTRY.with_edits(found.edits)
    assert [case.query for case in after.test_queries] == ["how do I pay?", "how do I pay", "weather", "where was I"]


def test_taking_over_the_same_file_again_changes_nothing() -> None:
    text = "query,expected,role\nhow do I pay,pay_fees | show_attendance,staff\nwhere was I,,\n"
    after = REGISTRY.with_edits(plan(text).edits)
    again = plan_queries(after, read_query_file("a", text).rows)
    assert (again.edits, len(again.same)) == ((), 2)


def test_a_named_role_chooses_between_two_queries_with_one_question() -> None:
    (changed,) = plan('{"query": "how do I pay", "role": "staff", "expected": []}').changed
    assert changed.old == PAY_STAFF
    (new,) = plan('{"query": "weather", "role": "staff", "expected": []}').new
    assert new.new == TestQuery("weather", (), role="staff")


def test_a_question_that_stands_twice_in_the_file_is_taken_once_and_told() -> None:
    found = plan("query,expected\nnew one,pay_fees\nNew one.,pay_salary\n")
    assert [one.new.expected for one in found.new] == [("pay_fees",)]
    assert [str(one) for one in found.problems] == ["line 3: the same question stands on line 2; it is not taken; put both into one line"]


def test_a_role_that_does_not_exist_is_told_with_those_that_do() -> None:
    found = plan("query,role\nnew one,nobody\n")
    assert found.new[0].new.role == "nobody"
    assert "there are: staff" in str(found.problems[0])


def test_unknown_tools_are_listed_with_near_names_and_can_be_put_right_or_left_out() -> None:
    text = "query,expected\na,payFees\nb,payFees|zzz\nc,zzz\n"
    rows = read_query_file("a", text).rows
    found = unknown_tools(REGISTRY, [row.case for row in rows])
    assert [(one.name, len(one.cases), one.near[:1]) for one in found] == [("payFees", 2, ("pay_fees",)), ("zzz", 2, ())]
    kept = plan_queries(REGISTRY, rows)
    assert [one.new.expected for one in kept.new] == [("payFees",), ("payFees", "zzz"), ("zzz",)]
    put_right = plan_queries(REGISTRY, rows, {"payFees": "pay_fees", "zzz": None})
    assert [one.new.expected for one in put_right.new] == [("pay_fees",)]
    assert [row.line for row in put_right.left_out] == [3, 4]


# tags


def test_many_queries_are_tagged_and_untagged_with_one_edit_each() -> None:
    edits = tag_queries(REGISTRY.test_queries, "fees")
    assert [edit.old for edit in edits] == [PAY_STAFF, WEATHER]
    after = REGISTRY.with_edits(edits)
    assert [case.tags for case in after.with_edits(tag_queries(after.test_queries, "fees", on=False)).test_queries] == [(), (), ()]
