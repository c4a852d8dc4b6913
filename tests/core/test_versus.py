from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given

from curator_core import Curator, Registry, Settings, Tool, UnknownName, build_index
from curator_core.versus import compare_tools
from tests.core.fakes import FakeEncoder
from tests.core.strategies import queries, registries
from tests.laws import examples

MakeCurator = Callable[..., Curator]
TOOLS = {
    "apply_for_hostel_leave": "Ask the warden for days away",
    "hostel_menu": "What the hostel serves on the day you leave or stay",
    "submit_grievance": "File a complaint about anything",
    "get_attendance": "Shows attendance in each course",
    "zz_other": "Something else",
}


def test_the_name_rule_decides_where_only_one_name_is_in_the_question(curator_of: MakeCurator) -> None:
    found = compare_tools(curator_of(TOOLS).curate("hostel leave"), "hostel_menu", "apply_for_hostel_leave")
    assert (found.first, found.second, found.decided_by) == ("apply_for_hostel_leave", "hostel_menu", "forced")
    assert "2 of 3 words of its name are in the question" in found.sentence


def test_words_decide_where_meaning_is_off(curator_of: MakeCurator) -> None:
    trace = curator_of(TOOLS).curate("complaint", settings=Settings(dense=False, anchor=False))
    found = compare_tools(trace, "zz_other", "submit_grievance")
    assert (found.first, found.decided_by) == ("submit_grievance", "sparse")
    assert "words decide: #1 (“complaint”) against no word that weighs anything" in found.sentence


def test_meaning_decides_with_both_similarities(curator_of: MakeCurator) -> None:
    trace = curator_of(TOOLS).curate("complaint", settings=Settings(sparse=False))
    found = compare_tools(trace, "submit_grievance", "get_attendance")
    assert found.decided_by == "dense" and found.margins["dense"] > 0
    assert f"#1 ({trace.row(0, trace.positions['submit_grievance']).similarity:.2f})" in found.sentence


def test_two_tools_of_a_two_in_one_question_are_compared_in_the_part_that_brought_the_first(curator_of: MakeCurator) -> None:
    trace = curator_of(TOOLS).curate("show my attendance and also raise a complaint", top_k=2)
    found = compare_tools(trace, "submit_grievance", "get_attendance")
    assert (found.number, found.query) == (1, "show my attendance")
    assert "for the part “show my attendance”" in found.sentence


def test_a_tool_that_was_not_searched_stands_behind(encoder: FakeEncoder) -> None:
    registry = Registry(tools=(Tool("a", "fees", roles=("staff",)), Tool("b", "menu", roles=("student",))))
    found = compare_tools(Curator(build_index(registry, encoder)).curate("fees", role="student"), "a", "b")
    assert (found.first, found.decided_by) == ("b", "pool") and "a was not searched" in found.sentence


def test_an_unknown_tool_is_an_error(curator_of: MakeCurator) -> None:
    with pytest.raises(UnknownName):
        compare_tools(curator_of(TOOLS).curate("fees"), "nobody", "zz_other")


@given(registries(min_size=2), queries)
@examples(25)
def test_the_first_of_two_really_stands_before_the_second_and_the_margins_say_by_how_much(registry: Registry, query: str) -> None:
    trace = Curator(build_index(registry, FakeEncoder(24))).curate(query, top_k=3)
    a, b = sorted(registry.by_key)[:2]
    found = compare_tools(trace, a, b)
    json.dumps(found.to_dict(), allow_nan=False)
    assert {found.first, found.second} == {a, b}
    assert compare_tools(trace, b, a) == found
    if found.second in trace.tools:
        assert trace.tools.index(found.first) < trace.tools.index(found.second)
    if found.margins and None not in found.rows:
        one, other = found.rows
        assert one is not None and other is not None
        assert sum(found.margins.values()) == pytest.approx(one.score - other.score, abs=1e-12)
