"""Ranks of many rows at once, against one row at a time."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curator_core.row_ranks import ranked, ranked_above

ROWS = st.integers(1, 9).flatmap(
    lambda width: st.lists(st.lists(st.integers(-3, 3), min_size=width, max_size=width), min_size=1, max_size=4)
)


@given(ROWS)
def test_each_row_is_ranked_highest_first_and_equal_ones_in_order(rows: list[list[int]]) -> None:
    wanted = [
        [sorted(range(len(row)), key=lambda at, row=row: (-row[at], at)).index(place) + 1 for place in range(len(row))] for row in rows
    ]
    assert ranked(np.array(rows) / 8, 1e-9).tolist() == wanted


def test_values_that_differ_by_less_than_a_step_stand_in_order() -> None:
    assert ranked(np.array([[0.5, 0.5 + 1e-12, 0.7]]), 1e-9).tolist() == [[2, 3, 1]]


def test_word_scores_of_nothing_have_no_rank() -> None:
    assert ranked_above(np.array([[0.0, 2.0, 1.0], [0.0, 0.0, 1e-12]]), 1e-9).tolist() == [[0, 1, 2], [0, 0, 0]]
