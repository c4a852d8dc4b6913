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
    width = product.shape[1]
    k = min(count, width)
    unlike = (product * STEPS).astype(np.float64)
    np.rint(unlike, out=unlike)
    unlike *= -width
    unlike += np.arange(width)  # whole numbers, and no two equal: chance decides nothing
    some = np.argpartition(unlike, k - 1, axis=1)[:, :k]
    return np.take_along_axis(some, np.argsort(np.take_along_axis(unlike, some, 1), axis=1), 1)


def cosines(rows: Rows, others: Rows, left: Ints, right: Ints, decimals: int) -> Floats:
    """Return the similarity of each pair of a row and one of the others, by their positions: (n,)."""
    exact = np.zeros(len(left))
    for start, stop in blocks(len(left), rows.shape[1]):
        exact[start:stop] = np.einsum("ij,ij->i", rows[left[start:stop]], others[right[start:stop]], dtype=np.float64)
    return np.round(exact, decimals)
