"""Which phrases are tried, and that they are words an author would write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from curator_core import Registry, Tool
from curator_core.suggestions.phrases import (
    OPENINGS,
    WORDS_AT_MOST,
    Phrase,
    QueryWords,
    other_phrases,
    request_phrases,
    telling_words,
    wanted_terms,
)

QUESTION = "Can you find me a cheap room near the North Campus?"
SISTERS = ("find me a room with a balcony", "which room is free in June", "is there a cheap room")
OTHERS = ("when is the library open in June", "can you find me my exam results", "where do I pay my fees")


def words(question: str = QUESTION, own: Sequence[str] = SISTERS, known: str = "", **closer: float) -> QueryWords:
    def close(some: Sequence[str]) -> Mapping[str, float]:
        return {word: closer.get(word, 0.0) for word in some}

    return QueryWords(question, own, OTHERS, known.split(), close if closer else None)


def texts(some: QueryWords, synonyms: Sequence[str] = ()) -> list[str]:
    return [phrase.text for phrase in all_phrases(some, synonyms)]


def all_phrases(some: QueryWords, synonyms: Sequence[str] = ()) -> list[Phrase]:
    return [*request_phrases(some), *other_phrases(some, synonyms)]


def test_words_that_say_nothing_of_the_matter_are_no_words_of_a_phrase() -> None:
    said = "Please, could you help me? I'd like the 2nd invoice of 2024 for 21ME017 from https://www.shop.com as PDF"
    assert telling_words(said) == ("invoice", "shop", "pdf")


def test_the_general_phrase_begins_with_the_question_and_goes_on_with_its_sister_queries() -> None:
    first = request_phrases(words())[-1]
    assert first.text == "cheap room, balcony, North Campus, free, near, June"
    assert first.question == ("cheap", "room")
    assert "balcony" in first.queries and "library" not in first.text


def test_a_word_that_other_tools_queries_have_as_often_comes_last() -> None:
    ranked = list(words().weights)
    assert ranked[0] == "room"
    assert ranked.index("balcony") < ranked.index("june")


def test_words_that_are_close_in_meaning_come_first() -> None:
    assert next(iter(words(balcony=9.0).weights)) == "balcony"


def test_words_that_the_tool_has_already_are_not_suggested() -> None:
    assert "room" not in " ".join(texts(words(known="room"))).split()


def test_openings_are_tried_where_some_query_begins_like_that() -> None:
    found = texts(words())
    assert [text for text in found if text.startswith("find me ")] and not [text for text in found if text.startswith("tell me ")]
    nobody_asks_so = QueryWords("cheap room", ["room free"], ["where do I pay"], ())
    assert not [text for text in texts(nobody_asks_so) if text.startswith(OPENINGS)]


def test_the_questions_own_words_are_a_phrase_in_the_order_of_the_question() -> None:
    assert "cheap room near North Campus" in texts(words("a cheap room near North Campus", []))


def test_words_are_spelt_as_people_write_them() -> None:
    assert words("book a room at NASA", ["is NASA open"]).spelt("nasa") == "NASA"
    assert words("Rooms in Delhi", ["a room in Delhi"]).spelt("rooms") == "rooms"


def test_no_phrase_is_longer_than_an_author_would_read() -> None:
    long = words(" ".join(f"alpha{number}x" for number in range(30)), [f"beta{number}x gamma" for number in range(30)])
    assert max(len(text.split()) for text in texts(long)) <= WORDS_AT_MOST


def test_a_question_without_words_gives_no_phrase() -> None:
    assert texts(words("can you please help me?", [])) == []


@pytest.mark.parametrize(("known", "terms"), [("pay the bill", ("fee",)), ("pay fees", ())])
def test_a_term_is_wanted_when_the_question_says_one_of_its_phrases_and_the_tool_lacks_it(known: str, terms: tuple[str, ...]) -> None:
    registry = Registry(tools=(Tool("a"),), synonyms={"fee": ["dues"], "hall": ["mess"]})
    assert wanted_terms(registry, "where are my dues", known.split()) == terms


def test_a_wanted_term_is_a_phrase_of_its_own() -> None:
    found = [phrase for phrase in all_phrases(words(), ["hostel"]) if phrase.synonyms]
    assert [phrase.text for phrase in found] == ["hostel"]
