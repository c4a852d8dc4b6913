"""A draft as a value: edits join, disappear, are undone, and move to another base without anybody's text being lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from curator_core import CuratorError, EditConflict, Registry, Tool
from dashboard.draft import Draft

BASE = Registry(
    name="r",
    tools=(Tool("pay", "Pay fees."), Tool("show", "Show attendance."), Tool("renew", "Renew a book.")),
    synonyms={"fees": ("dues",)},
)


def test_changes_of_one_field_join_into_one_edit() -> None:
    draft = Draft(BASE).with_change("pay", "description", "Pay f").with_change("pay", "description", "Pay fines.")
    assert [(edit.old, edit.new) for edit in draft.edits] == [("Pay fees.", "Pay fines.")]
    assert draft.registry.tool("pay").description == "Pay fines."


def test_an_edit_that_returns_to_the_saved_text_disappears() -> None:
    draft = Draft(BASE).with_change("pay", "description", "x").with_change("show", "description", "y")
    assert [edit.tool for edit in draft.with_change("pay", "description", "Pay fees.").edits] == ["show"]


def test_typing_on_in_one_field_is_one_step_for_undo() -> None:
    draft = Draft(BASE).with_change("show", "extra_context", "a")
    draft = draft.with_change("pay", "description", "x").with_change("pay", "description", "xy")
    assert draft.undone().registry.tool("pay").description == "Pay fees."
    assert draft.undone().registry.tool("show").extra_context == "a"
    assert draft.undone().undone().edits == ()


def test_discarding_all_edits_can_be_undone() -> None:
    draft = Draft(BASE).with_change("pay", "description", "x")
    assert draft.emptied().registry == BASE
    assert draft.emptied().undone().edits == draft.edits


def test_edits_of_a_renamed_tool_follow_its_new_name() -> None:
    draft = Draft(BASE).with_change("pay", "name", "pay_fees").with_change("pay_fees", "description", "x")
    draft = draft.with_change("pay_fees", "description", "y")
    assert draft.registry.tool("pay_fees").description == "y"
    assert len(draft.edits) == 2


def test_renaming_twice_is_one_edit_and_renaming_back_is_none() -> None:
    draft = Draft(BASE).with_change("pay", "name", "a").with_change("a", "name", "b")
    assert [(edit.tool, edit.new) for edit in draft.edits] == [("pay", "b")]
    assert draft.with_change("b", "name", "pay").edits == ()


def test_a_refused_edit_changes_nothing() -> None:
    draft = Draft(BASE).with_change("pay", "description", "x")
    with pytest.raises(CuratorError, match="already a tool"):
        draft.with_change("pay", "name", "show")
    assert len(draft.edits) == 1


def test_others_edits_of_other_fields_survive() -> None:
    theirs = BASE.with_edits([BASE.edit("pay", "extra_context", "challan")])
    draft = Draft(BASE).with_change("pay", "description", "mine").on(theirs)
    assert draft.registry.tool("pay") == Tool("pay", "mine", "challan")


def test_an_edit_that_the_new_base_already_has_disappears() -> None:
    theirs = BASE.with_edits([BASE.edit("pay", "description", "same"), BASE.edit("fees", "synonyms", ("bills",))])
    draft = Draft(BASE).with_change("pay", "description", "same").with_change("fees", "synonyms", ("bills",))
    assert draft.on(theirs).edits == ()


@pytest.mark.parametrize(("choice", "kept"), [("mine", "mine"), ("theirs", "theirs")])
def test_a_conflict_is_decided_per_field(choice: str, kept: str) -> None:
    theirs = BASE.with_edits([BASE.edit("pay", "description", "theirs")])
    draft = Draft(BASE).with_change("pay", "description", "mine").with_change("show", "description", "also mine")
    with pytest.raises(EditConflict) as caught:
        draft.on(theirs)
    assert [(conflict.tool, conflict.found, conflict.wanted) for conflict in caught.value.conflicts] == [("pay", "theirs", "mine")]
    after = draft.on(theirs, {("pay", "description"): choice}).registry  # type: ignore[dict-item]
    assert (after.tool("pay").description, after.tool("show").description) == (kept, "also mine")


def test_an_edit_of_a_tool_that_is_gone_is_a_conflict_and_can_only_be_dropped() -> None:
    without = BASE.with_edits([BASE.edit("pay", "tool", None)])
    draft = Draft(BASE).with_change("pay", "description", "mine").with_change("show", "description", "also mine")
    for choices in ({}, {("pay", "description"): "mine"}):
        with pytest.raises(EditConflict) as caught:
            draft.on(without, choices)  # type: ignore[arg-type]
        assert [(conflict.tool, conflict.found) for conflict in caught.value.conflicts] == [("pay", None)]
    assert [edit.tool for edit in draft.on(without, {("pay", "description"): "theirs"}).edits] == ["show"]


def test_edits_of_an_added_or_renamed_tool_move_to_another_base() -> None:
    theirs = BASE.with_edits([BASE.edit("show", "description", "theirs")])
    draft = Draft(BASE).with_change("", "tool", Tool("new")).with_change("new", "description", "x")
    draft = draft.with_change("renew", "name", "extend").with_change("extend", "description", "y")
    after = draft.on(theirs).registry
    assert (after.tool("new").description, after.tool("extend").description) == ("x", "y")


steps = some.lists(
    some.tuples(some.sampled_from(["pay", "show"]), some.sampled_from(["description", "extra_context"]), some.sampled_from(["", "a", "b"])),
    max_size=8,
)


@settings(max_examples=40, deadline=None)
@given(steps)
def test_a_draft_always_holds_the_last_text_of_each_field_and_undoes_to_the_base(changes: list[tuple[str, str, str]]) -> None:
    draft, last = Draft(BASE), {}
    for tool, field, text in changes:
        draft, last[tool, field] = draft.with_change(tool, field, text), text
    for (tool, field), text in last.items():
        assert getattr(draft.registry.tool(tool), field) == text
    assert len({(edit.tool, edit.field) for edit in draft.edits}) == len(draft.edits)
    while draft.history:
        draft = draft.undone()
    assert draft.registry == BASE
