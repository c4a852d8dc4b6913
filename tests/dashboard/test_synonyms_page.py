"""The Synonyms page as its user sees it: what each term reaches, adding with a preview, deleting, undoing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import Registry, TestQuery, Tool, build_index
from dashboard.synonym_table import Reach, matching_terms, phrase_lines, preview, reach_of_terms, synonyms_table

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


def test_each_term_has_the_tools_and_the_test_queries_that_it_reaches() -> None:
    reach = reach_of_terms(CARE, build_index(CARE, None))
    assert reach["grievance"] == Reach(("list_grievances", "submit_grievance"), (CARE.test_queries[0],))
    assert reach["hostel"] == Reach()
    rows = synonyms_table(CARE.synonyms, CARE.synonyms, reach, edited=["fees"]).set_index("term")
    assert list(rows["remarks"]) == ["", "reaches no tool", "edited, no phrases"]


def test_a_preview_says_what_a_new_term_would_reach_without_changing_the_registry() -> None:
    assert preview(CARE, "pay", ["settle"]).tools == ("pay_fees",)
    assert preview(CARE, "library", ["books"]) == Reach()
    assert "pay" not in CARE.synonyms


def test_terms_are_found_by_their_own_words_and_by_their_phrases() -> None:
    assert matching_terms(CARE.synonyms, "complaint") == ("grievance",)
    assert matching_terms(CARE.synonyms) == ("fees", "grievance", "hostel")


def test_phrases_are_one_a_line_without_blanks_and_repeats() -> None:
    assert phrase_lines("  a complaint \n\n an issue\na complaint") == ("a complaint", "an issue")


def test_a_term_that_does_nothing_says_why(page: Start) -> None:
    at = page({"grievance": ["formal complaint"], "hostel": ["dorm"]})
    assert table(at).loc["hostel", "remarks"] == "reaches no tool"
    at.toggle(key="synonyms_dead").set_value(True).run()
    assert list(table(at).index) == ["hostel"]
    at.selectbox(key="term").set_value("hostel").run()
    assert "No tool's name, description or extra context has this term" in texts(at)


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


def test_markup_in_terms_and_phrases_is_shown_as_it_is_written(page: Start) -> None:
    at = page({"**grievance**": ["<img src=x onerror=alert(1)>"]})
    at.selectbox(key="term").set_value("**grievance**").run()
    assert list(table(at).index) == ["**grievance**"]
    assert not any("img" in str(element.value) for element in (*at.markdown, *at.caption, *at.info))
