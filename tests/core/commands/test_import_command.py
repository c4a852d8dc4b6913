"""`tool-curator import` from the standard input, and from sources that hold nothing."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from curator_core import load_registry
from curator_core.cli import main

Run = Callable[..., tuple[int, str, str]]
FEED = {"name": "feed", "description": "Feed the cat"}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line with something on its standard input; returns (exit status, stdout, stderr)."""

    def run(*arguments: object, given: Any = "") -> tuple[int, str, str]:
        text = given if isinstance(given, str) else json.dumps(given)
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
        monkeypatch.setattr(sys, "argv", ["tool-curator", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return (int(ended.value.code or 0), *capsys.readouterr())

    return run


def test_the_standard_input_is_a_source(run: Run, tmp_path: Path) -> None:
    status, out, err = run("import", "-", "--to", tmp_path / "cats", given={"tools": [FEED]})
    assert (status, err) == (0, "") and "plain tools: 1 tool\n1 new: feed\nwritten to" in out
    assert load_registry(tmp_path / "cats").keys == ("feed",)
    assert run("import", "-", "--to", tmp_path / "cats", "--check", given={"tools": [FEED]})[0] == 0


def test_the_standard_input_stands_alone_and_must_say_something(run: Run, tmp_path: Path) -> None:
    status, _, err = run("import", "-", tmp_path / "x.json", "--to", tmp_path / "cats")
    assert status == 2 and "- is the standard input, and stands alone" in err
    status, _, err = run("import", "-", "--to", tmp_path / "cats")
    assert status == 2 and "standard input: there is nothing in it" in err


@pytest.mark.parametrize("empty", [{"tools": []}, [], {"result": {"tools": []}}, "name,description\n"])
def test_a_source_without_tools_makes_no_registry_and_changes_none(run: Run, tmp_path: Path, empty: Any) -> None:
    status, out, err = run("import", "-", "--to", tmp_path / "cats", given=empty)
    assert (status, out) == (2, "") and "there are no tools in it" in err and not (tmp_path / "cats").exists()
    run("import", "-", "--to", tmp_path / "cats", given=[FEED])
    assert run("import", "-", "--to", tmp_path / "cats", given=empty)[0] == 2
    assert load_registry(tmp_path / "cats").keys == ("feed",)


def test_a_tool_whose_entry_broke_upstream_is_not_gone(run: Run, tmp_path: Path) -> None:
    brush = {"name": "brush", "description": "Brush the cat"}
    run("import", "-", "--to", tmp_path / "cats", given=[FEED, brush])
    status, out, err = run("import", "-", "--to", tmp_path / "cats", given=[FEED, {**brush, "description": 7}])
    assert status == 0 and "nothing to do" in out and 'tool 2 "brush": description is the number 7' in err
    assert load_registry(tmp_path / "cats").keys == ("feed", "brush")


def test_a_question_for_no_tools_is_refused(run: Run, tmp_path: Path) -> None:
    status, _, err = run("query", tmp_path, "feed", "--top-k", "0")
    assert status == 2 and "--top-k" in err and "1" in err.partition(";")[0]


@pytest.mark.process
def test_the_module_of_the_command_line_can_be_run() -> None:
    command = [sys.executable, "-m", "curator_core.cli", "import", "--to", "x"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "give files or folders, or --stdio COMMAND, or --http URL" in done.stderr
