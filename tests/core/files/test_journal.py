"""After a kill at any moment of a save, the registry is the old one or the new one, whole, and nothing is left lying about."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from curator_core.errors import NotWritable, RegistryError
from curator_core.files import journal, locking
from curator_core.files.folder import load_registry, save_registry
from curator_core.registry import Registry

FILES = {
    "tools.json": '{"tools": [{"name": "pay", "description": "Old."}, {"name": "book", "description": "Book."}]}',
    "extra_context.json": '{"pay": "old"}',
    "domain_synonyms.json": '{"fee": ["dues"]}',
    "test_queries.jsonl": '{"query": "pay it", "expected": ["pay"]}\n',
}


class Killed(BaseException):
    """Stands for the process ending: nothing catches it."""


@pytest.fixture(autouse=True)
def own_locks(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "campus"
    path.mkdir()
    for name, text in FILES.items():
        (path / name).write_text(text)
    return path


def edited(registry: Registry) -> Registry:
    """Change three files at once."""
    edits = [
        registry.edit("pay", "name", "settle"),
        registry.edit("book", "description", "Reserve."),
        registry.edit("book", "extra_context", "new"),
    ]
    return registry.with_edits(edits)


@contextmanager
def killed_at(call: int, folder: Path, monkeypatch: pytest.MonkeyPatch, after: bool) -> Iterator[list[str]]:
    """End the program before, or after, the n-th call that changes something in the folder; the list says which calls were made."""
    made: list[str] = []
    handles: set[int] = set()

    def wrap(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def wrapped(target: Any, *rest: Any, **named: Any) -> Any:
            ours = target in handles if isinstance(target, int) else str(target).startswith(str(folder))
            if not ours:
                return real(target, *rest, **named)
            made.append(name)
            if len(made) == call and not after:
                if name == "write":
                    real(target, bytes(rest[0])[: len(rest[0]) // 2])
                raise Killed
            result = real(target, *rest, **named)
            if name == "open":
                handles.add(result)
            if len(made) == call:
                raise Killed
            return result

        return wrapped

    with monkeypatch.context() as patch:
        for name in ("open", "write", "fsync", "replace", "unlink", "chmod"):
            patch.setattr(os, name, wrap(name))
        yield made


@pytest.mark.parametrize("after", [False, True])
def test_a_kill_at_any_call_of_a_save_leaves_the_old_or_the_new_registry(
    folder: Path, monkeypatch: pytest.MonkeyPatch, after: bool
) -> None:
    old = load_registry(folder)
    new = edited(old)
    seen, calls = [], 0
    for calls in range(1, 200):
        for name, text in FILES.items():
            (folder / name).write_text(text)
        with killed_at(calls, folder, monkeypatch, after) as made:
            try:
                save_registry(edited(load_registry(folder)), folder)
                break
            except Killed:
                assert made
        found = load_registry(folder)
        assert found in (old, new)
        seen.append(found == new)
        assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
        shutil.rmtree(folder)
        folder.mkdir()
    assert calls > 20  # three files, each written, synced and replaced, and a journal
    assert seen == sorted(seen) and set(seen) == {False, True}  # once a save counts, it stays


@pytest.mark.parametrize("call", range(1, 14))
def test_a_kill_while_a_load_finishes_a_killed_save_is_finished_by_the_next_load(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: int
) -> None:
    new = edited(load_registry(folder))
    commit_unfinished(folder, new, monkeypatch)
    with killed_at(call, folder, monkeypatch, after=False), suppress(Killed):
        load_registry(folder)
    assert load_registry(folder) == new
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


def commit_unfinished(folder: Path, new: Registry, monkeypatch: pytest.MonkeyPatch) -> None:
    """Save, but end the program right after the journal is in place."""

    def end(*_: Any) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(journal, "_carry_out", end)
        with pytest.raises(Killed):
            save_registry(new, folder)
    assert (folder / journal.JOURNAL).exists()


def test_a_committed_save_in_a_folder_that_became_read_only_is_read_as_saved(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = edited(load_registry(folder))
    commit_unfinished(folder, new, monkeypatch)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    folder.chmod(0o555)
    assert load_registry(folder) == new
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    folder.chmod(0o755)
    assert load_registry(folder) == new
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)


def test_the_files_of_a_live_saver_are_not_swept(folder: Path) -> None:
    temp = folder / f"{journal.TEMP_PREFIX}1{journal.TEMP_SUFFIX}"
    with journal.saving(folder):
        temp.write_text("half")
        load_registry(folder)
        assert temp.exists()
    load_registry(folder)
    assert not temp.exists()


def test_a_second_saver_is_told_to_try_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = edited(load_registry(folder))
    monkeypatch.setattr(journal, "LOCK_SECONDS", 0.05)

    @contextmanager
    def busy(folder: Path, seconds: float) -> Iterator[bool]:
        raise TimeoutError
        yield True

    monkeypatch.setattr(locking, "locked", busy)
    with pytest.raises(NotWritable, match="another program is saving this registry; nothing was saved"):
        save_registry(new, folder)


def test_saving_goes_on_where_no_lock_can_be_kept(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path / "file" / "cache"))
    new = edited(load_registry(folder))
    assert save_registry(new, folder) == new == load_registry(folder)


def test_a_failure_before_the_first_replacement_takes_everything_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = load_registry(folder)
    real = os.replace

    def refuse(source: Any, target: Any) -> None:
        if Path(target).name in FILES:
            raise PermissionError(13, "Permission denied", str(target))
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(NotWritable, match="nothing was saved"):
            save_registry(edited(old), folder)
    assert sorted(path.name for path in folder.iterdir()) == sorted(FILES)
    assert load_registry(folder) == old


def test_a_failure_between_replacements_is_completed_by_the_next_load(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = edited(load_registry(folder))
    real = os.replace

    def refuse(source: Any, target: Any) -> None:
        if Path(target).name == "test_queries.jsonl":
            raise PermissionError(13, "Permission denied", str(target))
        real(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        with pytest.raises(NotWritable, match="complete once the registry is loaded again"):
            save_registry(new, folder)
    assert load_registry(folder) == new


@pytest.mark.parametrize("target", ["../outside.json", "/etc/hosts", "a/b", "..", ""])
def test_a_journal_that_points_out_of_the_folder_is_refused(folder: Path, target: str) -> None:
    temp = f"{journal.TEMP_PREFIX}1{journal.TEMP_SUFFIX}"
    (folder / temp).write_text("evil")
    step = {"target": target, "temp": temp, "sha256": hashlib.sha256(b"evil").hexdigest()}
    (folder / journal.JOURNAL).write_text(json.dumps({"version": 1, "files": [step]}))
    with pytest.raises(RegistryError, match="not a journal of this program; remove it"):
        load_registry(folder)
    assert not (folder.parent / "outside.json").exists()


def test_a_damaged_unfinished_save_is_reported_and_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit_unfinished(folder, edited(load_registry(folder)), monkeypatch)
    temp = next(folder.glob(f"{journal.TEMP_PREFIX}*"))
    temp.write_text("half")
    with pytest.raises(RegistryError, match="an unfinished save is damaged; restore"):
        load_registry(folder)
    assert (folder / "tools.json").read_text() == FILES["tools.json"]


def test_a_saved_file_keeps_its_access_rights(folder: Path) -> None:
    (folder / "tools.json").chmod(0o640)
    save_registry(edited(load_registry(folder)), folder)
    assert (folder / "tools.json").stat().st_mode & 0o777 == 0o640
