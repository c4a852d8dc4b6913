"""Clusters: like tools together, under a name that reads well."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Clusters, Registry, Tool, build_index, cluster_tools
from curator_core.errors import ModelUnavailable
from curator_core.map.clusters import named_clusters, usual_count
from curator_core.overlap import text_digests
from tests.core.fakes import FakeEncoder
from tests.core.strategies import registries
from tests.laws import examples

CAMPUS = (
    Tool("apply_leave", "Apply for hostel leave."),
    Tool("cancel_leave", "Cancel a hostel leave."),
    Tool("list_leaves", "List hostel leaves of a student."),
    Tool("extend_leave", "Extend hostel leave."),
    Tool("pay_fees", "Pay semester fees."),
    Tool("fee_status", "Status of semester fees."),
    Tool("fee_receipt", "Receipt of paid semester fees."),
)


def clusters_of(*tools: Tool, count: int | None = None) -> Clusters:
    return cluster_tools(build_index(Registry(name="test", tools=tools), FakeEncoder(dimension=64)), count)


def test_like_tools_stand_together_the_largest_cluster_first_named_by_its_words() -> None:
    leave, fees = clusters_of(*CAMPUS, count=2).clusters
    assert leave.keys == ("apply_leave", "cancel_leave", "extend_leave", "list_leaves")
    assert fees.keys == ("fee_receipt", "fee_status", "pay_fees")
    assert set(leave.words[:2]) == {"leave", "hostel"}  # "leaves" counts as "leave"
    assert leave.name == " · ".join(leave.words)
    assert set(fees.words[:2]) == {"fees", "semester"}


def test_every_tool_has_the_name_of_its_cluster() -> None:
    found = clusters_of(*CAMPUS, count=2)
    assert found.names() == tuple(found.clusters[number].name for number in found.numbers)
    assert [cluster.number for cluster in found.clusters] == [0, 1]


@pytest.mark.parametrize("count", range(6))
def test_few_tools_are_no_trouble(count: int) -> None:
    found = clusters_of(*CAMPUS[:count])
    assert sum(len(cluster.keys) for cluster in found.clusters) == count
    assert clusters_of(*CAMPUS[:count], count=5).numbers.shape == (count,)


def test_twenty_copies_are_one_cluster_however_many_are_asked_for() -> None:
    copies = [Tool("getFee", "Show the fee.", group=f"server{number}") for number in range(20)]
    assert [len(cluster.keys) for cluster in clusters_of(*copies, count=6).clusters] == [20]


def test_names_are_unique_also_where_the_words_are_the_same() -> None:
    found = clusters_of(
        *[Tool("ab", "It is.", group="one"), Tool("cd", "It was.", group="two")], Tool("fee", "x"), Tool("fee_", "y y"), count=4
    )
    names = [cluster.name for cluster in found.clusters]
    assert len(set(names)) == 4
    assert "ab" in names  # no word says what it is about: its key does


@pytest.mark.parametrize(("tools", "count"), [(0, 1), (1, 1), (50, 5), (200, 10), (4076, 40), (100_000, 40)])
def test_the_number_of_clusters_follows_from_the_number_of_tools(tools: int, count: int) -> None:
    assert usual_count(tools) == count


def test_an_index_of_words_only_says_that_it_needs_a_model() -> None:
    with pytest.raises(ModelUnavailable, match="words only"):
        cluster_tools(build_index(Registry(name="test", tools=CAMPUS), None))


def test_who_was_there_stays_in_the_cluster_and_who_is_new_joins_the_nearest_tool() -> None:
    index = build_index(Registry(name="test", tools=CAMPUS), FakeEncoder(dimension=64))
    leave, fees = cluster_tools(index, 2).clusters
    before = dict(zip(text_digests(index), cluster_tools(index, 2).numbers.tolist(), strict=True))
    new = Tool("refund_fees", "Refund semester fees."), Tool("apply_leave", "Status of paid semester fees.")
    after = cluster_tools(build_index(Registry(tools=(*CAMPUS[1:], *new)), FakeEncoder(dimension=64)), previous=before)
    assert [cluster.keys for cluster in after.clusters] == [leave.keys[1:], ("apply_leave", *fees.keys, "refund_fees")]


def test_a_cluster_that_all_have_left_leaves_no_gap() -> None:
    index = build_index(Registry(tools=CAMPUS), FakeEncoder(dimension=64))
    before = {digest: 3 + 2 * (number % 2) for number, digest in enumerate(text_digests(index))}
    assert sorted(set(cluster_tools(index, previous=before).numbers.tolist())) == [0, 1]
    assert len(cluster_tools(index, previous={"of another registry": 1}).clusters) == usual_count(len(CAMPUS))


def test_numbers_that_do_not_fit_the_tools_are_refused() -> None:
    index = build_index(Registry(tools=CAMPUS), FakeEncoder(dimension=64))
    for numbers in ([0, 1], [0, 0, 0, 0, 2, 2, 2]):
        with pytest.raises(ValueError, match="without a gap"):
            named_clusters(index, np.array(numbers))


@given(registries(), st.randoms())
@examples(8)
def test_the_order_of_the_file_changes_nothing(registry: Registry, random: st.DataObject) -> None:
    tools = list(registry.tools)
    random.shuffle(tools)  # type: ignore[attr-defined]
    one, two = clusters_of(*registry.tools, count=4), clusters_of(*tools, count=4)
    assert one.clusters == two.clusters
    assert one.numbers.tolist() == two.numbers.tolist()
