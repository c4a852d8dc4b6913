"""A registry folder is loaded with every complaint at once, and saved so that only what was edited changes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curator_core.errors import CuratorError, NotWritable, RegistryChanged, RegistryError
from curator_core.files import journal
from curator_core.files.folder import changed_files, load_registry, save_registry
from curator_core.registry import Edit, Registry, TestQuery, Tool

Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def own_locks(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write files of a registry folder: texts and bytes as they are, other values as JSON."""

    def write(tools: Any, overlay: Any = None, synonyms: Any = None, queries: Any = None, folder: str = "campus") -> Path:
        path = tmp_path / folder
        path.mkdir(exist_ok=True)
        names = ("tools.json", "extra_context.json", "domain_synonyms.json", "test_queries.jsonl")
        for name, value in zip(names, (tools, overlay, synonyms, queries), strict=True):
            if value is not None:
                data = value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else json.dumps(value).encode()
                (path / name).write_bytes(data)
        return path

    return write


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def problems(registry: Registry) -> list[str]:
    return [str(problem) for problem in registry.problems]


# loading


def test_all_files_together_make_the_registry(write: Write) -> None:
    folder = write(
        {
            "schema_version": 1,
            "name": "Campus",
            "tools": [
                {"name": "pay_fee", "description": "Pay.", "roles": ["student"], "group": "money", "tags": ["t"], "examples": ["e"]},
                {"name": "book", "description": "Book.", "extra_context": "base", "parameters": {"type": "object"}, "x-own": 1},
            ],
        },
        {"pay_fee": "dues", "book": "mine"},
        {"fee": ["charge", "dues"], "room": "flat", "exam": [], "hall": None},
        '{"query": "pay", "expected": ["pay_fee"], "critical": true, "note": "n"}\n\n{"query": "hm"}\n{"query": "sun", "expected": []}',
    )
    assert load_registry(folder) == Registry(
        name="Campus",
        tools=(
            Tool("pay_fee", "Pay.", "dues", ("student",), "money", ("t",), ("e",)),
            Tool("book", "Book.", "mine", parameters={"type": "object"}, more={"x-own": 1}),
        ),
        synonyms={"fee": ("charge", "dues"), "room": ("flat",), "exam": (), "hall": ()},
        test_queries=(TestQuery("pay", ("pay_fee",), critical=True, note="n"), TestQuery("hm", None), TestQuery("sun", ())),
    )


def test_a_bare_list_and_an_empty_list_are_registries_named_after_their_folder(write: Write) -> None:
    assert load_registry(write([{"name": "a", "description": "A."}])) == Registry(name="campus", tools=(Tool("a", "A."),))
    assert load_registry(write({"tools": []})) == Registry(name="campus")


def test_each_bad_entry_is_listed_with_position_and_reason_and_the_rest_loads(write: Write) -> None:
    entries = [
        {"name": "fine", "description": "Does it."},
        {"name": "no_text"},
        {"name": "null_text", "description": None, "extra_context": None, "roles": None},
        {"name": "blank_text", "description": " "},
        {"name": "listed", "description": ["x", "y"]},
        {"name": 12, "description": "twelve"},
        {"description": "nameless"},
        {"name": "  ", "description": "blank"},
        "words",
        None,
        {"name": "secret", "description": "For some.", "roles": [1]},
        {"name": "odd", "description": "Odd.", "group": 5, "parameters": "none"},
    ]
    folder = write(entries)
    before = contents(folder)
    registry = load_registry(folder, strict=False)
    assert registry.keys == ("fine", "no_text", "null_text", "blank_text", "odd")
    fix = "write at least one sentence, queries are matched against it"
    assert problems(registry) == [
        'tools.json, tool 5 "listed": description is a list; write it as one text',
        "tools.json, tool 6: its name is the number 12; write a name as text",
        'tools.json, tool 7: it has no "name"; write a name as text',
        "tools.json, tool 8: its name is blank; write a name as text",
        'tools.json, tool 9: found the text "words"; write an object with "name" and "description", or remove it',
        'tools.json, tool 10: found null; write an object with "name" and "description", or remove it',
        'tools.json, tool 11 "secret": roles holds the number 1; write a list of texts, such as ["…"]',
        'tools.json, tool 12 "odd": parameters is the text "none"; write a JSON Schema object; the tool is used without it',
        'tools.json, tool 12 "odd": group is the number 5; write it as text; it is left out',
        f'tools.json, tool 2 "no_text": no description; {fix}',
        f'tools.json, tool 3 "null_text": no description; {fix}',
        f'tools.json, tool 4 "blank_text": no description; {fix}',
    ]
    assert [problem.level for problem in registry.problems] == ["error"] * 9 + ["warning"] * 3
    assert contents(folder) == before
    with pytest.raises(RegistryError) as caught:
        load_registry(folder)
    assert caught.value.problems == registry.problems


