"""When a question is so unlike the registry's own that probably no tool applies: a line drawn through its test queries."""

from __future__ import annotations

import math
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from curator_core.index import ToolIndex
from curator_core.queries.held_out import without_held_out
from curator_core.settings import Settings

FEWEST = 20  # test queries from which their tenth percentile says something
_TENTH = 10
_lines: WeakKeyDictionary[ToolIndex, dict[Settings, float]] = WeakKeyDictionary()


def no_tool_line(index: ToolIndex, settings: Settings) -> float:
    """Return the best meaning match that nine in ten of the registry's own answerable test queries reach.

    Held-out ones are not looked at. With fewer than FEWEST of them, or without a model, it is the setting low_confidence_similarity.
    Kept per index and settings: the first look asks all test queries, which encodes those that were not asked before.
    """
    known = _lines.setdefault(index, {})
    if settings not in known:
        best = _best_matches(index, settings)
        known[settings] = best[len(best) // _TENTH] if len(best) >= FEWEST else settings.low_confidence_similarity
    return known[settings]


def _best_matches(index: ToolIndex, settings: Settings) -> list[float]:
    """Return the best similarity of each answerable test query among the tools that its role may see, ascending."""
    vectors, store = index.dense(settings) if settings.dense else None, index.store
    if vectors is None or store is None or not index.keys:
        return []
    cases = [case for case in without_held_out(index.registry.test_queries) if case.expected and case.role in (None, *index.registry.roles)]
    store.queries.ahead(case.query for case in cases)
    best: list[float] = []
    for role in dict.fromkeys(case.role for case in cases):
        rows: NDArray[np.float32] = vectors.rows[index.pool(role).positions]
        best += [float((rows @ store.queries.of(case.query)).max(initial=-1.0)) for case in cases if case.role == role]
    return sorted(round(value, settings.similarity_decimals) for value in best if math.isfinite(value))
