"""An edit asks those questions anew whose tools it moves: what is taken over is what asking gives, record for record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Curator, Registry, Settings, TestQuery, Tool, build_index, evaluate, profile
from curator_core.proof.standings import Standings
from tests.core.fakes import FakeEncoder
from tests.core.strategies import queries, registries
from tests.core.test_index import kinds_of_edits
from tests.laws import examples

SWITCHES = ("dense", "sparse", "anchor", "split", "low_confidence", "stems", "extra_context")
settings = st.builds(
    lambda switches, top_k, below: Settings().with_values(switches | {"top_k": top_k, "low_confidence_similarity": below}),
    st.fixed_dictionaries({name: st.booleans() for name in SWITCHES}),
    st.integers(1, 30),
    st.sampled_from([0.0, 0.25, 0.6]),
)
MANY = Registry(
    name="many",
    tools=tuple(
        Tool(f"{what}_{of}", f"{what} the {of}") for what in ("pay", "renew", "list", "cancel") for of in ("fee", "book", "room", "exam")
    ),
)
CASES = tuple(TestQuery(f"{tool.description} please", (tool.name,)) for tool in MANY.tools)


def cases_of(registry: Registry, data: st.DataObject) -> list[TestQuery]:
    some = st.lists(st.sampled_from([*sorted(registry.by_key), "nobody"]), max_size=2, unique=True).map(tuple)
    role = st.sampled_from([None, *registry.roles])
    cases = st.lists(st.builds(TestQuery, queries, st.one_of(st.none(), some), some, role=role), min_size=1, max_size=6)
    return list(dict.fromkeys(data.draw(cases)))


@given(registries(min_size=3, max_size=40), settings, st.booleans(), st.data())
@examples(60)
def test_what_an_edit_leaves_alone_is_what_asking_again_gives(
    registry: Registry, numbers: Settings, with_model: bool, data: st.DataObject
) -> None:
    encoder = FakeEncoder(24) if with_model else None
    before, cases = Curator(build_index(registry, encoder), numbers), cases_of(registry, data)
    standings = Standings.of(before, evaluate(before, cases).results)
    assert standings is not None
    edited = registry.with_edits([edit for edit in kinds_of_edits(registry, data) if edit.new != edit.old])
    after = Curator(build_index(edited, encoder, previous=before.index), numbers)
    unmoved = standings.unmoved(after)
    asked = {result.case: result for result in evaluate(Curator(build_index(edited, encoder), numbers), cases).results}
    assert unmoved == {case: asked[case] for case in unmoved}


@pytest.mark.parametrize("encoder", [None, FakeEncoder(64)])
def test_an_edit_moves_few_questions_and_one_that_changes_nothing_none(encoder: FakeEncoder | None) -> None:
    before = Curator(build_index(MANY, encoder))
    standings = Standings.of(before, evaluate(before, CASES).results)
    assert standings is not None and len(standings.unmoved(before)) == len(CASES)
    edited = MANY.with_edits([MANY.edit("pay_fee", "description", "pay the fee, renew the book")])
    unmoved = standings.unmoved(Curator(build_index(edited, encoder, previous=before.index)))
    assert TestQuery("renew the book please", ("renew_book",)) not in unmoved and 0 < len(unmoved) < len(CASES)


def test_where_a_tool_has_another_name_or_other_roles_every_question_is_asked() -> None:
    before = Curator(build_index(MANY, FakeEncoder()))
    standings = Standings.of(before, evaluate(before, CASES).results)
    assert standings is not None
    for field, new in (("name", "settle_fee"), ("roles", ("staff",))):
        edited = MANY.with_edits([MANY.edit("pay_fee", field, new)])
        assert standings.unmoved(Curator(build_index(edited, before.index.encoder, previous=before.index))) == {}
    assert standings.unmoved(Curator(before.index, Settings().with_values({"top_k": 3}))) == {}


def test_added_scores_are_not_told_by_ranks() -> None:
    curator = Curator(build_index(MANY, FakeEncoder()), profile("tuned"))
    assert Standings.of(curator, evaluate(curator, CASES).results) is None
