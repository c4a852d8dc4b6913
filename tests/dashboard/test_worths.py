"""Profiles, stages and the line of no tool on the Engine page, as its user sees them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import CurvePoint, NoToolLine, RecallCurve, Settings, Sureness, load_config
from curator_core.proof.sureness import Step
from dashboard import resources
from dashboard.engine.profile_tables import curve_frame, needed_sentences, no_tool_chart, no_tool_frame, recall_chart
from dashboard.panels import tab

Start = Callable[..., AppTest]
ASKED = {"get_attendance": "how many classes did i miss", "submit_grievance": "send a grievance", "pay_fees": "pay my tuition"}


@pytest.fixture
def page(app: Start, folder: Path) -> Start:
    """The Engine page of a registry with 33 test queries that name a right tool, and one that no tool fits."""
    cases = [
        {"query": f"{text} {number}", "expected": [tool], "tags": [tool.split("_")[1]]}
        for tool, text in ASKED.items()
        for number in range(11)
    ]
    cases.append({"query": "quantum banana", "expected": []})
    (folder / "test_queries.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")

    def start(view: str) -> AppTest:
        at = app(page="engine")
        at.session_state["engine_view"] = tab(view)
        at.run()
        for job in resources.workbench().audits.all():
            assert job.wait(60)
        return at.run()

    return start


def settle(at: AppTest) -> AppTest:
    for job in resources.workbench().audits.all():
        assert job.wait(60)
    return at.run()


def table(at: AppTest, column: str) -> Any:
    return next(element.value for element in at.dataframe if column in element.value)


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.markdown, *at.info))


def test_the_profiles_page_says_which_serves_the_test_queries_and_how_many_tools_each_takes(page: Start) -> None:
    at = page("Profiles")
    assert not at.exception
    assert "33 " in texts(at) and "80% of the right tools are given with: seed" in texts(at)
    figures = table(at, "95 % interval")
    assert list(figures["n"].unique()) == [33] and {"seed", "tuned"} < set(figures.columns)
    assert list(table(at, "seed: found")["tools"])[:3] == [1, 2, 3]
    assert set(table(at, "fixed")["tag"]) == {"attendance", "grievance", "fees"}


def test_a_recommended_profile_goes_into_the_draft_with_one_click_and_undo_takes_it_back(page: Start, folder: Path) -> None:
    stems = {"pay_fees": "fee", "renew_book": "books", "list_clubs": "club"}  # words that only the profile tuned knows the stems of
    cases = [{"query": f"{word} {number}", "expected": [tool]} for tool, word in stems.items() for number in range(10)]
    (folder / "test_queries.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    at = page("Profiles")
    assert "tuned puts the right tool first for 20 questions where seed does less well; for 0" in texts(at)
    at.button(key="engine_switch").click().run()
    assert not at.exception and not (folder / "curator.toml").exists()
    assert any("1 edit in 1 place" in str(one.value) for one in at.markdown)
    assert settle(at).button(key="draft_undo")
    assert "stay with tuned" in "".join(str(one.value) for one in at.markdown)
    at.switch_page("views/playground.py").run()
    assert at.selectbox(key="profile").value == "tuned"
    at.button(key="draft_undo").click().run()
    at.switch_page("views/engine.py")
    at.session_state["engine_view"] = tab("Profiles")
    at.run()
    assert "use tuned" in "".join(str(one.value) for one in settle(at).markdown)


def test_values_of_the_form_go_into_the_draft_and_are_published_with_a_reason(app: Start, folder: Path) -> None:
    at = app(page="engine")
    next(field for field in at.text_input if field.key and field.key.endswith("_top_k")).set_value("12").run()
    at.button(key="engine_draft").click().run()
    assert not at.exception
    assert "In your draft: top_k as the profile has it → 12" in texts(at)
    assert at.button(key="engine_save").disabled
    next(box for box in at.selectbox if box.label == "Profile").set_value("tuned").run()
    at.button(key="engine_draft").click().run()
    assert "profile seed → tuned" in texts(at) and "top_k as the profile has it → 12" in texts(at)
    at.button(key="draft_publish").click().run()
    at.text_input(key="draft_reason").set_value("it finds more")
    at.button(key="draft_publish_now").click().run()
    assert load_config(folder).settings == Settings("tuned", top_k=12)
    assert "In your draft" not in texts(at)
    assert next(field for field in at.text_input if field.key and field.key.endswith("_top_k")).value == "12"


def test_the_stages_page_shows_each_stage_with_its_figures_and_one_by_tag_for_either_profile(page: Start) -> None:
    at = page("Stages")
    assert not at.exception
    stages = table(at, "verdict").set_index("stage")
    assert list(stages.index)[:2] == ["Meaning match", "Word match"] and len(stages) == 7
    assert set(stages["n"]) == {"33"}
    assert "→" in stages.loc["Word match", "hit@1"] and "/" in stages.loc["Word match", "hit@1 ▲ ▼"]
    assert "no tool noticed" in stages.columns
    assert set(at.dataframe[-1].value["tag"]) == {"attendance", "grievance", "fees"}
    assert set(at.dataframe[-1].value["hit@1 gain"]) == {"too few"}
    at.segmented_control(key="engine_stages_of").set_value("tuned").run()
    for job in resources.workbench().audits.all():
        assert job.wait(60)
    assert "Own unsure line" in set(table(at.run(), "verdict")["stage"])


def test_the_no_tool_page_draws_the_line_over_the_histogram_with_a_table_and_words(page: Start) -> None:
    at = page("No tool")
    assert not at.exception
    assert "nine in ten of the 33 test queries" in texts(at)
    assert "so noticed where no tool fits: 1 of 1" in texts(at)
    rows = table(at, "against the line")
    assert rows["a tool is right"].sum() == 33 and rows["no tool fits"].sum() == 1
    assert rows.iloc[0]["against the line"] == "below"


def test_without_test_queries_each_page_says_what_it_takes(app: Start, folder: Path) -> None:
    (folder / "test_queries.jsonl").write_text("", encoding="utf-8")
    for view in ("Profiles", "Stages", "No tool"):
        at = app(page="engine")
        at.session_state["engine_view"] = tab(view)
        at.run()
        assert not at.exception
        assert "there are none yet: write some on the Test queries page" in texts(at)


def test_few_test_queries_give_figures_but_no_verdict(app: Start) -> None:
    at = app(page="engine")
    at.session_state["engine_view"] = tab("Stages")
    at.run()
    for job in resources.workbench().audits.all():
        assert job.wait(60)
    at.run()
    assert set(table(at, "verdict")["verdict"]) == {"too few to say"}
    assert "Too few to say: 2 test queries" in texts(at)


def test_charts_and_their_tables_have_the_same_figures() -> None:
    curves = tuple(
        RecallCurve(name, 30, "tokens", tuple(CurvePoint(k, share + k / 20, 100.0 * k) for k in range(1, 5)))
        for name, share in (("seed", 0.5), ("tuned", 0.75))
    )
    for against, xs in (("tools", (1, 2, 3, 4)), ("tokens", (100.0, 200.0, 300.0, 400.0))):
        figure = recall_chart(curves, against)  # type: ignore[arg-type]
        assert [tuple(line.x) for line in figure.data] == [xs, xs]
    assert list(curve_frame(curves)["tuned: found"]) == [".800", ".850", ".900", ".950"]
    assert needed_sentences(curves)[0] == ("80% of the right tools are given with: seed more than 4 tools, tuned 1 tool (100 tokens).")
    found = Sureness(NoToolLine(0.27, 20, True), 3, 1, 1, 1, 1.0, (Step(0.2, 1, 1), Step(0.25, 0, 0), Step(0.3, 2, 0)))
    bars = no_tool_chart(found).data
    assert [sum(bar.y) for bar in bars] == [3, 1]
    assert list(no_tool_frame(found)["against the line"]) == ["below", "holds the line", "above"]
