"""The disk cache: what was kept comes back exactly; whatever happens to the disk, no wrong vector and no error comes back."""

from __future__ import annotations

import os
import pickle
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core.cache import KEPT_ASIDE, VectorCache, default_cache_dir
from tests.core.vectors import D, texts, vectors_for
from tests.laws import examples

ROOT = Path(__file__).parents[2]


def filled(folder: Path, some: list[str], model: str = "model A") -> VectorCache:
    cache = VectorCache(folder, model, D)
    cache.put(some, vectors_for(some))
    assert cache.notices == []
    return cache


def assert_exact(found: dict[str, npt.NDArray[np.float32]], some: list[str]) -> None:
    assert sorted(found) == sorted(some)
    for text, expected in zip(some, vectors_for(some), strict=True):
        assert np.array_equal(found[text], expected)


def fresh(folder: Path, model: str = "model A") -> VectorCache:
    return VectorCache(folder, model, D)


# -- what was kept


def test_vectors_come_back_exactly_in_a_new_process_object(tmp_path: Path) -> None:
    filled(tmp_path / "made" / "when missing", ["pay fee", "", "naïve 🎓", "lone \ud800 surrogate"])
    found = fresh(tmp_path / "made" / "when missing").get(["pay fee", "", "unknown", "naïve 🎓", "lone \ud800 surrogate"])
    assert_exact(found, ["pay fee", "", "naïve 🎓", "lone \ud800 surrogate"])
    assert found["pay fee"].dtype == np.float32
    assert not found["pay fee"].flags.writeable


def test_looking_up_leaves_the_disk_alone(tmp_path: Path) -> None:
    assert fresh(tmp_path / "nothing").get(["a"]) == {}
    assert not (tmp_path / "nothing").exists()


def test_without_a_folder_nothing_is_kept_anywhere() -> None:
    cache = VectorCache(None, "model A", D)
    cache.put(["a"], vectors_for(["a"]))
    assert (cache.get(["a"]), cache.notices, cache.path) == ({}, [], None)


def test_one_file_remains_and_no_journal(tmp_path: Path) -> None:
    cache = filled(tmp_path, texts(3))
    assert cache.path is not None
    assert [path.name for path in tmp_path.iterdir()] == [cache.path.name]


def test_another_model_or_revision_sees_none_of_it(tmp_path: Path) -> None:
    filled(tmp_path, ["a"], model="model A")
    other = fresh(tmp_path, model="model B")
    assert other.get(["a"]) == {}
    assert other.notices == []
    assert_exact(fresh(tmp_path, model="model A").get(["a"]), ["a"])


def test_a_file_of_another_dimension_is_set_aside_not_read(tmp_path: Path) -> None:
    filled(tmp_path, ["a"])
    wider = VectorCache(tmp_path, "model A", D + 1)
    assert wider.get(["a"]) == {}
    assert "its dimension is '8' instead of '9'" in wider.notices[0]


def test_vectors_of_a_wrong_shape_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"shape \(1, 9\); 1 texts need \(1, 8\)"):
        fresh(tmp_path).put(["a"], np.zeros((1, 9), dtype=np.float32))


def test_a_text_put_again_has_the_newer_vector(tmp_path: Path) -> None:
    cache = filled(tmp_path, ["a", "b"])
    cache.put(["a"], vectors_for(["b"]))
    assert np.array_equal(fresh(tmp_path).get(["a"])["a"], vectors_for(["b"])[0])


def test_what_was_written_longest_ago_goes_when_the_file_is_full(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "model A", D, max_bytes=60_000)
    for block in range(12):
        cache.put(texts(100, f"block {block}"), vectors_for(texts(100, f"block {block}")))
    assert cache.path is not None
    assert cache.path.stat().st_size < 120_000
    assert_exact(cache.get(texts(100, "block 11")), texts(100, "block 11"))
    assert cache.get(texts(100, "block 0")) == {}


