"""Putting back: a field, a revision or the whole registry, as edits of what is there now, under the names that tools have now."""

from __future__ import annotations

import pytest

from curator_core import (
    Choice,
    CuratorError,
    Edit,
    EditConflict,
    Store,
    TestQuery,
    Tool,
    UnknownName,
    load_registry,
    publish,
    save_registry,
)
from curator_core.authoring import drafts, restoring
from tests.core.authoring.test_history import say
from tests.core.authors import ASHA, BEN, PAY, REGISTRY, on_disk


def test_one_field_one_tool_or_all_can_be_put_back_with_a_preview(store: Store) -> None:
    for tool in ("pay", "show"):
        for field in ("description", "extra_context"):
            say(store, tool, field, "new")
    current = load_registry(store.folder)

    def preview(*about: str) -> list[str]:
        result = current.with_edits(restoring.edits_to_restore(store, current, 1, *about))
        return [getattr(result.tool(tool), field) for tool in ("pay", "show") for field in ("description", "extra_context")]

    assert preview("pay", "description") == ["Pay fees.", "new", "new", "new"]
    assert preview("pay") == ["Pay fees.", "", "new", "new"]
    assert preview() == ["Pay fees.", "", "Show attendance.", ""]
    publish(store, BEN, "as it was", restoring.edits_to_restore(store, current, 1))
    assert load_registry(store.folder) == REGISTRY


def test_a_deleted_tool_and_a_synonym_can_be_put_back(store: Store) -> None:
    say(store, "pay", "tool", None)
    say(store, "fees", "synonyms", None)
    current = load_registry(store.folder)
    whole = current.with_edits(restoring.edits_to_restore(store, current, 1))
    assert (set(whole.tools), whole.synonyms, whole.test_queries) == (set(REGISTRY.tools), REGISTRY.synonyms, REGISTRY.test_queries)
    assert [edit.field for edit in restoring.edits_to_restore(store, current, 1, "fees", "synonyms")] == ["synonyms"]
    assert [edit.field for edit in restoring.edits_to_restore(store, current, 1, "pay")] == ["tool"]


def test_a_field_is_put_back_also_when_the_tool_has_another_name_now(store: Store) -> None:
    say(store, "pay", "name", "settle")
    say(store, "settle", "description", "new")
    say(store, "", "tool", Tool("pay", "another tool"))
    current = load_registry(store.folder)
    assert restoring.edits_to_restore(store, current, 1, "settle", "description") == (Edit("settle", "description", "new", "Pay fees."),)
    assert restoring.edits_to_restore(store, current, 3, "settle", "description") == ()
    with pytest.raises(UnknownName, match="no tool 'nothing'"):
        restoring.edits_to_restore(store, current, 1, "nothing")


def test_one_revision_can_be_taken_back_without_what_came_later(store: Store) -> None:
    wrong = say(store, "pay", "description", "wrong")
    say(store, "show", "description", "right")
    current = load_registry(store.folder)
    result = current.with_edits(restoring.edits_to_revert(store, current, wrong))
    assert (result.tool("pay").description, result.tool("show").description) == ("Pay fees.", "right")
    say(store, "pay", "description", "changed again")
    with pytest.raises(EditConflict, match="changed again"):
        restoring.edits_to_revert(store, load_registry(store.folder), wrong)
    with pytest.raises(CuratorError, match="nothing to take back"):
        restoring.edits_to_revert(store, current, 1)


def test_a_field_of_a_revision_is_put_back_under_the_name_that_the_tool_has_now(store: Store) -> None:
    number = say(store, "pay", "description", "new")
    say(store, "pay", "name", "pay_fees")
    say(store, "pay_fees", "name", "settle")
    say(store, "", "tool", Tool("pay", "another tool"))
    published = load_registry(store.folder)
    assert restoring.edit_to_put_back(store, published, number, 0) == Edit("settle", "description", "new", "Pay fees.")
    draft = [published.edit("settle", "name", "settle_dues")]
    current = published.with_edits(draft)
    edit = restoring.edit_to_put_back(store, current, number, 0, draft)
    assert edit == Edit("settle_dues", "description", "new", "Pay fees.")
    assert restoring.edits_to_revert(store, current, number, draft) == (edit,)
    assert restoring.edits_to_restore(store, current, 1, "settle_dues", "description", draft) == (edit,)


