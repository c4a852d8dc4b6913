"""What edits do to the questions that users really asked."""

from __future__ import annotations

from curator_core import Curator, Edit, Registry, TestQuery, Tool, build_index, evaluate, renamed_keys
from curator_core.proof.logged_effect import LoggedEffect, effect_on_logged, logged_cases, logged_to_ask
from curator_core.queries.logged import LoggedQuestion
from tests.core.fakes import FakeEncoder

TOWN = Registry(
    name="town",
    tools=(Tool("pay_fine", "Pay a parking fine"), Tool("book_court", "Reserve a tennis court"), Tool("fix_lamp", "Report a dark lamp")),
    test_queries=(TestQuery("Where do I pay?", ("pay_fine",)), TestQuery("the lamp is dark", ("fix_lamp",), tags=("held_out",))),
)
ASKED = (LoggedQuestion("squash on sunday", 40), LoggedQuestion("pay a parking fine", 9), LoggedQuestion("where do i pay", 5))


def effect(*edits: Edit) -> LoggedEffect:
    before = build_index(TOWN, FakeEncoder(dimension=512))
    after = build_index(TOWN.with_edits(edits), before.encoder, previous=before)
    asked = logged_to_ask(ASKED, TOWN)
    sides = [evaluate(Curator(index), logged_cases(asked)) for index in (before, after)]
    return effect_on_logged(asked, *sides, renamed_keys(edits, after.keys))


def test_the_answer_that_changes_is_named_with_how_often_it_was_asked_and_who_came_first() -> None:
    found = effect(TOWN.edit("book_court", "description", "Reserve a tennis or squash court, sunday too"))
    assert (found.questions, found.asked, found.asked_changed) == (2, 49, 40)
    (one,) = found.changes
    assert one.question.text == "squash on sunday" and one.first[1] == "book_court" and one.unsure == (True, False)


def test_an_edit_that_moves_no_answer_and_a_rename_change_nothing() -> None:
    assert effect().changes == ()
    assert effect(TOWN.edit("pay_fine", "name", "settle_fine")).changes == ()


def test_questions_that_a_test_query_asks_are_left_out_held_out_ones_too() -> None:
    log = (LoggedQuestion("The lamp is dark?", 90), *ASKED)
    assert [one.text for one in logged_to_ask(log, TOWN)] == ["squash on sunday", "pay a parking fine"]
    assert logged_to_ask(log, TOWN, at_most=1) == ASKED[:1]