@examples(15)
@given(st.lists(st.lists(st.text(max_size=6), max_size=6), max_size=4))
def test_after_any_sequence_of_puts_every_text_has_its_own_vector(blocks: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks:
            fresh(Path(folder)).put(block, vectors_for(block))
        some = sorted({text for block in blocks for text in block})
        assert_exact(fresh(Path(folder)).get(some), some)


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path / "mine"))
    assert default_cache_dir() == tmp_path / "mine"
    monkeypatch.delenv("TOOL_CURATOR_CACHE")
    assert "tool-curator" in default_cache_dir().parts


# -- damage


def run_sql(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


def damage_garbage(path: Path) -> None:
    path.write_bytes(b"this was never a database" * 100)


def damage_truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damage_flipped_vector_byte(path: Path) -> None:
    content = bytearray(path.read_bytes())
    place = content.find(vectors_for(["text 7"]).astype("<f4").tobytes())
    assert place > 0
    content[place + 5] ^= 0x10
    path.write_bytes(content)


def damage_short_entry(path: Path) -> None:
    run_sql(path, "UPDATE vectors SET vector = substr(vector, 1, 28)")


def damage_swapped_entries(path: Path) -> None:
    one, two = "(SELECT min(rowid) FROM vectors)", "(SELECT max(rowid) FROM vectors)"
    run_sql(path, f"UPDATE vectors SET vector = (SELECT vector FROM vectors WHERE rowid = {one}) WHERE rowid = {two}")


def damage_wrong_kind(path: Path) -> None:
    run_sql(path, "UPDATE vectors SET vector = 'text'")


def damage_manifest(path: Path) -> None:
    run_sql(path, "UPDATE manifest SET value = 'somebody else' WHERE name = 'model'")


def damage_no_manifest(path: Path) -> None:
    run_sql(path, "DROP TABLE manifest")


def damage_other_tables(path: Path) -> None:
    run_sql(path, "DROP TABLE vectors", "CREATE TABLE vectors (other TEXT)")


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (os.mkdir, (str(Path(tempfile.gettempdir()) / "unpickled-by-tool-curator"),))


def damage_pickle(path: Path) -> None:
    path.write_bytes(pickle.dumps(Bomb()) + b"." * 600)


DAMAGES = [
    damage_garbage,
    damage_truncated,
    damage_flipped_vector_byte,
    damage_short_entry,
    damage_swapped_entries,
    damage_wrong_kind,
    damage_manifest,
    damage_no_manifest,
    damage_other_tables,
    damage_pickle,
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damage_is_set_aside_with_one_notice_and_rebuilt(tmp_path: Path, damage: object) -> None:
    some = texts(300)
    path = filled(tmp_path, some).path
    assert path is not None
    assert callable(damage)
    damage(path)
    cache = fresh(tmp_path)
    assert cache.get(some) == {}
    (notice,) = cache.notices
    (aside,) = tmp_path.glob("*.damaged-*")
    assert notice.startswith(f"cache file {path} was damaged (")
    assert notice.endswith(f"set aside as {aside.name} and rebuilt")
    cache.put(some, vectors_for(some))
    assert_exact(fresh(tmp_path).get(some), some)
    assert not (Path(tempfile.gettempdir()) / "unpickled-by-tool-curator").exists()


def test_damage_met_while_writing_is_set_aside_and_the_write_succeeds(tmp_path: Path) -> None:
    path = filled(tmp_path, ["old"]).path
    assert path is not None
    damage_garbage(path)
    cache = fresh(tmp_path)
    cache.put(["new"], vectors_for(["new"]))
    assert len(cache.notices) == 1
    assert_exact(fresh(tmp_path).get(["old", "new"]), ["new"])


def test_any_flipped_byte_gives_the_right_vector_or_none(tmp_path: Path) -> None:
    some = texts(40)
    path = filled(tmp_path / "whole", some).path
    assert path is not None
    whole = path.read_bytes()
    expected = dict(zip(some, vectors_for(some), strict=True))
    for place in np.random.default_rng(5).integers(0, len(whole), 60):
        shutil.rmtree(tmp_path / "broken", ignore_errors=True)
        (tmp_path / "broken").mkdir()
        content = bytearray(whole)
        content[place] ^= 0xFF
        (tmp_path / "broken" / path.name).write_bytes(content)
        cache = fresh(tmp_path / "broken")
        for text, vector in cache.get(some).items():
            assert np.array_equal(vector, expected[text]), f"byte {place}"
        cache.put(some, vectors_for(some))
        assert_exact(cache.get(some), some)


def test_only_a_few_damaged_files_are_kept(tmp_path: Path) -> None:
    for _ in range(KEPT_ASIDE + 3):
        path = VectorCache(tmp_path, "model A", D).path
        assert path is not None
        damage_garbage(path)
        fresh(tmp_path).get(["a"])
    assert len(list(tmp_path.glob("*.damaged-*"))) == KEPT_ASIDE


def test_a_journal_left_by_the_damaged_file_is_not_played_into_the_new_one(tmp_path: Path) -> None:
    path = filled(tmp_path, texts(3)).path
    assert path is not None
    damage_garbage(path)
    path.with_name(path.name + "-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\1" * 5000)
    cache = fresh(tmp_path)
    cache.put(["new"], vectors_for(["new"]))
    assert_exact(fresh(tmp_path).get(["new"]), ["new"])


# -- folders that do not take it


def assert_works_in_memory(cache: VectorCache, saying: str) -> None:
    for word in ("one", "two"):
        cache.put([word], vectors_for([word]))
    assert_exact(cache.get(["one", "two", "three"]), ["one", "two"])
    (notice,) = cache.notices
    assert saying in notice
    assert notice.endswith("working in memory")


def test_a_file_in_the_folders_place_means_memory_and_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("mine")
    assert_works_in_memory(fresh(tmp_path / "cache"), f"cannot write cache file {tmp_path / 'cache'}")
    assert (tmp_path / "cache").read_text() == "mine"


def test_a_folder_in_the_files_place_means_memory(tmp_path: Path) -> None:
    path = fresh(tmp_path).path
    assert path is not None
    path.mkdir()
    assert_works_in_memory(fresh(tmp_path), "cannot write cache file")


@pytest.fixture
def locked_folder() -> Iterator[Path]:
    """Give a folder whose entries cannot be changed by the current user; root becomes nobody for as long as the test runs."""
    folder = Path(tempfile.mkdtemp())
    filled(folder, ["kept"])
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield folder
    finally:
        if root:
            os.seteuid(0)
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_read_only_folder_is_still_read_and_new_vectors_stay_in_memory(locked_folder: Path) -> None:
    cache = fresh(locked_folder)
    assert_exact(cache.get(["kept", "one"]), ["kept"])
    assert cache.notices == []
    assert_works_in_memory(cache, f"cannot write cache file {cache.path}")
    assert_exact(cache.get(["kept", "one"]), ["kept", "one"])


def test_a_damaged_file_in_a_read_only_folder_is_reported_and_left_there(locked_folder: Path) -> None:
    cache = VectorCache(locked_folder, "model A", D + 1)
    assert cache.get(["kept"]) == {}
    assert "is damaged (its dimension is '8' instead of '9') and cannot be moved" in cache.notices[0]
    assert len(list(locked_folder.iterdir())) == 1


def test_a_full_disk_means_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = VectorCache._connect

    def connect_to_small_disk(self: VectorCache, path: Path, create: bool) -> sqlite3.Connection:
        connection = connect(self, path, create)
        connection.execute("PRAGMA max_page_count = 12")  # SQLite then answers as on a full disk
        return connection

    filled(tmp_path, ["kept"])
    monkeypatch.setattr(VectorCache, "_connect", connect_to_small_disk)
    cache = fresh(tmp_path)
    cache.put(texts(900), vectors_for(texts(900)))
    assert cache.notices == [f"cannot write cache file {cache.path} (database or disk is full): working in memory"]
    assert_exact(cache.get(["kept", *texts(900)]), ["kept", *texts(900)])
    assert_exact(fresh(tmp_path).get(["kept", *texts(900)]), ["kept"])


def test_a_file_that_stays_locked_means_memory(tmp_path: Path) -> None:
    path = filled(tmp_path, ["kept"]).path
    with closing(sqlite3.connect(str(path), isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        cache = VectorCache(tmp_path, "model A", D, busy_seconds=0.05)
        assert_works_in_memory(cache, "(database is locked)")
    assert_exact(fresh(tmp_path).get(["kept", "one"]), ["kept"])


# -- kills and company


WRITER = """
import os, sys
from pathlib import Path
from curator_core.cache import VectorCache
from tests.core.vectors import D, texts, vectors_for
"""

KILLED = (
    WRITER
    + """
connect, stop, count = VectorCache._connect, int(sys.argv[2]), 0
def step(statement):
    global count
    count += 1
    if count == stop:
        os._exit(9)
def counted(self, path, create):
    connection = connect(self, path, create)
    connection.execute("PRAGMA cache_size = 1")  # pages reach the disk before the commit
    connection.set_trace_callback(step)
    return connection
VectorCache._connect = counted
for start in range(1, 1000):
    stop, count = start, 0
    pid = os.fork()
    if pid == 0:
        VectorCache(Path(sys.argv[1]) / str(start), "model A", D).put(texts(40, "new"), vectors_for(texts(40, "new")))
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0:
        break
print(start)
"""
)


@pytest.mark.process
@pytest.mark.parametrize("first", [True, False], ids=["new file", "existing file"])
def test_a_kill_at_any_step_of_a_write_leaves_old_or_new(tmp_path: Path, first: bool) -> None:
    old = [] if first else ["old one", "old two"]
    for step in range(1, 70):
        if old:
            filled(tmp_path / str(step), old)
    done = run(KILLED, str(tmp_path), "0")
    steps = int(done.stdout)
    assert steps > 40  # each insert is a step of its own
    for step in range(1, steps + 1):
        cache = fresh(tmp_path / str(step))
        found = cache.get([*old, *texts(40, "new")])
        assert_exact(found, [*old, *texts(40, "new")] if step == steps else old)
        cache.put(["after"], vectors_for(["after"]))
        assert_exact(fresh(tmp_path / str(step)).get([*old, "after"]), [*old, "after"])
        assert cache.notices == []


BUSY_WRITER = (
    WRITER
    + """
import time
some, until = texts(int(sys.argv[2]), sys.argv[3]), time.monotonic() + 0.8
while time.monotonic() < until:
    cache = VectorCache(Path(sys.argv[1]), "model A", D)
    cache.put(some, vectors_for(some))
    assert cache.notices == [], cache.notices
    time.sleep(0.01)
"""
)


@pytest.mark.process
def test_two_processes_write_while_a_third_reads_all_or_nothing(tmp_path: Path) -> None:
    blocks = {"one": texts(300, "one"), "two": texts(500, "two")}
    writers = [start(BUSY_WRITER, str(tmp_path), str(len(some)), word) for word, some in blocks.items()]
    cache, reads = fresh(tmp_path), 0
    while any(writer.poll() is None for writer in writers):
        for some in blocks.values():
            found = cache.get(some)
            assert_exact(found, some if found else [])
            reads += bool(found)
        time.sleep(0.01)
    assert [writer.communicate()[1] for writer in writers] == ["", ""]
    assert reads > 5
    assert cache.notices == []
    for some in blocks.values():
        assert_exact(fresh(tmp_path).get(some), some)


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)


def run(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    process = start(script, *arguments)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    return subprocess.CompletedProcess(process.args, 0, out, err)