def test_warnings_alone_do_not_stop_a_strict_load(write: Write) -> None:
    registry = load_registry(write([{"name": "a", "roles": "student"}]))
    assert registry.tools[0].roles == ("student",)
    assert problems(registry)[0] == 'tools.json, tool 1 "a": roles is a text, read as its only entry; write a list: "roles": ["…"]'


def test_equal_names_are_both_kept_and_reported_with_their_origins(write: Write) -> None:
    texts = {"description": "Search."}
    folder = write(
        [{"name": "search", "group": "files", **texts}, {"name": "search", "group": "mail", **texts}, {"name": "Search", **texts}],
        {"search": "lost", "search@mail": "letters"},
    )
    registry = load_registry(folder)
    assert registry.keys == ("search@files", "search@mail", "Search")
    assert [tool.extra_context for tool in registry.tools] == ["", "letters", ""]
    assert registry.unresolved == {"search": "lost"}
    assert problems(registry) == [
        'tools.json, tool 1 "search": the name stands 2 times: tool 1 (group files), tool 2 (group mail); '
        "all are kept, as search@files, search@mail; better rename",
        'tools.json, tool 1 "search": names that differ only in case: search, Search; risky, agents and people mix them up; rename one',
        'extra_context.json, "search": 2 tools have this name; write the key of the one that is meant: search@files, search@mail',
    ]


def test_words_for_an_absent_tool_wait_and_are_reported(write: Write) -> None:
    registry = load_registry(write([{"name": "a", "description": "A."}], {"b": "words", "c": None}))
    assert registry.unresolved == {"b": "words"}
    assert problems(registry) == [
        'extra_context.json, "b": there is no such tool; its text is kept and waits for it; correct the name, or remove the entry'
    ]


def test_every_bad_value_of_the_other_files_is_reported_with_its_place(write: Write) -> None:
    folder = write(
        [{"name": "a", "description": "A."}],
        {"a": 5},
        {"fee": [1], "room": ["flat"]},
        '{"query": "one", "expected": ["gone"]}\n{"query": \nnull\n{"query": "", "role": 1, "critical": "yes", "note": 2}\n'
        '{"query": "x", "expected": [3]}',
    )
    registry = load_registry(folder, strict=False)
    assert registry.synonyms == {"room": ("flat",)} and registry.test_queries == (TestQuery("one", ("gone",)),)
    assert [text.split(";")[0] for text in problems(registry)] == [
        'extra_context.json, "a": found the number 5',
        'domain_synonyms.json, "fee": found a list',
        "test_queries.jsonl, line 2: column 11: expecting value",
        "test_queries.jsonl, line 3: found null",
        "test_queries.jsonl, line 4: query is blank",
        "test_queries.jsonl, line 4: role is the number 1",
        'test_queries.jsonl, line 4: critical is the text "yes"',
        "test_queries.jsonl, line 4: note is the number 2",
        "test_queries.jsonl, line 5: expected holds the number 3",
        "test_queries.jsonl, line 1: names tools that do not exist: gone",
    ]


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ('[{"name": "a",}]', "tools.json: line 1, column 15"),
        ('{"tools": [{"name": "a", "weight": NaN}]}', "tools.json: line 1, column 36: NaN is not JSON"),
        ('{"tools": 5}', '"tools" is the number 5, not a list'),
        ('{"tool": []}', 'it has no "tools"'),
        ("7", "found the number 7, not a list of tools"),
        ("null", "found null, not a list of tools"),
        ("", "the file is empty"),
        ("[" * 3000, "tools.json: "),
        (b"PK\x03\x04\xff\xfe", "is not UTF-8 text"),
    ],
)
@pytest.mark.parametrize("strict", [True, False])
def test_a_folder_without_a_list_of_tools_is_one_clear_error(write: Write, tools: Any, said: str, strict: bool) -> None:
    with pytest.raises(RegistryError) as caught:
        load_registry(write(tools), strict)
    assert said in str(caught.value)


