"""Audits of the name rule and of the split: what each does to the test queries."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from curator_core import (
    Curator,
    Registry,
    Settings,
    TestQuery,
    Tool,
    audit_name_rule,
    audit_split,
    build_index,
    forced_tools,
    profile,
    save_registry,
)
from curator_core.cli import main
from tests.core.fakes import FakeEncoder

TOOLS = (
    Tool("get_attendance", "Days in class"),
    Tool("attendance_shortage", "Who is in trouble and must come more often"),
    Tool("pay_fees", "Pay tuition online"),
    Tool("bus_times", "When the bus leaves"),
    Tool("weather", "Rain tomorrow"),
)
QUERIES = (
    TestQuery("am i in trouble with attendance", ("attendance_shortage",)),
    TestQuery("trouble more often", ("attendance_shortage",)),
    TestQuery("attendance when who must come more often", ("get_attendance",)),
    TestQuery("rain tomorrow and also when does the bus leave", ("bus_times", "weather")),
    TestQuery("attendance kept for measuring", ("get_attendance",), tags=("held_out",)),
    TestQuery("what is the meaning of life", ()),
)


def curator(queries: tuple[TestQuery, ...] = QUERIES, settings: Settings | None = None) -> Curator:
    return Curator(build_index(Registry(name="test", tools=TOOLS, test_queries=queries), FakeEncoder(dimension=64)), settings)


def test_the_name_rule_is_charged_with_what_it_pushes_down_and_credited_with_what_it_lifts() -> None:
    audit = audit_name_rule(curator(), QUERIES)
    assert (audit.queries, len(audit.cases)) == (4, 2)  # held-out questions and those that no tool fits are not asked
    hurt, helped = audit.cases
    assert (hurt.case.query, hurt.outcome) == ("am i in trouble with attendance", "hurt")
    assert hurt.forced == (("get_attendance", ("attendance",)),)
    assert (dict(hurt.without), dict(hurt.with_)) == ({"attendance_shortage": 1}, {"attendance_shortage": 2})
    assert (helped.outcome, dict(helped.with_)) == ("helped", {"get_attendance": 1})


def test_tools_that_the_rule_puts_first_are_listed_with_the_words_of_their_names() -> None:
    (tool,) = forced_tools(audit_name_rule(curator(), QUERIES))
    assert (tool.key, tool.forced, tool.right, tool.hurt, tool.words) == ("get_attendance", 2, 1, 1, ("attendance",))


def test_a_right_tool_that_leaves_the_first_ones_is_displaced() -> None:
    tools = (*TOOLS, *(Tool(f"attendance_{letter}", "An office") for letter in "abcdef"))
    one = Curator(build_index(Registry(name="test", tools=tools), FakeEncoder(dimension=64)))
    audit = audit_name_rule(one, QUERIES[:1])
    assert audit.cases[0].displaced == ("attendance_shortage",)
    assert (audit.displaced, audit.brought) == (1, 0)


def test_only_questions_that_are_split_are_in_the_audit_of_the_split_with_their_parts() -> None:
    audit = audit_split(curator(), QUERIES)
    assert [case.parts for case in audit.cases] == [("rain tomorrow", "when does the bus leave")]
    assert audit.cases[0].markers == ("and also",)


def test_a_stage_that_is_off_is_audited_all_the_same() -> None:
    off = curator(settings=Settings(anchor=False, split=False))
    assert audit_name_rule(off, QUERIES) == audit_name_rule(curator(settings=Settings(split=False)), QUERIES)
    assert audit_split(off, QUERIES).queries == 4


def test_where_the_rule_is_soft_it_is_charged_with_the_right_tools_that_a_said_name_moves() -> None:
    queries = (*QUERIES, TestQuery("attendance when who must come often", ("attendance_shortage",)))
    audit = audit_name_rule(curator(queries, profile("tuned").with_values({"name_weight": 2.0})), queries)
    assert (audit.soft, audit.queries, [case.outcome for case in audit.cases]) == (True, 5, ["hurt", "helped"])
    hurt, helped = audit.cases
    assert (dict(hurt.without), dict(hurt.with_)) == ({"attendance_shortage": 1}, {"attendance_shortage": 2})
    assert hurt.forced[0] == ("get_attendance", ("attendance",))
    assert helped.case.query == "attendance when who must come more often"
    (first, _) = forced_tools(audit)
    assert (first.key, first.hurt, first.right) == ("get_attendance", 1, 1)
    assert not audit_name_rule(curator(), QUERIES).soft


def test_without_test_queries_there_is_nothing_to_audit() -> None:
    assert audit_name_rule(curator(()), ()).to_dict() | {"cases": []} == {
        "queries": 0,
        "touched": 0,
        "helped": 0,
        "hurt": 0,
        "brought": 0,
        "displaced": 0,
        "cases": [],
    }


def test_the_command_prints_both_audits_with_magnets_and_ghosts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("curator_core.curator.load_encoder", lambda *_: FakeEncoder(dimension=64))
    save_registry(Registry(name="test", tools=TOOLS, test_queries=QUERIES), tmp_path)
    outputs = []
    for arguments in (["--json"], []):
        monkeypatch.setattr(sys, "argv", ["tool-curator", "audit", str(tmp_path), *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
        outputs.append(capsys.readouterr().out)
    found = json.loads(outputs[0])
    assert (found["name_rule"]["touched"], found["name_rule"]["hurt"], found["name_rule"]["helped"]) == (2, 1, 1)
    assert found["name_rule"]["cases"][0]["forced"] == {"get_attendance": ["attendance"]}
    assert found.keys() == {"registry", "name_rule", "split", "magnets", "ghosts"}
    assert "name rule: 2 of 4 touched, 1 helped, 1 hurt, 0 displaced, 0 brought in" in outputs[1]
    assert "kept for measuring" not in outputs[0] + outputs[1]
