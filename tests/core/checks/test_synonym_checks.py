from __future__ import annotations

import pytest

from curator_core import Registry, Tool
from curator_core.checks.synonym_checks import SynonymRemark, check_synonyms

TOOLS = (Tool("pay_fees", "Pay the semester fee"), Tool("apply_leave", "Ask for leave"), Tool("update_cv", "Change your cv"))


def remarks(synonyms: dict[str, list[str]], tools: tuple[Tool, ...] = TOOLS) -> dict[tuple[str, str], SynonymRemark]:
    return {(remark.term, remark.kind): remark for remark in check_synonyms(Registry(tools=tools, synonyms=synonyms))}


def test_rules_that_work_have_no_remarks() -> None:
    assert remarks({"fee": ["dues"], "leave": ["time off"]}) == {}


@pytest.mark.parametrize(
    ("synonyms", "expected"),
    [
        ({"bus": ["coach"]}, {("bus", "dead")}),
        ({"fee": []}, {("fee", "empty")}),
        ({"fee": ["  "]}, {("fee", "empty")}),
        ({"Fee": ["dues"], "fees": ["tuition"]}, {("Fee", "doubled"), ("fees", "doubled")}),
        ({"fee": ["balance"], "leave": ["balance"]}, {("fee", "conflict"), ("leave", "conflict")}),
        ({"cv": ["resume"], "resume": ["continue"]}, {("cv", "loop"), ("resume", "dead")}),
        ({"fee": ["£ !"]}, {("fee", "unreachable")}),
        ({"leave": ["leave", "time off"]}, set()),  # a phrase that is the term itself adds nothing and harms nothing
    ],
)
def test_each_fault_is_named(synonyms: dict[str, list[str]], expected: set[tuple[str, str]]) -> None:
    assert set(remarks(synonyms)) == expected


def test_a_phrase_under_two_terms_that_reach_the_same_tools_is_no_conflict() -> None:
    assert ("fee", "conflict") not in remarks({"fee": ["dues"], "semester": ["dues"]})


def test_a_term_that_reaches_a_large_share_of_the_tools_is_too_broad() -> None:
    many = tuple(Tool(f"tool{number}", "for every student" if number < 12 else "for staff") for number in range(20))
    assert "12 of 20 tools" in remarks({"student": ["learner"]}, many)[("student", "broad")].sentence
    assert remarks({"staff": ["faculty"]}, many) == {}


def test_a_conflict_names_the_phrase_and_the_other_term() -> None:
    found = remarks({"fee": ["the balance"], "leave": ["The Balances"]})[("fee", "conflict")]
    assert found.phrase == "the balance" and "“leave”" in found.sentence
