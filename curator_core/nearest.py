"""Which rows are most alike, exactly: for vectors in the tens of thousands, block by block.

A similarity is the cosine of two rows, summed in double precision and rounded, so that every look-up of one pair gives one number,
whatever block it was found in.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from curator_core.records import Floats, Ints

Rows = NDArray[np.float32]  # (n, d), L2-normalised

BLOCK_CELLS = 2_000_000  # similarities held at once
STEPS = 1_000_000  # similarities are compared in steps of a millionth: finer than the eye, coarser than single precision
STRIDE = 16


def blocks(count: int, width: int) -> Iterator[tuple[int, int]]:
    """Give (start, stop) of blocks of rows, so that a block of `width` columns has at most about BLOCK_CELLS cells."""
    size = max(1, BLOCK_CELLS // max(1, width))
    for start in range(0, count, size):
        yield start, min(count, start + size)


def distinct_rows(rows: Rows) -> tuple[Ints, Ints]:
    """Return the first position of each distinct vector, and for each row (n,) the number of its distinct vector."""
    seen: dict[bytes, int] = {}
    numbers = [seen.setdefault(row.tobytes(), len(seen)) for row in np.round(rows, 5) + np.float32(0)]  # + 0: -0.0 is 0.0
    number_of = np.array(numbers, dtype=np.int64)
    return np.unique(number_of, return_index=True)[1].astype(np.int64), number_of


def most_alike(product: Rows, count: int) -> Ints:
    """Return the columns of the `count` highest similarities of each row, (m, k), the highest first, equal ones by column."""
    k = min(count, product.shape[1])
    if not k:
        return np.zeros((len(product), 0), np.int64)
    row, column = np.nonzero(product >= (_floor(product, k) - 2 / STEPS)[:, None])  # 2 steps: more than rounding moves
    steps = np.rint((product[row, column] * STEPS).astype(np.float64))  # whole numbers, so that chance decides nothing
    order = np.lexsort((column, -steps, row))
    starts = np.searchsorted(row, np.arange(len(product)))
    return column[order][starts[:, None] + np.arange(k)]


def _floor(product: Rows, k: int) -> Rows:
    """Return for each row a similarity that at least k of it reach, and hardly more: few are left to be sorted.

    Of thousands of columns, the k-th of the highest of each STRIDE: a sixteenth is to be partitioned.
    """
    whole = product.shape[1] // STRIDE * STRIDE
    many = whole >= 4 * k * STRIDE
    highest = product[:, :whole].reshape(len(product), STRIDE, -1).max(axis=1) if many else product
    floor: Rows = np.partition(highest, highest.shape[1] - k, axis=1)[:, highest.shape[1] - k]
    return floor


def cosines(rows: Rows, others: Rows, left: Ints, right: Ints, decimals: int) -> Floats:
    """Return the similarity of each pair of a row and one of the others, by their positions: (n,)."""
    exact = np.zeros(len(left))
    for start, stop in blocks(len(left), rows.shape[1]):
        exact[start:stop] = np.einsum("ij,ij->i", rows[left[start:stop]], others[right[start:stop]], dtype=np.float64)
    return np.round(exact, decimals)
