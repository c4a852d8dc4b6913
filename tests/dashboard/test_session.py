"""A tab's session: draft and save, files that change meanwhile, and what all tabs of a process share."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from curator_core import ModelUnavailable, Registry, Tool, load_registry
from dashboard import resources
from dashboard.resources import Model, Workbench
from tests.core.fakes import FakeEncoder
from tests.dashboard.conftest import edit
from tests.dashboard.test_playground import badges, listed, texts

Start = Callable[..., AppTest]
SMALL = Registry(name="small", tools=(Tool("pay", "Pay fees."), Tool("show", "Show attendance.")))


def publish(at: AppTest, reason: str = "dues are fees") -> AppTest:
    at.button(key="draft_publish").click().run()
    at.text_input(key="draft_reason").set_value(reason)
    return at.button(key="draft_publish_now").click().run()


def test_an_edit_moves_the_rank_before_it_is_saved_and_shows_the_change(app: Start) -> None:
    at = app(q="bonfire evening")
    assert listed(at)[0] != "list_clubs"
    edit(at, "list_clubs", "extra_context", "bonfire evening")
    assert listed(at)[0] == "list_clubs"
    assert at.dataframe[0].value["vs saved"][0].startswith("▲")
    assert "Draft: 1 edit in 1 place" in badges(at)


def test_a_page_that_was_stopped_while_it_opened_the_folder_opens_it_the_next_time(app: Start) -> None:
    at = app(q="fees")
    del at.session_state["session_overlay"]  # what comes last
    at.run()
    assert not at.exception and listed(at)


def test_saving_writes_the_folder_and_ends_the_draft(app: Start, folder: Path) -> None:
    at = edit(app(q="fees"), "pay_fees", "description", "Pay all dues.")
    publish(at)
    assert load_registry(folder).tool("pay_fees").description == "Pay all dues."
    assert "Draft:" not in badges(at)
    assert at.toast[0].value == "Published 1 edit as revision 2."


def test_undo_and_discard_take_edits_back(app: Start) -> None:
    at = edit(app(q="fees"), "pay_fees", "description", "x")
    at.button(key="draft_discard").click().run()
    assert "Draft: 0 edits" in badges(at)
    at.button(key="draft_undo").click().run()
    assert "Draft: 1 edit " in badges(at)


def change_on_disk(folder: Path, name: str, **fields: str) -> None:
    document = json.loads((folder / "tools.json").read_text(encoding="utf-8"))
    next(tool for tool in document["tools"] if tool["name"] == name).update(fields)
    (folder / "tools.json").write_text(json.dumps(document, indent=2), encoding="utf-8")


def test_a_colleagues_edit_of_another_field_survives_the_save(app: Start, folder: Path) -> None:
    at = edit(app(q="fees"), "pay_fees", "description", "mine")
    change_on_disk(folder, "renew_book", description="theirs")
    publish(at)
    saved = load_registry(folder)
    assert (saved.tool("pay_fees").description, saved.tool("renew_book").description) == ("mine", "theirs")


def test_files_that_change_on_disk_are_noticed_and_reloading_keeps_the_edits(app: Start, folder: Path) -> None:
    at = edit(app(q="fees"), "pay_fees", "description", "mine")
    change_on_disk(folder, "renew_book", description="a new text on disk")
    at.run()
    assert "tools.json" in texts(at)
    at.button(key="header_reload").click().run()
    assert not [button for button in at.button if button.key == "header_reload"]
    assert "Draft: 1 edit " in badges(at)


@pytest.mark.parametrize(("choice", "kept"), [("mine", "mine"), ("theirs", "theirs, longer")])
def test_a_conflict_shows_both_texts_and_nothing_is_written_until_one_is_chosen(app: Start, folder: Path, choice: str, kept: str) -> None:
    at = edit(app(q="fees"), "pay_fees", "description", "mine")
    change_on_disk(folder, "pay_fees", description="theirs, longer")
    publish(at)
    assert load_registry(folder).tool("pay_fees").description == "theirs, longer"
    assert at.text_area(key="conflicts_mine_0").value == "mine"
    assert at.text_area(key="conflicts_theirs_0").value == "theirs, longer"
    at.radio[-1].set_value(choice)
    next(button for button in at.button if "choices" in button.label).click().run()
    assert at.session_state["session_overlay"].registry.tool("pay_fees").description == kept


def test_a_read_only_folder_is_told_and_the_edits_stay(app: Start, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from curator_core import NotWritable
    from dashboard.drafts import authoring

    def refuse(*_: object, **__: object) -> None:
        raise NotWritable("the folder is read-only")

    at = edit(app(q="fees"), "pay_fees", "description", "mine")
    monkeypatch.setattr(authoring, "publish", refuse)
    publish(at)
    assert "the folder is read-only" in texts(at)
    assert "Draft: 1 edit " in badges(at)


def test_tabs_that_open_at_once_share_one_load(encoder: FakeEncoder) -> None:
    shared = Workbench(None)
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(shared.open(SMALL, Model()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1
    assert shared.open(SMALL, Model()).wait(10)
    assert encoder.documents_encoded == 2


def test_an_edit_embeds_one_text_and_going_back_embeds_none(encoder: FakeEncoder) -> None:
    shared = Workbench(None)
    saved = shared.open(SMALL, Model())
    assert saved.wait(10)
    edited = shared.open(SMALL.with_edits([SMALL.edit("pay", "description", "Pay dues.")]), Model(), previous=saved)
    assert edited.wait(10) and edited.full is not None
    assert edited.full.build.embedded == 1
    assert shared.open(SMALL, Model()) is saved
    assert encoder.documents_encoded == 3


def test_snapshots_are_kept_by_content_and_their_number_is_bounded() -> None:
    shared = Workbench(None)
    for number in range(40):
        assert shared.open(Registry(tools=(Tool(f"tool_{number}", "x"),)), Model()).wait(10)
    assert len(shared._snapshots) == 16


def test_a_snapshot_that_a_tab_still_shows_is_not_built_again_however_many_others_work() -> None:
    shared = Workbench(None)
    shown = shared.open(SMALL, Model())
    for number in range(40):
        assert shared.open(Registry(tools=(Tool(f"tool_{number}", "x"),)), Model()).wait(10)
    assert shared.open(SMALL, Model()) is shown


def test_words_are_there_before_the_model_is(monkeypatch: pytest.MonkeyPatch) -> None:
    loading = threading.Event()
    monkeypatch.setattr(resources, "load_encoder", lambda *_: loading.wait(10) and FakeEncoder())
    snapshot = Workbench(None).open(SMALL, Model())
    assert not snapshot.finished
    assert snapshot.index.encoder is None
    assert snapshot.progress.stage == "Loading the model…"
    loading.set()
    assert snapshot.wait(10)
    assert snapshot.index.encoder is not None


def test_a_folder_is_read_once_for_all_pages_until_one_of_its_files_changes(folder: Path) -> None:
    shared = Workbench(None)
    for file in folder.iterdir():  # what was changed a moment ago is not trusted
        os.utime(file, (1, 1))
    first = shared.registry(folder)
    assert shared.registry(folder) is first
    text = (folder / "tools.json").read_text(encoding="utf-8")
    (folder / "tools.json").write_text(text.replace("Pay tuition fees", "Pay what is due"), encoding="utf-8")
    assert shared.registry(folder) != first
    assert shared.registry(folder).by_key["pay_fees"].description == "Pay what is due online."


def test_the_map_of_a_large_registry_is_there_before_the_model_takes_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[bool] = []

    class Noting(FakeEncoder):
        def encode_query(self, query: str) -> NDArray[np.float32]:
            begun.append(bool(shared.drawings._kept))
            return super().encode_query(query)

    monkeypatch.setattr(resources, "load_encoder", lambda *_: Noting())
    monkeypatch.setattr(resources, "DRAWN_EARLY", 2)
    shared = Workbench(None)
    saved = shared.open(SMALL, Model())
    assert saved.wait(20)
    assert begun == [True]
    assert saved.full is saved.read is not None
    assert shared.drawings.of(saved.full).map is not None
    edited = shared.open(SMALL.with_edits([SMALL.edit("pay", "description", "Pay dues.")]), Model(), previous=saved)
    assert edited.wait(10)
    assert len(shared.drawings._kept) == 1, "a draft's map is drawn when somebody looks"


def test_a_model_that_cannot_be_loaded_leaves_words_only_though_all_texts_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(FakeEncoder):
        def encode_query(self, query: str) -> NDArray[np.float32]:
            raise ModelUnavailable("its weights are damaged")

    monkeypatch.setattr(resources, "load_encoder", lambda *_: Broken())
    snapshot = Workbench(None).open(SMALL, Model())
    assert snapshot.wait(10)
    assert (snapshot.read, snapshot.full) == (None, None)
    assert snapshot.progress.error == "its weights are damaged"


def test_an_unexpected_failure_ends_the_wait_and_is_told(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    monkeypatch.setattr(resources, "load_encoder", fail)
    snapshot = Workbench(None).open(SMALL, Model())
    assert snapshot.wait(10)
    assert "the disk is gone" in snapshot.progress.error
    assert "building the index failed" in caplog.text
