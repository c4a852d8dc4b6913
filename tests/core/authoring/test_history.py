"""History: who changed what and why, outside changes as revisions of their own, and putting any of it back."""

from __future__ import annotations

import random
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some
from sqlalchemy import event, insert, update

from curator_core import (
    CuratorError,
    Edit,
    Registry,
    RegistryError,
    Store,
    StoreError,
    Tool,
    UnknownName,
    changes_between,
    load_registry,
    publish,
    word_diff,
)
from curator_core.authoring import history, snapshots
from curator_core.authoring import store_tables as tables
from curator_core.authoring.snapshots import fingerprint, shas_of
from tests.core import strategies
from tests.core.authors import ASHA, BEN, REGISTRY
from tests.laws import examples


def say(store: Store, tool: str, field: str, new: object, reason: str = "better", person: object = ASHA) -> int:
    edit = load_registry(store.folder).edit(tool, field, new)
    return publish(store, person, reason, [edit]).revision.number  # type: ignore[arg-type]


def replace_in(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def on_disk_fingerprint(folder: Path) -> str:
    return fingerprint(shas_of({path.name: path.read_bytes() for path in folder.glob("*.json*")}))


def test_a_revision_says_who_when_why_and_what(store: Store) -> None:
    before = on_disk_fingerprint(store.folder)
    publish(
        store, BEN, "users say challan", [load_registry(store.folder).edit("pay", "extra_context", "challan")], receipt={"recall@5": 0.9}
    )
    last, first = history.page(store)
    assert (last.number, last.kind, last.author, last.reason) == (2, "published", "Ben", "users say challan")
    assert last.edits == (Edit("pay", "extra_context", "", "challan"),)
    assert (last.before, last.after) == (before, on_disk_fingerprint(store.folder))
    assert (last.receipt, last.at >= first.at) == ({"recall@5": 0.9}, True)
    assert (first.number, first.kind, first.edits, first.after) == (1, "first", (), before)


def test_a_change_from_outside_is_a_revision_of_its_own(store: Store) -> None:
    say(store, "pay", "description", "Pay any fee.")
    replace_in(store.folder / "tools.json", "Show attendance.", "Show my attendance.")
    noticed = history.notice_outside(store)
    assert noticed is not None
    assert (noticed.kind, noticed.author, noticed.edits) == (
        "outside",
        "outside",
        (Edit("show", "description", "Show attendance.", "Show my attendance."),),
    )
    assert history.notice_outside(store) is None
    say(store, "pay", "description", "Pay.")
    assert [revision.kind for revision in history.page(store)] == ["published", "outside", "published", "first"]
    assert [change.author for change in history.of_tool(store, "show")] == ["outside"]


def test_an_outside_change_is_noticed_when_the_store_is_opened(reopen: Callable[[], Store]) -> None:
    store = reopen()
    replace_in(store.folder / "domain_synonyms.json", '"dues"', '"bills"')
    assert history.page(reopen())[0].edits == (Edit("fees", "synonyms", ("dues",), ("bills",)),)


def test_a_change_of_the_layout_alone_is_noticed_too(store: Store) -> None:
    replace_in(store.folder / "tools.json", '"name": "small",', '"name":   "small", "_meta": {"by": "hand"},')
    noticed = history.notice_outside(store)
    assert noticed is not None and noticed.edits == () and noticed.before != noticed.after


def test_files_that_cannot_be_read_are_no_revision(store: Store) -> None:
    replace_in(store.folder / "tools.json", '"tools"', "<<<<<<<")
    with pytest.raises(RegistryError):
        history.notice_outside(store)
    assert history.latest(store) == 1


def test_the_registry_is_there_as_it_was_at_every_revision(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "LONGEST_CHAIN", 5)
    states = {1: load_registry(store.folder)}
    luck = random.Random(4)
    for n in range(18):
        tool = luck.choice(["pay", "show", "renew"])
        number = say(store, tool, luck.choice(["description", "extra_context"]), f"text {n} " * luck.randint(1, 200))
        states[number] = load_registry(store.folder)
    files = {path.name: path.read_bytes() for path in store.folder.glob("*.json*")}
    for number, state in states.items():
        assert history.registry_at(store, number) == state
    known = history.registry_at(store, max(states))._provenance
    assert known is not None and {file: read.data for file, read in known.source.files.items() if read} == files


def test_an_unknown_revision_is_named_with_the_latest(store: Store) -> None:
    for look_up in (history.revision, history.registry_at):
        with pytest.raises(UnknownName, match="no revision 9; the latest is 1"):
            look_up(store, 9)


def test_a_tools_history_follows_it_through_renames_and_can_be_narrowed_to_a_field(store: Store) -> None:
    say(store, "pay", "description", "a")
    say(store, "pay", "name", "pay_fees")
    say(store, "pay_fees", "description", "b")
    say(store, "show", "description", "c")
    say(store, "pay_fees", "name", "settle")
    say(store, "", "tool", Tool("pay", "another tool"))
    say(store, "settle", "extra_context", "d")
    assert [change.edit.new for change in history.of_tool(store, "settle")] == ["d", "settle", "b", "pay_fees", "a"]
    assert [change.edit.new for change in history.of_tool(store, "settle", "description")] == ["b", "a"]
    assert [change.edit.field for change in history.of_tool(store, "pay")] == ["tool", "name", "description"]
    assert [change.number for change in history.of_tool(store, "settle", limit=2)] == [8, 6]
    say(store, "fees", "synonyms", ("bills",))
    assert [change.edit.new for change in history.of_tool(store, "fees", "synonyms")] == [("bills",)]


@pytest.mark.parametrize("data", [b"?", zlib.compress(b"?")])
def test_a_damaged_content_does_not_keep_the_store_from_opening(data: bytes, reopen: Callable[[], Store]) -> None:
    store = reopen()
    damaged = shas_of({"tools.json": (store.folder / "tools.json").read_bytes()})["tools.json"]
    with store.writing() as connection:
        one = update(tables.contents).where(tables.contents.c.registry == store.registry, tables.contents.c.sha256 == damaged)
        connection.execute(one.values(data=data))
    with pytest.raises(StoreError, match="damaged; load another revision"):
        history.registry_at(store, 1)
    replace_in(store.folder / "tools.json", "Pay fees.", "Pay.")
    last = history.page(reopen())[0]
    assert (last.kind, last.edits) == ("outside", ()) and "cannot be told" in last.reason
    assert history.registry_at(store, last.number) == load_registry(store.folder)


def test_compaction_lets_files_go_and_keeps_who_when_why_and_what(store: Store) -> None:
    for n in range(12):
        say(store, "pay", "description", f"text {n}", f"reason {n}")
    kept = {number: history.registry_at(store, number) for number in (12, 13)}
    before = history.page(store)
    assert history.compact(store, ASHA, keep=2) > 0
    assert history.page(store) == before
    assert [change.edit.new for change in history.of_tool(store, "pay")] == [f"text {n}" for n in reversed(range(12))]
    assert {number: history.registry_at(store, number) for number in kept} == kept
    with pytest.raises(StoreError, match="revision 5: its files were compacted away"):
        history.registry_at(store, 5)
    say(store, "pay", "description", "and on")
    assert history.registry_at(store, 14) == load_registry(store.folder)
    with pytest.raises(CuratorError, match="keep at least 1"):
        history.compact(store, ASHA, keep=0)


def test_a_look_among_ten_thousand_revisions_reads_few_of_them(store: Store) -> None:
    head = history.revision(store, 1)
    with store.writing() as connection:
        row = {"registry": store.registry, "kind": "published", "author": "Asha", "at": head.at, "reason": "why", "files": None}
        row |= {"before": head.after, "after": head.after}
        numbers = range(2, 10_002)
        connection.execute(insert(tables.revisions), [{**row, "number": number} for number in numbers])
        edit = {"registry": store.registry, "position": 0, "field": "description", "old": "a", "new": "b"}
        connection.execute(insert(tables.changes), [{**edit, "number": number, "tool": f"tool {number % 500}"} for number in numbers])
    looks: list[Callable[[], object]] = [
        lambda: history.page(store),
        lambda: history.page(store, before=5000),
        lambda: history.of_tool(store, "tool 7"),
        lambda: history.latest(store),
    ]
    for look in looks:
        assert _steps(store, look) < 10_000, "a step or more for each of the revisions: no index is used"
    assert [revision.number for revision in history.page(store, before=5000, limit=2)] == [4999, 4998]
    assert len(history.of_tool(store, "tool 7")) == 20


def _steps(store: Store, look: Callable[[], object]) -> int:
    """Return how many steps SQLite takes for a look, in hundreds; 0 on a server, which does not count them."""
    hundreds = 0

    def counted() -> None:
        nonlocal hundreds
        hundreds += 1

    def watched(_: object, cursor: Any, *__: object) -> None:
        if store.engine.dialect.name == "sqlite":
            cursor.connection.set_progress_handler(counted, 100)

    event.listen(store.engine, "before_cursor_execute", watched)
    look()
    event.remove(store.engine, "before_cursor_execute", watched)
    return 100 * hundreds


def test_only_the_authors_own_revisions_can_be_listed(store: Store) -> None:
    say(store, "pay", "description", "a")
    say(store, "pay", "description", "b", person=BEN)
    assert [revision.author for revision in history.page(store, author="Ben")] == ["Ben"]


# what differs


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("Pay the fee.", "Pay any fee.", [("equal", "Pay "), ("delete", "the"), ("insert", "any"), ("equal", " fee.")]),
        ("", "new", [("insert", "new")]),
        ("old", "", [("delete", "old")]),
        ("same", "same", [("equal", "same")]),
        ("", "", []),
        ("a red fox", "a big dog", [("equal", "a "), ("delete", "red fox"), ("insert", "big dog")]),
        ("old", "old new", [("equal", "old"), ("insert", " new")]),
        ("new old", "old", [("delete", "new "), ("equal", "old")]),
        ("a ", "a", [("equal", "a"), ("delete", " ")]),
        ("a b", "a  b", [("equal", "a"), ("delete", " "), ("insert", "  "), ("equal", "b")]),
    ],
)
def test_texts_are_compared_word_by_word(old: str, new: str, parts: list[tuple[str, str]]) -> None:
    assert list(word_diff(old, new)) == parts


