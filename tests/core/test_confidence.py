from __future__ import annotations

import pytest

from curator_core import Settings
from curator_core.confidence import judge_confidence


@pytest.mark.parametrize(("best", "low", "wanted"), [(0.2499, True, 25), (0.25, False, 20), (0.71, False, 20)])
def test_below_a_quarter_five_tools_more_are_given(best: float, low: bool, wanted: int) -> None:
    record = judge_confidence([best], 20, 191, Settings())
    assert (record.low_confidence, record.effective_k, record.max_similarity) == (low, wanted, best)


def test_the_best_of_all_passes_counts() -> None:
    assert not judge_confidence([0.1, 0.2, 0.3], 20, 191, Settings()).low_confidence


@pytest.mark.parametrize("similarities", [[-0.0], [-0.0, 0.0], [0.0, -0.0]])
def test_a_similarity_of_nothing_has_no_sign(similarities: list[float]) -> None:
    assert str(judge_confidence(similarities, 20, 191, Settings()).max_similarity) == "0.0"


def test_never_more_than_the_pool() -> None:
    assert judge_confidence([0.1], 20, 22, Settings()).effective_k == 22


def test_without_meaning_match_nothing_is_said() -> None:
    record = judge_confidence([None], 20, 191, Settings())
    assert (record.max_similarity, record.low_confidence, record.effective_k) == (None, False, 20)
