from __future__ import annotations

import pytest

from curator_core import Registry, TestQuery, Tool
from curator_core.queries.starters import first_sentence, starter_candidates

GRIEVANCE = Tool("submit_grievance", "Send a grievance to the committee. It answers in a week.", examples=("the mess food is bad",))


def of(*tools: Tool, **more: object) -> list[tuple[str, str]]:
    registry = Registry(tools=tools, synonyms={"grievance": ["formal complaint"], "hostel": ["dorm"]}, **more)  # type: ignore[arg-type]
    return [(one.source, one.query) for one in starter_candidates(registry)]


def test_examples_synonyms_names_and_first_sentences_become_questions() -> None:
    assert of(GRIEVANCE) == [
        ("example", "the mess food is bad"),
        ("synonym", "submit formal complaint"),
        ("name", "submit grievance"),
        ("first sentence", "Send a grievance to the committee"),
    ]


def test_a_phrase_of_a_term_that_only_one_description_has_is_a_question_of_its_own() -> None:
    one = Tool("list_rooms", "All rooms of the hostel")
    assert ("synonym", "dorm") in of(one)
    assert ("synonym", "dorm") not in of(one, Tool("list_wardens", "Wardens of each hostel"))


def test_a_question_that_is_a_test_query_or_that_two_tools_would_make_is_left_out() -> None:
    known = (TestQuery("Submit grievance?", ("submit_grievance",)),)
    assert ("name", "submit grievance") not in of(GRIEVANCE, test_queries=known)
    twins = (Tool("search", "Find a thing", group="a"), Tool("search", "Find a thing", group="b"))
    assert of(*twins) == []


def test_an_accepted_candidate_expects_its_tool_and_says_where_it_comes_from() -> None:
    first = starter_candidates(Registry(tools=(GRIEVANCE,)))[0]
    assert first.case == TestQuery("the mess food is bad", ("submit_grievance",), tags=("starter",), note="from the example")


@pytest.mark.parametrize(
    ("description", "sentence"),
    [
        ("Show fees. Then more.", "Show fees"),
        ("Show fees: all of them", "Show fees"),
        ("Show the fees\nArgs: none", "Show the fees"),
        ("word", ""),
        ("", ""),
        ("no stop here", "no stop here"),
        ("very " * 40, ""),
    ],
)
def test_the_first_sentence_is_what_somebody_could_say(description: str, sentence: str) -> None:
    assert first_sentence(description) == sentence
