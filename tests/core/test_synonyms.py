from __future__ import annotations

import pytest

from curator_core import Registry, Tool
from curator_core.synonyms import IndexedText, PhraseTable, indexed_texts


def text_of(tool: Tool, synonyms: dict[str, list[str]]) -> IndexedText:
    (text,) = indexed_texts(Registry(tools=(tool,), synonyms=synonyms))
    return text


def test_the_indexed_text_is_name_description_extra_context_and_synonyms_in_this_order() -> None:
    tool = Tool("submit_grievance", " File a complaint. ", extra_context="unfair marks")
    text = text_of(tool, {"grievance": ["formal complaint", "raise a complaint"]})
    assert [segment.kind for segment in text.segments] == ["name", "description", "extra_context", "synonyms"]
    assert text.text() == "submit grievance File a complaint. unfair marks formal complaint raise a complaint"
    assert text.text(("name", "description")) == "submit grievance File a complaint."


def test_empty_pieces_leave_no_segment_and_no_blank() -> None:
    assert text_of(Tool("get_fee"), {}).text() == "get fee"


@pytest.mark.parametrize(
    ("term", "description", "applies"),
    [
        ("CGPA", "shows your cgpa", True),
        ("CGPA", "the CGPA's trend", True),
        ("fee", "All fees.", True),
        ("re-evaluation", "apply for re evaluation", True),
        ("hostel room", "change the Hostel Room", True),
        ("hostel room", "room in a hostel", False),  # a term is found as it stands, word after word
        ("art", "start of term", False),
        ("pto", "crypto prices", False),
        ("cafe\u0301", "the caf\u00e9 menu", True),  # both spellings of the accent
    ],
)
def test_a_term_is_found_as_whole_words_with_case_plural_possessive_and_hyphen_folded(term: str, description: str, applies: bool) -> None:
    text = text_of(Tool("tool", description), {term: ["said so"]})
    assert [rule.term for rule in text.synonyms] == ([term] if applies else [])


@pytest.mark.parametrize("place", ["name", "extra_context"])
def test_a_term_in_the_name_or_the_extra_context_applies_too(place: str) -> None:
    tool = Tool("pay_fee") if place == "name" else Tool("pay", extra_context="semester fee")
    assert text_of(tool, {"fee": ["dues"]}).text().endswith("dues")


def test_a_term_that_is_a_tools_name_applies_to_it() -> None:
    assert text_of(Tool("getFee"), {"getfee": ["dues"]}).segments[-1].text == "dues"


def test_synonyms_do_not_chain_and_loops_end() -> None:
    rules = {"cv": ["resume"], "resume": ["continue"], "continue": ["cv"]}
    assert text_of(Tool("update", "your cv"), rules).segments[-1].text == "resume"


def test_a_phrase_is_added_once_and_the_term_itself_not_at_all() -> None:
    text = text_of(Tool("apply_leave", "ask for leave or absence"), {"leave": ["leave", "time off", "Time Off"], "absence": ["time off"]})
    assert text.segments[-1].text == "time off"


def test_a_phrase_of_two_rules_is_added_once_whatever_its_case() -> None:
    assert text_of(Tool("pay_fee", "a fine"), {"fee": ["Dues"], "fine": ["dues"]}).segments[-1].text == "Dues"


def test_an_empty_rule_adds_nothing() -> None:
    assert text_of(Tool("x", "an x"), {"x": [], "an": ["  "]}).text() == "x an x"


def test_camel_case_joined_words_are_for_word_match_only() -> None:
    text = text_of(Tool("GitHub", "code"), {})
    assert text.text() == "Git Hub code"
    assert text.tokens() == ["git", "hub", "code", "github"]


def test_the_order_of_rules_and_tools_in_the_file_changes_nothing() -> None:
    tools, rules = (Tool("a", "fee leave"), Tool("b", "leave")), {"leave": ["off"], "fee": ["dues"]}
    backwards = Registry(tools=tools[::-1], synonyms=dict(reversed(rules.items())))
    assert indexed_texts(Registry(tools=tools, synonyms=rules)) == indexed_texts(backwards)


def test_a_phrase_fires_when_the_question_has_all_its_words_and_it_stands_in_some_tool() -> None:
    registry = Registry(tools=(Tool("submit_grievance"), Tool("other")), synonyms={"grievance": ["formal complaint"], "unused": ["menu"]})
    table = PhraseTable(indexed_texts(registry))
    (fired,) = table.fired("my complaints are FORMAL")
    assert (fired.term, fired.phrase, fired.tools) == ("grievance", "formal complaint", ("submit_grievance",))
    assert table.fired("formal menu") == ()
