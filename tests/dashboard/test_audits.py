"""The audits of the Engine page as its user sees them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from dashboard import resources
from dashboard.panels import tab
from tests.dashboard.conftest import TOOLS, write_registry

Start = Callable[..., AppTest]


def audits(app: Start) -> AppTest:
    at = app(page="engine")
    at.session_state["engine_view"] = tab("Audits")
    at.run()
    for job in resources.workbench().audits.all():
        assert job.wait(30)
    return at.run()


def table(at: AppTest, column: str) -> Any:
    return next(element.value for element in at.dataframe if column in element.value)


def test_the_audits_say_what_the_name_rule_and_the_split_did_to_the_test_queries(folder: Path, app: Start) -> None:
    shortage = {"name": "attendance_shortage", "description": "Tells who is in trouble because of too few classes."}
    write_registry(folder, [*TOOLS, shortage])
    queries = [
        {"query": "am i in trouble with attendance", "expected": ["attendance_shortage"]},
        {"query": "pay online and also send a formal grievance", "expected": ["submit_grievance"]},
    ]
    (folder / "test_queries.jsonl").write_text("".join(json.dumps(query) + "\n" for query in queries), encoding="utf-8")
    at = audits(app)
    assert not at.exception
    figures = [(metric.label, metric.value) for metric in at.metric]
    assert figures[:5] == [("forced", "1 of 2"), ("helped", "0"), ("hurt", "1"), ("displaced", "0"), ("brought in", "0")]
    assert figures[5] == ("split", "1 of 2")
    case = table(at, "put first, by these words").iloc[0]
    assert list(case)[1:] == ["am i in trouble with attendance", "attendance_shortage 1 → 2", "get_attendance (attendance)"]
    assert list(table(at, "words of its name").iloc[0]) == ["get_attendance", "1", "0", "1", "attendance"]


def test_where_a_stage_changes_nothing_the_page_says_so(app: Start) -> None:
    at = audits(app)
    assert any("changes the rank of no right tool in 2 test queries" in element.value for element in at.markdown)


def test_a_stage_that_is_off_is_said_to_be_off(folder: Path, app: Start) -> None:
    (folder / "curator.toml").write_text("[settings]\nanchor = false\n", encoding="utf-8")
    at = audits(app)
    assert not at.exception
    assert [element.value for element in at.markdown if "this is what it would do" in element.value]
