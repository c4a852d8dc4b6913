"""Suggestions for all failing tools: made from open questions alone, judged by others, and worth what is shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Curator, Registry, TestQuery, Tool, build_index, effect_of, evaluate, profile, without_held_out
from curator_core.suggestions.tool_advice import ToolAdvice, suggest_for_tools
from tests.core.fakes import FakeEncoder
from tests.core.strategies import queries, registries
from tests.laws import examples

KINDS = ("library", "sports", "mess", "transport", "medical", "exam", "laundry", "parking")
GUARDS = "security_office"
OWN = (
    "my scooter was stolen",
    "a stolen scooter at the mess",
    "somebody has stolen my scooter",
    "scooter stolen again",
)
HIDDEN = TestQuery("a burglar is in the library", (GUARDS,), tags=("held_out",))


def registry(*own: str, more: tuple[TestQuery, ...] = ()) -> Registry:
    desks = tuple(Tool(f"{kind}_desk", f"Answers questions to do with the {kind} on campus") for kind in KINDS)
    others = tuple(TestQuery(f"whom do I ask on the {kind}", (f"{kind}_desk",)) for kind in KINDS)
    asked = tuple(TestQuery(query, (GUARDS,)) for query in own)
    return Registry(name="campus", tools=(*desks, Tool(GUARDS, "Takes reports for the guards")), test_queries=(*asked, *others, *more))


def advise(some: Registry, name: str = "tuned", tools: tuple[str, ...] | None = None) -> ToolAdvice:
    return suggest_for_tools(Curator(build_index(some, FakeEncoder(64)), profile(name)), tools)


@pytest.mark.parametrize("name", ["seed", "tuned"])
def test_a_failing_tool_gets_the_words_of_its_own_questions(name: str) -> None:
    (one,) = advise(registry(*OWN), name).suggestions
    assert one.idea.tool == GUARDS
    assert "stolen" in one.idea.phrase and "whom" not in one.idea.phrase
    assert (one.own.fixed >= 2, one.own.broke, one.own.queries) == (True, 0, 4)
    assert one.others.queries == len(KINDS)
    assert one.idea.after > one.idea.before


@pytest.mark.parametrize("name", ["seed", "tuned"])
@pytest.mark.parametrize("changed", [{"dense": False}, {"sparse": False}, {"add_scores": True}, {"add_scores": False}, {"fields": False}])
def test_suggestions_are_made_with_any_stage_off_and_without_a_model(name: str, changed: dict[str, bool]) -> None:
    for encoder in (FakeEncoder(64), None):
        if encoder is None and not replace(profile(name), **changed).sparse:
            continue
        advice = suggest_for_tools(Curator(build_index(registry(*OWN), encoder), replace(profile(name), **changed)))
        assert [one.tool for one in (*(two.idea for two in advice.suggestions), *advice.refused)] == [GUARDS]


def test_what_all_suggestions_do_is_counted_in_first_places() -> None:
    advice = advise(registry(*OWN, more=(HIDDEN,)))
    before, after, asked = advice.first
    assert (after - before, asked) == (advice.suggestions[0].net, len(OWN) + len(KINDS))
    assert advice.held_out[2] == 1
    assert advice.together is not None and advice.together.counts["broke"] == 0


def test_a_tool_with_one_question_is_refused_with_the_reason() -> None:
    advice = advise(registry(OWN[0]))
    assert advice.suggestions == () and advice.together is None
    assert [(one.tool, one.reason.split(":")[0]) for one in advice.refused] == [(GUARDS, "one test query is too few")]


def test_words_that_help_only_the_questions_they_were_taken_from_are_refused() -> None:
    advice = advise(registry("zebra crossing broken", "quarrel with a neighbour", "umbrella was blown away"))
    assert [one.tool for one in advice.refused] == [GUARDS]
    assert "not made from" in advice.refused[0].reason


def test_tools_whose_questions_are_all_right_are_left_alone() -> None:
    advice = advise(registry())
    assert (advice.suggestions, advice.refused) == ((), ())


def test_only_the_tools_that_were_asked_for_are_looked_at() -> None:
    advice = advise(registry(*OWN), tools=("exam_desk",))
    assert (advice.suggestions, advice.refused) == ((), ())


def test_held_out_queries_are_neither_read_nor_aimed_at() -> None:
    more = (HIDDEN, TestQuery("burglar in the mess", (GUARDS,), tags=("held-out",)))
    with_hidden, without = advise(registry(*OWN, more=more)), advise(registry(*OWN))
    assert [one.idea for one in with_hidden.suggestions] == [one.idea for one in without.suggestions]
    assert [one.own for one in with_hidden.suggestions] == [one.own for one in without.suggestions]
    assert "burglar" not in str([one.idea for one in with_hidden.suggestions])


cases = st.lists(st.tuples(queries, st.integers(0, 20), st.booleans()), min_size=1, max_size=8)


@examples(10)
@given(registries(2, 7), cases, st.sampled_from(["seed", "tuned"]))
def test_what_is_shown_is_measured_after_it_was_applied_and_comes_again_also_without_the_held_out_queries(
    some: Registry, asked: list[tuple[str, int, bool]], name: str
) -> None:
    judged = [TestQuery(query, (some.keys[at % len(some.keys)],), tags=("held_out",) if held else ()) for query, at, held in asked]
    some = replace(some, test_queries=tuple(dict.fromkeys(judged)))
    before = evaluate(Curator(build_index(some, FakeEncoder(64)), profile(name)), some.test_queries)
    advice = advise(some, name)
    for one in advice.suggestions:
        edited = some.with_edits(one.idea.edits(some))
        measured = effect_of(before, evaluate(Curator(build_index(edited, FakeEncoder(64)), profile(name)), edited.test_queries))
        assert (one.effect.open, one.effect.held_out) == (measured.open, measured.held_out)
    again = advise(some, name)
    assert [one.idea for one in again.suggestions] == [one.idea for one in advice.suggestions]
    assert again.refused == advice.refused
    unseen = advise(replace(some, test_queries=without_held_out(some.test_queries)), name)
    assert [one.idea for one in unseen.suggestions] == [one.idea for one in advice.suggestions]
