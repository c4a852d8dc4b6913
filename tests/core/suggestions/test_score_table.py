"""The table says what asking says: for every tool, in both profiles, and after an edit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Curator, Registry, TestQuery, Tool, build_index, evaluate, profile
from curator_core.suggestions.score_table import ScoreTable
from tests.core.fakes import FakeEncoder
from tests.core.strategies import queries, registries, texts
from tests.laws import examples

ENCODER = FakeEncoder(256)
PROFILES = ("seed", "tuned")


def curator_over(registry: Registry, name: str) -> Curator:
    return Curator(build_index(registry, ENCODER), profile(name))


def is_first(curator: Curator, case: TestQuery) -> bool:
    (result,) = evaluate(curator, (case,)).results
    return result.metrics["hit@1"] == 1.0


@pytest.mark.parametrize("name", PROFILES)
def test_a_lead_is_above_0_where_an_expected_tool_is_first(name: str) -> None:
    registry = Registry(tools=(Tool("pay_fee", "pay the hostel fee"), Tool("leave", "apply for leave"), Tool("exam", "exam results")))
    cases = [
        TestQuery("pay my hostel fee", ("pay_fee",)),
        TestQuery("results of the exam", ("leave",)),
        TestQuery("leave", ("exam", "leave")),
    ]
    assert (ScoreTable(curator_over(registry, name), cases).lead > 0).tolist() == [True, False, True]


def test_a_tool_that_the_role_may_not_see_takes_nothing() -> None:
    tools = (Tool("pay_fee", "pay the hostel fee", roles=("staff",)), Tool("leave", "apply for leave", roles=("student",)))
    case = TestQuery("pay the fee", ("leave",), role="student")
    for name in PROFILES:
        assert ScoreTable(curator_over(Registry(tools=tools), name), [case]).lead[0] > 0


@examples(15)
@given(registries(2, 8), st.lists(queries, min_size=1, max_size=4), texts, st.data())
def test_with_the_tool_s_text_as_it_is_nothing_changes(registry: Registry, asked: list[str], words: str, data: st.DataObject) -> None:
    tool = data.draw(st.sampled_from(registry.keys))
    cases = [TestQuery(query, (registry.keys[0],)) for query in asked if query.strip("?. ")]
    for name in PROFILES:
        curator = curator_over(registry, name)
        table = ScoreTable(curator, cases)
        assert np.allclose(table.leads_with(tool, table.column(curator.index, tool)), table.lead, atol=1e-6)


@examples(15)
@given(registries(2, 8), st.lists(queries, min_size=1, max_size=4), texts, st.data())
def test_a_tool_with_another_text_scores_in_the_table_as_it_does_when_asked(
    registry: Registry, asked: list[str], words: str, data: st.DataObject
) -> None:
    tool = data.draw(st.sampled_from(registry.keys))
    curator = Curator(build_index(registry, ENCODER), replace(profile("tuned"), split=False))
    edited = build_index(registry.with_edits([registry.edit(tool, "extra_context", words)]), ENCODER, previous=curator.index)
    cases = [TestQuery(query, (registry.keys[0],)) for query in asked if query.strip("?. ")]
    table = ScoreTable(curator, cases)
    for case, score in zip(cases, table.column(edited, tool).tolist(), strict=True):
        trace = Curator(edited, curator.settings).curate(case.query)
        assert score == pytest.approx(float(trace.passes[0].combined.scores.scores[trace.positions[tool]]), abs=1e-6)


@pytest.mark.parametrize("name", PROFILES)
def test_a_table_of_no_questions_says_nothing_of_any_tool(name: str) -> None:
    registry = Registry(tools=(Tool("a", "hostel fee"), Tool("b", "exam room")))
    table = ScoreTable(curator_over(registry, name), [])
    column = table.column(table.curator.index, "a")
    assert [len(column), len(table.lead), len(table.leads_with("a", column)), len(table.expecting("a"))] == [0, 0, 0, 0]


def test_after_an_edit_was_taken_the_leads_are_those_of_the_edited_registry() -> None:
    registry = Registry(tools=(Tool("a", "hostel fee"), Tool("b", "exam room"), Tool("c", "card list")))
    case = TestQuery("attendance", ("b",))
    for name in PROFILES:
        curator = curator_over(registry, name)
        edited = build_index(registry.with_edits([registry.edit("b", "extra_context", "attendance")]), ENCODER, previous=curator.index)
        table = ScoreTable(curator, [case])
        table.take("b", edited, table.column(edited, "b"))
        assert table.lead[0] > 0 and is_first(Curator(edited, curator.settings), case)
