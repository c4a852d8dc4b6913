from __future__ import annotations

from curator_core import Registry, TestQuery, Tool
from curator_core.checks.health import check_retrieval
from tests.core.fakes import FakeEncoder


def found(registry: Registry) -> dict[str, str]:
    return {problem.where: problem.found for problem in check_retrieval(registry, FakeEncoder(max_tokens=9))}


def test_a_registry_without_faults_has_no_warnings() -> None:
    assert found(Registry(tools=(Tool("pay_fees", "Pay what is due"),), synonyms={"fee": ["dues"]})) == {}


def test_a_name_that_the_name_rule_never_reaches_is_said() -> None:
    assert "4 letters" in found(Registry(tools=(Tool("get_fee"),)))['tools.json, "get_fee"']


def test_a_synonym_that_does_not_do_what_it_says_is_said() -> None:
    warnings = found(Registry(tools=(Tool("pay_fees"),), synonyms={"bus": ["coach"], "fees": ["dues"]}))
    assert warnings == {'domain_synonyms.json, "bus"': "dead"}


def test_text_that_the_model_cuts_off_is_said_with_where_it_stands() -> None:
    registry = Registry(tools=(Tool("pay_fees", "one two three four five six", extra_context="seven eight"),))
    assert found(registry)['tools.json, "pay_fees"'].startswith("3 words are past the 9 tokens")
    assert "(description, extra context)" in found(registry)['tools.json, "pay_fees"']


def test_a_text_that_repeats_a_test_query_is_said_and_a_held_out_one_is_not_quoted() -> None:
    asked = "what is still due for my room"
    tools = (Tool("pay_fees", extra_context=asked), Tool("list_dues", examples=(asked,)))
    cases = (TestQuery(asked, ("pay_fees",)), TestQuery("what is still due for her room", ("list_dues",), tags=("held_out",)))
    problems = [problem for problem in check_retrieval(Registry(tools=tools, test_queries=cases), None) if "repeats" in problem.found]
    assert {problem.where for problem in problems} == {'extra_context.json, "pay_fees"', 'tools.json, "list_dues"'}
    assert {"“" in problem.found for problem in problems if "held-out" in problem.found} == {False}
