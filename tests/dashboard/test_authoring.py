"""Drafts, names, roles, publishing and history as an author meets them on the pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from curator_core import Person, load_registry, review
from dashboard import resources
from tests.dashboard.conftest import AUTHOR, edit, end_process
from tests.dashboard.test_playground import badges, texts
from tests.dashboard.test_session import change_on_disk, publish
from tests.dashboard.test_tools_page import editors

Start = Callable[..., AppTest]


def test_a_draft_is_there_after_the_program_was_ended(app: Start) -> None:
    edit(app(), "pay_fees", "description", "Kept over night.")
    end_process()
    at = app(page="tools", tool="pay_fees")
    assert editors(at)["Description"]["value"] == "Kept over night."
    assert "Draft: 1 edit in 1 place · since " in badges(at)


def test_another_author_sees_nothing_of_a_draft_and_finds_their_own(app: Start) -> None:
    at = edit(app(q="fees"), "pay_fees", "description", "mine")
    work_as(at, "Binod")
    assert "Draft:" not in badges(at)
    assert at.session_state["session_overlay"].registry.tool("pay_fees").description == "Pay tuition fees online."
    work_as(at, AUTHOR)
    assert "Draft: 1 edit " in badges(at)


def work_as(at: AppTest, name: str) -> None:
    next(field for field in at.text_input if field.label == "Working as").set_value(name).run()
    assert not at.exception


def test_a_name_of_nothing_but_blanks_is_refused(app: Start) -> None:
    at = app()
    work_as(at, "   ")
    assert "write a name of visible letters" in texts(at)


def test_undo_and_redo_go_step_by_step(app: Start) -> None:
    at = edit(edit(app(), "pay_fees", "description", "one"), "renew_book", "description", "two")
    at.button(key="draft_undo").click().run()
    assert "Draft: 1 edit " in badges(at)
    at.button(key="draft_redo").click().run()
    assert "Draft: 2 edits in 2 places" in badges(at)


def test_the_changes_are_shown_word_by_word_before_publishing_and_a_reason_is_asked(app: Start, folder: Path) -> None:
    at = edit(app(), "pay_fees", "description", "Pay tuition dues online.")
    publish(at, reason=" ")
    assert "there is no reason" in texts(at)
    assert load_registry(folder).tool("pay_fees").description == "Pay tuition fees online."
    shown = next(data for data in bidi(at) if data["label"].startswith("What changes"))
    assert shown["changes"][0]["place"] == "pay_fees · description"
    assert [tuple(part) for part in shown["changes"][0]["parts"]] == [
        ("equal", "Pay tuition "),
        ("delete", "fees"),
        ("insert", "dues"),
        ("equal", " online."),
    ]


def bidi(at: AppTest) -> list[dict[str, object]]:
    return [json.loads(element.proto.json) for element in at.get("bidi_component")]


def test_a_viewer_gets_editors_that_take_nothing_and_is_told_why(app: Start, folder: Path) -> None:
    (folder / "curator.toml").write_text('[people]\n"*" = ["viewer"]\n', encoding="utf-8")
    at = app(page="tools", tool="pay_fees")
    assert "You may look, not edit" in badges(at)
    assert editors(at)["Description"]["locked"] is True
    assert "viewer" in editors(at)["Description"]["status"]


def test_a_change_made_outside_is_a_revision_and_a_field_of_it_can_be_put_back(app: Start, folder: Path) -> None:
    at = app()
    change_on_disk(folder, "pay_fees", description="from outside")
    at.run()
    at.button(key="header_reload").click().run()
    at.switch_page("views/review.py").run()
    rows = at.dataframe[0].value
    assert list(rows["kind"]) == ["changed outside", "found"]
    at.selectbox(key="revision").set_value(2).run()
    at.button(key="review_put_back").click().run()
    at.button(key="review_into_draft").click().run()
    assert not at.exception
    assert at.session_state["session_overlay"].registry.tool("pay_fees").description == "Pay tuition fees online."


def test_a_revision_is_taken_back_as_a_whole_and_what_was_changed_again_is_told(app: Start) -> None:
    at = publish(edit(app(), "pay_fees", "description", "second"))
    at = publish(edit(at, "pay_fees", "description", "third"))
    at.switch_page("views/review.py").run()
    at.selectbox(key="revision").set_value(2).run()
    at.button(key="review_revert").click().run()
    assert "This cannot be put back as it is" in texts(at) + badges(at)
    at.selectbox(key="revision").set_value(3).run()
    at.button(key="review_revert").click().run()
    at.button(key="review_into_draft").click().run()
    assert at.session_state["session_overlay"].registry.tool("pay_fees").description == "second"


def test_a_draft_is_handed_over_approved_by_another_and_published_in_its_author_s_name(app: Start, folder: Path) -> None:
    (folder / "curator.toml").write_text("[review]\nrequired = true\n", encoding="utf-8")
    at = edit(app(), "pay_fees", "description", "handed over")
    at.button(key="draft_publish").click().run()
    assert at.button(key="draft_publish_now").disabled
    at.text_input(key="draft_reason").set_value("users say dues")
    at.button(key="draft_hand_over").click().run()
    one = review.of_author(resources.workbench().store(folder.resolve()), Person(AUTHOR))[0]

    at = app(page="review", submission=one.id)
    work_as(at, "Binod")
    at.button(key="review_approve").click().run()
    at.button(key="review_publish").click().run()
    assert not at.exception
    assert load_registry(folder).tool("pay_fees").description == "handed over"
    newest = at.dataframe[0].value.iloc[0]
    assert (newest["who"], newest["why"]) == (AUTHOR, "users say dues")


def test_a_link_to_nothing_is_told(app: Start) -> None:
    assert "No such draft" in badges(app(page="review", submission="nothing"))


def test_a_proxy_s_header_names_the_author_and_without_it_one_may_only_look(app: Start, monkeypatch: object) -> None:
    monkeypatch.setenv("TOOL_CURATOR_USER_HEADER", "X-User")  # type: ignore[attr-defined]
    at = app()
    assert "You may look, not edit" in badges(at)
    assert not [field for field in at.text_input if field.label == "Working as"]
