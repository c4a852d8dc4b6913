"""The server of drafts goes away while somebody types, and comes back: the text is in its box all the time, and kept in the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from curator_core import Person, open_store
from curator_core.authoring import drafts
from tests.browser.workbench import Screen, Workbench
from tests.core.postgres import Postgres, postgres_or_skip

DOWN = "Not kept now: drafts and history are out of reach"


@pytest.fixture
def server() -> Iterator[Postgres]:
    server = postgres_or_skip()
    server.start()
    yield server
    server.remove()


def test_what_is_typed_while_the_store_is_down_is_kept_when_it_is_back(
    tmp_path: Path, server: Postgres, start: Callable[[Path], Workbench], visit: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    tools = [{"name": "pay_fees", "description": "Pay tuition fees"}]
    (folder / "tools.json").write_text(json.dumps({"schema_version": 1, "name": "small", "tools": tools}, indent=2))
    monkeypatch.setenv("TOOL_CURATOR_STORE", server.url)
    screen = visit(start(folder), "Asha")
    screen.go("tools", tool="pay_fees")
    screen.editor("Description").fill("kept before")
    screen.wait_for_status("Description", "in your draft, not published yet")

    server.stop()
    screen.editor("Description").fill("typed while it was down")
    expect(screen.page.get_by_text(DOWN)).to_be_visible(timeout=30_000)
    expect(screen.editor("Description")).to_have_value("typed while it was down")
    expect(screen.editor("Description")).not_to_be_editable()
    expect(screen.page.get_by_text("not kept: the message at the top says why").first).to_be_visible()

    server.start()
    screen.page.get_by_role("button", name="Try again").click()
    expect(screen.page.get_by_text(DOWN)).to_have_count(0, timeout=30_000)
    screen.wait_for_status("Description", "in your draft, not published yet")
    expect(screen.editor("Description")).to_have_value("typed while it was down")
    store = open_store(folder)
    assert [edit.new for edit in drafts.read(store, Person("Asha")).edits] == ["typed while it was down"]
    store.close()
