"""Two authors in two browsers make two hundred random acts on one registry, and no text of them is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.browser.test_two_authors import day_of_two


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_two_browsers_lose_no_text_in_two_hundred_acts(
    tmp_path: Path, start: Callable[..., object], visit: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TOOL_CURATOR_STORE", raising=False)
    day = day_of_two(tmp_path, start, visit, acts=200, seed=1)
    assert day.counts["publishes"] > 20 and day.counts["conflicts"] > 5
