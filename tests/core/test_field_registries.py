"""Kinds of trouble that people report of registry files and synonyms, each from the file to what is kept, shown or refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curator_core import (
    Curator,
    CuratorError,
    Registry,
    Tool,
    build_index,
    check_synonyms,
    closer_pairs_of,
    export_registry,
    import_tools,
    load_registry,
    plan_import,
    read_source,
    save_registry,
)
from tests.core.fakes import FakeEncoder


def folder(path: Path, tools: list[Any], **files: Any) -> Path:
    (path / "tools.json").write_text(json.dumps({"schema_version": 1, "tools": tools}), encoding="utf-8")
    for name, value in files.items():
        (path / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return path


# equal names


def test_equal_names_are_kept_through_edit_save_and_reload_and_a_rename_into_one_is_refused(tmp_path: Path) -> None:
    tools = [("find", "attic", "Find boxes"), ("find", "cellar", "Find jars"), ("Find", "", "Find lost things"), ("sweep", "", "Sweep")]
    path = folder(tmp_path, [{"name": name, "group": group, "description": text} for name, group, text in tools])
    registry = load_registry(path, strict=False)
    assert registry.keys == ("find@attic", "find@cellar", "Find", "sweep")
    said = " ".join(map(str, registry.problems))
    assert "tool 1 (group attic), tool 2 (group cellar)" in said and "differ only in case: find, Find" in said
    with pytest.raises(CuratorError, match="already a tool 'find@attic'"):
        registry.with_edits([registry.edit("sweep", "name", "find")])
    save_registry(registry.with_edits([registry.edit("find@cellar", "description", "Find jars of jam")]), path)
    after = load_registry(path, strict=False)
    assert [tool.description for tool in after.tools] == ["Find boxes", "Find jars of jam", "Find lost things", "Sweep"]
    servers = json.loads(export_registry(after, "mcp-servers").text)
    assert [tool.description for tool in import_tools(servers).tools] == [tool.description for tool in after.tools]


# shapes of a list

ONE = {
    "name": "open_gate",
    "description": "Open the gate",
    "inputSchema": {"type": "object", "properties": {"number": {"type": "integer"}}},
}
PLAIN = {"name": "open_gate", "description": "Open the gate", "parameters": ONE["inputSchema"]}
SHAPES: dict[str, tuple[str, str | int]] = {
    "an answer": (json.dumps({"tools": [ONE]}), 1),
    "page one": (json.dumps({"tools": [ONE], "nextCursor": "b"}), 1),
    "an answer in its envelope": (json.dumps({"jsonrpc": "2.0", "id": 3, "result": {"tools": [ONE]}}), 1),
    "wrapped functions": (json.dumps({"messages": [], "tools": [{"type": "function", "function": PLAIN}]}), 1),
    "JSON Lines, whatever the file is called": ("\n".join(json.dumps({**PLAIN, "name": name}) for name in "abc"), 3),
    "a gateway's list": (json.dumps({"tool_list": [{**PLAIN, "parsed_description": {"main": "Open the gate"}}]}), 1),
    "descriptions by name": (json.dumps({"open_gate": "Open the gate", "wash_car": "Wash a car"}), 2),
    "one bare tool": (json.dumps(ONE), 1),
    "equal names": (json.dumps({"tools": [ONE, {**ONE, "description": "Open the other gate"}]}), 2),
    "settings of a client": (json.dumps({"mcpServers": {"gates": {"command": "npx"}}}), "this lists servers, not tools (1: gates)"),
    "broken settings": ('{"mcpServers": {"gates": {"command": "npx",}}}', "line 1, column 44"),
    "no list at all": (json.dumps({"mcpServers": []}), "this lists servers, not tools"),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_each_shape_of_a_list_gives_its_tools_or_its_reason(kind: str) -> None:
    text, right = SHAPES[kind]
    if isinstance(right, str):
        with pytest.raises(CuratorError) as caught:
            read_source(text.encode(), "list.json")
        assert right in str(caught.value)
        return
    found = read_source(text.encode(), "list.json")
    assert found.shape and len(found.registry.tools) == len(set(found.registry.keys)) == right
    assert all(tool.name and tool.description for tool in found.registry.tools)
    assert kind == "descriptions by name" or all(tool.parameters and tool.parameters["properties"] for tool in found.registry.tools)


def test_page_one_says_that_more_exists_takes_further_pages_and_the_same_page_twice_doubles_nothing() -> None:
    first, last = ({"tools": [{**ONE, "name": name}], **more} for name, more in (("a", {"nextCursor": "b"}), ("b", {})))
    pages = {f"{name}.json": json.dumps(page).encode() for name, page in (("1", first), ("2", last), ("1 again", first))}
    alone = read_source(pages["1.json"])
    assert not alone.complete and "this is one page of a list, more tools exist" in alone.problems[-1].found
    together = read_source(pages)
    assert together.registry.keys == ("a", "b") and together.complete
    registry = Registry("g").with_edits(plan_import(Registry("g"), alone).edits)
    assert plan_import(registry, alone).edits == ()
    assert [(row.key, row.state) for row in plan_import(registry, together).rows if row.state != "same"] == [("b", "new")]


# missing and odd values


def test_usable_tools_load_bad_entries_are_listed_by_place_and_loading_writes_nothing(tmp_path: Path) -> None:
    odd: list[Any] = [{"name": "a"}, {"name": "b", "description": None}, {"name": "c", "description": " ", "extra_context": None}]
    bad: list[Any] = [{"name": "d", "description": ["x"]}, {"name": 7}, {"description": "nameless"}, "text", None, {"name": ["e"]}]
    path = folder(tmp_path, [*odd, *bad, {"name": "last", "description": "fine"}])
    before = (path / "tools.json").read_bytes()
    registry = load_registry(path, strict=False)
    assert registry.keys == ("a", "b", "c", "last")
    errors = [problem for problem in registry.problems if problem.level == "error"]
    assert [problem.where.split(' "')[0] for problem in errors] == [f"tools.json, tool {place}" for place in range(4, 10)]
    assert [problem.tool for problem in registry.problems if problem.found == "no description"] == ["a", "b", "c"]
    assert Curator(build_index(registry, FakeEncoder())).curate("last").tools[0] == "last"
    assert (path / "tools.json").read_bytes() == before


# texts that loaders choke on


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"name":"a",}]', "line 1, column 14"),
        ('[{"name":"a"} # why\n]', "line 1, column 15"),
        ('[{"name":"a","weight":-Infinity}]', "Infinity is not JSON"),
        ("[" * 50_000, "nested more than"),
        ('{"a":' * 50_000, "nested more than"),
        (" ", "tools"),
        ('[{"name":"a\nb"}]', "write line breaks and tabs inside a text as"),
        ('[{"name":"a"}] [', "line 1, column 16"),
    ],
)
@pytest.mark.parametrize("load", ["import", "folder"])
def test_one_message_says_line_column_and_what_to_change(tmp_path: Path, text: str, said: str, load: str) -> None:
    (tmp_path / "tools.json").write_text(text, encoding="utf-8")
    with pytest.raises(CuratorError) as caught:
        load_registry(tmp_path, strict=False) if load == "folder" else read_source(text.encode(), "tools.json")
    assert said in str(caught.value) and len(str(caught.value).splitlines()) == 1, str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_texts_of_spreadsheets_and_shells_are_read_in_their_encoding(encoding: str) -> None:
    text = '[{"name": "gru\u00df", "description": "sagt \u201eHallo\u201c"}]'
    data = text.encode(encoding) if encoding != "utf-16-le" else b"\xff\xfe" + text.encode(encoding)
    assert import_tools(data).tools == (Tool("gruß", "sagt „Hallo“"),)


# what the product does not understand


def test_one_changed_word_of_an_imported_tool_leaves_every_other_byte_of_its_folder(tmp_path: Path) -> None:
    entry = {
        "description": "Öffnet das Tor.",
        "name": "open_gate",
        "x-owner": {"team": "Ü", "since": 2020.0},
        "inputSchema": {"type": "object", "properties": {"z": {}, "a": {"x-order": 1}}, "x-z": None},
        "annotations": {"readOnlyHint": False},
        "_meta": {"a": [1, 2.50]},
    }
    imported = read_source({"tools": [entry]}, "gates")
    save_registry(imported.registry, tmp_path)
    before = (tmp_path / "tools.json").read_text(encoding="utf-8")
    registry = load_registry(tmp_path)
    save_registry(registry.with_edits([registry.edit("open_gate", "description", "Öffnet die Tür.")]), tmp_path)
    assert (tmp_path / "tools.json").read_text(encoding="utf-8") == before.replace("das Tor", "die Tür")
    (again,) = json.loads(export_registry(load_registry(tmp_path), "mcp").text)["tools"]
    assert again == {**entry, "description": "Öffnet die Tür."}
    assert list(again["inputSchema"]["properties"]) == ["z", "a"]


def test_the_same_source_again_plans_nothing_whatever_was_written_beside_it(tmp_path: Path) -> None:
    imported = read_source({"tools": [{"name": "open_gate", "description": "Opens.", "inputSchema": {"type": "object"}}]}, "gates")
    registry = Registry("g").with_edits(plan_import(Registry("g"), imported).edits)
    taught = registry.with_edits(
        [registry.edit("open_gate", "extra_context", "barrier, boom"), registry.edit("gate", "synonyms", ("door",))]
    )
    assert plan_import(taught, imported).edits == ()


# synonyms


def curator(synonyms: dict[str, list[str]], **tools: str) -> Curator:
    registry = Registry(tools=tuple(Tool(name, text) for name, text in tools.items()), synonyms=synonyms)
    return Curator(build_index(registry, FakeEncoder(512)))


def test_loops_chains_and_a_term_that_names_itself_end_and_count_once() -> None:
    rules = {"bill": ["invoice"], "invoice": ["bill"], "cab": ["taxi"], "taxi": ["ride"], "fee": ["fee", "charge"], "void": []}
    asked = curator(rules, pay_bill="Pay a bill", call_cab="Call a cab", list_fees="Every fee")
    texts = {text.key: text.text() for text in asked.index.texts}
    assert texts["pay_bill"].endswith("invoice") and texts["pay_bill"].count("bill") == 2
    assert "taxi" in texts["call_cab"] and "ride" not in texts["call_cab"], "no chain"
    assert texts["list_fees"].endswith("charge") and texts["list_fees"].count("fee") == 2
    kinds = {(remark.term, remark.kind) for remark in check_synonyms(asked.index.registry)}
    assert {("bill", "loop"), ("invoice", "loop"), ("void", "empty")} <= kinds


@pytest.mark.parametrize(
    ("question", "fired"),
    [
        ("the VAT's share", {"VAT"}),
        ("vat", {"VAT"}),
        ("private vats", {"VAT"}),
        ("elevator part", set()),
        ("cafe\u0301 list", {"caf\u00e9"}),
    ],
)
def test_terms_and_phrases_are_folded_and_stand_as_whole_words(question: str, fired: set[str]) -> None:
    rules = {"tax": ["VAT"], "canteen": ["café"], "art": ["design"]}
    asked = curator(rules, show_tax="Show the tax", canteen_menu="The canteen's menu", start_part="Start a part")
    assert {synonym.phrase for synonym in asked.curate(question).synonyms} == fired
    assert not any(text.synonyms for text in asked.index.texts if text.key == "start_part"), "art is in no start and in no part"


def test_two_terms_that_are_one_after_folding_are_said() -> None:
    remarks = check_synonyms(Registry(tools=(Tool("tax", "Show the tax"),), synonyms={"Tax": ["levy"], "taxes": ["duty"]}))
    assert any("Tax" in remark.sentence and "taxes" in (remark.term, *remark.sentence.split()) for remark in remarks), remarks


def test_the_direction_of_a_rule_is_kept_and_shown() -> None:
    rules = import_tools("scooter => bike\nbalance, remaining credit\n").synonyms
    assert rules["bike"] == ("scooter",) and "scooter" not in rules
    assert rules["balance"] == ("remaining credit",)
    asked = curator(
        {term: list(said) for term, said in rules.items()},
        rent_bike="Rent a bike",
        park_scooter="Park a scooter",
        show_balance="Your balance",
    )
    assert [(one.phrase, one.term) for one in asked.curate("scooter").synonyms] == [("scooter", "bike")]
    assert asked.curate("bike").synonyms == ()


def test_a_phrase_that_two_tools_get_brings_them_closer_by_a_figure_and_taking_it_back_restores_every_score() -> None:
    tools = {"leave_balance": "Days of holiday left", "card_balance": "Money left on a card", "rent_bike": "Rent a bike"}
    registry = Registry(tools=tuple(Tool(name, text) for name, text in tools.items()))
    before = build_index(registry, FakeEncoder(512))
    changed = registry.with_edits([registry.edit("balance", "synonyms", ("remaining credit in my account",))])
    after = build_index(changed, before.encoder, previous=before)
    (pair,) = closer_pairs_of(before, after)
    assert {pair.tool, pair.other} == {"leave_balance", "card_balance"} and pair.after > pair.before + 0.03
    back = changed.with_edits([changed.edit("balance", "synonyms", None)])
    again = build_index(back, before.encoder, previous=after)
    question = "remaining credit"
    assert Curator(again).curate(question).to_dict() == Curator(before).curate(question).to_dict()
    assert closer_pairs_of(before, again) == () == closer_pairs_of(before, before)