@pytest.mark.parametrize("strict", [True, False])
def test_a_missing_folder_a_file_and_an_empty_folder_say_what_is_expected(tmp_path: Path, strict: bool) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "odd" / "tools.json").mkdir(parents=True)
    for name, said in (
        ("none", "no such folder"),
        ("file", "this is a file"),
        ("empty", "a registry is a folder"),
        ("odd", "cannot be read"),
    ):
        with pytest.raises(RegistryError, match=said):
            load_registry(tmp_path / name, strict)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_files_with_a_byte_order_mark_load_and_keep_it(write: Write, encoding: str) -> None:
    folder = write('[{"name": "a", "description": "Café."}]'.encode(encoding))
    registry = load_registry(folder)
    save_registry(registry.with_edits([registry.edit("a", "description", "Thé.")]), folder)
    assert (folder / "tools.json").read_bytes() == '[{"name": "a", "description": "Thé."}]'.encode(encoding)


def test_half_letters_are_refused_by_name_and_the_rest_loads(write: Write) -> None:
    folder = write(
        '[{"name": "good", "description": "Fine \\ud83d\\ude00."}, {"name": "bad", "description": "\\ud800"}, '
        '{"name": "w\\udfff", "description": "x"}]',
        '{"good": "\\udc00"}',
        '{"fee": ["\\ud900"]}',
        '{"query": "\\ud800"}',
    )
    registry = load_registry(folder, strict=False)
    assert registry.tools == (Tool("good", "Fine 😀."),)
    assert [problem.where for problem in registry.problems] == [
        'tools.json, tool 2 "bad"',
        'tools.json, tool 3 "w\\udfff"',
        'extra_context.json, "good"',
        'domain_synonyms.json, "fee"',
        "test_queries.jsonl, line 1",
    ]
    json.dumps(problems(registry), ensure_ascii=False).encode()


def test_a_key_that_stands_twice_is_a_warning_with_its_line(write: Write) -> None:
    registry = load_registry(write('[{"name": "a",\n "description": "first",\n "description": "second"}]'))
    assert registry.tools[0].description == "second"
    assert problems(registry) == [
        'tools.json, line 3: key "description" stands twice in one object; the last one counts; remove the others'
    ]


def test_a_schema_version_that_is_no_number_is_named(write: Write) -> None:
    registry = load_registry(write({"schema_version": True, "tools": [{"name": "a", "description": "b"}]}))
    assert problems(registry) == ["tools.json: schema_version is True; this program knows version 1; some fields may be ignored"]


# saving

PRETTY = """{
    "schema_version": 1,
    "x-origin": {"weight": 1.50, "big": 1E3},
    "tools": [
        {
            "name": "pay_fee",
            "description": "Pay the café fee.",
            "annotations": {"b": [1,2], "a": "\\/"},
            "x-note": "kept"
        },
        "not a tool",
        {"name": "book_room", "extra_context": "base words", "description": "Book a room."}
    ]
}"""
OVERLAY = '{\n\t"pay_fee": "dues",\n\t"absent": "waits"\n}\n'
QUERIES = '{"query": "pay", "expected": ["pay_fee"], "x-id": 7}\n\nnot json\n{"expected":["book_room"],"query":"room","note":"\\u00e9"}\n'


