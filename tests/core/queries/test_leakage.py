"""Test queries that stand nearly word for word in extra context or examples."""

from __future__ import annotations

import pytest

from curator_core import Registry, TestQuery, Tool
from curator_core.queries.leakage import near_copies, repeats

QUERY = TestQuery("How do I cancel my bus pass?", ("cancel_pass",))


def registry(extra: str = "", examples: tuple[str, ...] = (), *cases: TestQuery) -> Registry:
    tools = (Tool("cancel_pass", "Cancels a pass.", extra, examples=examples), Tool("get_fee", "Shows fees."))
    return Registry(name="town", tools=tools, test_queries=cases or (QUERY,))


@pytest.mark.parametrize("example", ["how do i cancel my bus pass", "How can I cancel my bus pass?", "My bus pass: how do I cancel?"])
def test_an_example_with_nearly_the_same_words_is_a_near_copy(example: str) -> None:
    copies = near_copies(registry(examples=("Give my card back", example)))
    assert [(copy.tool, copy.field, copy.text, copy.case) for copy in copies] == [("cancel_pass", "examples", example, QUERY)]


def test_a_question_inside_a_long_extra_context_is_found_with_the_stretch_that_repeats_it() -> None:
    (copy,) = near_copies(registry("season ticket, refund. how do i cancel my bus pass, money back, monthly card"))
    assert (copy.field, copy.text, copy.alike) == ("extra_context", "how do i cancel my bus pass", 1.0)


@pytest.mark.parametrize("extra", ["cancel bus pass", "give the bus pass back, end my ticket", "how do I pay my fine"])
def test_words_of_the_domain_are_no_near_copy(extra: str) -> None:
    assert near_copies(registry(extra, (extra,))) == ()


def test_of_a_short_question_only_the_very_same_example_is_a_copy() -> None:
    short = TestQuery("Bus pass", ("cancel_pass",))
    assert [copy.field for copy in near_copies(registry("bus pass", ("bus pass!", "my bus pass"), short))] == ["examples"]


def test_a_held_out_query_is_found_and_marked() -> None:
    held = TestQuery(QUERY.query, ("cancel_pass",), tags=("held_out",))
    (copy,) = near_copies(registry("", (QUERY.query,), TestQuery("What is the fee for a card?", ("get_fee",)), held))
    assert (copy.held_out, copy.line) == (True, 1)


def test_a_text_that_would_repeat_a_question_is_told_before_it_is_written() -> None:
    assert repeats("how do I cancel my bus pass, refund", [QUERY])
    assert not repeats("cancel bus pass, refund", [QUERY])
