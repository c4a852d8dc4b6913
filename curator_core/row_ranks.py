"""The ranks of many short rows at once: each row is an answer to one question."""

from __future__ import annotations

import numpy as np

from curator_core.ranking import Floats, Ints


def ranked(values: Floats, step: float) -> Ints:
    """Return the rank of each value in its row: the highest is 1; those that are equal, in steps of this size, stand in order.

    Value and column are sorted as one whole number, which is several times as fast as finding the order that would sort the values.
    """
    rows, columns = values.shape
    bits = columns.bit_length()
    coded = np.rint(values * (-1 / step)).astype(np.int64) << bits
    coded += np.arange(columns)
    coded.sort(axis=1)
    coded &= (1 << bits) - 1
    coded += np.arange(0, rows * columns, columns)[:, None] if columns else 0
    ranks = np.empty(rows * columns, dtype=np.int64)
    ranks[coded.ravel()] = np.tile(np.arange(1, columns + 1), rows)
    return ranks.reshape(rows, columns)


def ranked_above(values: Floats, floor: float) -> Ints:
    """The same for word scores: 0 for a tool without any, and for all where no score is above the floor."""
    counts = (values > 0) & (values.max(axis=1, initial=0.0) > floor)[:, None]
    return np.where(counts, ranked(values, 1e-9), 0)