def edited(folder: Path, *edits: tuple[str, str, Any]) -> Registry:
    """Load, edit one field after the other, save, and check that what comes back is what was edited."""
    registry = load_registry(folder, strict=False)
    for key, field, new in edits:
        registry = registry.with_edits([registry.edit(key, field, new)])
    saved = save_registry(registry, folder)
    assert saved == registry == load_registry(folder, strict=False)
    assert changed_files(saved, folder) == ()
    return saved


def test_one_word_of_one_description_changes_one_line_of_the_folder(write: Write) -> None:
    folder = write(PRETTY, OVERLAY, {"fee": ["dues"]}, QUERIES)
    before = contents(folder)
    edited(folder, ("pay_fee", "description", "Settle the café fee."))
    assert contents(folder) == before | {"tools.json": PRETTY.replace("Pay the", "Settle the").encode()}


def test_a_registry_without_edits_is_not_written(write: Write) -> None:
    folder = write(PRETTY, OVERLAY, None, QUERIES)
    stats = {path.name: path.stat() for path in folder.iterdir()}
    registry = load_registry(folder, strict=False)
    assert save_registry(registry, folder) is registry
    undone = [registry.edit("pay_fee", "tool", None), registry.edit("pay_fee", "tool", None).inverse()]
    save_registry(registry.with_edits(undone), folder)
    assert {path.name: path.stat() for path in folder.iterdir()} == stats


def test_line_ends_and_a_missing_last_line_end_are_kept(write: Write) -> None:
    windows = PRETTY.replace("\n", "\r\n")
    lines = '{"query": "pay", "expected": ["pay_fee"]}\r\n{"query": "room"}'
    folder = write(windows, None, None, lines)
    registry = edited(folder, ("book_room", "description", "Reserve."), ("", "test_query", TestQuery("new", ())))
    assert (folder / "tools.json").read_bytes() == windows.replace("Book a room.", "Reserve.").encode()
    assert (folder / "test_queries.jsonl").read_bytes() == f'{lines}\r\n{{"query": "new", "expected": []}}'.encode()
    save_registry(registry.with_edits([Edit("", "test_query", TestQuery("new", ()), None)]), folder)
    assert (folder / "test_queries.jsonl").read_bytes() == lines.encode()


def test_extra_context_goes_to_the_overlay_and_never_into_the_tools(write: Write) -> None:
    folder = write(PRETTY, OVERLAY)
    edited(folder, ("pay_fee", "extra_context", "dues, levy"), ("book_room", "extra_context", "flat"))
    assert (folder / "tools.json").read_bytes() == PRETTY.encode()
    assert (folder / "extra_context.json").read_text() == '{\n\t"pay_fee": "dues, levy",\n\t"absent": "waits",\n\t"book_room": "flat"\n}\n'
    edited(folder, ("pay_fee", "extra_context", ""), ("book_room", "extra_context", ""))
    assert (folder / "extra_context.json").read_text() == '{\n\t"absent": "waits",\n\t"book_room": ""\n}\n'
    edited(folder, ("book_room", "extra_context", "base words"))
    assert (folder / "extra_context.json").read_text() == '{\n\t"absent": "waits"\n}\n'


def test_a_rename_follows_into_overlay_and_test_queries_and_keeps_unknown_keys(write: Write) -> None:
    folder = write(PRETTY, OVERLAY, None, QUERIES)
    edited(folder, ("pay_fee", "name", "settle"))
    assert (folder / "tools.json").read_text() == PRETTY.replace('"pay_fee"', '"settle"')
    assert (folder / "extra_context.json").read_text() == OVERLAY.replace('"pay_fee"', '"settle"')
    assert (folder / "test_queries.jsonl").read_text() == QUERIES.replace('"pay_fee"', '"settle"')


