from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import (
    PROFILE_NAMES,
    Curator,
    Edit,
    Evaluation,
    Registry,
    TestQuery,
    Tool,
    build_index,
    effect_of,
    evaluate,
    key_before,
    load_encoder,
    profile,
    renamed_keys,
    renames_between,
)
from tests.core.fakes import FakeEncoder
from tests.core.strategies import queries, registries, texts
from tests.core.test_index import kinds_of_edits
from tests.laws import examples

CAMPUS = Registry(
    tools=(
        *(Tool(f"form_{number}", "another form") for number in range(6)),
        Tool("fee_receipt", "Download the receipt of a payment"),
        Tool("grievance", "Submit a written complaint"),
    ),
    test_queries=(
        TestQuery("proof that i paid", ("fee_receipt",), tags=("fees",)),
        TestQuery("written complaint", ("grievance",)),
        TestQuery("written complaint please", ("grievance",), critical=True),
        TestQuery("the mess food is bad", ("grievance",), tags=("held out",)),
        TestQuery("weather", None),
    ),
)


def evaluations(*edits: Edit) -> tuple[Evaluation, Evaluation]:
    """Ask the test queries before and after edits."""
    before = build_index(CAMPUS, FakeEncoder(dimension=512))
    after = build_index(CAMPUS.with_edits(edits), before.encoder, previous=before)
    return tuple(evaluate(Curator(index), index.registry.test_queries) for index in (before, after))  # type: ignore[return-value]


def test_each_question_is_fixed_broke_or_as_it_was_and_held_out_ones_are_only_counted() -> None:
    effect = effect_of(*evaluations(CAMPUS.edit("fee_receipt", "description", "proof that i paid")))
    assert [change.case.query for change in effect.held_out] == ["the mess food is bad"]
    assert len(effect.open) == 4 and effect.counts["unknown"] == 1
    assert all(
        change.case.query != "the mess food is bad" for shown in ("changed", "still failing", "unknown") for change in effect.listed(shown)
    )
    assert sum(effect.held_out_counts.values()) == 1


def test_broken_critical_questions_come_first_and_who_pushed_out_whom_is_counted() -> None:
    crowd = [CAMPUS.edit(f"form_{number}", "description", "written complaint please") for number in range(6)]
    effect = effect_of(*evaluations(*crowd, CAMPUS.edit("grievance", "description", "nothing")))
    assert [(change.verdict, change.case.query) for change in effect.listed()][:2] == [
        ("broke", "written complaint please"),
        ("broke", "written complaint"),
    ]
    assert [(push.out, push.questions) for push in effect.pushes if push.out == "grievance"] == [("grievance", 2)]


def test_a_renamed_tool_is_compared_with_itself() -> None:
    edits = [CAMPUS.edit("grievance", "name", "submit_grievance")]
    assert key_before(edits, "submit_grievance") == "grievance"
    names = renamed_keys(edits, ["submit_grievance", "fee_receipt"])
    assert names == {"grievance": "submit_grievance"}
    assert effect_of(*evaluations(*edits), names).counts["broke"] == 0


def test_a_tool_whose_key_another_of_its_name_changes_is_compared_with_itself() -> None:
    twin = Tool("grievance", "Complaints about cooks", group="kitchen")
    added = [CAMPUS.edit("grievance@kitchen", "tool", twin)]
    after = CAMPUS.with_edits(added)
    assert renames_between(CAMPUS, after, added) == {"grievance": "grievance#1"}
    before = build_index(CAMPUS, FakeEncoder(dimension=512))
    sides = [before, build_index(after, before.encoder, previous=before)]
    asked = (
        tuple(replace(case, expected=("grievance",)) if case.expected == ("grievance#1",) else case for case in after.test_queries),
        after.test_queries,
    )
    runs = [evaluate(Curator(index), cases) for index, cases in zip(sides, asked, strict=True)]
    assert effect_of(*runs, renames_between(CAMPUS, after, added)).counts["fixed"] == 0
    back = [after.edit("grievance@kitchen", "tool", None)]
    assert renames_between(after, after.with_edits(back), back) == {"grievance#1": "grievance"}


def test_a_tool_that_the_draft_adds_had_no_key_before() -> None:
    assert key_before([CAMPUS.edit("pay_dues", "tool", Tool("pay_dues", "Pay what is due"))], "pay_dues") is None


@given(registries(min_size=3), st.lists(queries, min_size=2, max_size=4), texts, st.data())
@examples(12)
def test_the_evaluation_of_a_draft_equals_that_of_a_rebuilt_index_exactly(
    registry: Registry, asked: list[str], text: str, data: st.DataObject
) -> None:
    keys = st.sampled_from(sorted(registry.by_key))
    cases = tuple(TestQuery(query, (data.draw(keys),), role=data.draw(st.sampled_from([None, *registry.roles]))) for query in asked)
    registry = Registry(name="r", tools=registry.tools, synonyms=registry.synonyms, test_queries=cases)
    encoder = FakeEncoder(24)
    saved = build_index(registry, encoder)
    evaluate(Curator(saved), cases)
    for _ in range(2):
        edits = [edit for edit in kinds_of_edits(registry, data) if edit.new != edit.old]
        draft = registry.with_edits(edits)
        one, two = (build_index(draft, *some) for some in ((encoder, None), (FakeEncoder(24), None)))
        shared = build_index(draft, encoder, previous=saved)
        found: list[Any] = [evaluate(Curator(index), draft.test_queries).to_dict() for index in (one, two, shared)]
        assert found[0] == found[1] == found[2]


@pytest.mark.model
def test_with_the_real_model_the_best_matches_of_a_draft_are_those_of_a_cold_start_within_a_millionth() -> None:
    saved = build_index(CAMPUS, load_encoder("bundled"))
    evaluate(Curator(saved), CAMPUS.test_queries)
    text = "Proof of what was paid, for taxes. A student asks for it after each term; it names the day, the sum and the fee head."
    draft = CAMPUS.with_edits([CAMPUS.edit("fee_receipt", "extra_context", text), CAMPUS.edit("form_3", "description", text[:40])])
    for profile_name in PROFILE_NAMES:
        told = [
            [result.max_similarity for result in evaluate(Curator(index, profile(profile_name)), draft.test_queries).results]
            for index in (build_index(draft, saved.encoder, previous=saved), build_index(draft, load_encoder("bundled")))
        ]
        assert told[0] == pytest.approx(told[1], abs=1e-6)
