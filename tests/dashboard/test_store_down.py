"""A store that cannot be reached: everything can be looked at, nothing is taken that could not be kept, and it comes back by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import Person, StoreError, load_registry, publish
from curator_core.authoring import drafts
from dashboard import resources
from tests.dashboard.conftest import AUTHOR, edit
from tests.dashboard.test_authoring import editors
from tests.dashboard.test_playground import badges, texts

Start = Callable[..., AppTest]
DOWN = "Not kept now: drafts and history are out of reach"


def test_a_server_that_is_not_there_lets_one_look_and_says_why(app: Start, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CURATOR_STORE", "postgresql://curator@127.0.0.1:1/none")
    at = app(page="tools", tool="pay_fees")
    assert DOWN in badges(at) and "127.0.0.1" in texts(at)
    assert editors(at)["Description"]["locked"] is True
    assert editors(at)["Description"]["value"] == "Pay tuition fees online."
    at.switch_page("views/review.py").run()
    assert not at.exception


def test_a_store_that_fails_meanwhile_keeps_the_draft_on_the_screen_and_comes_back(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise StoreError("the server went away")

    at = edit(app(page="tools", tool="pay_fees"), "pay_fees", "description", "mine")
    with monkeypatch.context() as patch:
        patch.setattr(drafts, "version", fail)
        at.run()
        assert DOWN in badges(at) and "the server went away" in texts(at)
        assert editors(at)["Description"]["value"] == "mine"
        at.button(key="draft_undo").click().run()
        assert editors(at)["Description"]["value"] == "mine"
    at.button(key="watch_retry").click().run()
    assert DOWN not in badges(at)
    assert editors(at)["Description"]["locked"] is False and editors(at)["Description"]["value"] == "mine"


def test_a_draft_that_a_damaged_store_lost_is_kept_again_from_the_screen(app: Start, folder: Path) -> None:
    at = edit(app(page="tools", tool="pay_fees"), "pay_fees", "description", "mine")
    file = folder / ".curator" / "store.sqlite"
    resources.workbench().store(folder.resolve()).close()
    file.write_bytes(b"no database at all " * 1000)
    at.run()
    resources.workbench().retry_store()
    at.run()
    assert "was damaged and is set aside as" in texts(at) and "store.damaged-" in texts(at)
    assert drafts.read(resources.workbench().store(folder.resolve()), Person(AUTHOR)).edits[0].new == "mine"
    at.button(key="store_dismiss").click().run()
    assert "set aside" not in texts(at)


def test_what_a_colleague_published_is_told_with_reason_and_taken_over_by_a_click(app: Start, folder: Path) -> None:
    at = edit(app(page="tools", tool="pay_fees"), "pay_fees", "description", "mine")
    base = load_registry(folder)
    publish(
        resources.workbench().store(folder.resolve()), Person("Binod"), "users say so", [base.edit("renew_book", "description", "theirs")]
    )
    at.run()
    assert "Binod, revision 2: “users say so” (1 edit: renew_book)" in texts(at)
    at.button(key="header_reload").click().run()
    registry = at.session_state["session_overlay"].registry
    assert (registry.tool("renew_book").description, registry.tool("pay_fees").description) == ("theirs", "mine")
    assert not [button for button in at.button if button.key == "header_reload"]
