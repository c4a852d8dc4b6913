"""Suggestions on the Test queries page, and test queries that become examples."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import resources
from tests.dashboard.conftest import edit, settled, write_registry

Start = Callable[..., AppTest]
KINDS = ("library", "sports", "mess", "transport", "medical", "exam", "laundry", "parking")
TOOL = "security_office"
OWN = ("my scooter was stolen", "a stolen scooter at the mess", "somebody has stolen my scooter", "scooter stolen again")
VIEW = ":gray[Suggestions]"


@pytest.fixture
def page(folder: Path, app: Start) -> Start:
    def start(own: tuple[str, ...] = OWN, view: str = VIEW) -> AppTest:
        desks = [{"name": f"{kind}_desk", "description": f"Answers questions to do with the {kind} on campus"} for kind in KINDS]
        write_registry(folder, [*desks, {"name": TOOL, "description": "Takes reports for the guards"}])
        asked = [{"query": f"whom do I ask on the {kind}", "expected": [f"{kind}_desk"]} for kind in KINDS]
        hidden = {"query": "a burglar hidden in the hall", "expected": [TOOL], "tags": ["held_out"]}
        lines = [*asked, *({"query": query, "expected": [TOOL]} for query in own), hidden]
        (folder / "test_queries.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return app(page="queries", state={"queries_view": view})

    return start


def tried(at: AppTest) -> AppTest:
    at.button(key="suggestions_try").click().run()
    return settled(at)


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown))


def test_what_helps_is_one_click_and_one_step_and_an_undo_takes_all_of_it_back(page: Start) -> None:
    at = tried(page())
    (rows,) = [frame.value for frame in at.dataframe if "adds" in frame.value]
    assert rows.loc[0, "tool"] == TOOL
    assert rows.loc[0, "adds"].startswith("extra context: ") and "stolen" in rows.loc[0, "adds"]
    assert rows.loc[0, "net"] >= 2 and rows.loc[0, "others"] == "+0 −0 of 8"
    assert "All together: 8 → " in texts(at) and " of 12 open test queries put the right tool first." in texts(at)
    assert "Held-out check, queries that nothing was made from: 0 → 0 of 1" in texts(at)
    assert "burglar" not in texts(at) + str(rows)
    known = dict(resources.workbench().runs._kept)
    at.button(key="suggestions_all").click().run()
    overlay = settled(at).session_state["session_overlay"]
    assert (len(overlay.draft.steps), [one.tool for one in overlay.edits]) == (1, [TOOL])
    assert overlay.registry.tool(TOOL).extra_context in rows.loc[0, "adds"]
    snapshot = resources.workbench().open(overlay.registry, resources.Model())
    assert snapshot.wait(30) and any(fingerprint == snapshot.index.fingerprint for fingerprint, _ in known)
    (rows,) = [frame.value for frame in at.dataframe if "adds" in frame.value]
    assert rows.loc[0, "state"] == "✓ in your draft"
    assert at.button(key="suggestions_all").disabled
    assert "Your draft has changed since these were tried" in texts(at)
    at.button(key="draft_undo").click().run()
    assert settled(at).session_state["session_overlay"].registry.tool(TOOL).extra_context == ""
    assert not at.button(key="suggestions_all").disabled


def test_only_what_is_ticked_is_applied(page: Start) -> None:
    at = tried(page())
    assert at.button(key="suggestions_ticked").disabled
    at.session_state["suggestions_rows"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    at = settled(at.run())
    at.button(key="suggestions_ticked").click().run()
    assert len(settled(at).session_state["session_overlay"].draft.steps) == 1


def test_a_failing_tool_for_which_nothing_helps_is_named_with_the_reason(page: Start) -> None:
    at = tried(page(OWN[:1]))
    (rows,) = [frame.value for frame in at.dataframe if "why nothing is suggested" in frame.value]
    assert rows.loc[0, "tool"] == TOOL and "too few" in rows.loc[0, "why nothing is suggested"]
    assert "Nothing is suggested." in texts(at)


def test_one_tool_can_be_asked_about_alone(page: Start) -> None:
    at = page()
    at.selectbox(key="suggestions_tool").select("exam_desk").run()
    assert "Nothing to suggest" in texts(tried(at))


def test_an_edit_of_somebody_else_s_text_does_not_stop_a_suggestion(page: Start) -> None:
    at = edit(tried(page()), TOOL, "extra_context", "watchmen")
    at.button(key="suggestions_all").click().run()
    assert settled(at).session_state["session_overlay"].registry.tool(TOOL).extra_context.startswith("watchmen, ")


def test_test_queries_become_examples_of_their_tool_in_one_step_and_are_tests_again_after_an_undo(page: Start) -> None:
    at = page(view=":gray[Queries]")
    at.text_input(key="queries_text").set_value("scooter").run()
    at.button(key="queries_examples_sure").click().run()
    at = settled(at)
    overlay = at.session_state["session_overlay"]
    assert len(overlay.draft.steps) == 1
    assert overlay.registry.tool(TOOL).examples == OWN
    assert [case.query for case in overlay.registry.test_queries if "scooter" in case.query] == []
    at.button(key="draft_undo").click().run()
    registry = settled(at).session_state["session_overlay"].registry
    assert registry.tool(TOOL).examples == ()
    assert [case.query for case in registry.test_queries if "scooter" in case.query] == list(OWN)


def test_a_held_out_query_is_no_example(page: Start) -> None:
    at = page(view=":gray[Queries]")
    at.toggle(key="queries_held").set_value(True).run()
    at.text_input(key="queries_text").set_value("burglar").run()
    assert at.button(key="queries_examples_sure").disabled
    assert "it is held out, and only measures" in texts(at)
