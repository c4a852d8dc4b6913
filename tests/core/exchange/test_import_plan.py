"""Importing into a registry: what is new, changed, the same and gone; what its authors added survives, and nothing is done twice."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator_core import Registry, Tool, load_registry, open_store, save_registry
from curator_core.authoring import history
from curator_core.cli import main
from curator_core.exchange.import_plan import changed_since_import

Run = Callable[..., tuple[int, str, str]]


def tool(name: str, description: str = "", **more: Any) -> dict[str, Any]:
    return {"name": name, "description": description or f"Does {name}", "inputSchema": {"type": "object", "properties": {"x": {}}}, **more}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Import a list of tools with some options into the folder `here`; returns (exit status, stdout, stderr)."""

    def run(tools: Any, *options: object, file: str = "desk.json", to: str = "here") -> tuple[int, str, str]:
        (tmp_path / file).write_text(json.dumps(tools if isinstance(tools, dict) else {"tools": tools}))
        monkeypatch.setattr(sys, "argv", ["tool-curator", "import", str(tmp_path / file), "--to", str(tmp_path / to), *map(str, options)])
        with pytest.raises(SystemExit) as ended:
            main()
        return (int(ended.value.code or 0), *capsys.readouterr())

    return run


def edit(folder: Path, key: str, field: str, new: Any) -> None:
    registry = load_registry(folder)
    save_registry(registry.with_edits([registry.edit(key, field, new)]), folder)


def test_a_new_folder_holds_the_tools_and_the_same_file_again_is_nothing_to_do(run: Run, tmp_path: Path) -> None:
    status, out, _ = run([tool("pay", annotations={"readOnlyHint": True}), tool("show")])
    assert status == 0 and "MCP tools/list: 2 tools\n2 new: pay, show\nwritten to" in out
    registry = load_registry(tmp_path / "here")
    assert registry.keys == ("pay", "show") and registry.problems == ()
    assert (
        registry.tool("pay").more["annotations"] == {"readOnlyHint": True} and registry.tool("pay").more["origin"]["source"] == "desk.json"
    )
    before = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "here").iterdir()}
    assert run([tool("pay", annotations={"readOnlyHint": True}), tool("show")])[1].endswith("2 the same\nnothing to do\n")
    assert {path.name: path.stat().st_mtime_ns for path in (tmp_path / "here").iterdir()} == before


