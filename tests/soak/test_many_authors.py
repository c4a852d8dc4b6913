"""Two authors make hundreds of interleaved random edits, publishes and conflicts: no text is lost, and the files agree with the history."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator_core import Registry, Tool, history, load_registry, open_store, save_registry
from tests.soak.many_authors import Day


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5))
def test_two_authors_lose_no_text_in_two_hundred_acts(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TOOL_CURATOR_STORE", raising=False)
    save_registry(Registry("soak", (Tool("a", "A0"), Tool("b", "B0"), Tool("c", "C0"))), tmp_path / "registry")
    store = open_store(tmp_path / "registry")
    day = Day(store, seed)
    day.work(200)
    assert day.lost() == []
    assert day.published > 20 and day.conflicts > 5
    history.notice_outside(store)
    for number in range(1, history.latest(store) + 1):
        history.registry_at(store, number)
    assert history.registry_at(store, history.latest(store)) == load_registry(tmp_path / "registry")
    store.close()
