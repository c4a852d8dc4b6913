"""Review: a draft is handed over under a link, decided on by another person, and a registry can require that."""

from __future__ import annotations

import pytest

from curator_core import (
    Choice,
    CuratorError,
    EditConflict,
    Forbidden,
    Person,
    Store,
    UnknownName,
    load_registry,
    publish,
    save_registry,
)
from curator_core.authoring import drafts, history, review
from tests.core.authors import ASHA, BEN, on_disk

CARA = Person("Cara", ("author",))


def hand_over(store: Store, text: str = "mine", note: str = "please look") -> review.Submission:
    drafts.add(store, ASHA, [load_registry(store.folder).edit("pay", "description", text)])
    return review.submit(store, ASHA, note, {"recall@5": [0.8, 0.9]})


def require_second_person(store: Store) -> None:
    (store.folder / "curator.toml").write_text("[review]\nrequired = true\n")


def test_what_was_handed_over_waits_with_its_edits_note_and_receipt(store: Store) -> None:
    handed = hand_over(store)
    assert review.waiting(store) == (handed,) == review.of_author(store, ASHA)
    assert (handed.author, handed.note, handed.receipt, handed.state) == ("Asha", "please look", {"recall@5": [0.8, 0.9]}, "waiting")
    assert (handed.edits[0].old, handed.edits[0].new, handed.base_revision) == ("Pay fees.", "mine", 1)
    assert handed == review.read(store, handed.id)
    assert on_disk(store.folder, "pay") == "Pay fees."


def test_the_draft_can_be_worked_on_and_handed_over_again(store: Store) -> None:
    first = hand_over(store)
    second = hand_over(store, "better")
    assert (review.read(store, first.id).state, review.read(store, first.id).edits[0].new) == ("replaced", "mine")
    assert review.waiting(store) == (second,)
    with pytest.raises(CuratorError, match="this draft is replaced"):
        review.approve(store, BEN, first.id)


def test_sending_back_takes_a_note_and_leaves_the_draft(store: Store) -> None:
    handed = hand_over(store)
    with pytest.raises(CuratorError, match="no note"):
        review.send_back(store, BEN, handed.id, "  ")
    back = review.send_back(store, BEN, handed.id, "too long")
    assert (back.state, back.decided_by, back.answer, review.waiting(store)) == ("sent back", "Ben", "too long", ())
    assert drafts.read(store, ASHA).edits[0].new == "mine"
    with pytest.raises(CuratorError, match="sent back by Ben"):
        review.approve(store, BEN, handed.id)
    with pytest.raises(CuratorError, match="hand it over again"):
        publish(store, ASHA, "why", submission=handed.id)


def test_an_approved_draft_is_published_in_its_authors_name_with_who_approved(store: Store) -> None:
    require_second_person(store)
    handed = hand_over(store)
    review.approve(store, BEN, handed.id, "good")
    done = publish(store, ASHA, "users say so", submission=handed.id)
    assert (done.revision.author, done.revision.approved_by, done.revision.receipt) == ("Asha", "Ben", {"recall@5": [0.8, 0.9]})
    assert (on_disk(store.folder, "pay"), drafts.read(store, ASHA).edits) == ("mine", ())
    settled = review.read(store, handed.id)
    assert (settled.state, settled.revision) == ("published", done.revision.number)
    with pytest.raises(CuratorError, match="this draft is published"):
        publish(store, ASHA, "again", submission=handed.id)


def test_a_registry_that_requires_a_second_person_refuses_every_way_around(store: Store) -> None:
    require_second_person(store)
    handed = hand_over(store)
    edit = load_registry(store.folder).edit("show", "description", "x")
    for person, more in ((ASHA, {}), (BEN, {"edits": [edit]}), (ASHA, {"submission": handed.id}), (BEN, {"submission": handed.id})):
        with pytest.raises(Forbidden, match="second person"):
            publish(store, person, "why", **more)
    for same in (ASHA, Person("ASHA")):
        with pytest.raises(Forbidden, match="takes another person"):
            review.approve(store, same, handed.id)
    assert history.latest(store) == 1


def test_only_its_author_or_a_reviewer_publishes_what_was_handed_over(store: Store) -> None:
    handed = hand_over(store)
    with pytest.raises(Forbidden, match="publish the draft of Asha takes the role reviewer"):
        publish(store, CARA, "why", submission=handed.id)
    assert publish(store, BEN, "why", submission=handed.id).revision.author == "Asha"
    assert drafts.read(store, ASHA).edits == ()


def test_when_the_registry_moved_after_the_approval_the_reviewer_decides_per_field(store: Store) -> None:
    require_second_person(store)
    handed = hand_over(store)
    review.approve(store, BEN, handed.id)
    base = load_registry(store.folder)
    save_registry(base.with_edits([base.edit("pay", "description", "theirs")]), store.folder)
    with pytest.raises(EditConflict) as caught:
        publish(store, ASHA, "why", submission=handed.id)
    choices = [Choice(caught.value.conflicts[0], "mine")]
    with pytest.raises(Forbidden, match="the one who approved decides"):
        publish(store, ASHA, "why", submission=handed.id, choices=choices)
    assert on_disk(store.folder, "pay") == "theirs"
    done = publish(store, BEN, "why", submission=handed.id, choices=choices)
    assert (on_disk(store.folder, "pay"), done.revision.edits[0].old, done.revision.author) == ("mine", "theirs", "Asha")
    assert [revision.kind for revision in history.page(store)] == ["published", "outside", "first"]


def test_what_was_typed_on_after_handing_over_stays_in_the_draft(store: Store) -> None:
    handed = hand_over(store, "one")
    drafts.add(store, ASHA, [load_registry(store.folder).edit("show", "description", "later")])
    hand = drafts.read(store, ASHA).edits[0]
    drafts.add(store, ASHA, [type(hand)("pay", "description", "one", "one two")])
    publish(store, BEN, "why", submission=handed.id)
    left = drafts.read(store, ASHA)
    assert {(edit.tool, edit.old, edit.new) for edit in left.edits} == {
        ("pay", "one", "one two"),
        ("show", "Show attendance.", "later"),
    }
    assert left.registry_on(load_registry(store.folder)).tool("pay").description == "one two"


def test_an_author_can_take_back_what_still_waits(store: Store) -> None:
    handed = hand_over(store)
    with pytest.raises(Forbidden, match="Asha handed this draft over, not Ben"):
        review.withdraw(store, BEN, handed.id)
    assert review.withdraw(store, ASHA, handed.id).state == "withdrawn"
    assert (review.waiting(store), drafts.read(store, ASHA).edits[0].new) == ((), "mine")


def test_a_draft_that_its_author_publishes_does_not_wait_any_more(store: Store) -> None:
    handed = hand_over(store)
    done = publish(store, ASHA, "no need to wait")
    settled = review.read(store, handed.id)
    assert (settled.state, settled.revision, review.waiting(store)) == ("published", done.revision.number, ())


def test_an_empty_draft_is_not_handed_over_and_an_unknown_link_is_said(store: Store) -> None:
    with pytest.raises(CuratorError, match="nothing to hand over"):
        review.submit(store, ASHA)
    with pytest.raises(UnknownName, match="nothing was handed over under 'x'"):
        review.read(store, "x")
