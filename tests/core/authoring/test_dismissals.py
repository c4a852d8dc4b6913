"""Dismissed clashes: away for everybody, with a reason, until a text changes."""

from __future__ import annotations

import pytest

from curator_core import CuratorError, Forbidden, Registry, Store, Tool, bring_back, build_index, dismiss_clash, dismissed_clashes, mark_of
from curator_core.authoring.people import Person

ASHA, BO, READER = Person("Asha"), Person("Bo"), Person("Cy", frozenset())
REGISTRY = Registry(tools=(Tool("pay_fee", "Pay a fee"), Tool("show_fee", "Show a fee"), Tool("weather", "Rain")))
PAIR = ("pay_fee", "show_fee")


def test_a_pair_stays_dismissed_until_either_text_changes() -> None:
    index = build_index(REGISTRY, None)
    other = build_index(REGISTRY.with_edits([REGISTRY.edit("weather", "description", "Sun")]), None)
    changed = build_index(REGISTRY.with_edits([REGISTRY.edit("show_fee", "description", "Show dues")]), None)
    assert mark_of(other, PAIR) == mark_of(index, PAIR)
    assert mark_of(changed, PAIR) != mark_of(index, PAIR)


def test_everybody_sees_who_dismissed_a_pair_and_why(store: Store) -> None:
    mark = mark_of(build_index(REGISTRY, None), PAIR)
    dismiss_clash(store, ASHA, mark, " they differ by role ")
    found = dismissed_clashes(store)[mark]
    assert (found.tools, found.reason, found.author) == (PAIR, "they differ by role", "Asha")


def test_a_second_reason_takes_the_place_of_the_first(store: Store) -> None:
    mark = mark_of(build_index(REGISTRY, None), PAIR)
    dismiss_clash(store, ASHA, mark, "first")
    dismiss_clash(store, BO, mark, "second")
    assert [(one.reason, one.author) for one in dismissed_clashes(store).values()] == [("second", "Bo")]


def test_anybody_who_may_write_can_bring_a_pair_back(store: Store) -> None:
    mark = mark_of(build_index(REGISTRY, None), PAIR)
    dismiss_clash(store, ASHA, mark, "a reason")
    bring_back(store, BO, mark)
    assert dismissed_clashes(store) == {}


def test_without_a_reason_or_the_right_nothing_is_dismissed(store: Store) -> None:
    mark = mark_of(build_index(REGISTRY, None), PAIR)
    with pytest.raises(CuratorError, match="say why"):
        dismiss_clash(store, ASHA, mark, "  ")
    with pytest.raises(Forbidden):
        dismiss_clash(store, READER, mark, "a reason")
    assert dismissed_clashes(store) == {}
