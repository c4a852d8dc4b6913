"""Publishing: others' work stays, conflicts are decided per field, a kill anywhere leaves files and history agreeing, diffs are small."""

from __future__ import annotations

import difflib
import json
import platform
import subprocess
import threading
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from curator_core import (
    Choice,
    CuratorError,
    Edit,
    EditConflict,
    NotWritable,
    Store,
    Tool,
    catch_up,
    git_state,
    load_registry,
    open_store,
    publish,
    save_registry,
    word_diff,
)
from curator_core.authoring import drafts, history, publishing, restoring, review
from curator_core.files import journal
from tests.core.authors import ASHA, BEN, on_disk
from tests.soak.many_authors import Day


class Killed(BaseException):
    """The process dies here."""


def draft(store: Store, tool: str, text: str, person: Any = ASHA, field: str = "description") -> None:
    drafts.add(store, person, [load_registry(store.folder).edit(tool, field, text)])


def write_outside(store: Store, tool: str, text: str) -> None:
    registry = load_registry(store.folder)
    save_registry(registry.with_edits([registry.edit(tool, "description", text)]), store.folder)


def test_a_draft_goes_into_the_files_and_the_history_and_leaves(store: Store) -> None:
    draft(store, "pay", "Pay any fee.")
    done = publish(store, ASHA, " users say fee ")
    assert (on_disk(store.folder, "pay"), done.revision.reason, done.registry) == (
        "Pay any fee.",
        "users say fee",
        load_registry(store.folder),
    )
    left = drafts.read(store, ASHA)
    assert (left.steps, left.redo, left.edits) == ((), (), ())


def test_changes_of_different_fields_both_live(store: Store) -> None:
    draft(store, "pay", "A1", ASHA)
    draft(store, "show", "B1", BEN)
    draft(store, "pay", "challan", BEN, "extra_context")
    publish(store, ASHA, "a")
    publish(store, BEN, "b")
    pay = load_registry(store.folder).tool("pay")
    assert (pay.description, pay.extra_context, on_disk(store.folder, "show")) == ("A1", "challan", "B1")


@pytest.mark.parametrize(("keep", "on_file", "kinds"), [("mine", "Ben's", ["published"]), ("theirs", "Asha's", ["set aside"])])
def test_on_the_same_field_the_second_publisher_sees_both_texts_and_chooses(
    keep: Any, on_file: str, kinds: list[str], store: Store
) -> None:
    draft(store, "pay", "Asha's", ASHA)
    draft(store, "pay", "Ben's", BEN)
    publish(store, ASHA, "a")
    with pytest.raises(EditConflict) as caught:
        publish(store, BEN, "b")
    (conflict,) = caught.value.conflicts
    assert (conflict.expected, conflict.found, conflict.wanted) == ("Pay fees.", "Asha's", "Ben's")
    assert (on_disk(store.folder, "pay"), drafts.read(store, BEN).edits[0].new) == ("Asha's", "Ben's")
    publish(store, BEN, "b", choices=[Choice(conflict, keep)])
    assert (on_disk(store.folder, "pay"), drafts.read(store, BEN).edits) == (on_file, ())
    assert [revision.kind for revision in history.page(store)] == [*kinds, "published", "first"]
    assert {change.edit.new for change in history.of_tool(store, "pay")} == {"Asha's", "Ben's"}


def test_of_two_pages_that_show_an_old_state_neither_undoes_what_the_other_saved(store: Store) -> None:
    old = load_registry(store.folder)  # what both pages show
    publish(store, ASHA, "first", [old.edit("pay", "description", "A1")])
    publish(store, BEN, "another tool", [old.edit("show", "description", "B1")])
    assert (on_disk(store.folder, "pay"), on_disk(store.folder, "show")) == ("A1", "B1")
    with pytest.raises(EditConflict) as caught:
        publish(store, BEN, "the same field", [old.edit("pay", "description", "A2")])
    assert [(one.found, one.wanted) for one in caught.value.conflicts] == [("A1", "A2")]
    file = store.folder / "tools.json"
    file.write_text(file.read_text().replace("A1", "by hand"))
    shown = old.with_edits([old.edit("pay", "description", "A1")])
    with pytest.raises(EditConflict):
        publish(store, ASHA, "again", [shown.edit("pay", "description", "A3")])
    assert on_disk(store.folder, "pay") == "by hand"


