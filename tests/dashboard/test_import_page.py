"""The Import & export page as its user sees it: what is recognised, what would change, tool by tool; and the way out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from curator_core import import_tools
from dashboard.exchange.import_table import Choices, preview, take_text
from tests.dashboard.conftest import TOOLS, edit, settled, write_registry

Start = Callable[..., AppTest]


def mcp(*tools: dict[str, Any], **more: Any) -> str:
    return json.dumps({"tools": list(tools), **more})


def tool(name: str, description: str | None, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": description, "inputSchema": {"type": "object", "properties": {}}, **more}


FIRST = (tool("open_gate", "Open the gate of the car park."), tool("list_cars", "Every car in the car park."))


@pytest.fixture
def page(app: Start) -> Start:
    def start(text: str = "", **state: Any) -> AppTest:
        return paste(app(page="exchange"), text, **state)

    return start


def paste(at: AppTest, text: str, **state: Any) -> AppTest:
    at.session_state["import_pasted"] = text
    for key, value in state.items():
        at.session_state[key] = value
    at = settled(at.run())
    assert not at.exception, at.exception
    return at


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown))


def table(at: AppTest, column: str) -> pd.DataFrame:
    return next(frame.value for frame in at.dataframe if column in frame.value)


def take(at: AppTest) -> AppTest:
    at.button(key="import_take").click().run()
    assert not at.exception, at.exception
    return at


def draft(at: AppTest) -> Any:
    return at.session_state["session_overlay"].registry


def badges(at: AppTest) -> str:
    return " · ".join(element.value for element in at.markdown if "badge[" in element.value)


def test_a_pasted_list_is_named_previewed_and_goes_into_the_draft_as_one_step(page: Start) -> None:
    at = page(mcp(*FIRST))
    assert "pasted text: MCP tools/list, 2 tools" in texts(at)
    assert "2 new" in badges(at) and "0 unusable" in badges(at)
    assert table(at, "take")[["tool", "state", "take"]].values.tolist() == [["list_cars", "new", "✓"], ["open_gate", "new", "✓"]]
    at = take(at)
    assert draft(at).tool("open_gate").description == "Open the gate of the car park."
    assert "Draft: 2 edits in 2 places" in badges(at)
    at.button(key="draft_undo").click().run()
    assert "open_gate" not in draft(at).by_key


def test_the_same_list_again_is_nothing_to_do_and_a_later_one_shows_what_changed_word_by_word(page: Start) -> None:
    at = paste(take(page(mcp(*FIRST))), mcp(*FIRST))
    assert at.button(key="import_take").disabled and at.button(key="import_take").label == "Nothing to do"
    later = (tool("open_gate", "Open the barrier of the car park."), tool("wash_car", "Wash a car."))
    at = paste(at, mcp(*later), import_open="open_gate")
    assert "1 new" in badges(at) and "1 changed upstream" in badges(at) and "1 gone upstream" in badges(at)
    shown = json.loads(next(one.proto.json for one in at.get("bidi_component") if "What changes" in one.proto.json))
    assert ["delete", "gate"] in shown["changes"][0]["parts"] and ["insert", "barrier"] in shown["changes"][0]["parts"]
    assert at.button(key="import_take").label == "Into the draft: 1 new, 1 changed, 1 gone"


def test_another_list_that_is_pasted_takes_nothing_out(page: Start) -> None:
    at = paste(take(page(mcp(*FIRST))), mcp(tool("wash_car", "Wash a car.")))
    assert "0 gone upstream" in badges(at) and "taken as another list of that name: those tools stay" in texts(at)
    assert {"open_gate", "list_cars", "wash_car"} <= set(draft(take(at)).keys)


def test_extra_context_survives_and_that_of_a_tool_gone_upstream_waits_unresolved(page: Start) -> None:
    at = take(page(mcp(*FIRST)))
    for key in ("open_gate", "list_cars"):
        edit(at, key, "extra_context", f"words for {key}")
    at = take(paste(at, mcp(tool("open_gate", "Open the barrier."))))
    assert draft(at).tool("open_gate").extra_context == "words for open_gate"
    assert "list_cars" not in draft(at).by_key and draft(at).unresolved == {"list_cars": "words for list_cars"}


def test_bad_entries_are_listed_with_path_and_reason_and_a_broken_file_leaves_all_as_it_was(page: Start) -> None:
    at = page(mcp(tool("open_gate", "Open the gate."), tool("", "nameless"), "no tool"))  # type: ignore[arg-type]
    assert "2 unusable" in badges(at)
    problems = table(at, "found")
    assert problems["where"].tolist() == ["pasted text, tool 2", "pasted text, tool 3"]
    at = paste(at, '{"tools": [{"name": "a",}]}')
    assert "This holds no tools that can be used" in badges(at) and "line 1, column" in table(at, "found")["found"][0]
    at = paste(at, json.dumps({"mcpServers": {"files": {"command": "npx"}}}))
    assert "servers" in table(at, "found")["found"][0]
    assert len(draft(at).tools) == len(TOOLS)


def test_kinds_and_single_tools_can_be_left_out(page: Start) -> None:
    at = page(mcp(*FIRST, tool("pay_fees", "Pay what is due to the campus.")))
    assert "1 changed upstream" in badges(at)
    at.session_state["import_marked"] = ("list_cars",)
    at.run().button(key="import_leave").click().run()
    assert table(at, "take").set_index("tool")["take"].to_dict() == {"pay_fees": "✓", "list_cars": "left out", "open_gate": "✓"}
    at.session_state["import_acts"] = ["new"]
    at = take(at.run())
    assert {"open_gate"} == set(draft(at).keys) - {one["name"] for one in TOOLS}
    assert draft(at).tool("pay_fees").description == "Pay tuition fees online."


def test_equal_names_near_duplicates_hidden_text_and_the_effect_on_test_queries_stand_in_the_preview(page: Start) -> None:
    twice = "Keep a borrowed library book for two more weeks.", "Send a grievance to a friend of the committee \u200b."
    servers = [{"server_name": name, "tools": [tool("lend_book", text)]} for name, text in zip("ab", twice, strict=True)]
    at = page(json.dumps({"servers": servers}))
    assert "2 tools are called lend_book; all are kept, as lend_book@a (server a), lend_book@b (server b)" in texts(at)
    near = table(at, "is near to")
    assert near.iloc[0][["tool", "is near to"]].tolist() == ["lend_book@a", "renew_book"]
    assert any("U+200B" in "".join(frame.value["found"]) for frame in at.dataframe if "found" in frame.value)
    assert "Effect on the test queries" in texts(at) and "fixed" in texts(at)
    assert "kept for measuring" not in texts(at)


def test_pages_of_one_list_say_that_more_exists(page: Start) -> None:
    at = page(mcp(*FIRST, nextCursor="2"))
    assert "more" in str(table(at, "found")["found"].tolist())


@pytest.mark.parametrize("format", ["openai", "csv", "queries-csv"])
def test_a_format_is_shown_with_what_it_leaves_out(app: Start, format: str) -> None:
    at = app(page="exchange")
    at.session_state["exchange_view"] = ":gray[Export]"
    at.run().selectbox(key="export_format").set_value(format).run()
    assert not at.exception
    assert at.code[0].value and len(at.get("download_button")) == 1
    assert ("extra context of 1 tool" in texts(at)) == (format == "openai")


def test_the_tools_of_an_answer_are_exported_alone(app: Start) -> None:
    at = app(page="exchange")
    at.session_state["exchange_view"] = ":gray[Export]"
    at.run().selectbox(key="export_format").set_value("mcp").run()
    at.radio(key="export_which").set_value("what a question brings").run()
    assert "No tool is chosen." in texts(at)
    at.text_input(key="export_query").set_value("send a grievance").run()
    assert '"name": "submit_grievance"' in at.code[0].value.split("description")[0]


def test_the_button_says_what_is_carried_out_and_nothing_else_counts() -> None:
    registry = import_tools({"tools": [FIRST[0]]})
    found = preview(registry, (("cars.json", mcp(*FIRST).encode()),), Choices(group="park", skip=frozenset({"list_cars"})))
    assert found.left_out == {"list_cars"} and "list_cars" not in found.after.by_key
    assert "new" not in take_text(found)
    both = preview(registry, (("cars.json", mcp(*FIRST).encode()),), Choices(group="park"))
    assert take_text(both) == "Into the draft: 1 new, 1 changed" and both.after.tool("list_cars").group == "park"


def test_markup_and_commands_in_a_source_are_only_text(page: Start) -> None:
    hostile = (
        tool("<b>bold</b>_tool", "<img src=x onerror=alert(1)> costs $5 to $9"),
        tool("head", "# Title :red[stop] [go](javascript:x)"),
    )
    at = page(mcp(*hostile, tool("head", "again")), import_open="head")
    markup = "\n".join(element.value for element in at.markdown)
    assert not any(piece in markup for piece in ("<img", "<b>", ":red[stop]", "javascript", "$5"))
    says = dict(zip(table(at, "take")["tool"], table(at, "take")["says"], strict=True))
    assert says["<b>bold</b>_tool"] == "<img src=x onerror=alert(1)> costs $5 to $9"
    found = [text for frame in at.dataframe if "found" in frame.value for text in frame.value["found"]]
    assert any("HTML “<img src=x onerror=alert(1)>”" in text for text in found)


def test_an_empty_registry_leads_to_the_import_and_takes_a_first_list(app: Start, folder: Path) -> None:
    write_registry(folder, [])
    (folder / "test_queries.jsonl").write_text("")
    at = app(page="home")
    assert any("Import tools" in str(link.proto.label) for link in at.get("page_link"))
    at.switch_page("views/exchange.py").run()
    at = take(paste(at, mcp(*FIRST)))
    assert draft(at).keys == ("open_gate", "list_cars")


def test_names_are_held_against_the_limits_of_the_client_that_is_chosen(page: Start) -> None:
    at = page(mcp(tool("x" * 62, "Fills the tank.")), import_group="ab")
    assert "1 remark" in "".join(one.label for one in at.expander)
    at.selectbox(key="import_client").set_value("openai").run()
    assert "0 remarks" in "".join(one.label for one in at.expander)
