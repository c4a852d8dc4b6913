"""Home as its user sees it: figures, what looks wrong and where it is put right, and the ways to a registry."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from curator_core import NotWritable, Registry, Settings, TestQuery, Tool, build_index, load_registry
from dashboard import panels
from dashboard.home import recent, start
from dashboard.home.health_table import figures, findings
from dashboard.home.tour import tour_of
from tests.core.fakes import FakeEncoder
from tests.dashboard.conftest import APP, TOOLS, edit, end_process, write_registry

Start = Callable[..., AppTest]
TROUBLED = Registry(
    "troubled",
    (
        Tool("send_letter", "Send a letter to anyone in the office."),
        Tool("post_letter", "Post a letter to anyone in the office."),
        Tool("do_it"),
        Tool("copy@a", "The same words."),
        Tool("copy", "a The same words."),
        Tool("long_story", "first words " * 60),
    ),
    {"letter": ("mail", "&"), "parcel": ("box",), "words": ("mail",)},
)


def links(at: AppTest) -> list[tuple[str, str]]:
    """Return label and address of every link."""
    return [(link.proto.label, f"{link.proto.page}?{link.proto.query_string}") for link in at.get("page_link")]


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown, *at.info))


def test_figures_count_what_the_registry_has(app: Start) -> None:
    at = app(page="home")
    assert {metric.label: metric.value for metric in at.metric} == {
        "Tools": "5",
        "With extra context": "1",
        "Synonym terms": "1",
        "Test queries": "3",
        "Roles": "2",
    }
    assert "The index is ready: 5 texts read now, 0 known from before." in texts(at)


def test_what_looks_wrong_is_listed_by_harm() -> None:
    found = findings(TROUBLED, build_index(TROUBLED, FakeEncoder(64)), Settings())
    assert [finding.kind for finding in found][:6] == [
        "no description",
        "cut text",
        "conflicting synonyms",
        "dead synonyms",
        "close pairs",
        "name rule",
    ]
    by_kind = {finding.kind: finding.items for finding in found}
    assert [item.tools for item in by_kind["no description"]] == [("do_it",)]
    assert by_kind["cut text"][0].tools == ("long_story",)
    assert "unread, in: description" in by_kind["cut text"][0].said
    assert [item.tools for item in by_kind["name rule"]] == [("do_it",)]
    assert {item.term for item in by_kind["dead synonyms"]} == {"letter", "parcel"}


def test_tools_with_the_same_text_stand_together_before_weaker_troubles() -> None:
    twins = Registry("twins", (Tool("pay", "Pay a bill", group="a"), Tool("pay", "Pay a bill", group="b"), Tool("long_name", "Other")))
    found = findings(twins, build_index(twins, FakeEncoder(64)), Settings())
    assert found[0].kind == "identical"
    assert found[0].items[0].tools == ("pay@a", "pay@b")


def test_without_a_model_there_are_no_close_pairs_and_no_cut_texts() -> None:
    kinds = {finding.kind for finding in findings(TROUBLED, build_index(TROUBLED, None), Settings())}
    assert "no description" in kinds
    assert not kinds & {"close pairs", "cut text"}


def test_each_trouble_links_to_where_it_is_put_right(app: Start, folder: Path) -> None:
    write_registry(folder, [*TOOLS, {"name": "nameless_one", "description": ""}])
    (folder / "domain_synonyms.json").write_text(json.dumps({"unheard of": ["phrase"]}), encoding="utf-8")
    at = app(page="home")
    shown = links(at)
    assert (":blue[nameless\\_one]", "tools?tool=nameless_one") in shown
    assert (":blue[unheard of]", "synonyms?term=unheard+of") in shown


def test_all_cases_of_a_kind_open_in_the_filtered_list(app: Start, folder: Path) -> None:
    write_registry(folder, [*TOOLS, {"name": "nameless_one", "description": ""}])
    at = app(page="home")
    at.button(key="home_all_no_description").click().run()
    assert next(list(element.value["tool"]) for element in at.dataframe if "remarks" in element.value) == ["nameless_one"]


def test_a_long_list_is_folded_until_it_is_wanted(app: Start, folder: Path) -> None:
    write_registry(folder, [{"name": f"tool_{number:02}", "description": ""} for number in range(9)])
    at = app(page="home")
    assert not any("tool\\_08" in label for label, _ in links(at))
    at.button(key="home_more_no description_button").click().run()
    assert any(label == ":blue[tool\\_08]" for label, _ in links(at))


def test_broken_parts_of_the_files_come_first(app: Start, folder: Path) -> None:
    (folder / "test_queries.jsonl").write_text('{"query": "half', encoding="utf-8")
    registry = load_registry(folder, strict=False)
    found = findings(registry, build_index(registry, None), Settings())
    assert found[0].level == "broken"
    assert "test_queries.jsonl" in found[0].items[0].said


def test_an_empty_start_offers_samples_a_folder_and_a_new_registry() -> None:
    at = AppTest.from_file(str(APP), default_timeout=30).run()
    labels = [button.label for button in at.button if button.label.startswith("Open ")]
    assert labels[:3] == ["Open campus", "Open banking", "Open workplace\\_mcp"]
    assert at.text_input(key="start_folder").label == "Registry folder"
    assert "in three steps" in texts(at)
    at.button(key="start_banking").click().run()
    assert int(at.metric[0].value) > 5


def test_the_help_can_be_read_before_anything_is_open() -> None:
    at = AppTest.from_file(str(APP), default_timeout=30).run().switch_page("views/help.py").run()
    assert "stage by stage" in texts(at)


def test_an_empty_registry_starts_in_a_new_folder_and_asks_for_the_first_tool(tmp_path: Path) -> None:
    at = AppTest.from_file(str(APP), default_timeout=30).run()
    at.text_input(key="start_new_folder").set_value(str(tmp_path / "mine"))
    at.text_input(key="start_new_name").set_value("my tools")
    at.button(key="start_new_sure").click().run()
    assert load_registry(tmp_path / "mine").name == "my tools"
    assert "no tools yet" in texts(at)
    assert ("Add a tool", "tools?") in links(at)


@pytest.mark.parametrize("typed", ["", "relative/path", "~nobody-of-this-name/x", "/tmp/a\0b"])
def test_a_folder_that_is_not_named_in_full_is_refused(typed: str) -> None:
    with pytest.raises(NotWritable, match="whole path"):
        start.new_registry(typed, "x")


def test_a_sample_is_copied_without_drafts_and_the_copy_is_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    at = AppTest.from_file(str(APP), default_timeout=30).run()
    assert at.text_input(key="start_copy_campus_folder").value == str(tmp_path / "tool-registries" / "campus")
    assert "what you publish would be written into" in texts(at)
    at.button(key="start_copy_campus_sure").click().run()
    copy = tmp_path / "tool-registries" / "campus"
    assert at.session_state["session_opened"].folder == copy
    assert load_registry(copy).tools == load_registry(start.samples()[0]).tools
    assert start.place_for_copy(start.samples()[0]) == copy.with_name("campus-2")


def test_a_copy_of_a_sample_touches_nothing_that_is_there(folder: Path, tmp_path: Path) -> None:
    before = sorted(folder.iterdir())
    with pytest.raises(NotWritable, match="exists already"):
        start.copy_sample(start.samples()[0], str(folder))
    with pytest.raises(NotWritable, match="whole path"):
        start.copy_sample(start.samples()[0], "relative/path")
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    with pytest.raises(NotWritable, match="cannot be made"):
        start.copy_sample(start.samples()[0], str(tmp_path / "file" / "copy"))
    assert sorted(folder.iterdir()) == before


def test_a_new_registry_never_touches_files_that_are_there(folder: Path, tmp_path: Path) -> None:
    before = (folder / "tools.json").read_bytes()
    with pytest.raises(NotWritable, match=r"holds tools\.json"):
        start.new_registry(str(folder), "x")
    assert (folder / "tools.json").read_bytes() == before
    (tmp_path / "file").write_text("kept", encoding="utf-8")
    with pytest.raises(NotWritable, match="is a file"):
        start.new_registry(str(tmp_path / "file"), "x")


def test_a_folder_that_cannot_be_opened_is_told_and_what_is_open_stays(app: Start, tmp_path: Path) -> None:
    at = app(page="home")
    at.text_input(key="start_folder").set_value(str(tmp_path / "nowhere"))
    at.button(key="start_open").click().run()
    assert "nowhere" in texts(at)
    assert at.metric[0].value == "5"
    at.button(key="start_dismiss").click().run()
    assert "nowhere" not in texts(at)


def test_an_opened_registry_is_offered_again_after_a_restart(app: Start, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app(page="home")
    end_process()
    monkeypatch.delenv("TOOL_CURATOR_FOLDER")
    at = AppTest.from_file(str(APP), default_timeout=30).run()
    assert str(folder) in texts(at)
    at.button(key="start_recent_0").click().run()
    assert at.metric[0].value == "5"


def test_another_registry_can_be_opened_and_the_draft_of_the_first_waits(app: Start, folder: Path) -> None:
    at = edit(app(page="home"), "pay_fees", "description", "New text.")
    other = write_registry(folder.parent / "other")
    for path, badge in ((other, False), (folder, True)):
        at.text_input(key="start_folder").set_value(str(path))
        at.button(key="start_open").click().run()
        assert ("Draft: 1 edit in 1 place" in texts(at)) is badge


def test_recent_folders_come_last_opened_first_and_only_while_they_are_registries(tmp_path: Path) -> None:
    cache, folders = tmp_path / "cache", [write_registry(tmp_path / name) for name in ("one", "two")]
    for folder in (*folders, tmp_path / "gone", folders[0]):
        recent.remember(cache, folder)
    assert recent.recent_folders(cache) == (folders[0], folders[1])
    assert recent.recent_folders(None) == ()


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"\xff\xfe", b"[]", b'{"recent": 3}', b'{"recent": [1, null, "relative", "/no\\u0000where"]}']
)
def test_a_damaged_list_of_recent_folders_counts_as_empty_and_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    folder = write_registry(tmp_path / "one")
    (tmp_path / recent.FILE).write_bytes(damage)
    assert recent.recent_folders(tmp_path) == ()
    recent.remember(tmp_path, folder)
    assert recent.recent_folders(tmp_path) == (folder,)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_list_that_cannot_be_written_is_a_line_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be", encoding="utf-8")
    recent.remember(tmp_path / "cache", tmp_path)
    assert "was not written" in caplog.text


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("get_fee", "get\\_fee"),
        ("**bold**", "`**bold**`"),
        (":smile:", "`:smile:`"),
        ("a`b", "`` a`b ``"),
        ("x](y)", "`x](y)`"),
        ("a\u202eb", "`a‹U+202E›b`"),
        ("", "`(no name)`"),
    ],
)
def test_names_in_labels_are_never_markup(text: str, label: str) -> None:
    assert panels.literal(text) == label


def test_the_tour_is_about_a_question_of_the_registry() -> None:
    registry = Registry("r", (Tool("a_tool", "x"),), test_queries=(TestQuery("gone", ("b",)), TestQuery("ask it", ("a_tool",))))
    tour = tour_of(registry)
    assert tour is not None and (tour.question, tour.tool) == ("ask it", "a_tool")
    assert tour_of(Registry("r", (Tool("a_tool", "x"),))) is None
    campus = tour_of(load_registry(next(folder for folder in start.samples() if folder.name == "campus"), strict=False))
    assert campus is not None and campus.word in campus.question


def test_figures_of_an_empty_registry_are_noughts() -> None:
    assert {figure.value for figure in figures(Registry())} == {"0"}
