"""Reciprocal Rank Fusion: one score from the ranks of several lists (SEED.md, Fusion; Cormack et al. 2009)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from curator_core.records import FusionRecord, Ints, frozen
from curator_core.settings import Settings


def fuse(ranks: Mapping[str, Ints], size: int, settings: Settings) -> FusionRecord:
    """Add 1 / (rrf_k + rank) for each list that ranks a tool; ranks start at 1, and 0 (not ranked) adds nothing.

    ranks: for each list's name, the rank of each of the pool's `size` tools.
    """
    parts = {
        name: frozen(np.where(list_ranks > 0, 1.0 / (settings.rrf_k + np.maximum(list_ranks, 1)), 0.0))
        for name, list_ranks in ranks.items()
    }
    return FusionRecord(MappingProxyType(parts), frozen(sum(parts.values(), np.zeros(size))))