def test_a_deleted_tool_takes_its_overlay_along_and_what_could_not_be_read_stays(write: Write) -> None:
    folder = write(PRETTY, OVERLAY, None, QUERIES)
    edited(folder, ("pay_fee", "tool", None))
    head, tail = PRETTY.index("        {\n"), PRETTY.index('        "not a tool"')
    assert (folder / "tools.json").read_text() == PRETTY[:head] + PRETTY[tail:]
    assert (folder / "extra_context.json").read_text() == '{\n\t"absent": "waits"\n}\n'
    first = '{"query": "pay", "note": "expected pay_fee, which was deleted", "x-id": 7}'
    assert (folder / "test_queries.jsonl").read_text() == "\n".join([first, *QUERIES.split("\n")[1:]])


def test_the_words_of_a_deleted_tool_can_wait_for_it_to_come_back(write: Write) -> None:
    folder = write(PRETTY, OVERLAY)
    tool = load_registry(folder, strict=False).tool("pay_fee")
    edited(folder, ("pay_fee", "tool", None), ("pay_fee", "unresolved", "dues"))
    assert (folder / "extra_context.json").read_text() == OVERLAY
    assert edited(folder, ("pay_fee", "tool", replace(tool, extra_context=""))).tool("pay_fee").extra_context == "dues"
    edited(folder, ("absent", "unresolved", "still waits"))
    assert (folder / "extra_context.json").read_text() == OVERLAY.replace("waits", "still waits")
    edited(folder, ("absent", "unresolved", None))
    assert (folder / "extra_context.json").read_text() == '{\n\t"pay_fee": "dues"\n}\n'
    with pytest.raises(CuratorError, match="this tool is there; edit its extra_context"):
        edited(folder, ("pay_fee", "unresolved", "x"))


def test_other_fields_of_a_tool_are_read_changed_and_written_where_they_stand(write: Write) -> None:
    folder = write(PRETTY)
    assert load_registry(folder, strict=False).tool("pay_fee").more == {"annotations": {"b": [1, 2], "a": "/"}, "x-note": "kept"}
    edited(folder, ("pay_fee", "more", {"annotations": {"b": [1, 2], "a": "/"}, "x-new": [{}]}))
    new = PRETTY.replace('"x-note": "kept"', '"x-new": [\n                {}\n            ]')
    assert (folder / "tools.json").read_text() == new
    edited(folder, ("new", "tool", Tool("new", more={"strict": True, "name": "never"})), ("new", "more", {"strict": False}))
    assert load_registry(folder, strict=False).tool("new") == Tool("new", more={"strict": False})


def test_a_new_tool_is_written_like_its_neighbours(write: Write) -> None:
    folder = write('{"tools": [\n{"name":"a","description":"A.","tags":["t"]}\n]}\n')
    edited(folder, ("b", "tool", Tool("b", "B.", "words", ("s",), parameters={"type": "object"})))
    new = '{"name":"b","description":"B.","roles":["s"],"parameters":{"type":"object"}}'
    assert (folder / "tools.json").read_text() == f'{{"tools": [\n{{"name":"a","description":"A.","tags":["t"]}},\n{new}\n]}}\n'
    assert (folder / "extra_context.json").read_text() == '{\n  "b": "words"\n}\n'


def test_one_of_two_equal_names_is_edited_and_both_are_kept(write: Write) -> None:
    folder = write(
        '[{"name": "search", "group": "files", "description": "A."}, {"name": "search", "group": "mail", "description": "B."}]',
        '{"search@mail": "letters"}',
        None,
        '{"query": "find", "expected": ["search@mail"]}\n',
    )
    edited(folder, ("search@mail", "description", "C."))
    assert '"group": "files", "description": "A."' in (folder / "tools.json").read_text()
    assert '"group": "mail", "description": "C."' in (folder / "tools.json").read_text()
    edited(folder, ("search@files", "name", "find_file"))
    assert (folder / "extra_context.json").read_text() == '{"search": "letters"}'
    assert (folder / "test_queries.jsonl").read_text() == '{"query": "find", "expected": ["search"]}\n'


