"""Two authors in two browsers, with random acts in turn: no text is lost. Two hundred of them are in tests/soak."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curator_core import history, load_registry, open_store
from tests.soak.many_authors import PEOPLE
from tests.soak.two_browsers import TOOLS, TwoBrowsers


def day_of_two(tmp_path: Path, start: Callable[..., Any], visit: Callable[..., Any], acts: int, seed: int) -> TwoBrowsers:
    """Let two authors work, and check that no text is lost and that files and history agree."""
    folder = tmp_path / "small"
    folder.mkdir()
    tools = [{"name": name, "description": f"{name} as it was"} for name in TOOLS]
    (folder / "tools.json").write_text(json.dumps({"schema_version": 1, "name": "small", "tools": tools}, indent=2))
    workbench = start(folder)
    store = open_store(folder)
    try:
        day = TwoBrowsers(store, {person: visit(workbench, person.name) for person in PEOPLE}, seed)
        day.work(acts)
        print(day.told())
        assert day.lost() == []
        history.notice_outside(store)
        assert history.registry_at(store, history.latest(store)) == load_registry(folder)
    finally:
        store.close()
    return day


def test_two_authors_in_two_browsers_lose_no_text(tmp_path: Path, start: Callable[..., Any], visit: Callable[..., Any]) -> None:
    day = day_of_two(tmp_path, start, visit, acts=30, seed=5)
    assert day.counts["acts"] == 30 and day.counts["publishes"] > 2
