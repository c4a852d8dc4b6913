"""What would it take, on the Tools page and in the Playground; and the word X-ray of a tool."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import Xray
from curator_core.suggestions.word_xray import Piece, PieceWorth
from dashboard import resources
from dashboard.tools.xray_table import DRAWN, dead_phrases, drawn_pieces, xray_chart, xray_frame, xray_summary
from tests.dashboard.conftest import edit, first_button, settled, write_registry

Start = Callable[..., AppTest]
KINDS = ("library", "sports", "mess", "transport", "medical", "exam", "laundry", "parking")
QUESTION, TOOL = "my scooter was stolen, whom do I tell", "security_office"


@pytest.fixture
def page(folder: Path, app: Start) -> Start:
    desks = [{"name": f"{kind}_desk", "description": f"Answers questions to do with the {kind} on campus"} for kind in KINDS]
    write_registry(folder, [*desks, {"name": TOOL, "description": "Takes reports for the campus guards"}])
    asked = [{"query": f"whom do I ask on the {kind}", "expected": [f"{kind}_desk"]} for kind in KINDS]
    own = [QUESTION, "a scooter is stolen in front of the mess", "somebody has stolen my bag on campus"]
    hidden = {"query": "a burglar hidden in the hall", "expected": [TOOL], "tags": ["held_out"]}
    lines = [*asked, *({"query": query, "expected": [TOOL]} for query in own), hidden]
    (folder / "test_queries.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return app


def done(at: AppTest) -> AppTest:
    """Wait for what is worked out in the background."""
    for jobs in (resources.workbench().advice, resources.workbench().xrays):
        assert all(job.wait(30) for job in jobs.all())
    return at.run()


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown))


def test_a_failing_question_is_explained_and_a_phrase_is_one_click_and_one_step(page: Start) -> None:
    at = page(page="tools", tool=TOOL)
    assert "**What would it take?** 2 of its questions fail" in texts(at)
    assert "more combined score to pass" in texts(at)
    assert "burglar" not in texts(at)
    at.button(key="advice_try").click().run()
    at = done(at)
    assert "This question: 9 → 1 · the tool's other test queries: 1 fixed, 0 broke of 2" in texts(at)
    assert "too few queries to say (n = 8)" in texts(at)
    known = dict(resources.workbench().runs._kept)
    first_button(at, "advice_add").click().run()
    edited = done(at).session_state["session_overlay"].registry
    snapshot = resources.workbench().open(edited, resources.Model())
    assert snapshot.wait(30) and any(fingerprint == snapshot.index.fingerprint for fingerprint, _ in known)
    overlay = at.session_state["session_overlay"]
    assert len(overlay.draft.steps) == 1
    assert overlay.registry.tool(TOOL).extra_context.startswith("scooter, stolen")
    assert "2 of its questions fail" not in texts(at)
    at.button(key="draft_undo").click().run()
    assert "**What would it take?** 2 of its questions fail" in texts(at)


def test_a_phrase_is_a_step_of_its_own_also_right_after_typing(page: Start) -> None:
    at = edit(page(page="tools", tool=TOOL), TOOL, "extra_context", "watchmen")
    at.button(key="advice_try").click().run()
    at = done(at)
    first_button(at, "advice_add").click().run()
    assert len(at.session_state["session_overlay"].draft.steps) == 2


def test_for_a_question_from_home_phrases_are_tried_at_once(page: Start) -> None:
    at = page(wait=False, page="home", tool=TOOL, q=QUESTION).switch_page("views/tools.py")
    at.query_params["q"], at.query_params["tool"] = QUESTION, TOOL
    at = settled(at.run())
    assert [button.label for button in done(at).button if button.key.startswith("advice_add")]


def test_the_playground_offers_it_for_a_tool_that_is_not_among_the_first(page: Start) -> None:
    at = page(q=QUESTION, tool=TOOL)
    at.button(key="advice_try").click().run()
    at = done(at)
    first_button(at, "advice_add").click().run()
    assert len(at.session_state["session_overlay"].draft.steps) == 1
    assert "What would it take?" not in texts(at)


def test_nothing_is_offered_where_no_phrase_can_help_and_the_reason_is_said(page: Start, folder: Path) -> None:
    (folder / "test_queries.jsonl").write_text("", encoding="utf-8")
    at = page(q="can you please help me", tool=TOOL)
    at.button(key="advice_try").click().run()
    assert "Nothing that was tried helped. The question has no word" in texts(done(at))


def test_the_words_of_a_tool_are_judged_when_asked_for(page: Start) -> None:
    at = page(page="tools", tool=TOOL)
    at.button(key="xray_start").click().run()
    at = done(at)
    assert "by 3 test queries" in texts(at)
    assert "Too few queries to say more than this (n = 3)" in texts(at)
    (rows,) = [element.value for element in at.dataframe if "verdict" in element.value]
    worth = rows.set_index("word or phrase")
    assert worth.loc["campus", "verdict"][:1] in "▲▼="
    assert {"guards", "reports", "takes"} <= set(worth.index)


def test_a_tool_without_test_queries_has_nothing_to_be_judged_by(page: Start, folder: Path) -> None:
    (folder / "test_queries.jsonl").write_text("", encoding="utf-8")
    at = page(page="tools", tool=TOOL)
    assert "No test query expects this tool" in texts(at)


def worth(text: str, gain: float, helps: int = 1, hurts: int = 0, kind: str = "word") -> PieceWorth:
    piece = Piece(text, kind, "extra_context", "", None)  # type: ignore[arg-type]
    return PieceWorth(piece, helps, hurts, 0, 0, gain, 0.0, 0.0)


def test_the_chart_shows_the_most_helpful_and_the_most_harmful_pieces_and_the_table_all() -> None:
    pieces = [worth(f"w{number}", 20.0 - number) for number in range(20)] + [
        worth("bad", -2.0, 0, 1),
        worth("two idle words", 0, 0, 0, "phrase"),
    ]
    found = Xray("guards", 30, tuple(pieces))
    assert len(drawn_pieces(found)) == DRAWN
    assert drawn_pieces(found)[-1].piece.text == "bad"
    assert list(xray_chart(found).data[0].text)[:: DRAWN - 1] == ["▲ 20.0", "▼ 2.0"]
    assert len(xray_frame(found.pieces)) == 22
    assert xray_summary(found) == "20 help · 1 hurt · 1 dead weight, by 30 test queries"
    assert dead_phrases(found) == ("two idle words",)
