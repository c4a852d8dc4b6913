"""The playground's further questions: other settings, one tool against another, several questions, what an answer costs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import Cost, Curator, Registry, Settings, SettingsError, Tool, build_index, compare_tools, declaration_cost
from dashboard import identity, tables
from dashboard.playground import comparison, cost, scratch
from dashboard.playground.comparison import Wanted
from tests.core.fakes import FakeEncoder
from tests.dashboard.conftest import end_process

Start = Callable[..., AppTest]
REGISTRY = Registry("small", tuple(Tool(f"tool_{word}", f"Does {word} and {word}.") for word in ("ink", "jam", "kit", "lid", "map", "nut")))


@pytest.fixture
def curator() -> Curator:
    return Curator(build_index(REGISTRY, FakeEncoder(64)))


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown))


def frames(at: AppTest, column: str) -> list[Any]:
    return [element.value for element in at.dataframe if column in element.value]


def test_other_settings_start_from_these_and_take_what_is_wanted() -> None:
    here = Settings(bm25_b=0.5)
    there = comparison.other_settings(here, Wanted("seed", 5, ("split", "anchor"), "rrf_k", 10.0))
    assert (there.top_k, there.split, there.anchor, there.dense, there.rrf_k, there.bm25_b) == (5, False, False, True, 10, 0.5)
    assert comparison.differences(here, here) == ()
    assert "Two-in-one questions: on here, off there" in comparison.differences(here, there)
    with pytest.raises(SettingsError):
        comparison.other_settings(here, Wanted("seed", 5, (), "bm25_b", 7.0))


def test_every_number_of_the_settings_can_be_compared_but_the_one_with_its_own_field() -> None:
    numbers = {spec.name for spec in fields(Settings) if "low" in spec.metadata}
    assert set(comparison.NUMBERS) == numbers - {"top_k"}


def test_both_places_stand_side_by_side_and_gone_tools_are_listed(curator: Curator) -> None:
    here, there = curator.curate("ink jam kit", top_k=3), curator.curate("map nut lid", top_k=3)
    frame = tables.list_frame(tables.answer(here, there), here.settings, "other").set_index("tool")
    assert list(frame.columns[:3]) == ["#", "other #", "vs other"]
    assert set(frame["vs other"]) <= {"new", "="} | {f"{sign}{n}" for sign in "▲▼" for n in range(1, 4)}
    lost = comparison.gone(here, there)
    assert [line.key for line in lost] == [key for key in there.tools if key not in here.tools]
    assert [line.before for line in lost] == [there.tools.index(line.key) + 1 for line in lost]
    assert comparison.summary(here, here) == "3 tools here, 3 there: the same tools in the same order."
    assert f"{len(lost)} gone" in comparison.summary(here, there)


def test_a_stage_switched_off_there_moves_tools_on_screen(app: Start) -> None:
    at = app(q="send a grievance", k="3")
    assert "other #" not in at.dataframe[0].value
    at.toggle(key="versus_settings").set_value(True).run()
    assert "Both sides have the same settings" in texts(at)
    assert set(at.dataframe[0].value["vs other"]) == {"="}
    at.multiselect(key="versus_off").set_value(["dense"]).run()
    rows = at.dataframe[0].value.set_index("tool")
    assert rows["other #"]["submit_grievance"] == "1"
    assert list(rows["vs other"]) == ["=", "new", "new"]
    assert "Meaning match: on here, off there" in texts(at)


def test_a_number_changed_by_name_is_compared(app: Start) -> None:
    at = app(q="send a grievance", k="2")
    at.toggle(key="versus_settings").set_value(True).run()
    at.number_input(key="versus_k").set_value(5).run()
    at.selectbox(key="versus_number").set_value("rrf_k").run()
    at.number_input(key="versus_value_rrf_k").set_value(10).run()
    assert "RRF constant: 60 here, 10 there" in texts(at)
    assert "Only with the other settings:" in texts(at)
    assert len(at.dataframe[1].value) == 3
    assert set(at.dataframe[1].value["vs other"]) == {"gone"}


def test_two_tools_are_compared_with_a_reason_and_both_rows(app: Start) -> None:
    at = app(q="send a grievance", tool="pay_fees")
    at.selectbox(key="other").set_value("submit_grievance").run()
    assert "submit_grievance stands before pay_fees" in texts(at)
    table = frames(at, "name rule")[0]
    assert list(table["tool"]) == ["submit_grievance", "pay_fees"]
    assert "Lead in the combined score:" in texts(at)


def test_the_rows_of_two_tools_are_the_records(curator: Curator) -> None:
    versus = compare_tools(curator.curate("ink and jam"), "tool_ink", "tool_map")
    frame = comparison.versus_frame(versus)
    first = versus.rows[0]
    assert first is not None
    assert frame["combined"][0] == tables.decimals(first.score, 4)
    assert frame["meaning"][0] == tables.meaning_cell(first)


def test_a_tool_that_was_not_searched_has_no_figures() -> None:
    registry = Registry("r", (Tool("a_tool", "ink", roles=("x",)), Tool("b_tool", "ink", roles=("y",))))
    trace = Curator(build_index(registry, FakeEncoder(64))).curate("ink", role="x")
    frame = comparison.versus_frame(compare_tools(trace, "a_tool", "b_tool"))
    assert frame["name rule"][1] == "not searched"


def test_questions_are_read_one_a_line_without_blanks_and_repeats() -> None:
    assert scratch.questions(" a b \n\n c\na b\r\n") == ("a b", "c")


def test_each_question_of_the_list_shows_its_first_tools_and_flags(curator: Curator) -> None:
    asked = scratch.ask(curator, ("tool_ink", "jam and also kit", "zzz"), None)
    assert asked[0].first[0] == "tool_ink"
    assert scratch.TWO_IN_ONE in asked[1].flags
    assert scratch.NOTHING in asked[2].flags and scratch.UNSURE in asked[2].flags
    frame = scratch.scratch_frame(asked)
    assert frame["1st"][0] == "tool_ink"
    assert frame["meaning"][0] == tables.decimals(curator.curate("tool_ink").confidence.max_similarity, 2)


def test_at_most_fifty_are_asked_and_each_only_once(curator: Curator) -> None:
    queries = tuple(f"ink {number}" for number in range(60))
    encoder = curator.index.encoder
    assert isinstance(encoder, FakeEncoder)
    assert len(scratch.ask(curator, queries, None)) == scratch.AT_MOST
    encoded = encoder.queries_encoded
    first = scratch.ask(curator, queries, None)[0]
    fewer = scratch.ask(Curator(curator.index, Settings(top_k=1)), queries[:1], None)[0]
    assert encoder.queries_encoded == encoded
    assert fewer.tools < first.tools


def test_the_scratch_list_survives_a_change_of_page(app: Start) -> None:
    at = app(q="fees")
    at.toggle(key="scratch_open").set_value(True).run()
    at.button(key="scratch_take").click().run()
    assert [list(frame["question"]) for frame in frames(at, "1st")] == [["how many classes did I miss", "send a grievance"]]
    at.switch_page("views/tools.py").run()
    at.switch_page("views/playground.py").run()
    assert list(frames(at, "1st")[0]["question"]) == ["how many classes did I miss", "send a grievance"]
    assert "kept for measuring" not in texts(at)


def test_the_scratch_list_is_there_after_the_program_was_ended_and_is_nobody_else_s(app: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    at = app()
    at.toggle(key="scratch_open").set_value(True).run()
    at.button(key="scratch_take").click().run()
    end_process()
    at = app(scratch_open="true")
    assert list(frames(at, "1st")[0]["question"]) == ["how many classes did I miss", "send a grievance"]
    monkeypatch.setattr(identity, "usual_name", lambda: "Binod")
    assert not frames(app(scratch_open="true"), "1st")


def test_an_answer_says_what_it_costs_and_the_share_of_all_tools(app: Start) -> None:
    at = app(q="send a grievance", k="2")
    said = next(caption.value for caption in at.caption if caption.value.startswith("Costs the agent"))
    assert said.endswith("of all 5 tools.") and "tokens a turn" in said


def test_the_cost_is_the_records(curator: Curator) -> None:
    trace = curator.curate("ink", top_k=2)
    answer, pool = cost.answer_cost(curator.index, trace), cost.pool_cost(curator.index, trace)
    assert answer == declaration_cost(REGISTRY, trace.tools, curator.index.encoder)
    assert pool == declaration_cost(REGISTRY, REGISTRY.keys, curator.index.encoder)
    assert f"{answer.share_of(pool):.0%}" in cost.cost_line(answer, pool)
    assert "characters" in cost.cost_line(Cost(1, 300, None), Cost(4, 900, None))
    assert cost.cost_line(Cost(1, 300, 80), None) == "Costs the agent 80 tokens a turn."


def test_a_quiet_page_computes_nothing_of_the_extras(app: Start) -> None:
    at = app(q="send a grievance")
    assert not frames(at, "1st") and not frames(at, "name rule")
    assert not any(element.key == "versus_off" for element in at.multiselect)
