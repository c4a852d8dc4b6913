"""Two authors in two browsers make two hundred random acts on one registry, and no text of them is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.test_two_authors import day_of_two
from tests.browser.workbench import Screen, Workbench


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_two_browsers_lose_no_text_in_two_hundred_acts(small: Workbench, visit: Callable[..., Screen]) -> None:
    day = day_of_two(small, visit, acts=200, seed=1)
    assert day.counts["acts"] == 200 and day.counts["publishes"] > 20 and day.counts["conflicts"] > 5
