from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from curator_core import Settings
from curator_core.records import SparseRecord
from curator_core.sparse import SparseScores, rank_sparse
from curator_core.word_counts import WordCounts

WORDS = st.sampled_from(["fee", "leave", "hostel", "exam", "card", "pay", "room"])
DOCUMENTS = st.lists(st.lists(WORDS, max_size=8), min_size=1, max_size=12)


def run(documents: list[str], query: str, pool: list[int] | None = None, **settings: float) -> SparseRecord:
    numbers = Settings(**settings)  # type: ignore[arg-type]
    scores = SparseScores(WordCounts([document.split() for document in documents]), numbers)
    return rank_sparse(scores, query.split(), np.array(range(len(documents)) if pool is None else pool, dtype=np.int64), numbers)


@given(DOCUMENTS, st.lists(WORDS, max_size=6))
def test_scores_are_those_of_rank_bm25_to_the_last_bit(documents: list[list[str]], query: list[str]) -> None:
    record = rank_sparse(SparseScores(WordCounts(documents), Settings()), query, np.arange(len(documents)), Settings())
    expected = BM25Okapi(documents).get_scores(query) if any(documents) else np.zeros(len(documents))
    assert record.scores.tolist() == expected.tolist()


@given(DOCUMENTS, st.lists(WORDS, min_size=1, max_size=6))
def test_word_parts_sum_to_the_score(documents: list[list[str]], query: list[str]) -> None:
    record = rank_sparse(SparseScores(WordCounts(documents), Settings()), query, np.arange(len(documents)), Settings())
    parts = [sum(found.values()) for found in record.words_of(*range(len(documents)))]
    assert np.allclose(parts, record.scores, rtol=0, atol=1e-9)


def test_a_word_that_the_question_repeats_counts_each_time() -> None:
    once, twice = run(["fee", "leave", "room"], "fee"), run(["fee", "leave", "room"], "fee fee")
    assert twice.scores[0] == pytest.approx(2 * once.scores[0])
    assert twice.words_of(0) == [{"fee": pytest.approx(2 * once.scores[0])}]


def test_only_tools_with_a_score_are_ranked() -> None:
    record = run(["get weather", "list invoices", "refund order", "send mail"], "weather")
    assert record.ranks.tolist() == [1, 0, 0, 0]


def test_guard_skips_word_match_when_no_word_is_shared() -> None:
    record = run(["get weather", "list invoices", "refund order"], "xylophone lessons")
    assert record.skipped_because == "no shared word"
    assert record.ranks.tolist() == [0, 0, 0]
    assert [(word.word, word.tools) for word in record.words] == [("xylophone", 0), ("lessons", 0)]


def test_guard_says_no_weight_when_the_shared_word_stands_in_half_of_the_tools() -> None:
    record = run(["refund order", "cancel order", "track parcel", "rate driver"], "order")
    assert record.skipped_because == "no weight"


def test_guard_says_no_weight_in_a_registry_of_one_tool() -> None:
    record = run(["refund order"], "refund order")
    assert record.skipped_because == "no weight"
    assert record.ranks.tolist() == [0]


def test_guard_is_about_the_pool_and_statistics_are_about_the_registry() -> None:
    documents = ["get weather", "list invoices", "refund order", "send mail"]
    outside = run(documents, "weather", pool=[1, 2, 3])
    assert outside.skipped_because == "no shared word"
    assert outside.words[0].tools == 1
    assert run(documents, "weather", pool=[0, 3]).scores[0] == run(documents, "weather").scores[0]


@pytest.mark.parametrize("documents", [[], [""], ["", ""]])
def test_a_registry_without_a_word_has_empty_statistics(documents: list[str]) -> None:
    record = run(documents, "refund")
    assert record.skipped_because == "no shared word"
    assert len(record.scores) == len(documents)


def test_equal_scores_keep_the_order_of_keys() -> None:
    assert run(["fee x", "fee y", "a b", "c d", "e f"], "fee").ranks.tolist() == [1, 2, 0, 0, 0]


def test_mentioning_a_word_more_often_counts_less_each_time() -> None:
    ten, one = run(["transfer " * 10, "a b", "c d", "e f"], "transfer"), run(["transfer", "a b", "c d", "e f"], "transfer")
    assert 1 < ten.scores[0] / one.scores[0] < 3


def test_records_are_read_only() -> None:
    record = run(["fee", "leave", "room"], "fee")
    with pytest.raises(ValueError, match="read-only"):
        record.scores[0] = 1.0
