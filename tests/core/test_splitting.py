from __future__ import annotations

import pytest

from curator_core import Settings
from curator_core.splitting import split_query


def parts(query: str, top_k: int = 20) -> list[str]:
    return [part.query for part in split_query(query, top_k, Settings()).parts]


def test_the_seeds_question_is_split_at_and_also() -> None:
    record = split_query("show my attendance and also raise a grievance", 20, Settings())
    assert [part.query for part in record.parts] == ["show my attendance", "raise a grievance"]
    assert record.markers == ("and also",)


@pytest.mark.parametrize(("count", "budget"), [(2, 12), (3, 8), (6, 7)])
def test_budgets_for_two_three_and_six_parts(count: int, budget: int) -> None:
    query = " then ".join(f"task{number}" for number in range(count))
    assert [part.budget for part in split_query(query, 20, Settings()).parts] == [budget] * count


@pytest.mark.parametrize(
    "query", ["show my accounts and balances", "tea or coffee", "the android app", "nonplussed", "alsoran", "plush toys"]
)
def test_plain_and_or_and_words_that_contain_a_marker_do_not_split(query: str) -> None:
    assert parts(query) == []


@pytest.mark.parametrize(
    "marker",
    [
        "and then",
        "and  also",
        "after that",
        "additionally",
        ", then",
        ", and also",
        "then also",
        "as well as",
        "along with",
        "then",
        "also",
        "plus",
    ],
)
def test_every_marker_of_the_seed_splits_in_any_case(marker: str) -> None:
    assert parts(f"pay fees {marker} see results") == parts(f"pay fees {marker.upper()} see results") == ["pay fees", "see results"]


def test_parts_lose_blanks_and_punctuation_at_their_ends() -> None:
    assert parts("  Pay my fees!; and then, show results?? ") == ["Pay my fees", "show results"]


def test_equal_parts_are_merged_and_empty_ones_dropped() -> None:
    assert parts("pay fees plus pay fees") == []
    assert parts("plus pay fees, also ?! then see results") == ["pay fees", "see results"]


def test_a_marker_alone_is_recorded_but_no_split() -> None:
    record = split_query("also my fees", 20, Settings())
    assert (record.markers, record.parts) == (("also",), ())


def test_budget_numbers_are_settings() -> None:
    record = split_query("a1 then b2", 20, Settings(split_budget_extra=0, split_budget_min=15))
    assert record.parts[0].budget == 15
