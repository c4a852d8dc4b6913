"""The list of steals: what makes one pair stronger than another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from curator_core.collisions.steals import list_steals, pair_strengths
from curator_core.collisions.strays import Strays


def strays(similarities: list[float], shares: list[float], reworded: list[float] | None = None) -> Strays:
    """Of three tools that are all near each other: a to b, a to c, b to a, b to c, c to a, c to b."""
    none, pairs = np.zeros(0, np.int64), (shares, reworded or shares, similarities, similarities)
    return Strays(("a", "b", "c"), none, none, np.array([0, 2, 4, 6]), np.array([1, 2, 0, 2, 0, 1]), none, *map(np.array, pairs))


def test_of_two_pairs_equally_alike_the_one_whose_thief_draws_more_and_answers_the_victims_questions_is_stronger() -> None:
    found = strays([0.5] * 6, [0.2, 0, 0, 0, 0, 0.4])  # b draws from a and c; nobody goes to a
    first = [(one.victim, one.thief) for one in list_steals(found)]
    assert first[:2] == [("c", "b"), ("a", "b")]
    strengths = pair_strengths(found, np.full(2, 0.5), np.zeros(2), np.array([0, 1]), np.array([1, 0]))
    assert strengths[0] > strengths[1]


def test_where_scores_are_added_a_thief_does_not_count_for_drawing_from_everybody() -> None:
    found = replace(strays([0.5] * 6, [0.2, 0, 0, 0, 0, 0.4]), by_rank=False)
    strengths = pair_strengths(found, np.full(2, 0.5), np.zeros(2), np.array([0, 1]), np.array([1, 0]))
    assert strengths[0] == strengths[1]


def test_of_two_pairs_equally_alike_the_one_whose_thief_has_less_around_it_is_stronger() -> None:
    found = strays([0.5, 0.5, 0.5, 0.9, 0.5, 0.9], [0.1] * 6)  # c is close to b, nothing to a
    to_b, to_a = pair_strengths(found, np.full(2, 0.5), np.zeros(2), np.array([2, 2]), np.array([1, 0]))
    assert to_a > to_b


def test_without_a_model_the_list_follows_the_shares() -> None:
    found = strays([np.nan] * 6, [0.2, 0, 0, 0, 0, 0.4])
    listed = list_steals(found, 1)
    assert [(one.victim, one.thief, one.share, one.similarity) for one in listed] == [("c", "b", 0.4, None)]


def test_of_two_pairs_equally_alike_the_one_that_also_answers_what_is_said_in_other_words_is_stronger() -> None:
    found = strays([0.5] * 6, [0.2] * 6, [0, 0, 0, 0, 0.4, 0])
    first = list_steals(found, 1)[0]
    assert (first.victim, first.thief, first.share) == ("c", "a", 0.3)