def test_a_field_of_a_deleted_tool_is_not_put_back_and_it_is_said_what_to_do(store: Store) -> None:
    number = say(store, "pay", "description", "new")
    gone = say(store, "pay", "tool", None)
    current = load_registry(store.folder)
    for act in (lambda: restoring.edit_to_put_back(store, current, number, 0), lambda: restoring.edits_to_revert(store, current, number)):
        with pytest.raises(
            UnknownName, match=f"pay: the tool was deleted in revision {gone}; put the whole tool back from revision {gone}"
        ):
            act()
    whole = restoring.edit_to_put_back(store, current, gone, 0)
    publish(store, BEN, "it was needed", [whole])
    back = load_registry(store.folder)
    assert restoring.edit_to_put_back(store, back, number, 0) == Edit("pay", "description", "new", "Pay fees.")
    draft = [back.edit("pay", "tool", None)]
    with pytest.raises(UnknownName, match="deleted in your draft; undo that"):
        restoring.edit_to_put_back(store, back.with_edits(draft), number, 0, draft)


def test_a_rename_is_taken_back_from_whatever_the_tool_is_called_now(store: Store) -> None:
    number = say(store, "pay", "name", "pay_fees")
    say(store, "pay_fees", "name", "settle")
    current = load_registry(store.folder)
    assert restoring.edit_to_put_back(store, current, number, 0) == Edit("settle", "name", "settle", "pay")
    with pytest.raises(EditConflict):
        restoring.edits_to_revert(store, current, number)


def test_a_revision_of_several_edits_with_a_rename_among_them_is_taken_back_whole(store: Store) -> None:
    base = load_registry(store.folder)
    steps = [base.edit("pay", "description", "new"), base.edit("pay", "name", "settle"), Edit("settle", "extra_context", "", "dues")]
    number = publish(store, ASHA, "better", [*steps, base.edit("show", "description", "Show all.")]).revision.number
    say(store, "show", "name", "display")
    current = load_registry(store.folder)
    back = current.with_edits(restoring.edits_to_revert(store, current, number))
    assert back == REGISTRY.with_edits([REGISTRY.edit("show", "name", "display")])
    for position, key in enumerate(("settle", "settle", "settle", "display")):
        assert restoring.edit_to_put_back(store, current, number, position).tool == key


def test_a_text_that_gave_way_to_another_is_what_is_put_back_of_it(store: Store) -> None:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", "mine")])
    say(store, "pay", "description", "theirs", person=BEN)
    with pytest.raises(EditConflict) as caught:
        publish(store, ASHA, "why")
    number = publish(store, ASHA, "let it stand", choices=[Choice(caught.value.conflicts[0], "theirs")]).revision.number
    current = load_registry(store.folder)
    assert restoring.edit_to_put_back(store, current, number, 0) == Edit("pay", "description", "theirs", "mine")


def test_a_test_query_and_a_synonym_are_put_back_over_what_they_are_now(store: Store) -> None:
    changed, later = TestQuery(PAY.query, ("show",)), TestQuery(PAY.query, ("renew",))
    number = publish(store, ASHA, "it is shown", [Edit("", "test_query", PAY, changed)]).revision.number
    publish(store, BEN, "no, renewed", [Edit("", "test_query", changed, later)])
    terms = say(store, "fees", "synonyms", ("bills",))
    current = load_registry(store.folder)
    assert restoring.edit_to_put_back(store, current, number, 0) == Edit("", "test_query", later, PAY)
    assert restoring.edit_to_put_back(store, current, terms, 0) == Edit("fees", "synonyms", ("bills",), ("dues",))


def test_words_that_wait_for_an_absent_tool_are_put_back_with_it(store: Store) -> None:
    base = load_registry(store.folder)
    words = say(store, "pay", "extra_context", "dues")
    base = load_registry(store.folder)
    gone = [base.edit("pay", "tool", None), Edit("pay", "unresolved", None, "dues")]
    number = publish(store, ASHA, "not there any more", gone).revision.number
    current = load_registry(store.folder)
    assert dict(current.unresolved) == {"pay": "dues"}
    back = current.with_edits(restoring.edits_to_revert(store, current, number))
    assert (back.by_key, back.unresolved) == (base.by_key, {})
    back = current.with_edits(restoring.edits_to_restore(store, current, words))
    assert (back.by_key, back.unresolved) == (base.by_key, {})
    assert base.with_edits(restoring.edits_to_restore(store, base, number)) == current
    assert restoring.edit_to_put_back(store, current, number, 1) == Edit("pay", "unresolved", "dues", None)


def test_a_saved_restore_gives_the_same_texts(store: Store) -> None:
    say(store, "pay", "description", "x")
    current = load_registry(store.folder)
    saved = save_registry(current.with_edits(restoring.edits_to_restore(store, current, 1)), store.folder)
    assert saved == REGISTRY and on_disk(store.folder, "pay") == "Pay fees."
