from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from curator_core.patch import Patch
from curator_core.word_counts import PatchedWordCounts, WordCounts

DOCUMENTS = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=6), min_size=1, max_size=10)


def listing(counts: WordCounts | PatchedWordCounts) -> list[tuple[int, list[int], list[int]]]:
    """Return the words in the order in which they are met: in how many tools, in which, and how often."""
    met = counts.frequencies().items()
    return [(many, *(some.tolist() for some in counts.postings(number))) for number, many in met]


def test_words_are_numbered_as_they_are_met_and_counted_per_tool() -> None:
    counts = WordCounts([["fee", "pay", "fee"], [], ["pay"]])
    assert counts.lengths.tolist() == [3, 0, 1]
    assert listing(counts) == [(1, [0], [2]), (2, [0, 2], [1, 1])]
    assert counts.number_of("nobody") is None


def test_a_word_that_only_a_changed_text_had_is_gone() -> None:
    patched = PatchedWordCounts(WordCounts([["fee"], ["pay"]]), Patch(np.array([-1, 1]), 2), [["due"]])
    assert [patched.number_of(word) is None for word in ("fee", "pay", "due")] == [True, False, False]


def test_drafts_share_the_lengths_of_a_field_that_no_edit_makes_longer_or_shorter() -> None:
    base = WordCounts([["fee"], [], ["pay", "due"]])
    longer, same = (PatchedWordCounts(base, Patch(np.array([-1, 1, 2]), 3), [own]) for own in (["room", "fee"], ["room"]))
    assert same.lengths is base.lengths
    assert longer.lengths.tolist() == [2, 0, 2]


@given(DOCUMENTS, st.data())
def test_counting_what_changed_gives_what_counting_everything_gives(documents: list[list[str]], data: st.DataObject) -> None:
    kept = sorted(data.draw(st.sets(st.sampled_from(range(len(documents))))))
    origins: list[int] = list(kept)
    texts = [documents[place] for place in kept]
    for own in data.draw(DOCUMENTS):
        at = data.draw(st.integers(0, len(origins)))
        origins.insert(at, -1)
        texts.insert(at, own)
    patch = Patch(np.array(origins), len(documents))
    own_texts = [texts[position] for position in patch.own.tolist()]
    patched, counted = PatchedWordCounts(WordCounts(documents), patch, own_texts), WordCounts(texts)
    assert patched.lengths.tolist() == counted.lengths.tolist()
    assert listing(patched) == listing(counted)
    assert {word for word in "abcdefg" if patched.number_of(word) is not None} == set(counted.numbers)