words = some.lists(some.sampled_from(["fee", "Pay", " ", "  ", "\n", ".", "ü"]), max_size=12).map("".join)


@examples(25)
@given(words, words)
def test_the_parts_of_a_comparison_make_both_texts(old: str, new: str) -> None:
    parts = word_diff(old, new)
    assert "".join(text for op, text in parts if op != "insert") == old
    assert "".join(text for op, text in parts if op != "delete") == new
    assert all(text for _, text in parts)


@examples(15)
@given(strategies.registries(), strategies.registries())
def test_the_edits_between_two_registries_lead_from_one_to_the_other(old: Registry, new: Registry) -> None:
    result = old.with_edits(changes_between(old, new))
    assert (set(result.tools), dict(result.synonyms)) == (set(new.tools), dict(new.synonyms))
    assert Counter(result.test_queries) == Counter(new.test_queries)
    assert changes_between(result, new) == ()


def twins(*names: str) -> some.SearchStrategy[list[Tool]]:
    texts, groups = some.sampled_from(["x", "y"]), some.sampled_from(["", "g", "h"])
    return some.lists(some.builds(Tool, some.sampled_from(names), texts, group=groups), max_size=5)


@examples(25)
@given(twins("a", "b"), twins("a", "b"))
def test_tools_of_one_name_can_come_and_go(old: list[Tool], new: list[Tool]) -> None:
    before, after = Registry("r", tuple(old)), Registry("r", tuple(new))
    assert Counter(before.with_edits(changes_between(before, after)).tools) == Counter(new)


@examples(20)
@given(twins("a", "a@g", "a#2"), twins("a", "a@g", "a#2"))
def test_a_difference_is_told_also_where_no_edit_could_make_it(old: list[Tool], new: list[Tool]) -> None:
    before, after = Registry("r", tuple(old)), Registry("r", tuple(new))
    edits = changes_between(before, after)
    assert bool(edits) or Counter(old) == Counter(new)
    said = {edit.new for edit in edits if edit.field == "description"} | {
        edit.new.description for edit in edits if edit.new and edit.field == "tool"
    }
    assert {tool.description for tool in new} - {tool.description for tool in old} <= said


def test_a_tool_that_differs_in_its_name_alone_was_renamed() -> None:
    renamed = REGISTRY.with_edits([REGISTRY.edit("pay", "name", "settle")])
    assert changes_between(REGISTRY, renamed) == (Edit("pay", "name", "pay", "settle"),)


def test_a_text_of_one_of_two_tools_of_a_name_is_one_edit() -> None:
    two = (Tool("search", "files", group="files"), Tool("search", "mail", group="mail"))
    after = Registry("r", (two[0], Tool("search", "letters", group="mail")))
    assert changes_between(Registry("r", two), after) == (Edit("search@mail", "description", "mail", "letters"),)