def test_one_phrase_of_one_synonym_changes_one_line(write: Write) -> None:
    text = '{\n  "fee": [\n    "dues",\n    "charge"\n  ],\n  "room": ["flat"],\n  "odd": 5\n}'
    folder = write([{"name": "a", "description": "A."}], None, text)
    edited(folder, ("fee", "synonyms", ["dues", "levy", "charge"]))
    assert (folder / "domain_synonyms.json").read_text() == text.replace('"dues",', '"dues",\n    "levy",')
    edited(folder, ("fee", "synonyms", None), ("exam", "synonyms", ["test"]))
    assert (folder / "domain_synonyms.json").read_text() == '{\n  "room": ["flat"],\n  "odd": 5,\n  "exam": ["test"]\n}'


def test_a_registry_made_in_python_is_written_fresh_and_reads_back_equal(tmp_path: Path) -> None:
    registry = Registry(
        name="made",
        tools=(Tool("a", "Änd.", "more", ("s",), parameters={"type": "object", "properties": {}}), Tool("b", "B.")),
        synonyms={"fee": ("dues",)},
        test_queries=(TestQuery("q", ("a",), critical=True), TestQuery("r", None)),
    )
    folder = tmp_path / "new" / "made"
    assert save_registry(registry, folder) == registry == load_registry(folder)
    assert (
        (folder / "tools.json").read_text(encoding="utf-8").startswith('{\n  "schema_version": 1,\n  "name": "made",\n  "tools": [\n    {')
    )
    assert (folder / "test_queries.jsonl").read_text() == '{"query": "q", "expected": ["a"], "critical": true}\n{"query": "r"}\n'
    save_registry(Registry(name="bare", tools=(Tool("a", "A."),)), tmp_path / "bare")
    assert [path.name for path in (tmp_path / "bare").iterdir()] == ["tools.json"]


@pytest.mark.parametrize(
    "tool", [Tool("a", "\ud800"), Tool(" ", "x"), Tool("a", parameters={"n": float("nan")}), Tool("a", parameters={"n": {1}})]
)
def test_what_json_cannot_hold_is_refused_before_anything_is_written(tmp_path: Path, tool: Tool) -> None:
    with pytest.raises(CuratorError):
        save_registry(Registry(name="made", tools=(tool,)), tmp_path)
    assert contents(tmp_path) == {}


def test_files_that_changed_on_disk_are_named_and_nothing_is_written(write: Write) -> None:
    folder = write(PRETTY, OVERLAY, None, QUERIES)
    registry = load_registry(folder, strict=False)
    assert changed_files(registry, folder) == ()
    (folder / "extra_context.json").write_text('{"pay_fee": "theirs"}')
    (folder / "domain_synonyms.json").write_text("{}")
    before = contents(folder)
    assert changed_files(registry, folder) == ("extra_context.json", "domain_synonyms.json")
    with pytest.raises(RegistryChanged, match=r"extra_context\.json, domain_synonyms\.json; nothing was saved"):
        save_registry(registry.with_edits([registry.edit("pay_fee", "description", "Mine.")]), folder)
    assert contents(folder) == before


def test_a_file_that_was_only_touched_has_not_changed(write: Write) -> None:
    folder = write(PRETTY)
    registry = load_registry(folder, strict=False)
    os.utime(folder / "tools.json", ns=(1, 1))
    assert changed_files(registry, folder) == ()
    save_registry(registry.with_edits([registry.edit("pay_fee", "description", "Mine.")]), folder)


def test_a_file_deleted_by_others_counts_as_changed(write: Write) -> None:
    folder = write(PRETTY, OVERLAY)
    registry = load_registry(folder, strict=False)
    (folder / "tools.json").unlink()
    with pytest.raises(RegistryChanged, match=r"tools\.json"):
        save_registry(registry.with_edits([registry.edit("pay_fee", "description", "Mine.")]), folder)


def test_a_copy_goes_to_an_empty_folder_whole_and_never_over_another_registry(write: Write, tmp_path: Path) -> None:
    folder = write(PRETTY, OVERLAY, None, QUERIES)
    before = contents(folder)
    registry = load_registry(folder, strict=False)
    registry = registry.with_edits([registry.edit("pay_fee", "description", "Settle the café fee.")])
    saved = save_registry(registry, tmp_path / "copy")
    assert contents(folder) == before
    assert contents(tmp_path / "copy") == before | {"tools.json": PRETTY.replace("Pay the", "Settle the").encode()}
    again = save_registry(saved.with_edits([saved.edit("pay_fee", "description", "Pay the café fee.")]), tmp_path / "copy")
    assert contents(tmp_path / "copy") == before and again.tool("pay_fee").description == "Pay the café fee."
    with pytest.raises(RegistryChanged, match="there is another registry in it"):
        save_registry(registry, tmp_path / "copy")


