"""Starting the workbench: the folder becomes absolute before the working folder changes, and the shipped settings count."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest
from streamlit.web import cli

from curator_core import load_config, load_registry
from dashboard import __main__ as start
from dashboard import resources


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    called: list[list[str]] = []
    monkeypatch.setattr(cli, "main", lambda arguments, **_: called.append(arguments))
    monkeypatch.setenv("TOOL_CURATOR_FOLDER", "")
    return called


def test_a_relative_folder_is_taken_from_where_the_command_was_given(
    runs: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert start.main(["my_registry"]) == 0
    assert os.environ["TOOL_CURATOR_FOLDER"] == str(tmp_path / "my_registry")
    assert runs == [["run", str(start.PACKAGE / "app.py")]]
    assert (Path.cwd() / ".streamlit" / "config.toml").is_file()


def test_the_index_of_the_folder_is_begun_while_the_server_starts_and_shared_with_the_pages(folder: Path) -> None:
    start.begin(str(folder))
    config = load_config(folder)
    begun = tuple(resources.workbench()._snapshots.values())
    assert len(begun) == 1
    assert resources.workbench().open(load_registry(folder), resources.Model(config.model, config.query_prefix)) is begun[0]
    assert begun[0].wait(20)
    start.begin(str(folder / "nowhere"))  # which the first page tells


@pytest.mark.parametrize("arguments", [["a", "b"], ["--port"]])
def test_anything_but_one_folder_is_refused(runs: list[list[str]], arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(arguments) == 2
    assert "give one registry folder" in capsys.readouterr().err
    assert runs == []


def test_the_shipped_settings_keep_the_workbench_to_this_machine_and_quiet() -> None:
    shipped = tomllib.loads((start.PACKAGE.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert shipped["server"]["address"] == "127.0.0.1"
    assert shipped["browser"]["gatherUsageStats"] is False
    assert shipped["client"]["toolbarMode"] == "viewer"
    assert shipped["server"]["fileWatcherType"] == "none"
    assert {"light", "dark"} <= shipped["theme"].keys()
