"""Authors who ask and edit at the same time on one workbench, each with an action every few seconds, and what they had to wait for.

`python -m tests.soak.fifty_users [MINUTES]` runs them on the campus sample and prints the figures; by hand for half an hour, say.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curator_core import Person, Registry, load_registry, open_store
from curator_core.authoring import drafts
from tests.browser.workbench import Workbench
from tests.soak.visitor import Visitor, act

SAMPLE = Path(__file__).parents[2] / "sample_registries" / "campus"
SECONDS_BETWEEN = 5.0
STAY = 4  # searches, then edits, before a user goes to the other page


@dataclass
class Crowd:
    """What the users did. seconds: how long each kind of action took; written: (author, tool) -> the text that author left there."""

    workbench: Workbench
    registry: Registry
    users: int
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    written: dict[tuple[str, str], str] = field(default_factory=dict)
    troubles: list[str] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    runs: int = 0
    again: int = 0

    async def work(self, seconds: float) -> None:
        """Let all users work for so long, each beginning at another moment of the first few seconds."""
        self.until = time.monotonic() + seconds
        await asyncio.gather(self._weigh(seconds), *(self._user(number) for number in range(self.users)))

    def lost(self) -> list[str]:
        """Return the edits that are not in their author's draft."""
        store = open_store(self.workbench.folder)
        people = sorted({author for author, _ in self.written})
        kept = {(name, edit.tool): edit.new for name in people for edit in drafts.read(store, Person(name)).edits}
        store.close()
        return [f"{place}: {text!r}, kept is {kept.get(place)!r}" for place, text in self.written.items() if kept.get(place) != text]

    def told(self) -> str:
        """Say what was done, how long it took, and how large the server was."""
        lines = [f"{self.users} users, one action per user and {SECONDS_BETWEEN:.0f} s; {self.runs:,} runs of pages in all"]
        for kind, took in sorted(self.seconds.items()):
            middle, late = (_share(took, share) for share in (0.5, 0.95))
            lines.append(f"{kind}: {len(took):,} times, p50 {middle:.2f} s, p95 {late:.2f} s, longest {max(took):.2f} s")
        start, *_, end = self.memory
        half = self.memory[len(self.memory) // 2]
        lines.append(f"server: {start:.0f} MB at the start, {half:.0f} MB in the middle, {end:.0f} MB at the end")
        lines.append(f"{len(self.written):,} places edited, {len(self.lost())} lost; {len(self.troubles)} errors, {self.again} asked again")
        return "\n".join([*lines, *self.troubles[:5]])

    async def _user(self, number: int) -> None:
        luck = random.Random(number)
        await asyncio.sleep(SECONDS_BETWEEN * number / self.users)
        async with Visitor(self.workbench.port, f"User {number}") as visitor:
            try:
                stay = luck.randrange(1, STAY + 1)  # so that they do not all do the same
                while time.monotonic() < self.until:
                    await self._edits(visitor, luck, await self._searches(visitor, luck, stay))
                    stay = STAY
            except Exception as error:  # noqa: BLE001 - the others go on, and the test tells of it
                self.troubles.append(f"{visitor.author} stopped: {type(error).__name__}: {error}")
            self.troubles += visitor.troubles
            self.runs += visitor.runs
            self.again += visitor.again

    async def _searches(self, visitor: Visitor, luck: random.Random, count: int) -> str:
        """Ask some questions; return a tool that is right for the last."""
        await self._act("opening the Playground", visitor.open("playground", "q"))
        asked = luck.choices([case for case in self.registry.test_queries if case.expected], k=count)
        for case in asked:
            await self._act("a search", visitor.put("q", f"{case.query} {luck.randrange(10)}", "playground_rows"))
        return (asked[-1].expected or ())[0]

    async def _edits(self, visitor: Visitor, luck: random.Random, tool: str) -> None:
        await self._act("opening Tools", visitor.open("tools", "tools_text"))
        editor = f"editor_{hashlib.sha256(f'tools_description_{tool}'.encode()).hexdigest()[:16]}"
        await self._act("opening a tool", visitor.put("tool", tool, editor))
        for number in range(STAY):
            text = f"{self.registry.tool(tool).description} {visitor.author} says {luck.randrange(1000)} {number}"
            if await self._act("an edit", visitor.commit(editor, text)):
                self.written[visitor.author, tool] = text

    async def _act(self, kind: str, act: Coroutine[Any, Any, float]) -> bool:
        """Do one action, then wait for the time of the next; return whether there was time left for it."""
        if time.monotonic() > self.until:
            act.close()
            return False
        took = await act
        self.seconds[kind].append(took)
        await asyncio.sleep(max(SECONDS_BETWEEN - took, 0))
        return True

    async def _weigh(self, seconds: float) -> None:
        """Look ten times how large the server is."""
        for _ in range(10):
            await asyncio.sleep(seconds / 10)
            self.memory.append(_megabytes(self.workbench.process.pid))


def _megabytes(process: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def _share(values: list[float], share: float) -> float:
    return sorted(values)[min(int(len(values) * share), len(values) - 1)]


def crowd_on(folder: Path, cache_dir: Path, users: int, seconds: float) -> Crowd:
    """Let users work on a copy of the campus sample, in `folder`, and return what came of it.

    As on any day but the first: the model is kept for quick starts, and the tools are read.
    """
    shutil.copytree(SAMPLE, folder, ignore=shutil.ignore_patterns(".curator"))
    first = [sys.executable, "-m", "curator_core.cli", "query", str(folder), "library book"]
    subprocess.run(first, env=os.environ | {"TOOL_CURATOR_CACHE": str(cache_dir)}, check=True, capture_output=True)
    workbench = Workbench(folder, cache_dir, folder.parent / "workbench.log")
    try:
        workbench.wait_until_up()
        crowd = Crowd(workbench, load_registry(folder), users)
        act(crowd.work(seconds))
        if "Traceback" in (log := workbench.log.read_text(errors="replace")):
            crowd.troubles.append(log[-3000:])
    finally:
        workbench.stop()
    return crowd


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0
        print(crowd_on(Path(place) / "campus", Path(place) / "cache", 50, minutes * 60).told())
