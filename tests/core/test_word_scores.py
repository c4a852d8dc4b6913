from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

from curator_core import Registry, Tool, build_index, profile
from curator_core.records import Floats, Ints
from curator_core.word_scores import WordScores


def test_what_words_add_is_kept_up_to_a_number_of_entries() -> None:
    asked: list[str] = []

    class Scores(WordScores):
        def idf(self, word: str) -> float:
            return 1.0

        def _postings(self, word: str) -> tuple[Ints, Floats]:
            asked.append(word)
            return np.arange(100), np.ones(100)

    scores = Scores(at_most=500)  # room for three words, each with its share for the word itself
    for word in ("fee", "fee", "pay", "due", "fee", "room", "fee", "fee", "room"):
        assert len(scores.postings(word)[0]) == 100
    assert asked == ["fee", "pay", "due", "room", "fee"]


@pytest.mark.parametrize("name", ["seed", "tuned"])
def test_the_scores_of_a_draft_go_with_it_and_wait_for_no_collector(name: str) -> None:
    base = build_index(Registry("campus", (Tool("pay_fee", "Pay a fee."), Tool("find_room", "Find a free room."))), None)
    draft = build_index(
        base.registry.with_edits([base.registry.edit("pay_fee", "description", "Settle what is due.")]), None, previous=base
    )
    scores = draft.sparse(profile(name))
    scores.postings("settle")
    gone = weakref.ref(scores)
    gc.disable()
    try:
        del draft, scores
        assert gone() is None
    finally:
        gc.enable()
