from __future__ import annotations

import random

import pytest

from curator_core import TestQuery
from curator_core.queries.held_out import HELD_OUT, is_held_out, released, to_hold_out, without_held_out

CASES = [TestQuery(f"question {number} of {tool}", (tool,)) for tool in ("pay", "show", "renew") for number in range(20)]


@pytest.mark.parametrize("tag", [HELD_OUT, "held-out", "Held out"])
def test_the_tag_counts_however_it_is_spelt(tag: str) -> None:
    assert is_held_out(TestQuery("q", tags=(tag,)))
    assert not is_held_out(TestQuery("q", tags=("not held out",)))
    assert released(TestQuery("q", tags=("a", tag, HELD_OUT))) == TestQuery("q", tags=("a",))


def test_the_share_is_met_tool_by_tool() -> None:
    chosen = to_hold_out(CASES, 0.3)
    assert len(chosen) == 18
    assert {tool: sum(case.expected == (tool,) for case in chosen) for tool in ("pay", "show", "renew")} == {
        "pay": 6,
        "show": 6,
        "renew": 6,
    }


def test_the_choice_is_the_same_whatever_the_order() -> None:
    mixed = list(CASES)
    random.Random(7).shuffle(mixed)
    assert set(to_hold_out(mixed, 0.25)) == set(to_hold_out(CASES, 0.25))


def test_what_is_held_out_already_counts_and_is_not_chosen_again() -> None:
    chosen = set(to_hold_out(CASES, 0.3))
    after = [TestQuery(case.query, case.expected, tags=(HELD_OUT,)) if case in chosen else case for case in CASES]
    assert to_hold_out(after, 0.3) == ()
    assert len(to_hold_out(after, 0.5)) == 12


def test_critical_and_unjudged_queries_and_the_last_one_of_a_tool_stay_open() -> None:
    cases = [TestQuery("a", ("pay",), critical=True), TestQuery("b", None), TestQuery("c", ("show",)), TestQuery("d", ())]
    assert to_hold_out(cases, 1.0) == ()
    assert len(without_held_out(to_hold_out(CASES, 1.0))) == 57


def test_one_question_under_two_roles_is_never_on_both_sides() -> None:
    cases = [TestQuery(f"Question {number}{end}", ("pay",), role=role) for number in range(9) for end, role in (("", "a"), ("?", "b"))]
    chosen = to_hold_out(cases, 0.5)
    assert chosen and all((other in chosen) == (case in chosen) for case, other in zip(cases[::2], cases[1::2], strict=True))
