"""Test queries that become examples: in one step, no tests any more, and back again together."""

from __future__ import annotations

from curator_core import Edit, Registry, TestQuery, Tool, moved_to_examples, to_examples

GUARDS, DESK = Tool("guards", "Takes reports"), Tool("desk", "Answers")
CASES = (TestQuery("my scooter was stolen", ("guards",)), TestQuery("stolen bag ", ("guards",)), TestQuery("when is it open", ("desk",)))


def registry(*more: TestQuery, examples: tuple[str, ...] = ()) -> Registry:
    return Registry(tools=(Tool("guards", "Takes reports", examples=examples), DESK), test_queries=(*CASES, *more))


def test_a_question_that_becomes_an_example_is_no_test_any_more_and_comes_back_together_with_it() -> None:
    some = registry()
    edits = to_examples(some, "guards", CASES[:2])
    edited = some.with_edits(edits)
    assert edited.tool("guards").examples == ("my scooter was stolen", "stolen bag")
    assert edited.test_queries == CASES[2:]
    back = edited.with_edits([edit.inverse() for edit in reversed(edits)])
    assert (back.tool("guards").examples, back.test_queries) == ((), CASES)


def test_an_example_that_is_there_already_is_not_added_again() -> None:
    some = registry(examples=("my scooter was stolen",))
    assert to_examples(some, "guards", CASES[:1]) == (Edit("", "test_query", CASES[0], None),)


def test_each_question_goes_to_the_tool_that_it_expects() -> None:
    moved = moved_to_examples(registry(), CASES)
    edited = registry().with_edits(moved.edits)
    assert (edited.tool("guards").examples, edited.tool("desk").examples) == (("my scooter was stolen", "stolen bag"), ("when is it open",))
    assert (moved.taken, moved.left, edited.test_queries) == (CASES, (), ())


def test_what_cannot_be_an_example_stays_a_test_and_the_reason_is_said() -> None:
    hidden = TestQuery("a burglar", ("guards",), tags=("held_out",))
    odd = (hidden, TestQuery("both", ("guards", "desk")), TestQuery("weather"), TestQuery("?", None), TestQuery("x", ("gone",)))
    moved = moved_to_examples(registry(*odd), odd)
    assert (moved.edits, moved.taken) == ((), ())
    assert [reason for _, reason in moved.left] == [
        "it is held out, and only measures",
        "it expects several tools",
        "it expects no tool",
        "it expects no tool",
        "its tool does not exist",
    ]