def test_new_changed_and_gone_are_told_apart_and_extra_context_survives(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    run([tool("pay"), tool("show"), tool("old")])
    for key in ("pay", "old"):
        edit(folder, key, "extra_context", f"words of {key}")
    record = json.loads(run([tool("pay", "Pays anything"), tool("show"), tool("add")], "--json", "--as", "asha", "--reason", "v2")[1])
    assert [(row["tool"], row["state"], row["fields"]) for row in record["rows"]] == [
        ("pay", "changed", ["description"]),
        ("show", "same", []),
        ("old", "gone", []),
        ("add", "new", []),
    ]
    registry = load_registry(folder)
    assert registry.keys == ("pay", "show", "add") and registry.unresolved == {"old": "words of old"}
    assert (registry.tool("pay").description, registry.tool("pay").extra_context) == ("Pays anything", "words of pay")
    store = open_store(folder)
    last = history.page(store, limit=1)[0]
    store.close()
    assert (last.kind, last.author, last.reason) == ("published", "asha", "v2")
    run([tool("pay", "Pays anything"), tool("show"), tool("add"), tool("old")])
    assert load_registry(folder).tool("old").extra_context == "words of old"


def test_a_text_changed_here_stays_until_the_source_changes_it_too(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    run([tool("pay"), tool("show")])
    edit(folder, "pay", "description", "Mine")
    assert run([tool("pay"), tool("show")])[1].endswith("nothing to do\n")
    out = run([tool("pay", "Theirs"), tool("show")])[1]
    assert "1 changed in the source and here, kept as here (--theirs takes the source's): pay (description)" in out
    assert load_registry(folder).tool("pay").description == "Mine"
    run([tool("pay", "Theirs"), tool("show")], "--theirs")
    assert load_registry(folder).tool("pay").description == "Theirs"
    edit(folder, "pay", "name", "settle")
    assert run([tool("pay", "Theirs"), tool("show")])[1].endswith("nothing to do\n")


def test_no_parameters_and_an_object_without_any_property_are_the_same(run: Run, tmp_path: Path) -> None:
    empty = {"type": "object", "properties": {}}
    save_registry(Registry("own", (Tool("a", "Does a", parameters=empty), Tool("b", "Does b"))), tmp_path / "here")
    tools = [tool(name) | {"inputSchema": empty} for name in ("a", "b")]
    assert run(tools)[1].endswith("2 the same\nnothing to do\n")
    assert run({"schema_version": 1, "tools": [{"name": "a", "parameters": empty}]}, to="there")[0] == 0
    assert load_registry(tmp_path / "there").tool("a").parameters == empty


def test_a_text_changed_here_is_known_to_differ_from_its_source(run: Run, tmp_path: Path) -> None:
    run([tool("pay"), tool("show")])
    assert changed_since_import(load_registry(tmp_path / "here")) == ()
    edit(tmp_path / "here", "pay", "description", "Mine")
    (problem,) = changed_since_import(load_registry(tmp_path / "here"))
    assert str(problem).startswith('tools.json, "pay": description changed since it was imported from desk.json; words of your own')


@pytest.mark.parametrize(
    "origin", ["http://x", {"source": [], "said": []}, {"source": "desk.json", "name": "a", "said": {"description": 1}}, None]
)
def test_an_origin_that_says_something_else_is_no_hindrance(run: Run, tmp_path: Path, origin: Any) -> None:
    save_registry(Registry("own", (Tool("a", "Old", more={"origin": origin}),)), tmp_path / "here")
    assert run([tool("a")])[0] == 0
    assert load_registry(tmp_path / "here").tool("a").description == "Does a"
    assert run([tool("a")])[1].endswith("nothing to do\n")


def test_many_warnings_are_counted_and_not_all_printed(run: Run) -> None:
    err = run([{"name": f"tool_{i}", "inputSchema": {}} for i in range(15)])[2]
    assert err.count("no description") == 10 and "and 5 more warnings; --json lists all" in err


def test_previews_write_nothing_and_a_check_fails_when_something_would_change(run: Run, tmp_path: Path) -> None:
    assert run([tool("pay")], "--dry-run")[0] == 0 and not (tmp_path / "here").exists()
    run([tool("pay")])
    status, out, _ = run([tool("pay", "Other")], "--check")
    assert status == 1 and "nothing was written" in out and load_registry(tmp_path / "here").tool("pay").description == "Does pay"
    assert run([tool("pay")], "--check")[0] == 0


def test_tools_that_were_not_imported_from_there_are_never_gone(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "here"
    save_registry(Registry("own", (Tool("mine", "By hand", "words"), Tool("pay", "By hand", "dues", group="money"))), folder)
    run([tool("pay")])
    registry = load_registry(folder)
    assert registry.keys == ("mine", "pay")
    assert (
        registry.tool("pay").description == "Does pay"
        and registry.tool("pay").group == "money"
        and registry.tool("pay").extra_context == "dues"
    )
    run([tool("other")], "--keep-gone")
    run({"tools": [tool("page")], "nextCursor": "2"})
    run({"tools": []})
    assert load_registry(folder).keys == ("mine", "pay", "other", "page")


def test_a_source_under_another_name_is_said_since_it_hides_what_is_gone(run: Run, tmp_path: Path) -> None:
    run([tool("pay"), tool("show"), tool("old")])
    out = run([tool("pay"), tool("show")], file="desk-2.json")[1]
    assert "taken out" not in out
    assert (
        "Most of these tools came from desk.json. Call this source the same, and tools that it no longer has are noticed. (--origin" in out
    )
    assert "1 no longer in the source" in run([tool("pay"), tool("show")], "--origin", "desk.json", file="desk-2.json")[1]
    assert load_registry(tmp_path / "here").keys == ("pay", "show")


def test_another_list_of_the_same_name_takes_nothing_out(run: Run, tmp_path: Path) -> None:
    run([tool("pay"), tool("show")])
    out = run([tool("fly"), tool("land")])[1]
    assert "None of what came from desk.json is in it, so it is taken as another list of that name: those tools stay." in out
    assert load_registry(tmp_path / "here").keys == ("pay", "show", "fly", "land")


def test_equal_names_of_two_servers_are_both_kept_with_their_origin(run: Run, tmp_path: Path) -> None:
    run([tool("search", "In files")], "--group", "files")
    out = run([tool("search", "In mail")], "--group", "mail", file="mail.json")[1]
    assert "2 tools are called search; all are kept, as search@files, search@mail" in out
    assert load_registry(tmp_path / "here").keys == ("search@files", "search@mail")
    assert run([tool("search", "In mail")], "--group", "mail", file="mail.json")[1].splitlines()[1:] == [
        "1 the same",
        "2 tools are called search; all are kept, as search@files, search@mail",
        "nothing to do",
    ]


def test_synonyms_are_added_and_never_taken_away(run: Run, tmp_path: Path) -> None:
    save_registry(Registry("own", (Tool("a", "A."),), {"fee": ("dues",)}), tmp_path / "here")
    run({"fee": ["levy", "dues"], "room": ["flat"]})
    assert load_registry(tmp_path / "here").synonyms == {"fee": ("dues", "levy"), "room": ("flat",)}
    assert "nothing to do" in run({"fee": ["levy"]})[1]


def test_what_cannot_be_used_is_said_and_a_source_without_tools_is_status_2(run: Run, tmp_path: Path) -> None:
    status, _, err = run([tool("pay"), {"name": 7}])
    assert status == 0 and "not used: desk.json, tool 2: its name is the number 7" in err
    status, out, err = run({"mcpServers": {"a": {"command": "x"}}}, to="there")
    assert (status, out) == (2, "") and "lists servers, not tools" in err and not (tmp_path / "there").exists()
