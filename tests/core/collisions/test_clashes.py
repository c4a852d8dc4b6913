"""Clashes: what comes first in the list, what stands for many, and what is kept apart."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from curator_core import (
    Curator,
    Dismissal,
    Person,
    Registry,
    Settings,
    TestQuery,
    Tool,
    build_index,
    dismiss_clash,
    find_clashes,
    mark_of,
    open_store,
    put_away,
    save_registry,
)
from curator_core.authoring.dismissals import Mark
from curator_core.cli import main
from curator_core.collisions.clash_evidence import counted_results, swaps_between
from curator_core.collisions.families import families_of
from curator_core.evaluation import evaluate
from tests.core.fakes import FakeEncoder

TOOLS = (
    Tool("bus_times", "When the bus leaves the campus", roles=("student",)),
    Tool("pay_fee", "Pay what is owed to the university", group="money"),
    Tool("room_key", "Open a door", roles=("staff",)),
    Tool("show_dues", "Lists dues and charges", group="money"),
    Tool("weather", "Rain and sun tomorrow"),
)
QUERIES = tuple(TestQuery(text, ("pay_fee",)) for text in ("dues and charges", "charges and dues lists"))


def curator(tools: tuple[Tool, ...] = TOOLS, queries: tuple[TestQuery, ...] = QUERIES, **settings: object) -> Curator:
    registry = Registry(name="test", tools=tools, test_queries=queries)
    return Curator(build_index(registry, FakeEncoder(dimension=64)), Settings(**settings))  # type: ignore[arg-type]


def test_the_pair_whose_test_queries_are_swapped_comes_first_and_says_in_which_direction() -> None:
    worst = find_clashes(curator()).clashes[0]
    assert worst.tools == ("pay_fee", "show_dues")
    assert (worst.swaps, worst.lost) == (2, (2, 0))
    assert worst.same_group


def test_the_order_is_by_harm_and_then_by_keys_and_no_pair_comes_twice() -> None:
    found = find_clashes(curator(queries=()))
    assert [(-clash.harm, clash.tools) for clash in found.clashes] == sorted((-clash.harm, clash.tools) for clash in found.clashes)
    assert len({clash.tools for clash in found.clashes}) == len(found.clashes) == 10


def test_the_files_order_changes_nothing() -> None:
    assert find_clashes(curator(TOOLS[::-1])).to_dict() == find_clashes(curator()).to_dict()


def test_held_out_and_unjudged_questions_are_no_evidence() -> None:
    queries = (TestQuery("dues and charges", ("pay_fee",), tags=("held_out",)), TestQuery("dues and charges", None))
    found = find_clashes(curator(queries=queries))
    assert found.queries == 0
    assert not any(clash.swaps for clash in found.clashes)


def test_a_question_that_expects_two_tools_counts_half_for_each() -> None:
    both = (TestQuery("dues and charges", ("pay_fee", "weather")),)
    harms = {clash.tools: clash.harm for clash in find_clashes(curator(queries=both)).clashes}
    without = {clash.tools: clash.harm for clash in find_clashes(curator(queries=())).clashes}
    for pair in (("pay_fee", "show_dues"), ("show_dues", "weather")):
        assert harms[pair] - without[pair] == pytest.approx(0.5)


def test_a_role_sees_only_the_clashes_among_its_tools() -> None:
    found = find_clashes(curator(), role="student")
    assert found.tools == 4
    assert not any("room_key" in clash.tools for clash in found.clashes)


def test_a_clash_says_who_sees_both_tools_and_whether_anybody_does() -> None:
    by_pair = {clash.tools: clash for clash in find_clashes(curator()).clashes}
    assert (by_pair["bus_times", "room_key"].roles, by_pair["bus_times", "room_key"].together) == ((), False)
    assert (by_pair["bus_times", "pay_fee"].roles, by_pair["bus_times", "pay_fee"].together) == (("student",), True)
    assert (by_pair["pay_fee", "weather"].roles, by_pair["pay_fee", "weather"].together) == ((), True)


def test_siblings_are_one_group_with_the_swaps_of_all() -> None:
    siblings = tuple(Tool(f"get_meter_{number}", f"Reads the value of meter {number}", group="meters") for number in range(11, 17))
    queries = (TestQuery("value of meter 12", ("get_meter_11",)), TestQuery("value of meter 13", ("get_meter_14",)))
    found = find_clashes(curator((*TOOLS, *siblings), queries))
    groups = [clash for clash in found.clashes if clash.family]
    assert [len(clash.family) for clash in groups] == [6]
    assert groups[0].family_swaps == 2
    assert [family.pattern for family in found.families] == ["get meter *"]


def test_tools_with_one_and_the_same_text_stand_apart() -> None:
    copies = (Tool("copy", "Says nothing new", group="a"), Tool("copy", "Says nothing new", group="b"))
    found = find_clashes(curator((*TOOLS, *copies)))
    assert found.duplicates == (("copy@a", "copy@b"),)
    assert ("copy@a", "copy@b") not in {clash.tools for clash in found.clashes}


def test_two_names_for_one_description_are_said_to_say_the_same() -> None:
    found = find_clashes(curator((*TOOLS, Tool("forecast", "Rain and sun tomorrow"))))
    assert {clash.tools for clash in found.clashes if clash.duplicate} == {("forecast", "weather")}


def test_dismissed_pairs_stand_apart_until_a_text_changes() -> None:
    one, pair = curator(), ("pay_fee", "show_dues")
    found, mark = find_clashes(one), mark_of(one.index, pair)
    away = {mark: Dismissal(mark, "they differ by role", "Asha", datetime(2026, 1, 2, tzinfo=UTC))}
    left = put_away(found, one.index, away)
    assert (left.clashes, [one.reason for one in left.dismissed]) == (found.clashes[1:], ["they differ by role"])
    assert len(put_away(found, one.index, away, limit=2).clashes) == 2
    changed = curator(tuple(replace(tool, description=f"{tool.description} now") if tool.name in pair else tool for tool in TOOLS))
    assert put_away(find_clashes(changed), changed.index, away).dismissed == ()


def test_the_questions_behind_the_swaps_of_a_pair_can_be_listed() -> None:
    one = curator()
    results = counted_results(evaluate(one, one.index.registry.test_queries))
    assert [result.case.query for result in swaps_between(results, "show_dues", "pay_fee")] == [case.query for case in QUERIES]
    assert swaps_between(results, "weather", "pay_fee") == ()


def test_a_family_whose_worst_pair_is_dismissed_is_listed_with_the_next_one() -> None:
    siblings = tuple(Tool(f"get_meter_{number}", f"Reads meter {number}", group="meters") for number in range(1, 7))
    swapped = [("Reads meter 1", "get_meter_4"), ("Reads meter 2", "get_meter_5"), ("Reads meter 2", "get_meter_6")]
    one = curator((*TOOLS, *siblings), tuple(TestQuery(query, (tool,)) for query, tool in swapped))
    found = find_clashes(one)
    listed = [next(clash for clash in found.clashes if clash.family)]
    dismissals: dict[Mark, Dismissal] = {}
    for _ in range(2):
        mark = mark_of(one.index, listed[-1].tools)
        dismissals[mark] = Dismissal(mark, "alike by design", "Asha", datetime.now(UTC))
        left = put_away(found, one.index, dismissals)
        (next_,) = [clash for clash in left.clashes if clash.family]
        assert next_.harm <= listed[-1].harm
        assert next_.family_swaps == listed[-1].family_swaps - listed[-1].swaps
        listed.append(next_)
    assert len({clash.tools for clash in listed}) == 3
    assert [clash.harm for clash in left.clashes] == sorted((clash.harm for clash in left.clashes), reverse=True)
    assert put_away(found, one.index, {}).clashes == found.clashes


def test_words_alone_find_clashes_too() -> None:
    registry = Registry(name="test", tools=TOOLS, test_queries=QUERIES)
    worst = find_clashes(Curator(build_index(registry, None))).clashes[0]
    assert (worst.tools, worst.similarity, worst.closeness) == (("pay_fee", "show_dues"), None, 0.0)


def test_both_stages_tell_how_far_they_are() -> None:
    told: list[tuple[str, int, int]] = []
    find_clashes(curator(), progress=lambda *step: told.append(step))
    assert told == [("test queries", 1, 2), ("test queries", 2, 2), ("own questions", 5, 5)]


def test_steals_are_listed_by_direction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("curator_core.curator.load_encoder", lambda *_: FakeEncoder(dimension=64))
    save_registry(Registry(name="test", tools=TOOLS), tmp_path)
    shown = []
    for arguments in (["--json"], []):
        monkeypatch.setattr(
            sys, "argv", ["tool-curator", "clashes", str(tmp_path), "--steals", "--limit", "3", "--set", "dense=off", *arguments]
        )
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
        shown.append(capsys.readouterr().out)
    listed = json.loads(shown[0])["steals"]
    assert [one["strength"] for one in listed] == sorted((one["strength"] for one in listed), reverse=True)
    assert len(listed) == 3
    assert listed[0]["victim"] in shown[1] and "questions about" in shown[1]


def test_names_that_share_too_little_are_no_family() -> None:
    tools = {name: Tool(name, group="g") for name in ("get_a", "get_the_b", "get_all_of_c", "put_d", "e")}
    assert families_of(tools) == ()


def test_the_command_lists_clashes_worst_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("curator_core.curator.load_encoder", lambda *_: FakeEncoder(dimension=64))
    save_registry(Registry(name="test", tools=TOOLS, test_queries=QUERIES), tmp_path)
    outputs = []
    for arguments in (["--json"], ["--limit", "1"]):
        monkeypatch.setattr(sys, "argv", ["tool-curator", "clashes", str(tmp_path), *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
        outputs.append(capsys.readouterr().out)
    listed = json.loads(outputs[0])["clashes"]
    assert (listed[0]["tools"], listed[0]["swaps"]) == (["pay_fee", "show_dues"], 2)
    assert {"harm", "steals", "closeness", "shared_words", "same_group"} <= listed[0].keys()
    assert "pay_fee · show_dues" in outputs[1]


def test_the_command_lists_dismissed_pairs_apart_and_makes_no_store_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("curator_core.curator.load_encoder", lambda *_: FakeEncoder(dimension=64))
    monkeypatch.setattr(sys, "argv", ["tool-curator", "clashes", str(tmp_path)])
    save_registry(Registry(name="test", tools=TOOLS, test_queries=QUERIES), tmp_path)

    def printed(*arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", ["tool-curator", "clashes", str(tmp_path), *arguments])
        with pytest.raises(SystemExit):
            main()
        return capsys.readouterr().out

    assert "dismissed" not in printed() and not (tmp_path / ".curator").exists()
    store = open_store(tmp_path)
    dismiss_clash(store, Person("Asha"), mark_of(curator().index, ("pay_fee", "show_dues")), "they differ by role")
    store.close()
    listed = json.loads(printed("--json"))
    assert ["pay_fee", "show_dues"] not in [clash["tools"] for clash in listed["clashes"]]
    assert [(one["tools"], one["reason"]) for one in listed["dismissed"]] == [(["pay_fee", "show_dues"], "they differ by role")]
    assert "dismissed: pay_fee · show_dues: they differ by role (Asha, " in printed("--limit", "1")
