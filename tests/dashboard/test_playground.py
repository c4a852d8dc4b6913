"""The playground as its user sees it: ask, read why, switch stages off, look for a tool."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import ModelUnavailable
from dashboard import resources
from tests.dashboard.conftest import APP, write_registry

Start = Callable[..., AppTest]


def listed(at: AppTest) -> list[str]:
    """Return the tools of the answer."""
    return list(at.dataframe[0].value["tool"])


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in at.text)


def badges(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in at.markdown)


def test_a_question_lists_the_tools_with_figures_and_reason(app: Start) -> None:
    at = app(q="send a grievance")
    first = at.dataframe[0].value.iloc[0]
    assert first["tool"] == "submit_grievance"
    assert first["meaning"].startswith("#1 ")
    assert first["words"].startswith("#1 ")
    assert first["combined"] == ".0328"
    assert "grievance" in first["why"]


def test_an_empty_page_says_what_it_is_for_and_offers_questions_that_are_not_held_out(app: Start) -> None:
    at = app()
    assert "Ask what a user would ask" in badges(at)
    assert "how many classes did I miss" in texts(at)
    assert "kept for measuring" not in texts(at)
    at.button(key="playground_ask_1").click().run()
    assert at.text_input(key="q").value == "send a grievance"
    assert listed(at)[0] == "submit_grievance"


def test_a_two_in_one_question_shows_its_parts_and_which_part_brought_a_tool(app: Start) -> None:
    at = app(q="pay tuition and also renew a book")
    assert "split at “and also” → ① pay tuition  ② renew a book" in texts(at)
    rows = at.dataframe[0].value.set_index("tool")
    assert "①" in list(rows["flags"]["pay_fees"])
    assert "②" in list(rows["flags"]["renew_book"])


def test_switching_a_stage_off_takes_its_figures_away(app: Start) -> None:
    at = app(q="send a grievance", k="3")
    at.checkbox(key="dense").uncheck().run()
    assert set(at.dataframe[0].value["meaning"]) == {"–"}
    assert listed(at) == ["submit_grievance"]  # nothing else shares a word


def test_the_address_holds_question_number_of_tools_and_stages(app: Start) -> None:
    at = app(q="send a grievance", k="2", anchor="false", tool="pay_fees", role="student")
    assert at.number_input(key="k").value == 2
    assert at.checkbox(key="anchor").value is False
    assert at.selectbox(key="tool").value == "pay_fees"
    assert at.selectbox(key="role").value == "student"
    assert len(listed(at)) == 2


def test_the_role_lens_hides_tools_that_the_role_may_not_see(app: Start) -> None:
    at = app(q="how many classes", role="faculty", tool="get_attendance")
    assert "get_attendance" not in listed(at)
    assert "role faculty may not see it" in texts(at)


def test_a_tool_below_the_cut_says_where_it_is_and_what_it_lacks(app: Start) -> None:
    at = app(q="send a grievance", k="1")
    at.selectbox(key="tool").select("renew_book").run()
    assert "renew_book is not the one tool that is given" in texts(at)
    at.toggle(key="playground_below").set_value(True).run()
    assert "renew_book" in list(at.dataframe[1].value["tool"])
    assert len(at.dataframe[1].value) == 4


def test_a_tool_can_be_read_in_a_drawer(app: Start) -> None:
    at = app(q="fees", tool="get_attendance")
    assert "roles" not in [element.value for element in at.caption]
    at.button(key="focus_peek").click().run()
    assert "roles" in [element.value for element in at.caption]
    assert "Show how many classes a student was in." in texts(at)


def test_words_that_no_tool_knows_are_named(app: Start) -> None:
    at = app(q="renew bitcoin")
    assert "unknown words" in badges(at)
    assert "bitcoin" in texts(at)


def test_weak_evidence_says_that_nothing_fits(app: Start) -> None:
    at = app(q="zxcv qwerty")
    assert "Nothing here fits" in texts(at)


def test_tool_text_is_shown_as_it_is_never_as_markup(app: Start, folder: Path) -> None:
    nasty = {"name": "**bold**", "description": "<b>raw</b> :smile: \u202etxt\u200b **x**"}
    write_registry(folder, [nasty])
    at = app(q="raw", tool="**bold**")
    assert "<b>raw</b> :smile: ‹U+202E›txt‹U+200B› **x**" in texts(at)
    assert not any("bold" in element.value or "raw" in element.value for element in at.markdown)


def test_the_page_answers_by_words_while_the_model_is_loading(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources.Snapshot, "build", lambda *_: None)
    at = app(wait=False, q="send a grievance")
    assert listed(at)[0] == "submit_grievance"
    assert "Loading the model" in badges(at)


def test_without_a_model_the_page_says_why_and_works_by_words(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise ModelUnavailable("no model at /nowhere; run tool-curator model pull")

    monkeypatch.setattr(resources, "load_encoder", missing)
    at = app(q="send a grievance")
    assert "no model at /nowhere" in texts(at)
    assert listed(at)[0] == "submit_grievance"
    assert at.button(key="header_retry")


def test_an_unknown_folder_is_told_and_another_can_be_chosen(monkeypatch: pytest.MonkeyPatch, folder: Path, tmp_path: Path) -> None:
    monkeypatch.setenv("TOOL_CURATOR_FOLDER", str(tmp_path / "nowhere"))
    at = AppTest.from_file(str(APP), default_timeout=30).run()
    assert "nowhere" in texts(at)
    at.text_input(key="start_folder").set_value(str(folder))
    at.button(key="start_open").click().run()
    assert next(metric.value for metric in at.metric if metric.label == "Tools") == "5"
    assert resources.workbench().folder == str(folder)


def test_problems_of_the_files_are_listed_behind_a_button(app: Start, folder: Path) -> None:
    (folder / "extra_context.json").write_text(json.dumps({"nobody": "text"}), encoding="utf-8")
    at = app()
    assert not any("what to do" in element.value for element in at.dataframe)  # made when somebody opens it
    at.session_state["header_problems"] = True
    found = next(element.value for element in at.run().dataframe if "what to do" in element.value)
    assert "nobody" in " ".join(found["where"] + found["found"])


def test_a_registry_without_tools_says_so(app: Start, folder: Path) -> None:
    write_registry(folder, [])
    at = app()
    assert "no tools yet" in badges(at)
    at.text_input(key="q").set_value("anything").run()
    assert "the registry has no tools" in texts(at)