def test_an_edit_for_a_file_that_could_not_be_read_is_refused_and_others_are_saved(write: Write) -> None:
    folder = write(PRETTY, "{broken")
    registry = load_registry(folder, strict=False)
    with pytest.raises(RegistryError, match=r"extra_context\.json: line 1"):
        save_registry(registry.with_edits([registry.edit("pay_fee", "extra_context", "mine")]), folder)
    save_registry(registry.with_edits([registry.edit("pay_fee", "description", "Mine.")]), folder)
    assert (folder / "extra_context.json").read_text() == "{broken"


def test_a_path_that_cannot_be_a_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotWritable, match="Make it writable, make room on the disk, or save to another folder"):
        save_registry(Registry(tools=(Tool("a", "A."),)), tmp_path / "file" / "registry")


@pytest.mark.parametrize(
    "reason", [PermissionError(13, "Permission denied"), OSError(30, "Read-only file system"), OSError(28, "No space left")]
)
@pytest.mark.parametrize("call", ["open", "write", "fsync"])
def test_a_read_only_folder_or_a_full_disk_leaves_the_files_as_they_were(
    write: Write, monkeypatch: pytest.MonkeyPatch, reason: OSError, call: str
) -> None:
    folder = write(PRETTY, OVERLAY)
    before = contents(folder)
    registry = load_registry(folder, strict=False)
    edits = [registry.edit("pay_fee", "description", "Mine."), registry.edit("pay_fee", "extra_context", "mine")]
    real = getattr(os, call)

    def refuse(target: Any, *rest: Any, **named: Any) -> Any:
        inside = call != "open" or str(folder) in str(target)
        if inside and (call != "write" or len(rest[0]) > 20):
            raise reason
        return real(target, *rest, **named)

    with monkeypatch.context() as patch:
        patch.setattr(journal.os, call, refuse)
        with pytest.raises(NotWritable, match=f"{reason.strerror}.*nothing was saved"):
            save_registry(registry.with_edits(edits), folder)
    assert contents(folder) == before
    save_registry(registry.with_edits(edits), folder)


@pytest.mark.skipif(os.name == "nt", reason="folders have no such mark there")
def test_a_folder_marked_read_only_is_not_written_not_even_by_root(write: Write) -> None:
    folder = write(PRETTY)
    registry = load_registry(folder, strict=False)
    before = contents(folder)
    folder.chmod(0o555)
    try:
        with pytest.raises(NotWritable, match=r"campus: cannot be written .the folder is read-only.; nothing was saved. Make it writable"):
            save_registry(registry.with_edits([registry.edit("pay_fee", "description", "Mine.")]), folder)
        assert contents(folder) == before
    finally:
        folder.chmod(0o755)


def test_problems_follow_the_edits(write: Write) -> None:
    registry = load_registry(write([{"name": "a"}, 5]), strict=False)
    after = registry.with_edits([registry.edit("a", "description", "Now it says something.")])
    assert [problem.found for problem in after.problems] == ["found the number 5"]


def test_a_file_that_is_a_link_is_not_replaced(tmp_path: Path) -> None:
    save_registry(Registry(name="x", tools=(Tool("a", "one"),)), tmp_path / "real")
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "tools.json").symlink_to(tmp_path / "real" / "tools.json")
    registry = load_registry(tmp_path / "linked")
    with pytest.raises(NotWritable, match="is a link to"):
        save_registry(registry.with_edits([registry.edit("a", "description", "two")]), tmp_path / "linked")
    assert (tmp_path / "linked" / "tools.json").is_symlink()
    assert load_registry(tmp_path / "real").tool("a").description == "one"
