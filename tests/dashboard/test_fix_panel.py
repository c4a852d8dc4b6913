"""Home names the tools whose test queries fail, says why, and leads to the tool with the question beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.home import fix_panel
from tests.dashboard.conftest import edit, first_button, settled

Start = Callable[..., AppTest]


def add_query(folder: Path, query: str, tool: str) -> None:
    with (folder / "test_queries.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"query": query, "expected": [tool], "critical": True}) + "\n")


def add_rivals(folder: Path) -> None:
    """Add tools that stand before the others for a question about rooms."""
    document = json.loads((folder / "tools.json").read_text(encoding="utf-8"))
    document["tools"] += [{"name": f"rooms_{number}", "description": "hostel room list"} for number in range(6)]
    (folder / "tools.json").write_text(json.dumps(document), encoding="utf-8")


def test_a_failing_query_is_named_with_its_tool_and_what_lost_it(app: Start, folder: Path) -> None:
    add_rivals(folder)
    add_query(folder, "hostel room list", "pay_fees")
    at = app(page="home")
    assert not at.exception
    line = next(text.value for text in at.text if "hostel room list" in text.value)
    assert line.startswith("1 of 1 fail, 1 critical · “hostel room list”\npay_fees is")
    assert any("Tools whose test queries fail" in text.value for text in at.markdown)


def test_fix_opens_the_tool_with_the_question_watched_beside_it(app: Start, folder: Path) -> None:
    add_rivals(folder)
    add_query(folder, "hostel room list", "pay_fees")
    at = app(page="home")
    first_button(at, "home_fix").click().run()
    assert at.session_state["tool"] == "pay_fees"
    watched = next(frame.value for frame in at.dataframe if "question" in frame.value)
    assert "hostel room list" in list(watched["question"])


def test_fix_opens_the_tool_of_the_line_that_was_read_also_when_the_list_has_changed_since(
    app: Start, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_rivals(folder)
    add_query(folder, "hostel room list", "pay_fees")
    add_query(folder, "hostel list room", "renew_book")
    at = app(page="home")
    clicked, order = first_button(at, "home_fix").key, fix_panel.fix_next
    monkeypatch.setattr(fix_panel, "fix_next", lambda evaluation: order(evaluation)[::-1])
    at.run()  # which the browser has not heard of when it sends the click
    at.button(key=clicked).click().run()
    assert at.session_state["tool"] == "pay_fees"


def test_an_edit_that_fixes_the_query_takes_the_line_away(app: Start, folder: Path) -> None:
    add_rivals(folder)
    add_query(folder, "hostel room list", "pay_fees")
    at = app(page="home")
    edit(at, "pay_fees", "description", "hostel room list hostel room list")
    at = settled(at)
    assert not any("hostel room list" in text.value for text in at.text)
    assert any("4 of 4 test queries are right" in text.value for text in at.caption)


def test_without_test_queries_the_place_says_what_it_is_for(app: Start, folder: Path) -> None:
    (folder / "test_queries.jsonl").unlink()
    at = app(page="home")
    assert any("No test queries yet" in text.value for text in at.markdown)


def test_from_home_texts_for_all_failing_tools_are_one_click_away(app: Start, folder: Path) -> None:
    add_rivals(folder)
    add_query(folder, "hostel room list", "pay_fees")
    at = app(page="home")
    at.button(key="home_suggest").click().run()
    assert not at.exception
    assert [button.label for button in at.button if button.key == "suggestions_try"] == ["Try texts"]
