"""Overlap: the closest tools in the original space, with what makes them close."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from curator_core import (
    Curator,
    Registry,
    Settings,
    Tool,
    ToolIndex,
    build_index,
    closest_pairs,
    identical_tools,
    nearest_to_query,
    nearest_tools,
    neighbours,
)
from curator_core import nearest as nearest_module
from curator_core.errors import ModelUnavailable, UnknownName
from curator_core.nearest import Rows
from curator_core.overlap import content_words, nearest_rows, rows_of
from tests.core.fakes import FakeEncoder
from tests.core.strategies import registries
from tests.laws import examples

LEAVE = (
    Tool("apply_leave", "Apply for hostel leave with dates.", roles=("student",), group="hostel"),
    Tool("cancel_leave", "Cancel hostel leave with dates.", roles=("warden",), group="hostel"),
    Tool("request_leave", "Apply for hostel leave with new dates.", group="office"),
    Tool("pay_fees", "Pay the semester fees online."),
)


def index_of(*tools: Tool) -> ToolIndex:
    return build_index(Registry(name="test", tools=tools), FakeEncoder(dimension=64))


def by_hand(index: ToolIndex) -> list[tuple[float, str, str]]:
    rows = rows_of(index, Settings()).astype(np.float64)
    pairs = combinations(range(len(rows)), 2)
    return sorted((-round(float(rows[a] @ rows[b]), 6), index.keys[a], index.keys[b]) for a, b in pairs)


def test_the_closest_pair_comes_first_with_the_words_that_make_it_close() -> None:
    first = closest_pairs(index_of(*LEAVE))[0]
    assert (first.a, first.b) == ("apply_leave", "request_leave")
    assert first.percentile == 100.0  # no tool has a nearer neighbour
    assert first.shared_words[0] == "apply"  # two tools have it, three have the others
    assert set(first.shared_words) == {"apply", "hostel", "leave", "dates"}  # not "for", "with"
    assert not first.same_group
    assert not first.identical


def test_the_percentile_counts_the_tools_without_a_nearer_neighbour() -> None:
    index = index_of(*LEAVE)
    nearest = [neighbours(index, key, 1)[0].similarity for key in index.keys]
    for pair in closest_pairs(index):
        assert pair.percentile == pytest.approx(100 * sum(one <= pair.similarity for one in nearest) / 4)


def test_same_group_needs_a_named_group() -> None:
    groups = {(pair.a, pair.b): pair.same_group for pair in closest_pairs(index_of(*LEAVE, Tool("show_fees", "Show fees.")))}
    assert groups["apply_leave", "cancel_leave"]
    assert not groups["pay_fees", "show_fees"]


def test_a_role_sees_only_pairs_it_meets_together_measured_against_the_whole_registry() -> None:
    index = index_of(*LEAVE)
    everyone = {(pair.a, pair.b): pair for pair in closest_pairs(index)}
    student = closest_pairs(index, role="student")
    assert {(pair.a, pair.b) for pair in student} == {
        ("apply_leave", "request_leave"),
        ("apply_leave", "pay_fees"),
        ("pay_fees", "request_leave"),
    }
    assert all(everyone[pair.a, pair.b] == pair for pair in student)
    assert "cancel_leave" not in [near.key for near in neighbours(index, "apply_leave", role="student")]
    with pytest.raises(UnknownName):
        closest_pairs(index, role="nobody")


def test_copies_are_marked_piled_and_counted_once_when_asked() -> None:
    copies = [Tool("getFee", "Show the fee.", group=f"server{number}") for number in range(20)]
    index = index_of(*copies, *LEAVE)
    assert all(pair.identical and pair.similarity == 1.0 for pair in closest_pairs(index, limit=50))
    assert [len(pile) for pile in identical_tools(index)] == [20]
    assert len(closest_pairs(index, limit=50, one_per_pile=True)) == 10  # five different texts
    assert not any(pair.identical for pair in closest_pairs(index, one_per_pile=True))
    assert neighbours(index, identical_tools(index)[0][0], 1)[0].identical


def test_copies_fill_no_list_of_neighbours_but_are_counted() -> None:
    copies = [Tool("getFee", "Show the fee.", group=f"server{number}", roles=("student",) if number > 17 else ()) for number in range(20)]
    index = index_of(*copies, *LEAVE, Tool("twin", "Pay the semester fees online."), Tool("twin", "Pay the semester fees online."))
    first, second = identical_tools(index)[0][:2]
    own = neighbours(index, first, 3, one_per_pile=True)
    assert [(near.key, near.identical, near.copies) for near in own[:2]] == [(second, True, 19), ("twin#1", False, 2)]
    assert own[1:] == tuple(near for near in neighbours(index, second, 3, one_per_pile=True) if not near.identical)
    assert {near.key: near.copies for near in neighbours(index, "pay_fees", 9, one_per_pile=True)} == {
        first: 20, "twin#1": 2, "apply_leave": 1, "cancel_leave": 1, "request_leave": 1
    }  # fmt: skip
    asked = nearest_to_query(index, "fee", 2, role="warden", one_per_pile=True)
    assert (asked[0].key, asked[0].copies) == (first, 18)
    assert len({near.copies for near in neighbours(index, "pay_fees", 9)}) == 1


@pytest.mark.parametrize("count", [0, 1])
def test_no_pairs_without_two_tools(count: int) -> None:
    index = index_of(*LEAVE[:count])
    assert closest_pairs(index) == ()
    assert identical_tools(index) == ()


def test_the_nearest_tools_of_a_question_have_the_similarities_of_its_trace() -> None:
    index = index_of(*LEAVE)
    dense = Curator(index).curate("hostel leave dates").passes[0].dense
    assert dense is not None
    traced = dict(zip(index.keys, dense.similarities.tolist(), strict=True))
    found = nearest_to_query(index, "hostel leave dates", count=3)
    assert len(found) == 3
    assert {near.key: near.similarity for near in found}.items() <= traced.items()
    assert [near.similarity for near in found] == sorted(traced.values(), reverse=True)[:3]


def test_an_index_of_words_only_says_that_it_needs_a_model() -> None:
    index = build_index(Registry(name="campus", tools=LEAVE), None)
    for ask in (lambda: closest_pairs(index), lambda: neighbours(index, "pay_fees"), lambda: nearest_to_query(index, "fees")):
        with pytest.raises(ModelUnavailable, match="'campus' is indexed by words only"):
            ask()


def test_an_unknown_tool_is_named_with_the_nearest_ones() -> None:
    with pytest.raises(UnknownName, match="pay_fees"):
        neighbours(index_of(*LEAVE), "pay_fee")


def test_progress_ends_at_the_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest_module, "BLOCK_CELLS", 8)
    seen: list[tuple[int, int]] = []
    closest_pairs(index_of(*LEAVE), progress=lambda done, of: seen.append((done, of)))
    assert seen == sorted(seen)
    assert seen[-1] == (8, 8)


def test_words_about_the_matter_are_kept_although_a_general_list_drops_them() -> None:
    assert content_words(["show", "the", "bill", "of", "2024", "with", "details"]) == {"show", "bill", "details"}


@given(registries(min_size=2, max_size=9))
@examples(15)
def test_blocks_and_limits_change_nothing_of_the_order(registry: Registry) -> None:
    index = build_index(registry, FakeEncoder(dimension=64))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest_module, "BLOCK_CELLS", len(index.keys))  # one row a block
        found = [(-pair.similarity, pair.a, pair.b) for pair in closest_pairs(index, limit=7)]
    assert found == by_hand(index)[:7]


@given(registries(min_size=2, max_size=9))
@examples(15)
def test_a_pair_has_one_similarity_wherever_it_is_looked_up(registry: Registry) -> None:
    index = build_index(registry, FakeEncoder(dimension=64))
    rows: Rows = rows_of(index, Settings())
    places, similarities = nearest_rows(rows, 20)
    pairs = {(pair.a, pair.b): pair.similarity for pair in closest_pairs(index, limit=1000)}
    for position, key in enumerate(index.keys):
        near = neighbours(index, key, 20)
        assert [index.keys[i] for i in places[position]] == [one.key for one in near]
        assert similarities[position].tolist() == [one.similarity for one in near]
        a_b = [(min(key, one.key), max(key, one.key)) for one in near]
        assert [pairs[pair] for pair in a_b] == [one.similarity for one in near]


def test_every_tool_has_its_nearest_tool() -> None:
    index = index_of(*LEAVE)
    assert nearest_tools(index) == tuple(neighbours(index, key, 1)[0] for key in index.keys)
    assert nearest_tools(index_of(LEAVE[0])) == ()
