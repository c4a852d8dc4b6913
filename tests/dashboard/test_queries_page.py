"""The Test queries page as its user sees it: a list that says how each stands, a form whose every change is a step of the draft."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from curator_core import TestQuery, load_registry
from tests.dashboard.conftest import edit, first_button, settled

Start = Callable[..., AppTest]
LIST, COVERAGE, STARTERS, LOGGED, FILES = (
    f":gray[{name}]" for name in ("Queries", "Coverage", "Starters", "Logged questions", "Paste and files")
)
NEW = [
    {"query": "how many classes did I miss", "expected": ["get_attendance"], "role": "student", "tags": ["paraphrase"]},
    {"query": "send a grievance", "expected": ["submit_grievance"], "tags": ["exact"], "critical": True},
    {"query": "quantum banana", "expected": []},
    {"query": "weather"},
    {"query": "   ", "expected": ["pay_fees"]},
    {"query": "pay the fee", "expected": ["pay_fee"]},
    {"query": "kept for measuring", "expected": ["pay_fees"], "tags": ["held_out"]},
]


@pytest.fixture
def page(app: Start, folder: Path) -> Start:
    def start(queries: list[dict[str, Any]] | None = None, view: str = LIST, **address: str) -> AppTest:
        lines = NEW if queries is None else queries
        (folder / "test_queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in lines), encoding="utf-8")
        return app(page="queries", state={"queries_view": view}, **address)

    return start


def show(at: AppTest, view: str) -> AppTest:
    at.session_state["queries_view"] = view
    return settled(at.run())


def table(at: AppTest, column: str) -> pd.DataFrame:
    found: pd.DataFrame = next(frame.value for frame in at.dataframe if column in frame.value)
    return found


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown, *at.info, *at.error))


def draft(at: AppTest) -> tuple[TestQuery, ...]:
    found: tuple[TestQuery, ...] = at.session_state["session_overlay"].registry.test_queries
    return found


def widget(at: AppTest, kind: str, name: str) -> Any:
    """Return the widget with this key, whatever number follows it."""
    return next(one for one in getattr(at, kind) if re.fullmatch(rf"{name}[_0-9a-f]*", str(one.key)))


# the list


def test_the_list_says_how_each_query_stands_and_held_out_ones_are_not_in_it(page: Start) -> None:
    at = page()
    frame = table(at, "margin").set_index("query")
    assert [cell[0] for cell in frame["status"]] == ["✓ ok", "✓ ok", "∅ no tool", "? unjudged", "! invalid", "! invalid"]
    assert "no such tool in the registry: pay_fee" in frame.loc["pay the fee", "remarks"]
    assert "6 of 7 test queries · 2 ok · 1 no tool · 1 unjudged · 2 invalid" in texts(at)
    assert "kept for measuring" not in texts(at)


def test_three_kinds_are_counted_apart_and_figures_on_few_queries_are_not_given(page: Start) -> None:
    figures = table(page(), "no tool flagged").set_index("")
    assert list(figures.index) == ["open", "held out"]
    assert (figures.loc["open", "judged"], figures.loc["open", "hit@1"]) == ("2", "too few queries to say (n = 2)")
    assert (figures.loc["open", "unjudged"], figures.loc["open", "invalid"], figures.loc["held out", "judged"]) == ("1", "2", "1")


def test_held_out_queries_are_shown_when_the_author_asks_for_them(page: Start) -> None:
    at = page()
    at.toggle(key="queries_held").set_value(True).run()
    assert "kept for measuring" in list(table(at, "margin")["query"])


def test_filters_leave_what_they_say(page: Start) -> None:
    at = page()
    at.selectbox(key="queries_status").set_value("invalid").run()
    assert list(table(at, "margin")["query"]) == ["   ", "pay the fee"]
    at.selectbox(key="queries_status").set_value(None).run()
    at.text_input(key="queries_text").set_value("grievance").run()
    assert list(table(at, "margin")["query"]) == ["send a grievance"]
    at.text_input(key="queries_text").set_value("").run()
    at.toggle(key="queries_critical_filter").set_value(True).run()
    assert list(table(at, "margin")["query"]) == ["send a grievance"]


def test_the_role_lens_leaves_queries_of_the_role_and_of_everybody(page: Start) -> None:
    at = page(role="faculty")
    assert "how many classes did I miss" not in list(table(at, "margin")["query"])
    assert "as faculty and everybody" in texts(at)


def test_an_edit_of_a_tool_moves_the_ranks_in_the_list(page: Start) -> None:
    at = page([{"query": "zorbing", "expected": ["list_clubs"]}])
    before = table(at, "margin")["rank now"][0]
    at = settled(edit(at, "list_clubs", "extra_context", "zorbing zorbing"))
    assert table(at, "margin")["rank now"][0] == 1
    assert before != 1


# one query


def test_each_change_in_the_form_is_a_step_that_undo_takes_back(page: Start) -> None:
    at = page(test="send a grievance")
    assert at.selectbox(key="test").value == "send a grievance"
    widget(at, "multiselect", "queries_expected").set_value(["submit_grievance", "list_clubs"]).run()
    widget(at, "checkbox", "queries_critical").set_value(False).run()
    widget(at, "multiselect", "queries_tags").set_value(["exact", "care"]).run()
    widget(at, "selectbox", "queries_role").set_value("student").run()
    assert draft(at)[1] == TestQuery("send a grievance", ("submit_grievance", "list_clubs"), role="student", tags=("exact", "care"))
    assert "Draft: 1 edit" in texts(at)
    at.button(key="draft_undo").click().run()
    assert draft(at)[1].role is None
    assert widget(at, "selectbox", "queries_role").value is None
    for _ in range(3):
        at.button(key="draft_undo").click().run()
    assert draft(at)[1].critical and not at.exception


def test_what_is_right_can_be_no_tool_or_not_judged(page: Start) -> None:
    at = page(test="send a grievance")
    widget(at, "radio", "queries_judged").set_value("no tool applies").run()
    assert draft(at)[1].expected == ()
    widget(at, "radio", "queries_judged").set_value("not judged yet").run()
    assert draft(at)[1].expected is None
    widget(at, "radio", "queries_judged").set_value("these tools").run()
    widget(at, "multiselect", "queries_expected").set_value(["pay_fees"]).run()
    assert draft(at)[1].expected == ("pay_fees",)


def test_the_form_says_where_each_named_tool_stands(page: Start) -> None:
    at = page(test="send a grievance")
    assert "submit_grievance is 1st of 5" in texts(at)
    assert "rank 1, passes by 5 places" in texts(at)


def test_a_query_is_written_added_and_opened(page: Start) -> None:
    at = page()
    at.button(key="queries_new_open").click().run()
    widget(at, "text_input", "queries_new_text").set_value("where are the clubs").run()
    assert widget(at, "multiselect", "queries_new_expected").options[0] == "list_clubs"
    widget(at, "multiselect", "queries_new_expected").set_value(["list_clubs"]).run()
    at.button(key="queries_new_add").click().run()
    assert draft(at)[-1] == TestQuery("where are the clubs", ("list_clubs",))
    assert at.selectbox(key="test").value == "where are the clubs"
    assert settled(at) and table(at, "margin")["query"].iloc[-1] == "where are the clubs"


def test_a_query_is_deleted_and_brought_back(page: Start) -> None:
    at = page(test="send a grievance")
    at.button(key="queries_delete").click().run()
    assert "send a grievance" not in [case.query for case in draft(at)]
    at.button(key="draft_undo").click().run()
    assert draft(at)[1].query == "send a grievance"


def test_a_published_change_is_one_line_of_the_file(page: Start, folder: Path) -> None:
    at = page(test="send a grievance")
    before = (folder / "test_queries.jsonl").read_text().splitlines()
    widget(at, "multiselect", "queries_forbidden").set_value(["pay_fees"]).run()
    at.button(key="draft_publish").click().run()
    at.text_input(key="draft_reason").set_value("fees are no grievance")
    at.button(key="draft_publish_now").click().run()
    after = (folder / "test_queries.jsonl").read_text().splitlines()
    assert [number for number, (old, new) in enumerate(zip(before, after, strict=True)) if old != new] == [1]
    assert load_registry(folder, strict=False).test_queries[1].forbidden == ("pay_fees",)


# many


def test_all_that_a_filter_shows_are_tagged_in_one_step(page: Start) -> None:
    at = page()
    at.selectbox(key="queries_status").set_value("invalid").run()
    at.session_state["queries_tag_name"] = "exact"
    at.run()
    at.button(key="queries_tag_on").click().run()
    assert [case.query for case in draft(at) if case.tags == ("exact",)] == ["send a grievance", "   ", "pay the fee"]
    at.button(key="draft_undo").click().run()
    assert [case.query for case in draft(at) if "exact" in case.tags] == ["send a grievance"]


def test_some_are_held_out_and_opened_again(page: Start) -> None:
    at = page([{"query": f"pay {number}", "expected": ["pay_fees"]} for number in range(10)])
    at.button(key="queries_hold_sure").click().run()
    held = [case for case in draft(at) if "held_out" in case.tags]
    assert len(held) == 3
    assert not {case.query for case in held} & set(table(settled(at), "margin")["query"])
    at.button(key="queries_hold_back").click().run()
    assert not any(case.tags for case in draft(at))


# empty, large, and for looking only


def test_without_queries_the_page_says_what_they_are_for_and_offers_first_steps(page: Start) -> None:
    at = page([])
    assert "A test query says which tools should come" in texts(at)
    at.button(key="queries_first").click().run()
    widget(at, "text_input", "queries_new_text").set_value("pay").run()
    at.button(key="queries_new_add").click().run()
    assert draft(at) == (TestQuery("pay", None),)


def test_without_queries_a_registrys_own_words_are_one_click_away(page: Start) -> None:
    at = page([])
    at.button(key="queries_first_starters").click().run()
    assert "Candidates are made of the tools' own words" in texts(at)


def test_a_viewer_reads_all_and_changes_nothing(page: Start, folder: Path) -> None:
    (folder / "curator.toml").write_text('[people]\n"*" = ["viewer"]\n')
    at = page(test="send a grievance")
    assert widget(at, "multiselect", "queries_expected").disabled
    keys = {str(button.key) for button in at.button}
    assert not keys & {"queries_new_open", "queries_delete", "queries_tag_on", "queries_hold_sure"}
    for view in (COVERAGE, STARTERS, LOGGED, FILES):
        show(at, view)
    assert "queries_take" not in {str(button.key) for button in at.button}


def test_markup_in_a_query_is_shown_as_it_is_written(page: Start) -> None:
    evil = "**bold** <img src=x onerror=alert(1)>"
    at = page([{"query": evil, "expected": ["pay_fees"], "tags": [evil], "note": evil}], test=evil)
    assert at.selectbox(key="test").value == evil
    assert not any("<img" in str(element.value) for element in (*at.markdown, *at.caption, *at.info))


# coverage


def test_coverage_lists_untested_tools_and_queries_whose_tools_are_gone(page: Start) -> None:
    at = page(view=COVERAGE)
    said = texts(at)
    assert "Tools that no test query expects** · 2 of 5" in said
    assert "Expected by held-out queries only** · 0" not in said
    assert "pay_fee, in 1 test query" in said
    first_button(at, "queries_use").click().run()
    assert draft(at)[5].expected == ("pay_fees",)
    assert set(table(at, "held out")["tag"]) == {"paraphrase", "exact", "held_out", "(no tag)"}


def test_a_query_that_was_pasted_into_a_tools_text_is_marked_and_listed_and_a_held_out_one_is_not_quoted(page: Start, folder: Path) -> None:
    tools = json.loads((folder / "tools.json").read_text())
    tools["tools"][1]["extra_context"] = "How do I settle what we owe to the vendor"
    tools["tools"][3]["examples"] = ["clear our dues with a seller"]
    (folder / "tools.json").write_text(json.dumps(tools))
    tune, held = "how do I settle what we owe to the vendor?", "clear our dues with a seller"
    at = page([{"query": tune, "expected": ["submit_grievance"]}, {"query": held, "expected": ["renew_book"], "tags": ["held_out"]}])
    assert "repeated in extra context of submit_grievance" in table(at, "margin")["remarks"][0]
    said = texts(show(at, COVERAGE))
    assert "Repeated in a tool's text** · 2" in said
    assert f"extra context: “{tune}”" in said and "examples: a held-out query" in said
    assert held not in said


# starters


def test_candidates_come_from_the_tools_and_count_only_when_they_are_taken(page: Start) -> None:
    at = page(view=STARTERS)
    frame = table(at, "from")
    assert set(frame["from"]) >= {"name", "first sentence"}
    assert not {"get_attendance", "submit_grievance"} & set(frame["tool"])  # they are tested
    number = len(draft(at))
    at.toggle(key="queries_starter_only").set_value(False).run()
    assert "submit formal complaint" in list(table(at, "from")["question"])
    at.text_input(key="queries_starter_text").set_value("submit formal complaint").run()
    at.button(key="queries_take_all").click().run()
    assert draft(at)[number:] == (TestQuery("submit formal complaint", ("submit_grievance",), tags=("starter",), note="from the synonym"),)
    at.button(key="draft_undo").click().run()
    assert len(draft(at)) == number


# files


def paste(at: AppTest, text: str) -> AppTest:
    at.session_state["queries_pasted"] = text
    return at.run()


def test_a_pasted_table_is_previewed_and_taken_over_in_one_step(page: Start) -> None:
    at = paste(page(view=FILES), "query,expected,role\nsend a grievance,list_clubs,\nweather,,\nnew one,payfees,\n,pay_fees,\n")
    said = texts(at)
    assert "Read as a table with 3 test queries" in said
    assert [badge for badge in ("1 new", "1 changed", "1 same", "1 unreadable") if badge not in said] == []
    assert "query is blank" in str(table(at, "what to do")["found"].to_list())
    at.selectbox(key="queries_instead_0_payfees").set_value("pay_fees").run()
    assert list(table(at, "what changes")["expected"]) == ["list_clubs", "pay_fees"]
    before = draft(at)
    at.button(key="queries_take").click().run()
    assert (draft(at)[1].expected, draft(at)[-1]) == (("list_clubs",), TestQuery("new one", ("pay_fees",)))
    assert draft(at)[1].critical  # what the table does not speak of stays
    at.button(key="draft_undo").click().run()
    assert draft(at) == before


def test_unknown_tools_can_be_kept_or_left_out(page: Start) -> None:
    at = paste(page(view=FILES), "query,expected\nnew one,zzz\n")
    assert "1 tool is not in this registry" in texts(at)
    at.selectbox(key="queries_instead_0_zzz").set_value("leave these lines out").run()
    assert "1 left out" in texts(at) and at.button(key="queries_take").disabled
    at.selectbox(key="queries_instead_0_zzz").set_value("keep the name as it is").run()
    at.button(key="queries_take").click().run()
    assert draft(at)[-1].expected == ("zzz",)


def test_the_ways_out_are_offered_with_all_queries(page: Start) -> None:
    at = page(view=FILES)
    assert len(at.get("download_button")) == 4
    assert "Qrels cannot say everything: 1 judgement" in texts(at)


# logged questions


def test_a_day_of_questions_is_kept_grouped_and_made_a_test_query(page: Start, folder: Path) -> None:
    at = page(view=LOGGED)
    at.session_state["queries_log_pasted"] = "lend laptops\nlend me laptops\nlaptops lend\nsend a grievance\n???\n"
    at.run()
    assert "4 different questions, asked 4 times; 1 line cannot be used." in texts(at)
    at.button(key="queries_log_keep").click().run()
    settled(at)
    groups = table(at, "such as")
    assert (groups["asked"][0], groups["questions"][0], "unsure" in groups["why"][0]) == (3, 3, True)
    at.selectbox(key="queries_log_group").set_value(groups["such as"][0]).run()
    at.button(key="queries_log_make").click().run()
    assert widget(at, "text_input", "queries_new_text").value == groups["such as"][0]
    at.button(key="queries_new_add").click().run()
    assert draft(at)[-1] == TestQuery(groups["such as"][0], None, tags=("logged",))
    assert not any(b"laptops" in path.read_bytes() for path in folder.glob("*.json*"))
    show(at, LOGGED)
    widget(at, "button", "queries_log_").click().run()
