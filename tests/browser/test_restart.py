"""The server is killed and started again while a page stands open: the page comes back by itself with the draft, and with nothing else."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from curator_core import Person, open_store
from curator_core.authoring import drafts
from tests.browser import workbench as workbench_
from tests.browser.conftest import write_small
from tests.browser.workbench import Screen, Workbench

KEPT = "in your draft, not published yet"
WORDS = "three hundred words " * 100


def kill(workbench: Workbench) -> None:
    os.killpg(workbench.process.pid, signal.SIGKILL)
    workbench.process.wait(10)


def test_an_open_page_comes_back_with_the_draft_after_the_server_was_killed(
    tmp_path: Path, start: Callable[[Path], Workbench], visit: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    port = workbench_.free_port()
    monkeypatch.setattr(workbench_, "free_port", lambda: port)
    folder = write_small(tmp_path / "small")
    before = (folder / "tools.json").read_bytes()
    first = start(folder)
    screen = visit(first, "Kiran")
    screen.go("tools", tool="pay_fees")
    screen.editor("Examples").fill("taken back")
    screen.wait_for_status("Examples", KEPT)
    screen.page.get_by_role("button", name="Undo last", exact=True).click()
    expect(screen.editor("Examples")).to_have_value("")
    screen.editor("Extra context").fill(WORDS)
    screen.wait_for_status("Extra context", KEPT)
    screen.open("Playground").open("Tools")
    expect(screen.editor("Extra context")).to_have_value(WORDS)

    kill(first)
    screen.editor("Description").fill("typed while nobody listened")
    screen.page.wait_for_timeout(1500)
    start(folder)
    screen.settle()
    screen.wait_for_status("Description", KEPT)
    for label, text in (("Description", "typed while nobody listened"), ("Extra context", WORDS), ("Examples", "")):
        expect(screen.editor(label)).to_have_value(text)
    expect(screen.page.get_by_text("Draft: 2 edits in 1 place · since").first).to_be_visible()
    screen.page.get_by_role("button", name="Publish", exact=True).click()
    screen.settle()
    assert (folder / "tools.json").read_bytes() == before
    with closing(open_store(folder)) as store:
        kept = {edit.field: edit.new for edit in drafts.read(store, Person("Kiran")).edits}
    assert kept == {"description": "typed while nobody listened", "extra_context": WORDS}
