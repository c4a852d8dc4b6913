"""Drafts: steps that can be undone and done again, kept on disk for each author, in several tabs at once, on a registry that moves."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from curator_core import (
    Choice,
    CuratorError,
    Draft,
    Edit,
    EditConflict,
    Registry,
    Step,
    Store,
    TestQuery,
    Tool,
    UnknownName,
    load_registry,
    save_registry,
)
from curator_core.authoring import drafts, history
from curator_core.authoring.edit_json import from_json, to_json
from curator_core.authoring.rebasing import joined, moved_onto
from tests.core.authors import ASHA, BEN, PAY, REGISTRY, on_disk
from tests.laws import examples

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def write(draft: Draft, tool: str, field: str, new: Any, seconds: float = 0, join: float = 0) -> Draft:
    edit = draft.registry_on(REGISTRY).edit(tool, field, new)
    return draft.with_step([edit], NOW + timedelta(seconds=seconds), join, REGISTRY)


def pairs(draft: Draft) -> list[tuple[object, object]]:
    return [(edit.old, edit.new) for edit in draft.edits]


def test_several_edits_of_one_field_come_to_one_and_back_to_none() -> None:
    draft = write(write(Draft(), "pay", "description", "Pay f"), "pay", "description", "Pay fines.")
    assert (pairs(draft), len(draft.steps)) == ([("Pay fees.", "Pay fines.")], 2)
    assert write(draft, "pay", "description", "Pay fees.").edits == ()


def test_edits_of_one_field_come_to_one_also_where_another_tool_came_went_or_was_renamed_between() -> None:
    draft = write(Draft(), "pay", "description", "once")
    draft = draft.with_step([REGISTRY.edit("", "tool", Tool("new", "n")), REGISTRY.edit("renew", "tool", None)], NOW)
    draft = write(write(draft, "show", "name", "display"), "pay", "description", "twice")
    assert [(edit.tool, edit.field) for edit in draft.edits] == [
        ("pay", "description"),
        ("new", "tool"),
        ("renew", "tool"),
        ("show", "name"),
    ]
    assert draft.edits[0].new == "twice"
    twin = draft.with_step([Edit("pay@b", "tool", None, Tool("pay", "p", group="b"))], NOW)
    twin = write(twin, "pay#1", "description", "thrice")
    assert [(edit.tool, edit.new) for edit in twin.edits if edit.field == "description"] == [("pay", "twice"), ("pay#1", "thrice")]


def test_typing_on_in_one_field_is_one_step_for_as_long_as_the_caller_says() -> None:
    draft = write(Draft(), "pay", "description", "a", 0, 10)
    draft = write(draft, "pay", "description", "ab", 9, 10)
    assert len(draft.steps) == 1
    draft = write(draft, "pay", "description", "abc", 11, 10)
    assert [step.edits[0].new for step in draft.steps] == ["ab", "abc"]
    assert len(write(draft, "show", "description", "x", 12, 10).steps) == 3


def test_typing_back_to_the_start_within_a_step_leaves_no_step() -> None:
    draft = write(write(Draft(), "pay", "description", "a", 0, 10), "pay", "description", "Pay fees.", 1, 10)
    assert draft.steps == ()


def test_a_group_of_edits_is_one_step() -> None:
    edits = [REGISTRY.edit(tool, "tags", ("money",)) for tool in ("pay", "show", "renew")]
    draft = Draft().with_step(edits, NOW)
    assert (len(draft.edits), draft.undone().edits, draft.undone().redone()) == (3, (), draft)


def test_emptying_the_draft_is_a_step_that_one_undo_takes_back() -> None:
    draft = write(write(Draft(), "pay", "description", "x"), "show", "description", "y")
    empty = draft.emptied(NOW)
    assert (empty.edits, empty.undone().edits, empty.undone().redone().edits) == ((), draft.edits, ())
    after = write(empty, "pay", "description", "new")
    assert pairs(after) == [("Pay fees.", "new")]
    assert Draft().emptied(NOW) == Draft()


def test_a_new_step_ends_what_could_be_done_again() -> None:
    draft = write(write(Draft(), "pay", "description", "x").undone(), "show", "description", "y")
    assert (draft.redo, draft.redone()) == ((), draft)


def test_edits_follow_a_tool_that_was_renamed_in_the_draft() -> None:
    draft = write(write(write(Draft(), "pay", "name", "a"), "a", "description", "x"), "a", "description", "y")
    assert [(edit.tool, edit.new) for edit in draft.edits] == [("pay", "a"), ("a", "y")]
    assert draft.registry_on(REGISTRY).tool("a").description == "y"


values = some.sampled_from(["", "a", "b", "ü\0\U0001f600", "two words"])
acts = some.one_of(
    some.tuples(some.just("text"), some.integers(0, 5), some.sampled_from(["description", "extra_context", "group"]), values),
    some.tuples(some.just("tags"), some.integers(0, 5), values),
    some.tuples(some.just("name"), some.integers(0, 5), some.sampled_from(["n1", "n2", "pay"])),
    some.tuples(some.just("add"), some.sampled_from(["n1", "n3"]), values),
    some.tuples(some.just("twin"), some.integers(0, 5), some.sampled_from(["", "a"])),
    some.tuples(some.just("delete"), some.integers(0, 5)),
    some.tuples(some.just("synonym"), some.sampled_from(["fees", "leave"]), some.one_of(some.none(), some.tuples(values))),
    some.tuples(some.just("query"), values, some.booleans()),
    some.tuples(some.just("requery"), some.integers(0, 5), some.one_of(some.none(), values)),
)


def edit_for(act: tuple[Any, ...], registry: Registry) -> Edit | None:
    """Return the edit that an act means on this registry, None where it means nothing."""
    kind, which = act[0], act[1]
    key = registry.keys[which % len(registry.keys)] if isinstance(which, int) and registry.keys else ""
    if kind == "synonym":
        return registry.edit(which, "synonyms", act[2])
    if kind == "query":
        return registry.edit("", "test_query", TestQuery(which or "q", (), critical=act[2]))
    if kind == "requery":
        old = registry.test_queries[which % len(registry.test_queries)] if registry.test_queries else None
        return old and Edit(
            "", "test_query", old, None if act[2] is None else replace(old, query=act[2] or "q", expected=registry.keys[:1])
        )
    if kind == "add":
        return None if which in registry.by_key else registry.edit("", "tool", Tool(which, act[2]))
    if not key or (kind == "name" and act[2] in {tool.name for tool in registry.tools}):
        return None
    if kind == "twin":
        return registry.edit("", "tool", Tool(registry.tool(key).name, "a twin", group=act[2]))
    if kind == "delete":
        return registry.edit(key, "tool", None) if len(registry.keys) > 1 else None
    return registry.edit(key, kind if kind != "text" else act[2], (act[2],) if kind == "tags" else act[-1])


def grown(steps: list[tuple[Any, ...]]) -> tuple[Draft, list[Registry]]:
    draft, states = Draft(), [REGISTRY]
    for act in steps:
        edit = edit_for(act, states[-1])
        after = draft.with_step([edit], NOW, 0, REGISTRY) if edit else draft
        if after is not draft:
            draft = after
            states.append(states[-1].with_edits([after.steps[-1].edits[0]]))
    return draft, states


@examples(40)
@given(some.lists(acts, max_size=12))
@example([("query", "a", False), ("name", 0, "n1"), ("query", "", False), ("query", "a", False), ("requery", 1, None)])
def test_what_a_draft_comes_to_is_what_its_steps_do_one_after_the_other(steps: list[tuple[Any, ...]]) -> None:
    draft, states = grown(steps)
    assert draft.registry_on(REGISTRY) == states[-1]
    assert from_json(to_json(draft.edits)) == draft.edits


def test_a_test_query_that_is_edited_again_and_again_is_one_change() -> None:
    first, second = replace(PAY, critical=True), replace(PAY, query="how do I pay now", critical=True)
    draft = Draft().with_step([Edit("", "test_query", PAY, first)], NOW).with_step([Edit("", "test_query", first, second)], NOW)
    assert draft.edits == (Edit("", "test_query", PAY, second),)
    assert len(draft.steps) == 2
    back = draft.with_step([Edit("", "test_query", second, PAY)], NOW)
    assert back.edits == ()


def test_an_added_test_query_that_is_edited_while_it_is_published_stands_on_what_was_published() -> None:
    first, second = TestQuery("new", None), TestQuery("new, longer", ("pay",))
    draft = Draft().with_step([Edit("", "test_query", None, first)], NOW)
    published = draft.edits
    typed_on = draft.with_step([Edit("", "test_query", first, second)], NOW)
    left = typed_on.published(published, (), 2)
    assert left.edits == (Edit("", "test_query", first, second),)
    assert left.registry_on(REGISTRY.with_edits(published)).test_queries == (PAY, second)


def random_act(luck: random.Random) -> tuple[Any, ...]:
    kind = luck.choice(["text", "text", "tags", "name", "add", "delete", "synonym", "query"])
    which, text = luck.randrange(9), f"{luck.random()}"
    more: dict[str, tuple[Any, ...]] = {
        "text": (which, luck.choice(["description", "extra_context", "group"]), text),
        "name": (which, text),
        "add": (text, text),
    }
    more |= {"tags": (which, text), "delete": (which,), "synonym": (f"term {which}", (text,)), "query": (text, luck.random() < 0.5)}
    return (kind, *more[kind])


@pytest.mark.parametrize("seed", range(3))
def test_undoing_a_hundred_random_steps_gives_the_first_state_and_redoing_them_the_last(seed: int) -> None:
    luck = random.Random(seed)
    draft, states = grown([random_act(luck) for _ in range(130)])
    assert len(draft.steps) >= 100
    whole = draft
    for state in reversed(states[:-1]):
        draft = draft.undone()
        assert draft.registry_on(REGISTRY) == state
    assert draft.steps == () and draft.undone() == draft
    for state in states[1:]:
        draft = draft.redone()
        assert draft.registry_on(REGISTRY) == state
    assert draft == whole


# on another base


def moved(*edits: Edit) -> Registry:
    return REGISTRY.with_edits(edits)


def test_a_draft_that_still_fits_moves_with_its_undo_and_redo() -> None:
    draft = write(write(Draft(), "pay", "description", "mine"), "show", "description", "y").undone()
    after, aside = draft.moved_to(moved(REGISTRY.edit("pay", "extra_context", "theirs")), 7)
    assert (after, aside) == (replace(draft, base_revision=7), ())


def test_what_the_new_base_already_has_leaves_the_draft() -> None:
    draft = write(write(Draft(), "pay", "description", "same"), "fees", "synonyms", ("bills",))
    base = moved(REGISTRY.edit("pay", "description", "same"), REGISTRY.edit("fees", "synonyms", ("bills",)))
    assert draft.moved_to(base, 2)[0].edits == ()


@pytest.mark.parametrize(("keep", "left", "set_aside"), [("mine", "mine", []), ("theirs", "theirs", ["mine"])])
def test_a_conflict_is_decided_per_field_and_what_gives_way_is_handed_back(keep: Any, left: str, set_aside: list[str]) -> None:
    draft = write(write(Draft(), "pay", "description", "mine"), "show", "description", "also mine")
    base = moved(REGISTRY.edit("pay", "description", "theirs"))
    with pytest.raises(EditConflict) as caught:
        draft.moved_to(base, 2)
    (conflict,) = caught.value.conflicts
    assert (conflict.tool, conflict.found, conflict.wanted) == ("pay", "theirs", "mine")
    after, aside = draft.moved_to(base, 2, [Choice(conflict, keep)])
    result = after.registry_on(base)
    assert (result.tool("pay").description, result.tool("show").description) == (left, "also mine")
    assert [edit.new for edit in aside] == set_aside


def test_a_choice_does_not_count_for_a_text_that_nobody_has_seen() -> None:
    draft = write(Draft(), "pay", "description", "mine")
    with pytest.raises(EditConflict) as caught:
        draft.moved_to(moved(REGISTRY.edit("pay", "description", "theirs")), 2)
    choice = Choice(caught.value.conflicts[0], "mine")
    with pytest.raises(EditConflict) as again:
        draft.moved_to(moved(REGISTRY.edit("pay", "description", "a third one")), 3, [choice])
    assert again.value.conflicts[0].found == "a third one"


def test_where_one_of_two_conflicts_is_not_decided_both_are_told_again() -> None:
    draft = write(write(Draft(), "pay", "description", "mine"), "show", "description", "also mine")
    base = moved(REGISTRY.edit("pay", "description", "theirs"), REGISTRY.edit("show", "description", "theirs too"))
    with pytest.raises(EditConflict) as caught:
        draft.moved_to(base, 2)
    pay, show = caught.value.conflicts
    with pytest.raises(EditConflict) as again:
        draft.moved_to(base, 2, [Choice(pay, "theirs")])
    assert again.value.conflicts == (pay, show)
    after, aside = draft.moved_to(base, 2, [Choice(pay, "theirs"), Choice(show, "mine")])
    assert (after.registry_on(base).tool("show").description, [edit.new for edit in aside]) == ("also mine", ["mine"])


def test_an_edit_of_a_tool_that_is_gone_can_only_be_set_aside() -> None:
    draft = write(write(write(Draft(), "pay", "name", "fees"), "fees", "description", "mine"), "show", "description", "also")
    base = moved(REGISTRY.edit("pay", "tool", None))
    with pytest.raises(EditConflict) as caught:
        draft.moved_to(base, 2)
    conflicts = caught.value.conflicts
    assert [(conflict.tool, conflict.field, conflict.found) for conflict in conflicts] == [
        ("pay", "name", None),
        ("fees", "description", None),
    ]
    with pytest.raises(EditConflict):
        draft.moved_to(base, 2, [Choice(conflict, "mine") for conflict in conflicts])
    after, aside = draft.moved_to(base, 2, [Choice(conflict, "theirs") for conflict in conflicts])
    assert ([edit.new for edit in after.edits], [edit.new for edit in aside]) == (["also"], ["fees", "mine"])


def test_a_tool_that_both_added_becomes_an_edit_of_theirs() -> None:
    draft = write(Draft(), "", "tool", Tool("new", "mine", tags=("a",)))
    base = moved(REGISTRY.edit("", "tool", Tool("new", "theirs")))
    with pytest.raises(EditConflict) as caught:
        draft.moved_to(base, 2)
    after, _ = draft.moved_to(base, 2, [Choice(caught.value.conflicts[0], "mine")])
    assert after.registry_on(base).tool("new") == Tool("new", "mine", tags=("a",))


@pytest.mark.parametrize("keep", ["mine", "theirs"])
def test_a_test_query_that_both_changed_is_decided_too(keep: Any) -> None:
    mine, theirs = replace(PAY, note="mine"), replace(PAY, note="theirs")
    edits = [Edit("", "test_query", PAY, mine)]
    base = moved(Edit("", "test_query", PAY, theirs))
    with pytest.raises(EditConflict) as caught:
        moved_onto([edits], base)
    found = moved_onto([edits], base, [Choice(caught.value.conflicts[0], keep)])
    assert base.with_edits(found.steps[0]).test_queries == ((mine if keep == "mine" else theirs),)
    assert len(found.aside) == (keep == "theirs")


def test_steps_keep_their_edits_when_they_are_joined() -> None:
    a, b, c = REGISTRY.edit("pay", "tags", ("x",)), REGISTRY.edit("show", "tags", ("x",)), Edit("pay", "tags", ("x",), ("y",))
    assert joined([[a, b], [c]]) == ((replace(a, new=("y",)), b), ())


# in the store


def on(store: Store, tool: str, field: str, new: Any) -> Edit:
    return load_registry(store.folder).edit(tool, field, new)


def test_a_hundred_random_steps_on_the_disk_are_undone_to_the_first_state_and_redone_to_the_last(reopen: Callable[[], Store]) -> None:
    store, luck, states = reopen(), random.Random(11), [REGISTRY]
    while len(states) <= 100:
        edit = edit_for(random_act(luck), states[-1])
        if edit and (after := states[-1].with_edits([edit])) != states[-1]:
            states.append(after)
            drafts.add(store, ASHA, [edit])
    whole = drafts.read(store, ASHA)
    assert len(whole.steps) == 100 and whole.registry_on(REGISTRY) == states[-1]
    for _ in range(100):
        drafts.undo(store, ASHA)
    store.close()
    store = reopen()
    assert drafts.read(store, ASHA).registry_on(REGISTRY) == REGISTRY == load_registry(store.folder)
    for _ in range(100):
        left = drafts.redo(store, ASHA)
    assert (left.steps, left.redo, left.registry_on(REGISTRY)) == (whole.steps, (), states[-1])


def test_a_draft_is_there_again_with_undo_redo_and_time(reopen: Callable[[], Store]) -> None:
    store = reopen()
    drafts.add(store, ASHA, [on(store, "pay", "description", "a\0\U0001f600")])
    drafts.add(store, ASHA, [on(store, "renew", "tool", None), on(store, "fees", "synonyms", None)])
    drafts.add(store, ASHA, [on(store, "show", "parameters", {"type": "object", "x": [1, None]})])
    left = drafts.undo(store, ASHA)
    store.close()
    found = drafts.read(reopen(), ASHA)
    assert found == left
    assert (len(found.steps), len(found.redo), found.base_revision, found.version) == (2, 1, 1, 4)
    assert found.updated_at is not None and abs(datetime.now(UTC) - found.updated_at) < timedelta(seconds=30)
    again = drafts.redo(store, ASHA)
    assert again.edits[-1].new == {"type": "object", "x": [1, None]}
    assert on_disk(store.folder, "pay") == "Pay fees."


def test_a_draft_never_shows_in_another_authors(store: Store) -> None:
    drafts.add(store, ASHA, [on(store, "pay", "description", "Asha's")])
    drafts.add(store, BEN, [on(store, "pay", "description", "Ben's")])
    assert [drafts.read(store, person).edits[0].new for person in (ASHA, BEN)] == ["Asha's", "Ben's"]
    drafts.discard(store, BEN)
    assert (drafts.read(store, BEN).edits, len(drafts.read(store, ASHA).edits)) == ((), 1)


def test_two_tabs_append_to_one_draft_and_undo_brings_the_other_tabs_text_back(store: Store) -> None:
    base = load_registry(store.folder)
    first = drafts.add(store, ASHA, [base.edit("pay", "description", "tab 1")], 10, base)
    other = drafts.add(store, ASHA, [base.edit("show", "description", "tab 2")], 10, base)
    over = drafts.add(store, ASHA, [base.edit("pay", "description", "tab 2")], 10, base)
    assert (first.overtaken, other.overtaken) == ((), ())
    assert [(conflict.found, conflict.wanted) for conflict in over.overtaken] == [("tab 1", "tab 2")]
    assert [(edit.tool, edit.old, edit.new) for edit in over.draft.edits] == [
        ("pay", "Pay fees.", "tab 2"),
        ("show", "Show attendance.", "tab 2"),
    ]
    assert drafts.undo(store, ASHA).registry_on(base).tool("pay").description == "tab 1"


def test_what_the_registry_refuses_is_refused_before_it_is_kept(store: Store) -> None:
    base = load_registry(store.folder)
    drafts.add(store, ASHA, [base.edit("pay", "description", "x")], base=base)
    for bad, error in (
        (Edit("pay", "name", "pay", "show"), CuratorError),
        (Edit("nothing", "description", "", "x"), UnknownName),
        (Edit("pay", "colour", "", "x"), CuratorError),
        (Edit("pay", "description", "x", 3), CuratorError),
    ):
        with pytest.raises(error):
            drafts.add(store, ASHA, [bad], base=base)
    assert len(drafts.read(store, ASHA).steps) == 1


def test_a_text_that_gives_way_when_a_draft_moves_is_kept_in_the_history(store: Store) -> None:
    base = load_registry(store.folder)
    drafts.add(store, ASHA, [base.edit("pay", "description", "mine")])
    drafts.add(store, ASHA, [base.edit("show", "description", "also mine")])
    theirs = save_registry(base.with_edits([base.edit("pay", "description", "theirs")]), store.folder)
    history.notice_outside(store, theirs)
    with pytest.raises(EditConflict) as caught:
        drafts.move(store, ASHA, theirs)
    assert len(drafts.read(store, ASHA).edits) == 2
    draft = drafts.move(store, ASHA, theirs, [Choice(caught.value.conflicts[0], "theirs")])
    assert ([edit.new for edit in draft.edits], draft.base_revision) == (["also mine"], 2)
    last = history.page(store)[0]
    assert (last.kind, last.author, last.edits[0].new, last.before == last.after) == ("set aside", "Asha", "mine", True)


def test_a_step_that_was_kept_is_the_step_that_is_read(store: Store) -> None:
    edits = (on(store, "pay", "tool", None), Edit("", "test_query", None, TestQuery("q", None, tags=("a",), critical=True)))
    drafts.add(store, ASHA, edits)
    (step,) = drafts.read(store, ASHA).steps
    assert step == Step(edits, step.at)


def test_a_draft_that_conflicts_with_the_registry_takes_edits_of_other_fields_and_no_further_conflict(store: Store) -> None:
    old = load_registry(store.folder)
    drafts.add(store, ASHA, [old.edit("pay", "description", "mine")])
    base = old.with_edits([old.edit("pay", "description", "theirs")])
    added = drafts.add(store, ASHA, [base.edit("show", "description", "another field")], base=base)
    assert [edit.new for edit in added.draft.edits] == ["mine", "another field"]
    drafts.add(store, ASHA, [Edit("pay", "description", "mine", "mine, better")], base=base)
    with pytest.raises(CuratorError, match="already a tool"):
        drafts.add(store, ASHA, [base.edit("renew", "name", "show")], base=base)
    with pytest.raises(EditConflict):
        drafts.add(store, ASHA, [Edit("renew", "tool", Tool("renew", "not what is there"), None)], base=base)
    assert [edit.new for edit in drafts.read(store, ASHA).edits] == ["mine, better", "another field"]
