"""Pinning from the Playground: one click makes a test query of a question and a tool, and one click takes it back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import TestQuery

Start = Callable[..., AppTest]


def draft(at: AppTest) -> tuple[TestQuery, ...]:
    found: tuple[TestQuery, ...] = at.session_state["session_overlay"].registry.test_queries
    return found


def texts(at: AppTest) -> list[Any]:
    return [*(element.value for element in (*at.text, *at.toast))]


def test_a_tool_is_pinned_to_a_question_and_the_click_is_taken_back(app: Start) -> None:
    at = app(q="where are the clubs", tool="list_clubs", role="student")
    number = len(draft(at))
    at.button(key="focus_pin").click().run()
    assert draft(at)[number:] == (TestQuery("where are the clubs", ("list_clubs",), role="student"),)
    assert "New test query: list_clubs is expected" in texts(at)
    at.button(key="focus_pin_undo").click().run()
    assert len(draft(at)) == number
    assert "focus_pin_undo" not in {button.key for button in at.button}


def test_a_pin_adds_to_the_test_query_that_has_the_question(app: Start) -> None:
    at = app(q="Send a grievance?", tool="pay_fees")
    at.button(key="focus_forbid").click().run()
    assert draft(at)[1] == TestQuery("send a grievance", ("submit_grievance",), ("pay_fees",), tags=("exact",))
    at.button(key="focus_pin").click().run()
    assert (draft(at)[1].expected, draft(at)[1].forbidden) == (("submit_grievance", "pay_fees"), ())


def test_what_is_pinned_already_is_said_and_changes_nothing(app: Start) -> None:
    at = app(q="send a grievance", tool="submit_grievance")
    before = draft(at)
    at.button(key="focus_pin").click().run()
    assert draft(at) == before
    assert any("expects submit_grievance for this question already" in str(text) for text in texts(at))


def test_each_row_of_the_answer_has_both_buttons(app: Start) -> None:
    at = app(q="where are the clubs")
    frame = next(frame.value for frame in at.dataframe if "why" in frame.value)
    assert list(frame.columns[:4]) == ["#", "tool", "pin", "not"]
    assert not at.exception


@pytest.mark.parametrize("question", ["", "   "])
def test_without_a_question_there_is_nothing_to_pin(app: Start, question: str) -> None:
    at = app(q=question, tool="list_clubs")
    assert "focus_pin" not in {button.key for button in at.button}


def test_a_viewer_has_no_pins(app: Start, folder: Path) -> None:
    (folder / "curator.toml").write_text('[people]\n"*" = ["viewer"]\n')
    at = app(q="where are the clubs", tool="list_clubs")
    assert "focus_pin" not in {button.key for button in at.button}
    assert "pin" not in next(frame.value for frame in at.dataframe if "why" in frame.value)
