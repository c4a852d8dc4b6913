"""Fifty thousand random registries and questions: the quick path gives the tools of the slow one, in its order."""

from __future__ import annotations

import pytest

from tests.core.slow_path import differing


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("first", range(0, 50_000, 1_000))
def test_the_tools_of_the_slow_path_come_in_its_order(first: int) -> None:
    assert differing(range(first, first + 1_000)) == []
