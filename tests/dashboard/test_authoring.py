"""Drafts, names, roles, publishing and history as an author meets them on the pages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
import streamlit as st
from sqlalchemy import insert
from streamlit.testing.v1 import AppTest

from curator_core import ModelUnavailable, Person, Receipt, TestQuery, Tool, load_registry
from curator_core.authoring import history, review
from curator_core.authoring.store_tables import revisions as revisions_
from dashboard import identity, resources
from tests.dashboard.conftest import AUTHOR, TOOLS, edit, end_process, write_registry
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


def in_conflict(at: AppTest, folder: Path) -> AppTest:
    """Return the page with a draft that says "mine" where the file that was taken over says "theirs"."""
    edit(at, "pay_fees", "description", "mine").button(key="draft_undo").click().run()
    change_on_disk(folder, "pay_fees", description="theirs")
    at.run()
    at.button(key="header_reload").click().run()
    return at.button(key="draft_redo").click().run()


def test_a_draft_that_does_not_fit_shows_its_conflict_and_what_else_is_typed_all_the_same(app: Start, folder: Path) -> None:
    at = in_conflict(app(page="tools", tool="renew_book"), folder)
    assert "Your draft does not fit" in badges(at)
    edit(at, "renew_book", "description", "typed on")
    assert editors(at)["Description"]["value"] == "typed on"
    assert at.text_area(key="conflicts_mine_0").value == "mine" and at.text_area(key="conflicts_theirs_0").value == "theirs"
    next(button for button in at.button if "choices" in button.label).click().run()
    registry = at.session_state["session_overlay"].registry
    assert (registry.tool("pay_fees").description, registry.tool("renew_book").description) == ("mine", "typed on")


def test_who_types_on_in_a_field_in_conflict_sees_the_own_text_kept(app: Start, folder: Path) -> None:
    at = in_conflict(app(page="tools", tool="pay_fees"), folder)
    assert editors(at)["Description"]["value"] == "mine"
    edit(at, "pay_fees", "description", "mine, longer")
    shown = editors(at)["Description"]
    assert (shown["value"], shown["status"]) == ("mine, longer", "in your draft, not published yet")
    assert "another tab" not in texts(at)
    assert at.text_area(key="conflicts_mine_0").value == "mine, longer" and at.text_area(key="conflicts_theirs_0").value == "theirs"
    next(button for button in at.button if "choices" in button.label).click().run()
    publish(at)
    assert load_registry(folder).tool("pay_fees").description == "mine, longer"


def test_a_text_that_changes_again_while_one_decides_is_shown_before_it_can_be_chosen(app: Start, folder: Path) -> None:
    at = edit(edit(app(), "pay_fees", "description", "mine"), "renew_book", "description", "mine too")
    change_on_disk(folder, "pay_fees", description="theirs")
    change_on_disk(folder, "renew_book", description="theirs too")
    publish(at)
    assert [at.text_area(key=f"conflicts_theirs_{number}").value for number in (0, 1)] == ["theirs", "theirs too"]
    at.radio[-2].set_value("theirs")
    change_on_disk(folder, "renew_book", description="a third text")
    next(button for button in at.button if "choices" in button.label).click().run()
    assert [at.text_area(key=f"conflicts_theirs_{number}").value for number in (0, 1)] == ["theirs", "a third text"]
    assert [radio.value for radio in at.radio[-2:]] == ["theirs", "mine"]
    next(button for button in at.button if "choices" in button.label).click().run()
    assert {tool.name: tool.description for tool in at.session_state["session_overlay"].registry.tools}["renew_book"] == "mine too"
    publish(at)
    assert [load_registry(folder).tool(name).description for name in ("pay_fees", "renew_book")] == ["theirs", "mine too"]


def test_two_open_tabs_of_two_authors_undo_nothing_of_each_other_and_both_get_to_know(app: Start, folder: Path) -> None:
    one, two = app(page="tools", tool="pay_fees"), app(page="tools", tool="pay_fees")
    work_as(two, "Binod")
    publish(edit(one, "pay_fees", "description", "A1"))
    publish(edit(two, "renew_book", "description", "B1", author="Binod"))
    assert [load_registry(folder).tool(name).description for name in ("pay_fees", "renew_book")] == ["A1", "B1"]

    edit(one, "pay_fees", "description", "A2")
    publish(edit(two, "pay_fees", "description", "B2", author="Binod"))
    publish(one)
    assert load_registry(folder).tool("pay_fees").description == "B2"
    assert one.text_area(key="conflicts_mine_0").value == "A2" and one.text_area(key="conflicts_theirs_0").value == "B2"
    next(button for button in one.button if "choices" in button.label).click().run()
    publish(one)
    assert load_registry(folder).tool("pay_fees").description == "A2"

    change_on_disk(folder, "pay_fees", description="by hand")
    assert one.run().button(key="header_reload").label == "Reload from disk (your edits are kept)"
    assert two.run().button(key="header_reload").label == "Take it over (your edits are kept)"
    publish(edit(two, "list_clubs", "description", "B3", author="Binod"))
    assert [load_registry(folder).tool(name).description for name in ("pay_fees", "list_clubs")] == ["by hand", "B3"]
    told = {change.edit.new for change in history.of_tool(resources.workbench().store(folder.resolve()), "pay_fees")}
    assert told == {"A1", "B2", "A2", "by hand"}


def test_a_tool_edited_one_added_and_one_deleted_are_counted_listed_and_published_in_one_go(app: Start, folder: Path) -> None:
    at = edit(app(), "pay_fees", "description", "edited")
    edit(at, "", "tool", Tool("new_tool", "Something new."))
    edit(at, "renew_book", "tool", None)
    edit(at, "pay_fees", "description", "edited again")
    assert "Draft: 3 edits in 3 places" in badges(at)
    at.button(key="draft_changes").click().run()
    shown = next(data for data in bidi(at) if data["label"].startswith("What changes"))
    assert [change["place"].partition(" ")[0] for change in shown["changes"]] == ["pay_fees", "new_tool", "renew_book"]
    publish(at)
    after = {tool.name: tool.description for tool in load_registry(folder).tools}
    kept = {tool["name"]: tool["description"] for tool in TOOLS if tool["name"] not in ("pay_fees", "renew_book")}
    assert after == kept | {"pay_fees": "edited again", "new_tool": "Something new."}


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
    assert list(revisions(at)["kind"]) == ["changed outside", "found"]
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


def test_the_registry_as_it_was_is_put_back_as_one_step_after_a_look_at_it(app: Start) -> None:
    at = publish(edit(edit(app(), "pay_fees", "description", "second"), "renew_book", "description", "another"))
    at = publish(edit(at, "pay_fees", "name", "settle_fees"))
    at.switch_page("views/review.py").run()
    at.selectbox(key="revision").set_value(1).run()
    at.button(key="review_restore").click().run()
    shown = next(data for data in bidi(at) if "pay_fees" in str(data.get("changes")) or "settle_fees" in str(data.get("changes")))
    assert shown["label"].startswith("What changes")
    at.button(key="review_into_draft").click().run()
    assert not at.exception
    registry = at.session_state["session_overlay"].registry
    assert registry.tool("pay_fees").description == "Pay tuition fees online."
    assert registry.tool("renew_book").description.startswith("Keep a borrowed")
    at.button(key="draft_undo").click().run()
    assert at.session_state["session_overlay"].pending == ()


def test_a_field_is_put_back_under_the_name_that_the_tool_has_now(app: Start) -> None:
    at = publish(edit(app(), "pay_fees", "description", "second"))
    at = publish(edit(at, "pay_fees", "name", "settle_fees"))
    at.switch_page("views/review.py").run()
    at.selectbox(key="revision").set_value(2).run()
    at.button(key="review_put_back").click().run()
    at.button(key="review_into_draft").click().run()
    assert at.session_state["session_overlay"].registry.tool("settle_fees").description == "Pay tuition fees online."


def test_a_tool_shows_its_history_also_from_under_an_earlier_name_and_leads_to_each_revision(app: Start, folder: Path) -> None:
    at = publish(edit(app(), "pay_fees", "description", "second"))
    at = publish(edit(at, "pay_fees", "name", "settle_fees"))
    at = app(page="tools", tool="settle_fees")
    assert "History: 2 changes" in [one.label for one in at.expander]
    assert f"description · {AUTHOR} · " in texts(at) and f"name · {AUTHOR} · " in texts(at)
    assert not [one for one in app(page="tools", tool="renew_book").expander if one.label.startswith("History")]
    links = [link.proto for link in at.get("page_link") if link.proto.label.startswith("Revision")]
    assert [(link.label, link.query_string) for link in links] == [("Revision 3", "revision=3"), ("Revision 2", "revision=2")]


def test_a_link_to_an_old_revision_opens_it_although_it_is_on_no_page_that_is_shown(app: Start, folder: Path) -> None:
    at = publish(edit(app(), "pay_fees", "description", "second"))
    store = resources.workbench().store(folder.resolve())
    head = history.revision(store, 2)
    row = {"registry": store.registry, "kind": "published", "author": "Binod", "at": head.at, "reason": "why", "files": None}
    with store.writing() as connection:
        rows = [{**row, "number": number, "before": head.after, "after": head.after} for number in range(3, 120)]
        connection.execute(insert(revisions_), rows)
    at = app(page="review", revision="2")
    assert at.selectbox(key="revision").value == 2
    assert f"Revision 2 · published · {AUTHOR}" in texts(at)
    at.number_input(key="review_page").set_value(2).run()
    assert f"Revision 2 · published · {AUTHOR}" in texts(at)
    for nonsense in ("0", "9" * 30, "x"):
        assert "A revision shows what changed" in " ".join(one.value for one in app(page="review", revision=nonsense).markdown)


def test_a_receipt_says_what_was_fixed_and_is_kept_with_the_revision(app: Start, folder: Path) -> None:
    write_registry(folder, [*TOOLS, *({"name": f"quiet_{n}", "description": "Evening."} for n in range(6))])
    query = TestQuery("bonfire evening", ("list_clubs",))
    publish(edit(edit(app(), "list_clubs", "extra_context", "bonfire evening"), "", "test_query", query))
    at = app(page="review")
    kept = history.page(resources.workbench().store(at.session_state["session_opened"].folder))[0].receipt
    receipt = Receipt.from_json(kept)
    assert receipt is not None and (receipt.fixed, receipt.fixed_queries, receipt.queries) == (1, ("bonfire evening",), 3)
    at.selectbox(key="revision").set_value(2).run()
    assert "1 fixed · 0 broke · too few queries to say (n = 3)" in texts(at)


def test_publishing_does_not_wait_for_a_model_that_is_not_there(app: Start, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def fail(*_: object) -> None:
        raise ModelUnavailable("no model here")

    monkeypatch.setattr(resources, "load_encoder", fail)
    publish(edit(app(), "pay_fees", "description", "Pay all dues."))
    kept = Receipt.from_json(history.page(resources.workbench().store(folder.resolve()))[0].receipt)
    assert kept is not None and kept.missing == "the model is not there (no model here)"
    assert load_registry(folder).tool("pay_fees").description == "Pay all dues."


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
    newest = revisions(at).iloc[0]
    assert (newest["who"], newest["why"], newest["test queries"]) == (AUTHOR, "users say dues", "0 fixed · 0 broke")


def revisions(at: AppTest) -> pd.DataFrame:
    return next(table.value for table in at.dataframe if "revision" in table.value)


def test_a_draft_whose_link_has_two_low_lines_opens(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review.secrets, "token_urlsafe", lambda _: "_a__b_")
    at = edit(app(), "pay_fees", "description", "handed over")
    review.submit(resources.workbench().store(at.session_state["session_opened"].folder), Person(AUTHOR))
    at = app(page="review", submission="_a__b_")
    assert not at.exception and "waiting" in texts(at)


def test_a_link_to_nothing_is_told(app: Start) -> None:
    assert "No such draft" in badges(app(page="review", submission="nothing"))


def test_where_a_proxy_names_people_and_did_not_nothing_is_shown_but_what_to_do(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CURATOR_USER_HEADER", "X-User")
    at = app(wait=False)
    assert "Nobody says who you are" in badges(at)
    assert "takes names from the header X-User" in texts(at)
    assert not at.text_input and not at.dataframe


def test_a_proxy_s_header_names_the_author_and_nobody_chooses_another_name(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CURATOR_USER_HEADER", "X-User")
    headers = {"X-User": "ज़ोया".encode().decode("latin-1")}
    monkeypatch.setattr(type(st.context), "headers", headers)
    at = app()
    assert "ज़ोया" in texts(at)
    assert not [field for field in at.text_input if field.label == "Working as"]


@pytest.mark.parametrize(
    ("user", "said"),
    [
        ({"email": "asha@example.org", "name": "Asha"}, "asha@example.org"),
        ({"email": "asha@example.org", "email_verified": False, "name": "Somebody"}, "Somebody"),
        ({}, "neither an e-mail address nor"),
    ],
)
def test_a_login_names_the_author(app: Start, monkeypatch: pytest.MonkeyPatch, user: dict[str, str], said: str) -> None:
    monkeypatch.setattr(type(st.user), "to_dict", lambda _: {"is_logged_in": True, **user})
    monkeypatch.setattr(identity, "_no_login_until", 0.0)
    at = app(wait=bool(user))
    assert said in texts(at)
    assert "Log out" in [button.label for button in at.button]


def test_where_people_log_in_and_this_browser_has_not_it_is_asked_for(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(st.user), "to_dict", lambda _: {"is_logged_in": False})
    monkeypatch.setattr(identity, "_no_login_until", 0.0)
    at = app(wait=False)
    assert [button.label for button in at.button] == ["Log in"]


def test_that_nobody_logs_in_is_looked_up_now_and_then_and_that_somebody_does_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[dict[str, bool]] = []
    users = [{}, {"is_logged_in": True}, {"is_logged_in": True}]
    monkeypatch.setattr(type(st.user), "to_dict", lambda _: looked.append(users[len(looked)]) or looked[-1])
    monkeypatch.setattr(identity, "_no_login_until", 0.0)
    assert [identity.needs_login() for _ in range(3)] == [False, False, False] and len(looked) == 1
    monkeypatch.setattr(identity, "_no_login_until", 0.0)  # some seconds later
    assert [identity.needs_login() for _ in range(2)] == [True, True] and len(looked) == 3
