"""A real process is killed at random moments while it saves, again and again: every load gives a registry that was saved whole."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator_core.files.folder import load_registry, save_registry
from curator_core.registry import Registry, TestQuery, Tool

ROUNDS = 40
SAVER = """
import sys
from curator_core.files.folder import load_registry, save_registry
from curator_core.registry import Edit
registry = load_registry(sys.argv[1])
print("ready", flush=True)
while True:
    n = str(int(registry.tools[0].description) + 1)
    query = registry.test_queries[0]
    new = type(query)(query.query, query.expected, note=n)
    edits = [registry.edit(registry.keys[0], field, n) for field in ("description", "extra_context")]
    edits += [registry.edit("count", "synonyms", (n,)), Edit("", "test_query", query, new)]
    registry = save_registry(registry.with_edits(edits), sys.argv[1])
"""


@pytest.mark.soak
def test_a_saver_killed_at_random_never_leaves_files_of_two_saves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "registry"
    tools = (Tool("counter", "0", "0"), *(Tool(f"tool_{i}", "Words. " * 20) for i in range(200)))
    save_registry(Registry("soak", tools, {"count": ("0",)}, (TestQuery("count", ("counter",), note="0"),)), folder)
    luck, last = random.Random(7), 0
    for _ in range(ROUNDS):
        saver = subprocess.Popen([sys.executable, "-c", SAVER, str(folder)], stdout=subprocess.PIPE)
        assert saver.stdout is not None and saver.stdout.readline() == b"ready\n"
        time.sleep(luck.random() * 0.4)
        saver.kill()
        saver.wait()
        saver.stdout.close()
        registry = load_registry(folder)
        tool = registry.tool("counter")
        assert {tool.description, tool.extra_context, registry.test_queries[0].note, *registry.synonyms["count"]} == {tool.description}
        assert int(tool.description) >= last
        last = int(tool.description)
        assert len(list(folder.iterdir())) == 4
    assert last > 0  # the disk decides how many saves fit in between
