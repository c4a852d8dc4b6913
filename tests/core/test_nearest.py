"""The rows that are most alike: what a plain sort of all would give, however many there are and however many are equal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from curator_core import nearest
from curator_core.nearest import STEPS, most_alike

SIMILARITIES = some.sampled_from([-1.0, -0.2, 0.0, 0.1, 0.1 + 0.4 / STEPS, 0.1 + 2 / STEPS, 0.5, 0.75, 1.0])


@given(some.integers(1, 40), some.integers(0, 12), some.data())
def test_the_most_alike_are_the_first_of_a_plain_sort(width: int, count: int, data: some.DataObject) -> None:
    rows = data.draw(some.lists(some.lists(SIMILARITIES, min_size=width, max_size=width), min_size=1, max_size=3))
    product = np.array(rows, dtype=np.float32)
    steps = np.rint(product.astype(np.float32) * STEPS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nearest, "STRIDE", 2)
        found = most_alike(product, count)
    assert found.tolist() == [sorted(range(width), key=lambda at, row=row: (-row[at], at))[:count] for row in steps.tolist()]
