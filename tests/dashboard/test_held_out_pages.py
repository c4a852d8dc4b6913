"""No page that an author looks at while writing shows a held-out query; and logged questions are part of what an edit does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import VERDICTS, Person, keep_logged
from curator_core.queries.logged import LoggedQuestion
from dashboard import resources
from tests.dashboard.conftest import AUTHOR, edit, settled

Start = Callable[..., AppTest]
SECRET, OPEN = "wombat", "quokka"
QUERIES = [
    {"query": f"grievance about the {SECRET} committee", "expected": ["submit_grievance"], "tags": ["held_out"], "critical": True},
    {"query": f"renew my {SECRET} book", "expected": ["pay_fees"], "tags": ["held-out"]},
    {"query": f"nobody judged this {SECRET}", "tags": ["held_out"]},
    {"query": f"a {SECRET} that nothing fits", "expected": [], "tags": ["held_out"]},
    {"query": f"{SECRET} of a tool that is gone", "expected": ["gone"], "tags": ["held_out"]},
    {"query": f"where is the {OPEN} library book", "expected": ["pay_fees"]},
    {"query": f"formal complaint about a {OPEN}", "expected": ["submit_grievance"]},
    {"query": f"nobody judged this {OPEN}"},
]


@pytest.fixture
def page(app: Start, folder: Path) -> Start:
    def start(name: str, **address: str) -> AppTest:
        (folder / "test_queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in QUERIES), encoding="utf-8")
        return app(page=name, **address)

    return start


def sent(at: AppTest) -> str:
    """Return all that the page sends to the browser."""
    return "\n".join(repr(element.proto) for element in _elements(at._tree))


def _elements(block: Any) -> Iterator[Any]:
    for child in getattr(block, "children", {}).values():
        if hasattr(child, "children"):
            yield from _elements(child)
        elif hasattr(child, "proto"):
            yield child


@pytest.mark.parametrize("name", ["home", "tools", "synonyms", "queries"])
def test_the_pages_for_writing_send_open_test_queries_and_no_held_out_one(page: Start, name: str) -> None:
    at = page(name, tool="submit_grievance", term="grievance", q="renew a book")
    text = sent(settled(edit(at, "submit_grievance", "description", f"Sends a letter about the {OPEN} library.")))
    assert OPEN in text and SECRET not in text


def test_no_view_of_test_queries_clashes_and_comparisons_sends_a_held_out_one(page: Start) -> None:
    at = edit(page("queries"), "submit_grievance", "description", "Sends a letter about the library.")
    for view in ("Coverage", "Starters"):
        at.session_state["queries_view"] = f":gray[{view}]"
        assert SECRET not in sent(settled(at))
    at.switch_page("views/compare.py").run()
    for view in ("Questions", "Rank lines", "Not judged"):
        at.session_state["compare_tab"] = f":gray[{view}]"
        at.session_state["compare_verdicts"] = list(VERDICTS)
        text = sent(settled(at))
        assert OPEN in text and SECRET not in text
    at.switch_page("views/overlap.py").run()
    at.session_state["overlap_view"] = ":gray[Clashes]"
    assert SECRET not in sent(settled(at))


def test_an_edit_shows_whose_answers_change_among_the_questions_that_users_asked(page: Start, folder: Path) -> None:
    at = page("tools", tool="submit_grievance")
    log = [LoggedQuestion("ombudsman", 12), LoggedQuestion("pay tuition", 3), LoggedQuestion(str(QUERIES[1]["query"]), 99)]
    keep_logged(resources.workbench().store(at.session_state["session_opened"].folder), Person(AUTHOR), "monday", log)
    at = settled(edit(at, "submit_grievance", "description", "Write to the ombudsman or send a formal grievance."))
    said = next(text.value for text in at.text if text.value.startswith("Logged questions"))
    assert said.startswith("Logged questions (2, asked 15 times): 1 answer changed, asked 12 times")
    table = next(frame.value for frame in at.dataframe if "asked" in frame.value)
    assert table[["asked", "question"]].values.tolist() == [[12, "ombudsman"]]
    assert table["first tool"][0].endswith("submit_grievance") and SECRET not in sent(at)
