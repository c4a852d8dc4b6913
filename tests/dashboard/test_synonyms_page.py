"""The Synonyms page as its user sees it: what each term reaches, adding with a preview, deleting, undoing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import Edit, Registry, TestQuery, Tool, build_index
from dashboard.synonyms.synonym_reach import Reach, change_of, change_text, preview, query_lines, reach_of_terms, tool_lines
from dashboard.synonyms.synonym_table import matching_terms, phrase_lines, remarks_of_terms, synonyms_table
from tests.dashboard.conftest import AUTHOR, edit

Start = Callable[..., AppTest]
CARE = Registry(
    tools=(Tool("submit_grievance", "Send a grievance"), Tool("list_grievances", "All grievances"), Tool("pay_fees", "Pay fees")),
    synonyms={"grievance": ("formal complaint", "raise an issue"), "hostel": ("dorm",), "fees": ()},
    test_queries=(TestQuery("i want to make a formal complaint", ("submit_grievance",)), TestQuery("pay fees", ("pay_fees",))),
)


@pytest.fixture
def page(app: Start, folder: Path) -> Start:
    def start(synonyms: dict[str, list[str]] | None = None) -> AppTest:
        if synonyms is not None:
            (folder / "domain_synonyms.json").write_text(json.dumps(synonyms), encoding="utf-8")
        return app().switch_page("views/synonyms.py").run()

    return start


def table(at: AppTest) -> Any:
    """Return the table of terms, by term."""
    return next(element.value for element in at.dataframe if "phrases" in element.value).set_index("term")


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown, *at.info))


def test_each_term_has_the_tools_and_the_test_queries_that_it_reaches_and_its_remarks() -> None:
    index = build_index(CARE, None)
    reach = reach_of_terms(CARE, index)
    assert reach["grievance"] == Reach(("list_grievances", "submit_grievance"), (CARE.test_queries[0],))
    assert reach["hostel"] == Reach()
    rows = synonyms_table(CARE.synonyms, CARE.synonyms, reach, remarks_of_terms(CARE, index), edited=["fees"]).set_index("term")
    assert list(rows["remarks"]) == ["", "reaches no tool", "edited, no phrases"]


def test_a_preview_says_what_a_new_term_would_reach_without_changing_the_registry() -> None:
    assert preview(CARE, {"pay": ["settle"]})["pay"].tools == ("pay_fees",)
    assert preview(CARE, {"library": ["books"]}) == {"library": Reach()}
    assert "pay" not in CARE.synonyms


def changed(*edits: Edit) -> tuple[str, str, str]:
    """Return what is said of the term grievance after edits: the line, its tools, its test queries."""
    after = CARE.with_edits(edits)
    reach = tuple(reach_of_terms(one, build_index(one, None)).get("grievance", Reach()) for one in (CARE, after))
    change = change_of(CARE, after, (reach[0], reach[1]), "grievance", edits)
    return change_text(change, reach[1]), tool_lines(reach[1], change), query_lines(reach[1], change)


def test_an_edit_of_phrases_says_which_test_queries_it_gains_and_loses() -> None:
    line, tools, queries = changed(CARE.edit("grievance", "synonyms", ("raise an issue", "pay fees")))
    assert line == "Against the published list: 1 phrase more and 1 phrase fewer in the text of 2 tools · tools ±0 · test queries +1 −1."
    assert tools == "list_grievances\nsubmit_grievance"
    assert queries == "+ pay fees\n− i want to make a formal complaint"


def test_an_edit_of_a_tool_s_text_says_which_tools_a_term_gains_and_loses_and_a_renamed_tool_is_the_same() -> None:
    renamed = CARE.edit("list_grievances", "name", "all_grievances")
    gained = CARE.with_edits([renamed]).edit("pay_fees", "description", "Pay fees, or send a grievance about them")
    line, tools, _ = changed(renamed, gained)
    assert line == "Against the published list: the same phrases · tools +1 −0 · test queries ±0."
    assert tools == "+ pay_fees\nall_grievances\nsubmit_grievance"


def test_held_out_test_queries_are_counted_and_not_shown_to_who_writes_phrases() -> None:
    held = replace(CARE, test_queries=(TestQuery("my formal complaint", ("submit_grievance",), tags=("held_out",)),))
    reach = reach_of_terms(held, build_index(held, None))["grievance"]
    assert reach.shown == ()
    assert query_lines(reach, None) == "none\nand 1 held out"


def test_terms_are_found_by_their_own_words_and_by_their_phrases() -> None:
    assert matching_terms(CARE.synonyms, "complaint") == ("grievance",)
    assert matching_terms(CARE.synonyms) == ("fees", "grievance", "hostel")


def test_phrases_are_one_a_line_without_blanks_and_repeats() -> None:
    assert phrase_lines("  a complaint \n\n an issue\na complaint") == ("a complaint", "an issue")


def test_a_term_that_does_nothing_says_why(page: Start) -> None:
    at = page({"grievance": ["formal complaint"], "hostel": ["dorm"]})
    assert table(at).loc["hostel", "remarks"] == "reaches no tool"
    at.toggle(key="synonyms_remarked").set_value(True).run()
    assert list(table(at).index) == ["hostel"]
    at.selectbox(key="term").set_value("hostel").run()
    assert "The term stands in no tool's name, description or extra context, so it reaches no tool." in texts(at)


def test_an_open_term_lists_its_tools_and_the_ranks_of_the_questions_that_it_concerns(page: Start) -> None:
    at = page()
    at.selectbox(key="term").set_value("grievance").run()
    assert "submit_grievance" in texts(at)
    watched = next(element.value for element in at.dataframe if "published" in element.value)
    assert list(watched["question"]) == ["send a grievance"]


def test_a_term_is_added_deleted_and_brought_back(page: Start) -> None:
    at = page()
    at.text_input(key="synonyms_new_term").set_value("library").run()
    assert "Reaches 1 tool: renew_book" in texts(at)
    at.button(key="synonyms_add_sure").click().run()
    assert at.selectbox(key="term").value == "library"
    assert table(at).loc["library", "remarks"] == "edited, no phrases"
    at.button(key="synonyms_delete_sure").click().run()
    assert "library" not in table(at).index
    at.button(key="draft_undo").click().run()
    assert "library" in table(at).index
    assert not at.exception


def test_a_term_that_exists_is_not_added_again(page: Start) -> None:
    at = page()
    at.text_input(key="synonyms_new_term").set_value("grievance").run()
    assert "This term is there already" in texts(at)


def test_an_edited_term_says_what_changed_against_the_published_list(page: Start) -> None:
    at = page()
    at.selectbox(key="term").set_value("grievance").run()
    assert "As published: its phrases stand in the text of 1 tool." in texts(at)
    edit(at, "grievance", "synonyms", ("formal complaint", "send a"))
    assert "Against the published list: 1 phrase more in the text of 1 tool · tools ±0 · test queries +1 −0." in texts(at)
    assert "+ send a grievance" in texts(at)


def test_a_pasted_list_is_shown_as_it_was_understood_and_put_in_as_one_step(page: Start) -> None:
    at = page()
    at.session_state["synonyms_list_typed"] = "grievance: formal complaint, shikayat\nlibrary => book room\nwhat is this"
    at.run()
    rows = next(element.value for element in at.dataframe if "phrases added" in element.value)
    assert [tuple(row) for row in rows.itertuples(index=False)] == [
        ("library", "new", "book room", 1),
        ("grievance", "extended", "shikayat", 1),
    ]
    assert "1 new term · 1 extended · 0 the same · 1 place not read" in texts(at)
    assert 'line 3: found "what is this"; write the term, then' in texts(at)
    at.button(key="synonyms_paste_sure").click().run()
    assert table(at).loc["grievance", "phrases"] == "formal complaint, shikayat"
    assert table(at).loc["library", "phrases"] == "book room"
    assert not at.session_state["synonyms_list_typed"]
    at.button(key="draft_undo").click().run()
    assert list(table(at).index) == ["grievance"]
    assert table(at).loc["grievance", "phrases"] == "formal complaint"


def test_a_list_that_adds_nothing_says_so(page: Start) -> None:
    at = page()
    at.session_state["synonyms_list_typed"] = "grievance: Formal Complaint"
    at.run()
    at.button(key="synonyms_paste_sure").click().run()
    assert "The list adds nothing" in texts(at)


def test_who_may_only_look_sees_no_button_that_edits(page: Start, folder: Path) -> None:
    (folder / "curator.toml").write_text(f'[people]\n"{AUTHOR}" = ["viewer"]\n', encoding="utf-8")
    at = page()
    at.selectbox(key="term").set_value("grievance").run()
    assert "As published" in texts(at)
    assert not [button for button in at.button if str(button.key).startswith("synonyms_")]


def test_markup_in_terms_and_phrases_is_shown_as_it_is_written(page: Start) -> None:
    at = page({"**grievance**": ["<img src=x onerror=alert(1)>"]})
    at.selectbox(key="term").set_value("**grievance**").run()
    assert list(table(at).index) == ["**grievance**"]
    assert not any("img" in str(element.value) for element in (*at.markdown, *at.caption, *at.info))