def test_an_outside_edit_of_the_same_field_is_a_conflict_and_never_overwritten(store: Store) -> None:
    draft(store, "pay", "mine")
    write_outside(store, "pay", "by hand")
    with pytest.raises(EditConflict, match="by hand"):
        publish(store, ASHA, "why")
    assert on_disk(store.folder, "pay") == "by hand"
    assert [(revision.kind, revision.edits[0].new) for revision in history.page(store, limit=1)] == [("outside", "by hand")]


def test_an_editor_that_saves_between_loading_and_writing_is_seen(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    draft(store, "pay", "mine")
    real = save_registry
    met: list[int] = []

    def save(registry: Any, folder: Any) -> Any:
        if not met:
            met.append(1)
            write_outside(store, "show", "by hand")
        return real(registry, folder)

    monkeypatch.setattr(publishing, "save_registry", save)
    publish(store, ASHA, "why")
    assert (on_disk(store.folder, "pay"), on_disk(store.folder, "show")) == ("mine", "by hand")
    assert [revision.kind for revision in history.page(store)] == ["published", "outside", "first"]


def test_one_word_changes_one_line_of_the_folder(store: Store) -> None:
    def lines() -> list[str]:
        return [f"{path.name}: {line}" for path in sorted(store.folder.glob("*.json*")) for line in path.read_text().splitlines()]

    before = lines()
    draft(store, "pay", "Pay dues.")
    publish(store, ASHA, "why")
    changed = [line for line in difflib.ndiff(before, lines()) if line[0] in "+-"]
    assert [line[0] for line in changed] == ["-", "+"] and "Pay dues." in changed[1]


FOREIGN = """{
   "jsonrpc": "2.0", "id": 7,
   "tools": [
      {"name": "pay", "title": "Zahlen", "description": "Pay the café fee \\u2014 once.",
       "inputSchema": {"type": "object", "properties": {"term": {"type": "string"}, "amount": {"type": "number", "x-unit": "€"}},
                       "required": ["term"]},
       "outputSchema": {"type": "object"}, "annotations": {"readOnlyHint": false}, "_meta": {"owner": "café"}, "x-rank": 1.50},
      {"description": "Show attendance.", "name": "show", "inputSchema": {}}
   ],
   "nextCursor": null
}"""


def test_one_word_leaves_everything_that_is_not_understood_as_it_was_and_the_earlier_file_is_kept(folder: Path) -> None:
    (folder / "tools.json").write_text(FOREIGN, encoding="utf-8")
    store = open_store(folder)
    before = history.latest(store)
    draft(store, "pay", "Pay the café levy \u2014 once.")
    (shown,) = drafts.read(store, ASHA).edits
    assert ("insert", "levy") in word_diff(shown.old, shown.new)
    publish(store, ASHA, "users say levy")
    assert (folder / "tools.json").read_text(encoding="utf-8") in (
        FOREIGN.replace("fee \\u2014", "levy \\u2014"),
        FOREIGN.replace("fee \\u2014", "levy \u2014"),
    )
    drafts.add(store, ASHA, restoring.edits_to_restore(store, load_registry(folder), before))
    publish(store, ASHA, "as it was")
    assert load_registry(folder).tool("pay").description == "Pay the café fee \u2014 once."
    assert history.registry_at(store, before)._provenance.source.files["tools.json"].data == FOREIGN.encode()  # type: ignore[union-attr]
    store.close()


def test_publishing_takes_edits_and_a_reason(store: Store) -> None:
    with pytest.raises(CuratorError, match="the draft is empty"):
        publish(store, ASHA, "why")
    draft(store, "pay", "mine")
    with pytest.raises(CuratorError, match="no reason"):
        publish(store, ASHA, "  ")
    assert (drafts.read(store, ASHA).edits[0].new, history.latest(store)) == ("mine", 1)


def test_what_another_published_word_for_word_leaves_the_draft_without_a_revision(store: Store) -> None:
    draft(store, "pay", "same", ASHA)
    draft(store, "pay", "same", BEN)
    publish(store, ASHA, "a")
    done = publish(store, BEN, "b")
    assert (done.revision.author, drafts.read(store, BEN).edits, history.latest(store)) == ("Asha", (), 2)


def test_edits_that_were_not_in_the_draft_leave_the_draft_alone(store: Store) -> None:
    draft(store, "show", "mine")
    publish(store, ASHA, "why", [Edit("pay", "description", "Pay fees.", "x")])
    assert [edit.new for edit in drafts.read(store, ASHA).edits] == ["mine"]


def test_a_rename_and_what_follows_it_are_published_together(store: Store) -> None:
    registry = load_registry(store.folder)
    drafts.add(store, ASHA, [registry.edit("pay", "name", "settle"), Edit("settle", "description", "Pay fees.", "Settle.")])
    drafts.add(store, ASHA, [Edit("new", "tool", None, Tool("new", "n"))])
    publish(store, ASHA, "why")
    after = load_registry(store.folder)
    assert (after.tool("settle").description, after.test_queries[0].expected, "new" in after.by_key) == ("Settle.", ("settle",), True)
    assert drafts.read(store, ASHA).steps == ()


def test_a_folder_that_cannot_be_written_keeps_the_draft_and_makes_no_revision(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    draft(store, "pay", "mine")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(journal, "_write", full)
        with pytest.raises(NotWritable, match="No space left"):
            publish(store, ASHA, "why")
    assert (on_disk(store.folder, "pay"), history.latest(store), drafts.read(store, ASHA).edits[0].new) == ("Pay fees.", 1, "mine")
    publish(store, ASHA, "why")
    assert (on_disk(store.folder, "pay"), history.latest(store)) == ("mine", 2)


DEATHS: Mapping[str, tuple[object, str, bool]] = {
    "before the write": (publishing, "save_registry", False),
    "before the journal is in place": (journal, "_write_journal", False),
    "after the journal is in place": (journal, "_carry_out", True),
    "before the revision": (publishing, "_complete", True),
    "inside the revision": (publishing, "_leave_draft", True),
}


@pytest.mark.parametrize("after", ["nothing", "another field", "the same field"])
@pytest.mark.parametrize("moment", DEATHS)
def test_a_death_while_publishing_leaves_files_and_history_agreeing(
    moment: str, after: str, reopen: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = reopen()
    draft(store, "pay", "mine")
    draft(store, "renew", "also mine")
    handed = review.submit(store, ASHA)
    where, name, written = DEATHS[moment]

    def die(*_: object, **__: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(where, name, die)
        with pytest.raises(Killed):
            publish(store, ASHA, "why", submission=handed.id)
    store.close()
    if after != "nothing":
        write_outside(store, "show" if after == "another field" else "pay", "by hand")
    again = reopen()
    kinds = [revision.kind for revision in history.page(again)]
    outside = [] if after == "nothing" else ["outside"]
    assert kinds == [*outside, *(["published"] if written else []), "first"]
    mine = [change.author for change in history.of_tool(again, "renew")]
    assert mine == (["Asha"] if written else [])
    assert len(drafts.read(again, ASHA).edits) == (0 if written else 2)
    assert review.read(again, handed.id).state == ("published" if written else "waiting")
    assert history.registry_at(again, history.latest(again)) == load_registry(again.folder)
    assert on_disk(again.folder, "renew") == ("also mine" if written else "Renew a book.")
    assert publishing.settle(again) == ()
    draft(again, "show", "next")
    publish(again, ASHA, "life goes on", [load_registry(again.folder).edit("show", "description", "next")])
    assert on_disk(again.folder, "show") == "next"


def test_what_another_machine_is_publishing_is_left_alone_for_a_while(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    draft(store, "pay", "mine")

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(publishing, "_complete", die)
        patch.setattr(platform, "node", lambda: "another machine")
        with pytest.raises(Killed):
            publish(store, ASHA, "why")
    assert (publishing.settle(store), history.notice_outside(store)) == ((), None)
    draft(store, "show", "Ben's", BEN)
    with pytest.raises(NotWritable, match="another machine is publishing"):
        publish(store, BEN, "why")
    monkeypatch.setattr(publishing, "_FOREIGN", timedelta(0))
    publish(store, BEN, "why")
    assert [revision.author for revision in history.page(store)] == ["Ben", "Asha", ""]


def test_a_process_that_lives_on_completes_what_another_left(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    draft(store, "pay", "mine")

    def die(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(publishing, "_complete", die)
        with pytest.raises(Killed):
            publish(store, ASHA, "why")
    write_outside(store, "show", "by hand")
    assert history.notice_outside(store) is None
    assert [(revision.kind, revision.author) for revision in catch_up(store)] == [("published", "Asha"), ("outside", "outside")]
    assert catch_up(store) == ()


def test_authors_who_publish_at_once_all_get_through(store: Store) -> None:
    people = [store.person(f"Author {n}") for n in range(4)]
    for n, person in enumerate(people):
        draft(store, "pay", f"text {n}", person, ("description", "extra_context", "group", "name")[n])
    threads = [threading.Thread(target=publish, args=(store, person, "why")) for person in people[:3]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pay = load_registry(store.folder).tool("pay")
    assert (pay.description, pay.extra_context, pay.group, history.latest(store)) == ("text 0", "text 1", "text 2", 4)


def test_random_authors_lose_no_text(store: Store) -> None:
    day = Day(store, seed=5)
    day.work(30)
    assert day.lost() == []
    assert day.published > 3 and day.conflicts > 0


# git


def git(folder: Path, *words: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def test_branch_and_uncommitted_files_are_told_and_nothing_is_committed(folder: Path, tmp_path: Path) -> None:
    assert git_state(folder) is None
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-m", "first")
    store = open_store(folder)
    state = git_state(folder)
    assert state is not None and (state.branch, state.uncommitted) == ("main", ())
    draft(store, "pay", "Bezahlen. ü")
    publish(store, ASHA, "why")
    (tmp_path / "beside.txt").write_text("not ours")
    (folder / "neu ü.md").write_text("x")
    git(tmp_path, "mv", "small/test_queries.jsonl", "small/moved.jsonl")
    state = git_state(folder)
    assert state is not None and set(state.uncommitted) == {"small/tools.json", "small/neu ü.md", "small/moved.jsonl"}
    git(tmp_path, "checkout", "--detach")
    state = git_state(folder)
    assert state is not None and state.branch == ""
    store.close()


def test_a_git_that_does_not_answer_or_is_not_there_is_no_state(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for failure in (subprocess.TimeoutExpired("git", 5), FileNotFoundError()):

        def fail(*_: object, failure: Exception = failure, **__: object) -> None:
            raise failure

        monkeypatch.setattr(subprocess, "run", fail)
        assert git_state(folder) is None


def test_letters_of_every_kind_survive_draft_publish_and_history(store: Store) -> None:
    text = 'null \0, "quotes", \u202e bidi, \U0001f600, e\u0301, \\u0000, line\nbreak'
    registry = load_registry(store.folder)
    drafts.add(store, ASHA, [registry.edit("pay", "extra_context", text), registry.edit(text, "synonyms", (text,))])
    publish(store, ASHA, text)
    assert on_disk(store.folder, "pay", "extra_context") == text
    assert history.page(store)[0].reason == text.strip()
    assert [change.edit.new for change in history.of_tool(store, text)] == [(text,)]
    assert json.loads((store.folder / "domain_synonyms.json").read_text())[text] == [text]
