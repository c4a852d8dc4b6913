"""Two authors make hundreds of interleaved random edits, publishes and conflicts: no text is lost, and the files agree with the history."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator_core import Registry, Revision, Tool, load_registry, open_store, save_registry
from curator_core.authoring import history
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


PUBLISHER = """
import sys
from curator_core import Person, load_registry, open_store, publish
from curator_core.authoring import drafts
store, asha = open_store(sys.argv[1]), Person("Asha")
print("ready", flush=True)
while True:
    if not drafts.read(store, asha).edits:
        registry = load_registry(sys.argv[1])
        text = str(int(registry.tool("a").description) + 1)
        drafts.add(store, asha, [registry.edit("a", field, text) for field in ("description", "extra_context")])
    publish(store, asha, "on")
"""


@pytest.mark.soak
def test_a_publisher_killed_at_random_leaves_no_revision_to_the_wrong_author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TOOL_CURATOR_STORE", raising=False)
    folder = tmp_path / "registry"
    save_registry(Registry("soak", (Tool("a", "0", "0"), *(Tool(f"tool_{n}", "Words. " * 20) for n in range(200)))), folder)
    luck = random.Random(7)
    for _ in range(30):
        publisher = subprocess.Popen([sys.executable, "-c", PUBLISHER, str(folder)], stdout=subprocess.PIPE)
        assert publisher.stdout is not None and publisher.stdout.readline() == b"ready\n"
        time.sleep(luck.random() * 0.4)
        publisher.kill()
        publisher.wait()
        publisher.stdout.close()
        store = open_store(folder)
        assert store.notices == ()
        assert history.registry_at(store, history.latest(store)) == load_registry(folder)
        store.close()
    store, before = open_store(folder), None
    revisions: list[Revision] = []
    while page := history.page(store, before):
        revisions += page
        before = page[-1].number
    store.close()
    assert {revision.kind for revision in revisions[:-1]} == {"published"}
    texts = [int(edit.new) for revision in reversed(revisions) for edit in revision.edits if edit.field == "description"]
    assert texts == list(range(1, int(load_registry(folder).tool("a").description) + 1)) and len(texts) > 10
