"""A setting is changed like any text: in a draft, with undo, published with a reason, taken back, never over another's change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curator_core import (
    Choice,
    CuratorError,
    Edit,
    EditConflict,
    Settings,
    Store,
    catch_up,
    load_config,
    load_registry,
    open_store,
    publish,
    save_config,
)
from curator_core.authoring import drafts, history, publishing, recording, restoring
from curator_core.files.config import Config, with_settings
from tests.core.authors import ASHA, BEN

TEXT = """# agreed in spring
profile = "seed"

[settings]
top_k = 15  # forms are long

[store]
path = "drafts.sqlite"
"""


@pytest.fixture
def shop(folder: Path) -> Any:
    (folder / "curator.toml").write_text(TEXT)
    opened = open_store(folder)
    yield opened
    opened.close()


def switch(store: Store, name: str = "profile", value: Any = "tuned", person: Any = ASHA) -> None:
    drafts.add(store, person, [load_registry(store.folder).edit(name, "settings", value)])


def test_a_profile_waits_in_the_draft_and_is_written_with_its_reason_and_nothing_else(shop: Store) -> None:
    switch(shop)
    assert (shop.folder / "curator.toml").read_text() == TEXT
    assert drafts.read(shop, ASHA).edits == (Edit("profile", "settings", "seed", "tuned"),)
    done = publish(shop, ASHA, "it finds more of our questions")
    assert (shop.folder / "curator.toml").read_text() == TEXT.replace('"seed"', '"tuned"')
    assert (done.revision.edits, done.revision.reason) == (
        (Edit("profile", "settings", "seed", "tuned"),),
        "it finds more of our questions",
    )
    assert load_config(shop.folder).settings == Settings("tuned", top_k=15)
    assert done.registry.settings == load_registry(shop.folder).settings == {"profile": "tuned", "top_k": 15}
    assert drafts.read(shop, ASHA).edits == ()


def test_it_goes_with_other_edits_as_one_step_and_undo_takes_it_back(shop: Store) -> None:
    registry = load_registry(shop.folder)
    drafts.add(shop, ASHA, [registry.edit("pay", "description", "Pay any fee."), registry.edit("profile", "settings", "tuned")])
    switch(shop, "top_k", 12)
    assert drafts.undo(shop, ASHA).edits[-1] == Edit("profile", "settings", "seed", "tuned")
    publish(shop, ASHA, "both")
    assert load_config(shop.folder).settings == Settings("tuned", top_k=15)
    assert load_registry(shop.folder).tool("pay").description == "Pay any fee."


def test_a_revision_is_taken_back_and_a_value_goes_back_to_the_profiles(shop: Store) -> None:
    switch(shop)
    number = publish(shop, ASHA, "try it").revision.number
    back = restoring.edits_to_revert(shop, load_registry(shop.folder), number)
    publish(shop, BEN, "not for us", back)
    switch(shop, "top_k", None)
    publish(shop, ASHA, "as the profile has it")
    assert load_config(shop.folder).settings == Settings()
    assert [revision.edits[0].new for revision in history.page(shop)[:2]] == [None, "seed"]


def test_whoever_changed_the_same_setting_meanwhile_is_asked_about_and_other_settings_stay(shop: Store) -> None:
    switch(shop, "top_k", 12)
    config = load_config(shop.folder)
    save_config(shop.folder, Config("seed", settings=config.settings.with_values({"top_k": 30, "rrf_k": 40}), store=config.store))
    with pytest.raises(EditConflict) as met:
        publish(shop, ASHA, "fewer")
    (conflict,) = met.value.conflicts
    assert (conflict.tool, conflict.field, conflict.found, conflict.wanted) == ("top_k", "settings", 30, 12)
    publish(shop, ASHA, "fewer", choices=[Choice(conflict, "mine")])
    assert load_config(shop.folder).settings == Settings(top_k=12, rrf_k=40)


def test_what_a_setting_cannot_be_is_refused_and_nothing_is_written(shop: Store) -> None:
    for name, value, said in (("profile", "best", "profile 'best' does not exist"), ("bm25_b", 7.0, "allowed is 0.0 to 1.0")):
        with pytest.raises(CuratorError, match=said):
            publish(shop, ASHA, "why not", [load_registry(shop.folder).edit(name, "settings", value)])
    assert (shop.folder / "curator.toml").read_text() == TEXT
    with pytest.raises(CuratorError, match="true, false, a number, a name or None"):
        publish(shop, ASHA, "why not", [Edit("top_k", "settings", 15, ["many"])])


def test_curator_toml_is_in_no_snapshot_and_a_change_of_it_outside_is_no_revision(shop: Store) -> None:
    catch_up(shop)
    switch(shop)
    publish(shop, ASHA, "try it")
    with shop.reading() as connection:
        files = recording.head(connection, shop).files or {}
    assert "curator.toml" not in files and "tools.json" in files
    (shop.folder / "curator.toml").write_text(TEXT)
    assert catch_up(shop, load_registry(shop.folder)) == ()


@pytest.mark.parametrize("written", [False, True])
def test_a_kill_while_settings_alone_are_published_leaves_file_and_history_agreeing(
    shop: Store, written: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    save = publishing.save_registry

    def die(*some: Any) -> None:
        if written:
            save(*some)
        raise Killed

    switch(shop)
    with monkeypatch.context() as patch:
        patch.setattr(publishing, "save_registry", die)
        with pytest.raises(Killed):
            publish(shop, ASHA, "try it")
    done = publishing.settle(shop)
    assert [one.edits for one in done] == ([(Edit("profile", "settings", "seed", "tuned"),)] if written else [])
    assert load_config(shop.folder).profile == ("tuned" if written else "seed")
    assert bool(drafts.read(shop, ASHA).edits) != written


def test_values_of_edits_over_settings_count_from_the_profile_that_they_name() -> None:
    own = Settings(top_k=15)
    assert with_settings(own, {"profile": "tuned"}) == Settings("tuned", top_k=15)
    assert with_settings(own, {"top_k": None}) == Settings()
    assert with_settings(Settings("tuned"), {"profile": None, "anchor": False}) == Settings(anchor=False)
