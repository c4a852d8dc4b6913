"""Two workbench processes on one folder and one PostgreSQL: drafts are the same on both, and what one publishes is told on the other."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from curator_core import Person, open_store, publish
from curator_core.authoring import drafts
from tests.browser.conftest import write_small
from tests.browser.workbench import Workbench
from tests.core.postgres import Postgres, postgres_or_skip
from tests.soak.visitor import Visitor, act

EDITOR = f"editor_{hashlib.sha256(b'tools_description_pay_fees').hexdigest()[:16]}"
ASHA = Person("Asha")


@pytest.fixture
def server() -> Iterator[Postgres]:
    server = postgres_or_skip()
    server.start()
    yield server
    server.remove()


@pytest.fixture
def replicas(tmp_path: Path, cache_dir: Path, server: Postgres, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Workbench]]:
    monkeypatch.setenv("TOOL_CURATOR_STORE", server.url)
    folder = write_small(tmp_path / "small")
    both = [Workbench(folder, cache_dir, tmp_path / f"workbench-{number}.log") for number in range(2)]
    for one in both:
        one.wait_until_up()
    yield both
    for one in both:
        one.stop()


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_what_is_edited_and_published_on_one_replica_is_there_on_the_other_within_seconds(replicas: list[Workbench]) -> None:
    act(edit_here_look_there(*replicas))


async def edit_here_look_there(here: Workbench, there: Workbench) -> None:
    async with Visitor(here.port, "Asha") as asha, Visitor(there.port, "Asha") as elsewhere, Visitor(there.port, "Ben") as ben:
        for visitor in (asha, elsewhere, ben):
            await visitor.open("tools", "tools_text")
            await visitor.put("tool", "pay_fees", EDITOR)
        await asha.commit(EDITOR, "Pay what is due")
        print(f"her draft on the other replica is told after {await elsewhere.see('watch_draft'):.1f} s")
        assert shown(elsewhere) != "Pay what is due"  # what is being typed is not touched
        await elsewhere.click("watch_draft", EDITOR)
        assert shown(elsewhere) == "Pay what is due"

        store = open_store(here.folder)
        assert "header_reload" not in ben.elements
        publishing = asyncio.create_task(asyncio.to_thread(publish, store, ASHA, "clearer"))
        print(f"what is published is told on the other replica after {await ben.see('header_reload'):.1f} s")
        await publishing
        print(f"taken over there by a click in {await ben.click('header_reload', EDITOR):.2f} s")
        assert shown(ben) == "Pay what is due" and drafts.read(store, ASHA).edits == ()
        store.close()
        assert asha.troubles + elsewhere.troubles + ben.troubles == []


def shown(visitor: Visitor) -> str:
    """Return the text that stands in the editor."""
    return str(json.loads(visitor.elements[EDITOR][0].json)["value"])
