"""Edits are values: checked against what is there, all or none, carried through, and reversible."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core.errors import CuratorError, EditConflict, UnknownName
from curator_core.registry import Edit, Registry, TestQuery, Tool
from tests.laws import examples

CAMPUS = Registry(
    name="campus",
    tools=(Tool("pay_fee", "Pay a fee.", "dues"), Tool("book_room", "Book a room.", roles=("student",)), Tool("list_exams", "Show exams.")),
    synonyms={"fee": ("dues",)},
    test_queries=(
        TestQuery("pay my dues", ("pay_fee",)),
        TestQuery("room or fee", ("book_room", "pay_fee"), forbidden=("list_exams",)),
        TestQuery("weather", ()),
        TestQuery("what now", None),
    ),
)


def test_an_edit_of_a_field_returns_a_new_registry() -> None:
    after = CAMPUS.with_edits([Edit("pay_fee", "description", "Pay a fee.", "Pay what you owe.")])
    assert after.tool("pay_fee").description == "Pay what you owe."
    assert CAMPUS.tool("pay_fee").description == "Pay a fee."


def test_edits_apply_in_order() -> None:
    edits = [Edit("pay_fee", "tags", [], ["x"]), Edit("pay_fee", "tags", ["x"], ["x", "y"]), Edit("pay_fee", "name", "pay_fee", "pay")]
    assert CAMPUS.with_edits(edits).tool("pay").tags == ("x", "y")


def test_every_conflict_is_reported_and_nothing_applied() -> None:
    edits = [
        Edit("pay_fee", "description", "Older text.", "Mine."),
        Edit("book_room", "description", "Book a room.", "Fine."),
        Edit("fee", "synonyms", ("charge",), ("levy",)),
    ]
    with pytest.raises(EditConflict) as caught:
        CAMPUS.with_edits(edits)
    seen = [(one.tool, one.field, one.expected, one.found, one.wanted) for one in caught.value.conflicts]
    assert seen == [
        ("pay_fee", "description", "Older text.", "Pay a fee.", "Mine."),
        ("fee", "synonyms", ("charge",), ("dues",), ("levy",)),
    ]


def test_further_edits_of_a_conflicting_text_give_one_conflict_with_the_last_text() -> None:
    edits = [Edit("pay_fee", "description", "Older text.", "M"), Edit("pay_fee", "description", "M", "Mine.")]
    with pytest.raises(EditConflict) as caught:
        CAMPUS.with_edits(edits)
    assert [(one.expected, one.wanted) for one in caught.value.conflicts] == [("Older text.", "Mine.")]


def test_an_edit_of_a_tool_that_is_gone_names_the_nearest_or_joins_the_conflicts() -> None:
    gone = Edit("pay_fees", "description", "Pay.", "Mine.")
    with pytest.raises(UnknownName, match="did you mean pay_fee"):
        CAMPUS.with_edits([gone])
    with pytest.raises(EditConflict) as caught:
        CAMPUS.with_edits([gone, Edit("pay_fee", "description", "Older text.", "Mine.")])
    assert [(one.tool, one.found) for one in caught.value.conflicts] == [("pay_fees", None), ("pay_fee", "Pay a fee.")]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (Edit("pay_fee", "colour", "", "red"), "no field 'colour'; choose one of: name, description"),
        (Edit("pay_fee", "description", "Pay a fee.", None), "use a text"),
        (Edit("pay_fee", "description", "Pay a fee.", "\ud800"), "use a text"),
        (Edit("pay_fee", "roles", (), "student"), "use a list of texts"),
        (Edit("pay_fee", "parameters", None, [1]), "use a JSON Schema object or None"),
        (Edit("pay_fee", "name", "pay_fee", "book_room"), "already a tool 'book_room'"),
        (Edit("pay_fee", "name", "pay_fee", " "), "name: it is empty"),
        (Edit("", "tool", None, Tool("")), "name is empty"),
        (Edit("other", "tool", None, Tool("new")), "its key will be 'new'"),
        (Edit("pay_fee", "tool", Tool("pay_fee"), Tool("pay_fee")), "added .* or deleted"),
        (Edit(" ", "synonyms", None, ("x",)), "term is empty"),
        (Edit("", "test_query", None, "text"), "use a TestQuery or None"),
        (Edit("pay_fee", "description", 3, "Pay."), "description: old is 3; use a text"),
        (Edit("pay_fee", "roles", None, ("student",)), "roles: old is None; use a list of texts"),
        (Edit("pay_fee", "parameters", None, {"type": {1, 2}}), "use a JSON Schema object or None"),
        (Edit(None, "description", "", "Pay."), "the tool is NoneType; use its key"),
        (Edit("new", "tool", None, Tool("new", None)), "use a Tool or None, its fields"),
        (Edit("", "test_query", None, TestQuery("q", critical="yes")), "use a TestQuery or None, its fields"),
        ("pay_fee", "use Edit\\(tool, field, old, new\\)"),
    ],
)
def test_an_edit_that_means_nothing_is_refused_with_what_is_allowed(edit: Any, said: str) -> None:
    with pytest.raises(CuratorError, match=said):
        CAMPUS.with_edits([edit])


def test_a_rename_is_carried_through_to_test_queries() -> None:
    after = CAMPUS.with_edits([CAMPUS.edit("pay_fee", "name", "settle_fee"), CAMPUS.edit("list_exams", "name", "exams")])
    assert after.tool("settle_fee").extra_context == "dues"
    assert after.test_queries[0].expected == ("settle_fee",)
    assert after.test_queries[1] == TestQuery("room or fee", ("book_room", "settle_fee"), forbidden=("exams",))


def test_a_deleted_tool_leaves_test_queries_unjudged_never_no_tool() -> None:
    after = CAMPUS.with_edits([CAMPUS.edit("pay_fee", "tool", None), CAMPUS.edit("list_exams", "tool", None)])
    assert after.keys == ("book_room",)
    assert after.test_queries[0].expected is None
    assert after.test_queries[0].note == "expected pay_fee, which was deleted"
    assert after.test_queries[1] == TestQuery("room or fee", ("book_room",))
    assert after.test_queries[2:] == CAMPUS.test_queries[2:]


def test_test_queries_follow_a_key_that_becomes_unique_or_stops_being_so() -> None:
    two = Registry(
        tools=(Tool("search", group="files"), Tool("search", group="mail")), test_queries=(TestQuery("find", ("search@files",)),)
    )
    alone = two.with_edits([two.edit("search@mail", "name", "find_mail")])
    assert alone.keys == ("search", "find_mail") and alone.test_queries[0].expected == ("search",)
    again = alone.with_edits([alone.edit("", "tool", Tool("search", group="web"))])
    assert again.keys == ("search@files", "find_mail", "search@web") and again.test_queries[0].expected == ("search@files",)
    moved = again.with_edits([again.edit("search@files", "group", "disk")])
    assert moved.test_queries[0].expected == ("search@disk",)
    assert moved.with_edits([moved.edit("search@web", "tool", None)]).test_queries[0].expected == ("search",)


def test_an_edit_goes_to_the_one_of_two_equal_names_that_was_meant() -> None:
    two = Registry(tools=(Tool("search", "Files.", group="files"), Tool("search", "Mail.", group="mail")))
    after = two.with_edits([two.edit("search@mail", "description", "Letters.")])
    assert [tool.description for tool in after.tools] == ["Files.", "Letters."]
    with pytest.raises(CuratorError, match="already a tool"):
        two.with_edits([two.edit("search@mail", "name", "search")])


def test_adding_what_is_there_conflicts_with_it() -> None:
    with pytest.raises(EditConflict) as caught:
        CAMPUS.with_edits([Edit("pay_fee", "tool", None, Tool("pay_fee", "New."))])
    assert caught.value.conflicts[0].found == CAMPUS.tool("pay_fee")


def test_synonyms_are_set_changed_and_taken_out() -> None:
    edits = [Edit("room", "synonyms", None, ["flat"]), Edit("fee", "synonyms", ("dues",), None), Edit("exam", "synonyms", None, ())]
    assert CAMPUS.with_edits(edits).synonyms == {"room": ("flat",), "exam": ()}


def test_test_queries_are_added_changed_and_deleted() -> None:
    weather, new = CAMPUS.test_queries[2], TestQuery("rain", ())
    after = CAMPUS.with_edits([CAMPUS.edit("", "test_query", new), Edit("", "test_query", weather, TestQuery("weather", None))])
    assert after.test_queries[2] == TestQuery("weather", None) and after.test_queries[-1] == new
    assert new not in after.with_edits([Edit("", "test_query", new, None)]).test_queries
    with pytest.raises(EditConflict) as caught:
        CAMPUS.with_edits([Edit("", "test_query", TestQuery("weather", ("pay_fee",)), None)])
    assert caught.value.conflicts[0].found == weather


def test_waiting_extra_context_goes_to_the_tool_that_comes_back() -> None:
    registry = Registry(tools=(Tool("a"),), unresolved={"b": "words", "c": "more"})
    after = registry.with_edits([registry.edit("", "tool", Tool("b"))])
    assert after.tool("b").extra_context == "words" and after.unresolved == {"c": "more"}


TEXT_FIELDS = ("description", "extra_context", "group")


@st.composite
def steps(draw: st.DrawFn) -> list[tuple[str, Any]]:
    kinds = [*TEXT_FIELDS, "roles", "name", "add", "delete", "synonyms", "add_query", "delete_query"]
    return draw(st.lists(st.tuples(st.sampled_from(kinds), st.integers(0, 50)), min_size=1, max_size=6))


def edit_for(registry: Registry, kind: str, n: int) -> Edit | None:
    key = registry.keys[n % len(registry.keys)] if registry.keys else None
    if kind == "add":
        return None if f"new_{n}" in registry.by_key else registry.edit("", "tool", Tool(f"new_{n}", "Words.", group=f"g{n}"))
    if kind == "synonyms":
        return registry.edit("fee", "synonyms", None if n % 2 and "fee" in registry.synonyms else (f"word {n}",))
    if kind == "add_query":
        return registry.edit("", "test_query", TestQuery(f"question {n}", registry.keys[:1]))
    if kind == "delete_query":
        return Edit("", "test_query", registry.test_queries[n % len(registry.test_queries)], None) if registry.test_queries else None
    if key is None:
        return None
    if kind == "delete":
        return registry.edit(key, "tool", None)
    return registry.edit(key, kind, (f"role{n}",) if kind == "roles" else f"{kind}_{n}_{len(registry.keys)}")


@examples(60)
@given(steps())
def test_taking_edits_back_in_reverse_order_gives_the_same_registry(wanted: list[tuple[str, Any]]) -> None:
    registry, done = CAMPUS, []
    for kind, n in wanted:
        edit = edit_for(registry, kind, n)
        if edit is not None and not (kind == "name" and edit.new in registry.by_key):
            registry = registry.with_edits([edit])
            done.append(edit)
    assert CAMPUS.with_edits(done) == registry
    assert registry.with_edits([edit.inverse() for edit in reversed(done)]) == CAMPUS


def test_a_group_edit_of_equal_names_is_taken_back_through_its_new_key() -> None:
    two = Registry(tools=(Tool("search", group="files"), Tool("search", group="mail")))
    edit = two.edit("search@mail", "group", "post")
    assert two.with_edits([edit]).with_edits([edit.inverse()]) == two


def test_a_rename_that_would_lose_words_that_wait_for_an_absent_tool_is_refused() -> None:
    registry = Registry(tools=(Tool("a", extra_context="own"),), unresolved={"c": "waiting"})
    with pytest.raises(CuratorError, match="waiting"):
        registry.with_edits([registry.edit("a", "name", "c")])
    same = Registry(tools=(Tool("a", extra_context="own"),), unresolved={"c": "own"})
    assert same.with_edits([same.edit("a", "name", "c")]).tool("c").extra_context == "own"
