"""Low-confidence expansion: a weak best match gets a few tools more (SEED.md, Low-confidence expansion)."""

from __future__ import annotations

from collections.abc import Sequence

from curator_core.records import ConfidenceRecord
from curator_core.settings import Settings


def judge_confidence(
    similarities: Sequence[float | None], top_k: int, pool_size: int, settings: Settings, line: float | None = None
) -> ConfidenceRecord:
    """Compare the best similarity of all passes with the threshold; below it, effective_k = min(top_k + extra, pool).

    similarities: the best of each pass, None without meaning match. line: the threshold, None = the setting "Unsure below".
    """
    below = settings.low_confidence_similarity if line is None else line
    best = max((one + 0.0 for one in similarities if one is not None), default=None)  # + 0.0: what is rounded to -0.0 is 0.0 too
    low = settings.low_confidence and best is not None and best < below
    return ConfidenceRecord(best, low, min(top_k + settings.low_confidence_extra, pool_size) if low else top_k, below)
