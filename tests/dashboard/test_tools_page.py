"""The Tools page as its user sees it: find, open, rename, duplicate, add, delete; what edits do before they are saved."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import Person
from curator_core.authoring import notes
from dashboard import resources
from tests.dashboard.conftest import AUTHOR, TOOLS, write_registry

Start = Callable[..., AppTest]


@pytest.fixture
def page(app: Start) -> Start:
    def start(tool: str | None = None) -> AppTest:
        at = app().switch_page("views/tools.py").run()
        return at.selectbox(key="tool").set_value(tool).run() if tool else at

    return start


def listed(at: AppTest) -> list[str]:
    """Return the tools of the list."""
    return list(tables(at, "remarks")[0]["tool"])


def tables(at: AppTest, column: str) -> list[Any]:
    return [element.value for element in at.dataframe if column in element.value]


def editors(at: AppTest) -> dict[str, dict[str, Any]]:
    """Return what each text editor was given, by its label."""
    found = [json.loads(element.proto.json) for element in at.get("bidi_component")]
    return {data["label"]: data for data in found}


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown, *at.info))


def test_without_a_chosen_tool_the_page_lists_all_and_says_what_to_do(page: Start) -> None:
    at = page()
    assert listed(at) == ["get_attendance", "list_clubs", "pay_fees", "renew_book", "submit_grievance"]
    assert "Choose a tool in the list" in texts(at)


def test_the_list_is_filtered_by_words_group_role_and_by_what_a_tool_lacks(page: Start) -> None:
    at = page()
    at.text_input(key="tools_text").set_value("LIBRARY book").run()
    assert listed(at) == ["renew_book"]
    at.text_input(key="tools_text").set_value("").run()
    at.selectbox(key="tools_group").set_value("care").run()
    assert listed(at) == ["submit_grievance"]
    at.selectbox(key="tools_group").set_value(None).run()
    at.selectbox(key="tools_only").set_value("no extra context").run()
    assert "pay_fees" not in listed(at)
    at.selectbox(key="tools_only").set_value(None).run()
    at.selectbox(key="role").set_value("faculty").run()
    assert "get_attendance" not in listed(at)


def test_an_open_tool_shows_its_texts_its_tokens_and_the_synonyms_that_apply(page: Start) -> None:
    at = page(tool="submit_grievance")
    shown = editors(at)
    assert shown["Description"]["value"] == "Send a formal grievance to the committee."
    assert shown["Description"]["counter"] == "all texts of this tool: 13 of 64 tokens"
    assert shown["Description"]["status"] == "as published"
    assert "grievance → formal complaint" in texts(at)


def test_what_is_past_the_model_s_limit_is_named_segment_by_segment(page: Start, folder: Path) -> None:
    write_registry(folder, [{"name": "long_one", "description": "word " * 70, "extra_context": "never read"}])
    at = page(tool="long_one")
    assert editors(at)["Description"]["over"] is True
    assert "extra context: not read from “never read…”, 2 words" in texts(at)
    assert list(tables(at, "remarks")[0]["remarks"]) == ["too long"]


def test_an_address_with_an_unknown_tool_opens_the_page_without_one(app: Start) -> None:
    at = app(tool="no_such_tool").switch_page("views/tools.py").run()
    assert not at.exception
    assert "Choose a tool in the list" in texts(at)


def test_a_renamed_tool_stays_open_and_its_test_queries_follow(page: Start) -> None:
    at = page(tool="submit_grievance")
    submit(at, "rename", "raise_grievance")
    assert at.selectbox(key="tool").value == "raise_grievance"
    assert "raise_grievance" in listed(at)
    question = tables(at, "published")[0].iloc[0]
    assert (question["question"], question["published"], question["with edits"]) == ("send a grievance", "1", "1")


def test_a_rename_into_a_name_that_exists_is_refused_and_nothing_changes(page: Start) -> None:
    at = page(tool="submit_grievance")
    submit(at, "rename", "pay_fees")
    assert "There is already a tool called 'pay_fees'" in texts(at)
    assert "submit_grievance" in listed(at)


def test_a_duplicate_and_an_added_tool_are_opened(page: Start) -> None:
    at = page(tool="pay_fees")
    submit(at, "duplicate", "pay_fines")
    assert at.selectbox(key="tool").value == "pay_fines"
    assert editors(at)["Extra context"]["value"] == "challan, dues"
    submit(at, "add", "book_a_room")
    assert at.selectbox(key="tool").value == "book_a_room"
    assert tables(at, "remarks")[0].set_index("tool").loc["book_a_room", "remarks"] == "edited, no description"


def test_deleting_says_which_test_queries_expect_the_tool_and_undo_brings_all_back(page: Start) -> None:
    at = page(tool="submit_grievance")
    assert "1 test query expects this tool" in texts(at)
    at.button(key="tools_delete_sure").click().run()
    assert "submit_grievance" not in listed(at)
    at.button(key="draft_undo").click().run()
    at.selectbox(key="tool").set_value("submit_grievance").run()
    assert "1 test query expects this tool" in texts(at)


def test_group_and_roles_are_edited_in_place_and_marked_as_edited(page: Start) -> None:
    at = page(tool="pay_fees")
    next(box for box in at.selectbox if box.label == "Group" and "pay_fees" in str(box.key)).set_value("care").run()
    at.multiselect[0].set_value(["student"]).run()
    row = tables(at, "remarks")[0].set_index("tool").loc["pay_fees"]
    assert (row["group"], row["remarks"]) == ("care", "edited")
    assert "Published text of what you changed here: 2" in [box.label for box in at.expander]


def test_markup_in_names_and_texts_is_shown_as_it_is_written(page: Start, folder: Path) -> None:
    write_registry(folder, [{"name": "<b>bold</b>", "description": "# Head *star* <img src=x onerror=alert(1)> :red[x]", "group": "**g**"}])
    at = page(tool="<b>bold</b>")
    assert editors(at)["Description"]["value"] == "# Head *star* <img src=x onerror=alert(1)> :red[x]"
    markdown = "\n".join(str(element.value) for element in (*at.markdown, *at.caption, *at.info))
    assert "bold" not in markdown and "Head" not in markdown


def test_unseen_characters_are_written_out_in_lists_and_warned_of_below_the_editor(page: Start, folder: Path) -> None:
    write_registry(folder, [{"name": "add", "description": "Add two num\u200bbers", "group": "a\u202eb"}])
    at = page(tool="add")
    assert editors(at)["Description"]["notices"] == [
        "zero width space (U+200B) at character 12: it does not show, but it is part of the text"
    ]
    assert list(tables(at, "remarks")[0]["group"]) == ["a‹U+202E›b"]


def test_a_registry_of_thousands_sends_one_page_of_its_tools(page: Start, folder: Path) -> None:
    write_registry(folder, [{"name": f"tool_{number:04}", "description": "does something"} for number in range(450)])
    at = page()
    assert len(listed(at)) == 200
    at.number_input(key="tools_page").set_value(3).run()
    assert listed(at)[0] == "tool_0400"


def test_a_filter_that_leaves_fewer_pages_shows_its_last_page(page: Start, folder: Path) -> None:
    texts = ("odd thing", "even thing")
    write_registry(folder, [{"name": f"tool_{number:04}", "description": texts[number < 230]} for number in range(450)])
    at = page()
    at.number_input(key="tools_page").set_value(3).run()
    at.text_input(key="tools_text").set_value("even").run()
    assert not at.exception
    assert (len(listed(at)), listed(at)[0]) == (30, "tool_0200")


def test_a_registry_without_tools_says_how_to_begin(page: Start, folder: Path) -> None:
    write_registry(folder, [])
    at = page()
    assert "no tools yet" in texts(at)
    submit(at, "add", "first_tool")
    assert at.selectbox(key="tool").value == "first_tool"


def test_a_question_that_the_author_watches_stays_while_tools_are_edited_and_the_other_queries_are_checked(page: Start) -> None:
    at = page(tool="renew_book")
    at.multiselect(key="effect_watched").set_value(["keep it longer"]).run()
    rows = tables(at, "published")[0]
    assert (list(rows["question"]), list(rows["from"])) == (["keep it longer"], ["yours"])
    submit(at, "rename", "keep_book_longer")
    row = tables(at, "published")[0].iloc[0]
    assert (row["question"], row["with edits"]) == ("keep it longer", "1")
    assert "0 better · 0 worse · 1 unchanged" in texts(at)
    assert "Test queries (2): 0 fixed · 0 broke" in texts(at) and "Held out, only counted: 0 fixed" in texts(at)


def submit(at: AppTest, form: str, name: str) -> None:
    """Write a name into one of the forms behind the buttons and send it."""
    next(field for field in at.text_input if str(field.key).startswith(f"tools_{form}_name")).set_value(name)
    at.button(key=f"tools_{form}_submit").click().run()
    assert not at.exception


def test_a_note_on_a_tool_is_its_author_s_own_and_found_again(app: Start) -> None:
    at = app(page="tools", tool="pay_fees")
    store = resources.workbench().store(at.session_state["session_opened"].folder)
    notes.write_note(store, Person(AUTHOR), "pay_fees", "ask the bursar")
    at.run()
    assert editors(at)["Notes for yourself"]["value"] == "ask the bursar"
    notes.write_note(store, Person("Binod"), "pay_fees", "theirs")
    assert editors(at.run())["Notes for yourself"]["value"] == "ask the bursar"


def test_hidden_text_is_named_and_taken_out_on_request_with_a_way_back(app: Start, folder: Path) -> None:
    tools = [*TOOLS, {"name": "add", "description": "Add two num\u200bbers <!-- quietly --> <b>now</b>", "examples": ["a\u2060b"]}]
    write_registry(folder, tools)
    at = app(page="tools", tool="add")
    said = next(text.value for text in at.text if "letter 12" in text.value)
    assert said.splitlines()[0] == "description, letter 12: characters without width, U+200B zero width space"
    at.button(key="tools_clean").click().run()
    tool = at.session_state["session_overlay"].registry.tool("add")
    assert (tool.description, tool.examples) == ("Add two numbers  <b>now</b>", ("ab",))
    assert not any(button.key == "tools_clean" for button in at.button)
    at.button(key="draft_undo").click().run()
    assert "\u200b" in at.session_state["session_overlay"].registry.tool("add").description


def test_an_example_that_repeats_a_test_query_is_named_and_the_query_leaves_the_tests_on_request(app: Start, folder: Path) -> None:
    examples = ["Send a grievance!", "complain about the mess", "kept for measuring"]
    write_registry(folder, [*TOOLS, {"name": "complain", "description": "Complaints of all kinds", "examples": examples}])
    at = app(page="tools", tool="complain")
    assert any("2 test queries repeated in examples" in one.value for one in at.markdown)
    assert "“send a grievance”" in [text.value for text in at.text]
    assert not any("kept for measuring" in str(text.value) for text in at.text)
    assert any("Held out, and not shown: 1" in one.value for one in at.markdown)
    at.button(key="tools_example_copies_out").click().run()
    assert "send a grievance" not in [case.query for case in at.session_state["session_overlay"].registry.test_queries]
    assert any("1 test query repeated in examples" in one.value for one in at.markdown)
    at.button(key="draft_undo").click().run()
    assert "“send a grievance”" in [text.value for text in at.text]
