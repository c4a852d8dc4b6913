"""What would it take: phrases that were tried, with what they do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator_core import Curator, Registry, TestQuery, Tool, build_index, effect_of, evaluate
from curator_core.suggestions.advice import Advice, suggest
from curator_core.suggestions.phrase_trial import PhraseTrial
from curator_core.suggestions.phrases import QueryWords
from tests.core.fakes import FakeEncoder

KINDS = ("library", "sports", "mess", "transport", "medical", "exam", "laundry", "parking")
QUESTION = "my scooter was stolen, whom do I tell"


def registry(*cases: TestQuery, extra: str = "", synonyms: dict[str, list[str]] | None = None) -> Registry:
    desks = tuple(Tool(f"{kind}_desk", f"Answers questions to do with the {kind} on campus") for kind in KINDS)
    tool = Tool("security_office", "Takes reports for the campus guards", extra)
    others = tuple(TestQuery(f"whom do I ask on the {kind}", (f"{kind}_desk",)) for kind in KINDS)
    return Registry(name="campus", tools=(*desks, tool), test_queries=(*cases, *others), synonyms=synonyms or {})


ASKED = TestQuery(QUESTION, ("security_office",))
SISTERS = (
    TestQuery("a scooter is stolen in front of the mess", ("security_office",)),
    TestQuery("somebody has stolen my bag on campus", ("security_office",)),
)
HIDDEN = TestQuery("a burglar is on campus", ("security_office",), tags=("held_out",))


def advise(registry: Registry, query: str = QUESTION, tool: str = "security_office") -> Advice:
    return suggest(Curator(build_index(registry, FakeEncoder(64))), query, tool)


def test_the_first_phrase_brings_the_tool_into_the_first_5_and_says_from_where() -> None:
    advice = advise(registry(ASKED, *SISTERS))
    first = advice.offered[0]
    assert advice.shortfall.stage is not None
    assert first.before is None or first.before > 5
    assert (first.helps, first.after) == (True, 1)
    assert set(first.phrase.question) == {"scooter", "stolen"}
    assert first.edit == registry(ASKED, *SISTERS).edit("security_office", "extra_context", first.phrase.text)


def test_what_was_shown_is_what_a_newly_built_index_gives() -> None:
    base = registry(ASKED, *SISTERS)
    for one in advise(base).offered:
        edited = base.with_edits((one.edit,))
        before, after = (evaluate(Curator(build_index(some, FakeEncoder(64))), some.test_queries) for some in (base, edited))
        measured = effect_of(before, after)
        assert one.effect.counts == measured.counts
        assert [change.verdict for change in one.effect.open] == [change.verdict for change in measured.open]
        assert one.after == after.results[0].rank


def test_gain_is_counted_over_the_sisters_and_cost_over_everything_else() -> None:
    first = advise(registry(ASKED, *SISTERS)).offered[0]
    assert (first.sisters.queries, first.others.queries) == (2, len(KINDS))
    assert first.recall is not None and first.recall[0] <= 1
    assert first.effect.counts["fixed"] == first.sisters.fixed + first.others.fixed + 1


def test_the_same_question_gives_the_same_advice() -> None:
    one, other = (advise(registry(ASKED, *SISTERS)) for _ in range(2))
    assert [(some.phrase, some.after) for some in one.offered] == [(some.phrase, some.after) for some in other.offered]


def test_held_out_queries_are_neither_read_nor_counted_with_the_others() -> None:
    with_hidden, without = (advise(registry(ASKED, *SISTERS, *some)) for some in ((HIDDEN,), ()))
    assert [one.phrase for one in with_hidden.offered] == [one.phrase for one in without.offered]
    assert not any("burglar" in one.phrase.text for one in with_hidden.offered)
    assert [one.sisters for one in with_hidden.offered] == [one.sisters for one in without.offered]
    assert len(with_hidden.offered[0].effect.held_out) == 1


def test_a_question_that_is_no_test_query_can_be_asked_about() -> None:
    advice = advise(registry(*SISTERS), "where to report a stolen scooter")
    assert advice.offered[0].sisters.queries == 2
    assert "scooter" in advice.offered[0].phrase.text


def test_no_phrase_repeats_a_test_query() -> None:
    short = TestQuery("burglar alarm rings loudly downstairs", ("security_office",))
    assert [one.phrase.text for one in advise(registry(short), short.query).offered if "rings loudly" in one.phrase.text] == []


def test_a_phrase_is_added_to_the_extra_context_that_is_there() -> None:
    first = advise(registry(ASKED, extra="theft, loss")).offered[0]
    assert first.edit.new == f"theft, loss, {first.phrase.text}"


def test_a_synonym_term_is_offered_for_what_users_say_instead_of_it() -> None:
    advice = advise(registry(ASKED, synonyms={"theft": ["stolen", "scooter"]}))
    assert any(one.phrase.synonyms == ("theft",) for one in advice.offered)


def test_a_question_without_a_new_word_gets_a_reason_instead_of_phrases() -> None:
    advice = advise(registry(), "can you help me with the campus guards")
    assert (advice.offered, advice.tried) == ((), 0)
    assert "no word" in advice.reason


def test_for_a_tool_that_the_role_may_not_see_no_text_helps() -> None:
    tools = (Tool("a", "keys", roles=("staff",)), Tool("b", "fees", roles=("student",)))
    curator = Curator(build_index(Registry(tools=tools), FakeEncoder()))
    assert suggest(curator, "my keys", "a", role="student").reason.startswith("No text can help: role student may not see a")


def test_of_several_openings_the_one_that_costs_other_tools_least_is_tried_in_full() -> None:
    cases = (ASKED, TestQuery("find me the guards", ("security_office",)), TestQuery("show me a library desk", ("library_desk",)))
    curator = Curator(build_index(registry(*cases), FakeEncoder(64)))
    trial = PhraseTrial(curator, ASKED, "security_office", evaluate(curator, curator.index.registry.test_queries))
    words = QueryWords(QUESTION, [case.query for case in trial.own], [case.query for case in cases], ())
    assert words.openings() == ("find me", "show me")
    chosen = trial.chosen()[0]
    kept = {}
    for opening in words.openings():
        text = chosen.text.replace(chosen.opening, opening)
        edited = curator.index.registry.with_edits((trial.edit(replace(chosen, text=text)),))
        results = evaluate(Curator(build_index(edited, FakeEncoder(64))), edited.test_queries).results
        kept[opening] = sum(one.metrics["recall@5"] for one in results if "security_office" not in one.ranks)
    assert kept[chosen.opening] == max(kept.values())


def test_a_phrase_is_costly_that_takes_more_than_half_a_point_from_other_tools() -> None:
    first = advise(registry(ASKED)).offered[0]
    assert [replace(first, recall=recall).costly for recall in ((0.9, 0.894), (0.9, 0.896), None)] == [True, False, False]


@pytest.mark.parametrize("encoder", [None, FakeEncoder(64)])
def test_it_works_with_words_alone_and_tells_how_far_it_is(encoder: FakeEncoder | None) -> None:
    told: list[tuple[int, int]] = []
    curator = Curator(build_index(registry(ASKED, *SISTERS), encoder))
    assert suggest(curator, QUESTION, "security_office", progress=lambda done, total: told.append((done, total))).offered
    assert told == sorted(told) and told[-1][0] <= told[-1][1]
