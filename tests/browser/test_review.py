"""Two people and one registry: a draft is handed over by link, the registry moves, each conflict is decided, and it can be taken back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from playwright.sync_api import expect

from curator_core import open_store
from curator_core.authoring import history
from tests.browser.conftest import SMALL
from tests.browser.workbench import Screen, Workbench


def description(folder: Path, name: str) -> str:
    tools = json.loads((folder / "tools.json").read_text())["tools"]
    return str(next(tool["description"] for tool in tools if tool["name"] == name))


def test_a_draft_is_reviewed_by_link_while_the_registry_moves_and_is_taken_back_again(
    small: Workbench, visit: Callable[..., Screen]
) -> None:
    folder = small.folder
    asha, binod = visit(small, "Esha"), visit(small, "Farid")

    for name, text in (("pay_fees", "Pay all dues of a term"), ("renew_book", "Keep a book for two more weeks")):
        asha.go("tools", tool=name)
        asha.editor("Description").fill(text)
        asha.wait_for_status("Description", "in your draft, not published yet")
    asha.page.get_by_role("button", name="Publish", exact=True).click()
    asha.settle()
    asha.page.get_by_label("Why? A few words for the history").fill("users say dues")
    asha.page.get_by_role("button", name="Hand over for review").click()
    asha.settle()
    asha.page.get_by_role("link", name="Your draft was handed over").click()
    asha.settle()
    link = re.search(r"submission=([\w-]+)", asha.page.url)
    assert link is not None

    binod.go("review", submission=link[1])
    expect(binod.page.get_by_text("“users say dues”")).to_be_visible()
    tools = [{**SMALL[0], "description": "Pay fees by card"}, SMALL[1]]
    (folder / "tools.json").write_text(json.dumps({"schema_version": 1, "name": "small", "tools": tools}, indent=2))
    binod.page.get_by_role("button", name="Approve", exact=True).click()
    binod.settle()
    binod.page.get_by_test_id("stForm").get_by_role("button", name="Publish", exact=True).click()
    binod.settle()
    assert description(folder, "pay_fees") == "Pay fees by card"
    expect(binod.page.get_by_label("The draft's", exact=True)).to_have_value("Pay all dues of a term")
    expect(binod.page.get_by_label("On disk now", exact=True)).to_have_value("Pay fees by card")
    binod.page.get_by_role("radiogroup").get_by_text("Keep the draft's").click()
    binod.page.get_by_role("button", name="Go on with these choices").click()
    binod.settle()
    assert (description(folder, "pay_fees"), description(folder, "renew_book")) == (
        "Pay all dues of a term",
        "Keep a book for two more weeks",
    )

    with closing(open_store(folder)) as store:
        number = history.latest(store)
    binod.go("review", revision=str(number))
    expect(binod.page.get_by_text(f"Revision {number} · published · Esha")).to_be_visible()
    binod.page.get_by_role("button", name="Take back all of it").click()
    binod.settle()
    binod.page.get_by_role("button", name="Into my draft").click()
    binod.settle()
    binod.publish("it was too long")
    assert (description(folder, "pay_fees"), description(folder, "renew_book")) == ("Pay fees by card", "Keep a book")
    asha.reload()
    expect(asha.page.get_by_text("Draft:")).to_have_count(0)
