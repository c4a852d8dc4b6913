from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Settings
from curator_core.anchor import AnchorNames, anchor
from curator_core.records import AnchorRecord


def run(names: list[str], query: str, **settings: float) -> AnchorRecord:
    numbers = Settings(**settings)  # type: ignore[arg-type]
    return anchor(AnchorNames(names, numbers.anchor_min_length), query, np.arange(len(names)), numbers)


def forced(name: str, query: str, **settings: float) -> bool:
    return bool(run([name], query, **settings).forced[0])


def test_hostel_leave_has_two_of_three_words_of_apply_for_hostel_leave() -> None:
    record = run(["apply_for_hostel_leave"], "hostel leave")
    assert (int(record.hits[0]), int(record.of[0]), bool(record.forced[0])) == (2, 3, True)
    assert record.words_of(0) == ("hostel", "leave")


@pytest.mark.parametrize(
    ("query", "is_forced"), [("alpha bravo", False), ("alpha bravo charlie", True), ("alpha bravo charlie delta", True)]
)
def test_sixty_percent_is_enough_and_less_is_not(query: str, is_forced: bool) -> None:
    assert forced("alpha_bravo_charlie_delta_foxtrot", query) is is_forced


def test_the_bar_can_be_moved() -> None:
    assert forced("alpha_bravo", "alpha", anchor_ratio=0.5) and not forced("alpha_bravo", "alpha")


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("port_plan", "explanation of the transport report"),
        ("line", "the deadline is online already"),
        ("extension__install", "reinstalled the plugin"),
        ("mail_draft", "gmail overdraft"),
    ],
)
def test_a_word_inside_another_word_does_not_count(name: str, query: str) -> None:
    assert not forced(name, query)


@pytest.mark.parametrize("query", ["leaves for the hostels", "Hostel-Leave!", "hostel_leave", "LEAVE from HOSTEL", "hos\u200btel leave"])
def test_a_word_that_starts_with_the_token_counts_whatever_stands_around_it(query: str) -> None:
    assert forced("apply_for_hostel_leave", query)


def test_words_of_three_letters_or_less_are_not_counted() -> None:
    assert run(["get_fee_status"], "fee status").of[0] == 1
    assert not forced("get_fee", "get my fee")


def test_an_exact_name_in_the_question_forces_that_tool() -> None:
    assert forced("google_sheets__read_values", "google_sheets__read_values please")


def test_a_token_with_punctuation_counts_where_it_is_typed() -> None:
    assert forced("mail.send-draft", "run mail.send-draft now") and not forced("mail.send-draft", "send the draft mail")


@given(st.lists(st.from_regex(r"[a-z]{2,6}(_[a-z]{2,6}){0,2}", fullmatch=True), max_size=6), st.text("abcdefg _-.", max_size=30))
def test_the_turned_around_look_up_finds_what_a_plain_loop_finds(names: list[str], query: str) -> None:
    words = "".join(c if c.isalnum() else " " for c in query.lower()).split()
    record = run(names, query)
    for position, name in enumerate(names):
        tokens = [token for token in name.split("_") if len(token) > 3]
        assert record.hits[position] == sum(any(word.startswith(token) for word in words) for token in tokens)
        assert record.of[position] == len(tokens)
