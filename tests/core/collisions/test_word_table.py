"""Words of many texts at once add up, to the last bit, as they do one after the other."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curator_core.collisions.word_table import WordTable, distinct, ranges_summed

WORDS = ["fee", "pay", "room", "desk", "due"]
_texts = st.lists(st.lists(st.sampled_from([*WORDS, "nobody"]), max_size=12), min_size=1, max_size=6)


@given(st.integers(0, 1_000), _texts)
def test_the_words_of_each_text_add_up_in_their_order(seed: int, asked: list[list[str]]) -> None:
    draw = np.random.default_rng(seed)
    scores = {word: np.where(draw.random(8) < 0.6, draw.random(8), 0.0) for word in WORDS}
    table = WordTable([WORDS], lambda word: (np.flatnonzero(scores[word]), scores[word][np.flatnonzero(scores[word])]), 8)
    numbers = [table.numbers_of(words) for words in asked]
    near, there = np.array([[0, 3, 5, 7], [2, 6, 0, 0]]), np.array([[True] * 4, [True, True, False, False]])
    owner = np.arange(len(asked)) % 2
    found, whole = table.sums_near(numbers, owner, near, there), table.sums(numbers).toarray()
    for text, words in enumerate(asked):
        expected = np.zeros(8)
        for word in words:
            expected = expected + scores.get(word, np.zeros(8))
        assert np.array_equal(whole[text], expected)
        assert np.array_equal(found[text], np.where(there[owner[text]], expected[near[owner[text]]], 0.0))


def test_rows_are_summed_from_one_to_another() -> None:
    values = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert ranges_summed(values, np.array([[0, 2], [2, 2], [1, 3]])).tolist() == [[4, 6], [0, 0], [8, 10]]


def test_each_code_is_there_once() -> None:
    assert distinct(np.array([3, 1, 3, 2, 1])).tolist() == [1, 2, 3]
    assert distinct(np.zeros(0, np.int64)).tolist() == []
