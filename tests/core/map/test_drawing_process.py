"""Drawing in a process of its own: the same map to the last bit, with progress, and here where that process fails."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curator_core import DrawingProcess, kept_map, lay_out
from curator_core.map import drawing_process, drawing_start
from curator_core.map.drawing_process import picture_of
from curator_core.overlap import rows_of
from curator_core.settings import Settings
from tests.core.map.test_kept import same
from tests.core.map.test_layout import campus, index_of


@pytest.mark.process
def test_another_process_draws_the_same_map_and_says_how_far_it_is() -> None:
    index = index_of(campus())
    process, said = DrawingProcess(), list[tuple[int, int]]()
    apart = kept_map(index, None, None, lambda done, total: said.append((done, total)), process.draw)
    assert same(apart, kept_map(index, None))
    assert apart.layout.to_dict() == lay_out(index).to_dict()
    assert said[0] == (0, len(index.keys))
    assert said[-1] == (len(index.keys), len(index.keys))
    assert not process.waits


@pytest.mark.process
@pytest.mark.parametrize("program", ["raise SystemExit(3)", "print('no picture')", "print('{}')", "print('[1, 2, 3]')"])
def test_where_that_process_fails_the_map_is_drawn_here(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    index = index_of(campus(3))
    begin: Any = drawing_start.subprocess.Popen
    monkeypatch.setattr(drawing_start.subprocess, "Popen", lambda _, **more: begin([sys.executable, "-c", program], **more))
    assert same(kept_map(index, None, None, lambda *_: None, DrawingProcess().draw), kept_map(index, None))


def test_a_kept_map_is_not_drawn_again_elsewhere(tmp_path: Path) -> None:
    index = index_of(campus(3))
    first = kept_map(index, tmp_path)
    assert same(kept_map(index, tmp_path, draw=lambda *_: pytest.fail("drawn again")), first)


@pytest.mark.process
@pytest.mark.parametrize("start", [lambda: None, drawing_start.start_drawing])
def test_a_process_that_is_not_needed_ends(start: Any) -> None:
    process = DrawingProcess(start())
    assert process.waits
    process.close()
    assert not process.waits
    process.close()


def test_a_process_that_is_given_nothing_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing_process, "_PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(drawing_process.gc, "disable", lambda: None)
    monkeypatch.setattr(drawing_process.signal, "signal", lambda *_: None)
    ended: list[int] = []
    monkeypatch.setattr(drawing_process.os, "_exit", ended.append)

    class Silent(io.BytesIO):
        def readline(self, size: int | None = -1) -> bytes:
            while not ended:
                pass
            return b""

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Silent()))
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    drawing_process._serve()
    assert ended == [0]


@pytest.mark.process
def test_a_module_of_the_folder_where_somebody_works_is_not_taken_for_one_of_pythons_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "json.py").write_text("print('not the one of Python')\nraise SystemExit(3)\n")
    monkeypatch.chdir(tmp_path)
    rows = rows_of(index_of(campus(3)), Settings())
    picture = DrawingProcess().draw(rows)
    assert picture is not None and picture.to_dict() == picture_of(rows).to_dict()
    assert capfd.readouterr().err == ""


_KILLED = """
import os, signal, sys
from curator_core import DrawingProcess
process = DrawingProcess()
process._process.stdin.write(sys.argv[1].encode())
process._process.stdin.flush()
print(process._process.pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.process
@pytest.mark.parametrize("sent", ["", "[60, 8]\n", "[60, 8]\n1234"])
def test_it_ends_without_a_word_when_the_process_that_began_it_is_killed(sent: str) -> None:
    command = [sys.executable, "-c", _KILLED, sent]
    done = subprocess.run(command, check=False, capture_output=True, text=True)  # until neither of the two holds its output
    assert done.stdout.strip().isdigit()
    assert done.stderr == ""


def test_it_ends_in_the_middle_of_a_picture_when_the_process_that_began_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    parents, ended = [7, 7, 1], list[int]()
    monkeypatch.setattr(drawing_process, "_LOOK_SECONDS", 0.0)
    monkeypatch.setattr(drawing_process.os, "getppid", lambda: parents.pop(0))
    monkeypatch.setattr(drawing_process.os, "_exit", ended.append)
    drawing_process._end_with(7)
    assert (ended, parents) == ([0], [])


def test_a_picture_comes_back_to_the_last_bit() -> None:
    picture = picture_of(rows_of(index_of(campus(3)), Settings()))
    again = drawing_process.Picture.from_dict(picture.to_dict())
    assert again.to_dict() == picture.to_dict()
    assert again.numbers.dtype == picture.numbers.dtype
