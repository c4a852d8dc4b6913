"""Fifty users ask and edit at the same time: no error, no lost edit, and no search that keeps its user waiting."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.fifty_users import crowd_on

USERS, SECONDS = 50, 120


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_fifty_users_search_and_edit_for_two_minutes(tmp_path: Path, cache_dir: Path) -> None:
    crowd = crowd_on(tmp_path / "campus", cache_dir, USERS, SECONDS)
    print(crowd.told())
    assert crowd.troubles == [] and crowd.lost() == []
    assert sorted(crowd.seconds["a search"])[int(len(crowd.seconds["a search"]) * 0.95)] <= 1.0
