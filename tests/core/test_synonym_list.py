from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import ListedTerm, Registry, Tool, compare_synonym_list, read_synonym_list

WORDS = st.text(st.characters(categories=("L", "N")), min_size=1, max_size=8)


@pytest.mark.parametrize(
    "line",
    [
        "fee: dues, pending money",
        "fee => dues, pending money",
        "fee → dues, pending money",
        "fee\tdues\tpending money",
        "fee\tdues, pending money",
        "  fee :dues ,, pending money , DUES,  Fee\r",
    ],
)
def test_a_line_is_a_term_a_sign_and_its_phrases(line: str) -> None:
    found = read_synonym_list(line)
    assert found.synonyms == {"fee": ("dues", "pending money")}
    assert found.problems == ()


def test_lines_of_one_term_go_together_and_comments_and_blank_lines_are_left_out() -> None:
    found = read_synonym_list("# from the help desk\nfee: dues\n\nleave: time off\nFee => dues, tuition")
    assert found.synonyms == {"fee": ("dues", "tuition"), "leave": ("time off",)}
    assert found.problems == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("dues", 'found "dues"'),
        (": dues", 'found ": dues"'),
        ("fee:", "no phrase that says something else"),
        ("fee: Fee, fee", "no phrase that says something else"),
        ("dues, tuition => fee", "several terms"),
        ("fee: \ud800", "half a letter"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_by_its_number_and_the_others_are_used(line: str, said: str) -> None:
    found = read_synonym_list(f"leave: time off\n\n{line}")
    assert found.synonyms == {"leave": ("time off",)}
    (problem,) = found.problems
    assert problem.where == "line 3"
    assert said in problem.found


def test_a_json_object_is_read_as_the_file_has_it() -> None:
    found = read_synonym_list('{"fee": ["dues", "Dues"], "leave": "time off, please"}')
    assert found.synonyms == {"fee": ("dues",), "leave": ("time off, please",)}
    assert found.problems == ()


@pytest.mark.parametrize(
    ("text", "where", "said"),
    [
        ('{"fee": ["dues"],\n "leave": [1]}', '"leave"', "found a list"),
        ('{"fee": ["dues"],\n "leave": null}', '"leave"', "found null"),
        ('{"fee": ["dues"],\n "": ["time off"]}', '""', "empty"),
        ('{"fee": ["dues"],\n "leave": ["\\ud800"]}', '"leave"', "half a letter"),
        ('{"leave": ["time off"],\n "fee": ["tuition"],\n "fee": ["dues"]}', "line 3", "stands twice"),
    ],
)
def test_what_cannot_be_used_of_a_json_object_is_named(text: str, where: str, said: str) -> None:
    found = read_synonym_list(text)
    assert found.synonyms["fee"] == ("dues",)
    assert [(problem.where, said in problem.found) for problem in found.problems] == [(where, True)]


def test_json_that_breaks_off_is_named_by_line_and_column() -> None:
    found = read_synonym_list('{"fee": ["dues"],\n "leave": ["time')
    assert found.synonyms == {}
    assert "line 2, column 12" in found.problems[0].found


def test_a_list_says_of_each_term_whether_it_is_new_gets_phrases_or_has_them_all() -> None:
    listed = read_synonym_list("Fee: DUES, tuition\nleave: Time Off\nbus: coach")
    assert compare_synonym_list(listed, {"fee": ("dues",), "leave": ("time off",)}) == (
        ListedTerm("fee", "extended", ("tuition",), ("dues", "tuition")),
        ListedTerm("leave", "same", (), ("time off",)),
        ListedTerm("bus", "new", ("coach",), ("coach",)),
    )


@given(st.dictionaries(WORDS, st.lists(WORDS, max_size=4), max_size=5), st.dictionaries(WORDS, st.lists(WORDS, max_size=4), max_size=5))
def test_a_list_takes_nothing_away_and_put_in_twice_it_changes_nothing(there: dict[str, list[str]], pasted: dict[str, list[str]]) -> None:
    registry = Registry(tools=(Tool("a", "A"),), synonyms={term: tuple(phrases) for term, phrases in there.items()})
    listed = read_synonym_list(json.dumps(pasted))
    changes = [change for change in compare_synonym_list(listed, registry.synonyms) if change.kind != "same"]
    after = registry.with_edits([registry.edit(change.term, "synonyms", change.phrases) for change in changes])
    assert all(set(phrases) <= set(after.synonyms[term]) for term, phrases in registry.synonyms.items())
    assert {change.kind for change in compare_synonym_list(listed, after.synonyms)} <= {"same"}


@given(st.text(max_size=80))
def test_any_text_gives_terms_with_phrases_or_problems(text: str) -> None:
    found = read_synonym_list(text)
    assert all(term.strip() and all(phrase.strip() for phrase in phrases) and phrases for term, phrases in found.synonyms.items())
