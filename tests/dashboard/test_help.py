"""Help as its user sees it: the tour, the last question's numbers step by step, the words, the keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import Curator, Registry, Settings, Tool, build_index
from dashboard.glossary import GLOSSARY, matching_terms
from dashboard.tables import decimals
from dashboard.walkthrough import walkthrough
from tests.core.fakes import FakeEncoder

Start = Callable[..., AppTest]
REGISTRY = Registry(
    "small",
    (
        Tool("pay_fees", "Pay tuition fees online."),
        Tool("renew_book", "Keep a borrowed library book for two more weeks."),
        Tool("list_clubs", "All clubs of the campus."),
        Tool("get_menu", "What the mess serves."),
    ),
)


def lines(query: str, tool: str, **settings: Any) -> dict[str, str]:
    """Return the text of each step under its label."""
    curator = Curator(build_index(REGISTRY, FakeEncoder(64)), Settings(**settings))
    return {step.label: "\n".join(step.lines) for step in walkthrough(curator.curate(query), tool)}


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown))


def asked(app: Start, query: str) -> AppTest:
    at = app(q=query).switch_page("views/help.py").run()
    return at.radio(key="help").set_value("Your last question").run()


def test_the_combined_score_is_shown_as_its_sum() -> None:
    told = lines("pay tuition", "pay_fees")
    assert "1/(60+1) + 1/(60+1) = .0164 + .0164 = .0328" in told["combined"]
    assert "Rank 1 of the tools that share a word" in told["words"]


def test_each_number_of_the_walk_is_the_traces() -> None:
    curator = Curator(build_index(REGISTRY, FakeEncoder(64)))
    trace = curator.curate("a book of the campus")
    for row in trace.to_dict("all")["passes"][0]["rows"]:
        told = {step.label: "\n".join(step.lines) for step in walkthrough(trace, row["tool"])}
        assert f"Similarity {decimals(row['similarity'], 4)}: rank {row['dense_rank']} of 4" in told["meaning"]
        assert decimals(row["score"], 4) in told["combined"]
        assert f"{row['forced_hits']} of {row['forced_of']} word" in told["name rule"]
        for word, weight in row["by_word"].items() if row["sparse_rank"] else ():
            assert f"{word} {decimals(weight, 2)}" in told["words"]


def test_a_two_in_one_question_is_told_by_the_part_that_brought_the_tool() -> None:
    told = lines("pay tuition and also renew a book", "renew_book")
    assert "It is split at “and also”" in told["two-in-one"]
    assert "those of part ②" in told["two-in-one"]
    assert "renew a book" in told["meaning"]


def test_stages_that_are_off_say_so() -> None:
    told = lines("pay tuition", "pay_fees", dense=False, anchor=False)
    assert "off" in told["meaning"] and "off" in told["name rule"]
    assert told["combined"].endswith("1/(60+1) = .0164")
    assert "Word match is off" in lines("pay tuition", "pay_fees", sparse=False)["words"]


def test_a_tool_in_neither_list_has_no_sum() -> None:
    assert "in neither list = .0000" in lines("pay tuition", "get_menu", dense=False)["combined"]


def test_the_last_question_of_the_playground_is_walked_through(app: Start) -> None:
    at = asked(app, "send a grievance")
    assert "1/(60+1) + 1/(60+1)" in texts(at)
    at.selectbox(key="help_tool").set_value("pay_fees").run()
    assert "pay_fees is" in texts(at)


def test_without_a_question_the_page_says_where_to_ask_one(app: Start) -> None:
    at = app(page="help")
    at.radio(key="help").set_value("Your last question").run()
    assert "Ask a question in the Playground" in texts(at)


def test_a_question_without_an_answer_says_why(app: Start) -> None:
    assert "There is no answer: empty query" in texts(asked(app, "?!"))


def test_the_vocabulary_is_searched_in_both_languages(app: Start) -> None:
    at = app(page="help")
    at.radio(key="help").set_value("Vocabulary").run()
    assert "meaning match" in texts(at)
    at.text_input(key="help_word").set_value("bm25").run()
    assert "word match" in texts(at) and "meaning match" not in texts(at)
    at.text_input(key="help_word").set_value("zzz").run()
    assert "No word of the vocabulary has this" in texts(at)


def test_every_word_is_explained_once_and_in_a_sentence() -> None:
    assert len({term.word for term in GLOSSARY}) == len(GLOSSARY)
    assert all(term.sentence.endswith(".") and "|" not in term.word + term.sentence + term.engineer for term in GLOSSARY)
    assert matching_terms("") == GLOSSARY


@pytest.mark.parametrize("part", ["Tour", "Keys"])
def test_the_other_parts_stand(app: Start, part: str) -> None:
    at = app(page="help")
    at.radio(key="help").set_value(part).run()
    assert not at.exception
    assert ("Ctrl+S" in texts(at)) is (part == "Keys")
