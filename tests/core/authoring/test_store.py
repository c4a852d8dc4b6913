"""The store is found where it is said to be, comes through damage, updates and kills, and never stands in the registry's way."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from curator_core import CuratorError, Store, StoreError, catch_up, load_registry, open_store, store_that_is_down
from curator_core import store as store_
from curator_core.authoring import database as database_
from curator_core.authoring import drafts, history
from curator_core.authoring.store_tables import SCHEMA, metadata
from tests.core.authors import ASHA, BEN, on_disk


def put(store: Store, tool: str, text: str, person: Any = ASHA) -> None:
    drafts.add(store, person, [load_registry(store.folder).edit(tool, "description", text)])


def file_of(folder: Path) -> Path:
    return folder / ".curator" / "store.sqlite"


def test_the_store_lies_beside_the_registry_and_git_ignores_it(folder: Path) -> None:
    open_store(folder).close()
    assert file_of(folder).is_file()
    assert (folder / ".curator" / ".gitignore").read_text() == "*\n"


def test_the_tables_that_the_migrations_make_are_those_that_the_program_uses(store: Store) -> None:
    with store.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    assert ScriptDirectory(str(database_._MIGRATIONS)).get_current_head() == SCHEMA


def test_a_folder_that_moves_takes_its_drafts_along(folder: Path, tmp_path: Path) -> None:
    first = open_store(folder)
    put(first, "pay", "mine")
    first.close()
    moved = folder.rename(tmp_path / "elsewhere")
    again = open_store(moved)
    assert drafts.read(again, ASHA).edits[0].new == "mine"
    again.close()


@pytest.mark.parametrize("way", ["toml", "environment", "argument"])
def test_another_place_can_be_chosen_and_serves_several_registries(
    way: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "shared" / "all.sqlite"
    other = tmp_path / "other"
    other.mkdir()
    for file in folder.glob("*.json*"):
        (other / file.name).write_bytes(file.read_bytes())
    if way == "environment":
        monkeypatch.setenv("TOOL_CURATOR_STORE", str(place))
    elif way == "toml":
        for one in (folder, other):
            (one / "curator.toml").write_text('[store]\npath = "../shared/all.sqlite"\n')
    url = str(place) if way == "argument" else None
    first, second = open_store(folder, url), open_store(other, url)
    put(first, "pay", "mine")
    assert place.is_file() and not (folder / ".curator").exists()
    assert drafts.read(second, ASHA).edits == ()
    first.close()
    second.close()


def test_a_registry_with_an_id_is_the_same_under_two_paths(folder: Path, tmp_path: Path) -> None:
    (folder / "curator.toml").write_text('[store]\npath = "../all.sqlite"\nid = "campus"\n')
    first = open_store(folder)
    put(first, "pay", "mine")
    first.close()
    second = open_store(folder.rename(tmp_path / "mounted"))
    assert (second.registry, drafts.read(second, ASHA).edits[0].new) == ("campus", "mine")
    second.close()


@pytest.mark.parametrize("damage", ["text", "middle"])
def test_a_damaged_database_is_set_aside_and_said_and_the_files_still_open(folder: Path, damage: str) -> None:
    first = open_store(folder)
    for n in range(30):
        put(first, "pay", f"text {n} " * 200)
    first.close()
    path = file_of(folder)
    data = bytearray(path.read_bytes())
    if damage == "text":
        data[:] = b"this is no database at all, whatever its name says" * 100
    else:
        data[4096:12288] = b"\xa5" * 8192
    path.write_bytes(data)
    again = open_store(folder)
    (kept,) = path.parent.glob("store.damaged-*.sqlite")
    assert kept.read_bytes() == bytes(data)
    assert "damaged" in again.notices[0] and kept.name in again.notices[0]
    assert drafts.read(again, ASHA).edits == ()
    put(again, "pay", "new")
    assert on_disk(folder, "pay") == "Pay fees."
    again.close()
    third = open_store(folder)
    assert (third.notices, drafts.read(third, ASHA).edits[0].new) == ((), "new")
    third.close()


def test_a_database_of_a_newer_version_is_refused_and_left_as_it_is(folder: Path) -> None:
    open_store(folder).close()
    with sqlite3.connect(file_of(folder)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StoreError, match="schema 9999, this one knows"):
        open_store(folder)
    connection = sqlite3.connect(file_of(folder))
    assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)
    connection.close()


def test_the_database_of_another_program_is_not_touched(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "theirs.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE precious (x)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        open_store(folder, str(path))
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_gets_a_temporary_store_and_says_so(folder: Path) -> None:
    (folder / ".curator").write_text("a file where the store's folder should be")
    store = open_store(folder)
    assert "until this program ends" in store.notices[0] and "[store] path" in store.notices[0]
    put(store, "pay", "mine")
    assert drafts.read(store, ASHA).edits[0].new == "mine"
    store.close()


def test_a_place_that_was_chosen_and_does_not_work_is_an_error(folder: Path) -> None:
    with pytest.raises(StoreError, match="choose another place"):
        open_store(folder, str(folder / "tools.json" / "store.sqlite"))
    with pytest.raises(StoreError, match="no database"):
        open_store(folder, "nonsense://somewhere/x")
    with pytest.raises(StoreError) as caught:
        open_store(folder, "postgresql://curator:secret@127.0.0.1:1/none")
    assert "secret" not in str(caught.value)


def test_a_folder_that_was_chosen_takes_the_database_and_somebody_s_text_file_is_refused_and_left_alone(
    folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "shared").mkdir()
    store = open_store(folder, str(tmp_path / "shared"))
    put(store, "pay", "mine")
    store.close()
    assert (tmp_path / "shared" / "store.sqlite").is_file()
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all, this is not a database. " * 20)
    with pytest.raises(StoreError, match=r"letter\.txt: file is not a database; move it away"):
        open_store(folder, str(letter))
    assert [path.name for path in tmp_path.glob("letter*")] == ["letter.txt"]


def test_a_registry_that_cannot_be_read_does_not_keep_its_drafts_from_being_read(folder: Path) -> None:
    first = open_store(folder)
    put(first, "pay", "mine")
    first.close()
    (folder / "tools.json").write_text("<<<<<<< HEAD")
    again = open_store(folder)
    assert drafts.read(again, ASHA).edits[0].new == "mine"
    again.close()


def test_a_write_ahead_log_is_used_on_a_local_disk_only(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path}/on\\040nfs nfs4 rw 0 0\n")
    assert database_.on_shared_drive(tmp_path / "on nfs" / "store.sqlite", str(mounts))
    assert not database_.on_shared_drive(tmp_path / "store.sqlite", str(mounts))
    for shared, mode in ((False, "wal"), (True, "delete")):
        monkeypatch.setattr(database_, "on_shared_drive", lambda _, shared=shared: shared)
        store = open_store(folder, str(tmp_path / f"{mode}.sqlite"))
        with store.reading() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == mode
        put(store, "pay", "mine")
        store.close()


def test_many_threads_write_at_once_and_none_is_refused(store: Store) -> None:
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            for n in range(5):
                put(store, "show", f"{number} {n}", ASHA if number % 2 else BEN)
        except CuratorError as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert [len(drafts.read(store, person).steps) for person in (ASHA, BEN)] == [10, 10]


@pytest.mark.process
def test_two_processes_that_open_a_new_store_at_once_share_it(folder: Path) -> None:
    code = "import sys; from curator_core import open_store; s = open_store(sys.argv[1]); print(s.notices); s.close()"
    opening = [subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[0] for process in opening] == [b"()\n", b"()\n"]
    store = open_store(folder)
    assert history.latest(store) == 1
    store.close()


KILLED = """
import os, signal, sys
from curator_core import Person, load_registry, open_store
from curator_core.authoring import drafts
registry = load_registry(sys.argv[1])
store = open_store(sys.argv[1])
drafts.add(store, Person("Asha"), [registry.edit("pay", "extra_context", "three hundred words " * 15)])
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.process
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such kill here")
def test_a_killed_process_loses_nothing_of_a_draft(folder: Path) -> None:
    assert subprocess.run([sys.executable, "-c", KILLED, str(folder)], check=False).returncode == -signal.SIGKILL
    store = open_store(folder)
    draft = drafts.read(store, ASHA)
    assert draft.edits[0].new == "three hundred words " * 15
    assert draft.updated_at is not None and draft.base_revision == 1
    assert on_disk(folder, "pay", "extra_context") == ""
    store.close()


def test_the_store_says_which_file_it_could_not_write(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreError, match="nothing was kept"), store.writing() as connection:
        connection.exec_driver_sql("INSERT INTO nowhere VALUES (1)")
    assert store_.FILE in store.place or "postgresql" in store.place


def test_a_store_that_is_down_lets_everything_be_looked_at_and_takes_nothing(folder: Path) -> None:
    down = store_that_is_down(folder, "the server does not answer")
    assert (drafts.read(down, ASHA).edits, history.page(down), catch_up(down)) == ((), (), ())
    with pytest.raises(StoreError, match="the server does not answer"):
        put(down, "pay", "mine")
    assert on_disk(folder, "pay") == "Pay fees." and not (folder / ".curator").exists()
    down.close()
