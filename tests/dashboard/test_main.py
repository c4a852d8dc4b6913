"""Starting the workbench: the folder becomes absolute before the working folder changes, and the shipped settings count."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit import runtime
from streamlit.web import cli

from curator_core import load_config, load_registry
from dashboard import __main__ as start
from dashboard import resources
from dashboard.__main__ import load_behind
from dashboard.overlap import drawings


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    called: list[list[str]] = []
    for name in ("load_pages", "load_behind"):
        monkeypatch.setattr(start, name, lambda *folder, name=name: (called.append([name, *map(str, folder)]), gc.enable()))
    monkeypatch.setattr(cli, "main", lambda arguments, **_: called.append(arguments))
    monkeypatch.setenv("TOOL_CURATOR_FOLDER", "")
    return called


def test_a_relative_folder_is_taken_from_where_the_command_was_given(
    runs: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert start.main(["my_registry"]) == 0
    assert os.environ["TOOL_CURATOR_FOLDER"] == str(tmp_path / "my_registry")
    assert ["run", str(start.PACKAGE / "app.py")] in runs
    assert (Path.cwd() / ".streamlit" / "config.toml").is_file()


def test_once_the_server_takes_visitors_the_folder_is_opened_pages_are_imported_and_rubbish_is_collected_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str] = []
    monkeypatch.setattr(start, "_FIRST_PAGE_SECONDS", 0)
    monkeypatch.setattr(start, "wait_for_server", lambda: seen.append("up"))
    monkeypatch.setattr(start, "begin", lambda folder: seen.append(f"opened {folder}"))
    monkeypatch.setattr(start.importlib, "import_module", seen.append)
    monkeypatch.setattr(start.gc, "freeze", lambda: seen.append("frozen"))
    gc.disable()
    monkeypatch.setattr(start.gc, "set_threshold", lambda after: seen.append(f"after {after:,}"))
    load_behind(Path("cats"))
    assert gc.isenabled()
    assert seen[:4] == ["up", "opened cats", "dashboard.views.home", "dashboard.views.playground"]
    assert "dashboard.views.overlap" in seen
    assert seen[-2:] == ["frozen", "after 20,000"]


@pytest.mark.process
def test_the_first_page_waits_for_no_table() -> None:
    script = "import sys, dashboard.panels, dashboard.views.home; print(sorted({'pandas', 'pyarrow'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=start.PACKAGE.parent)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("tools", ["few", "few, long", "many"])
def test_only_for_a_large_registry_pages_are_imported_before_the_server_takes_visitors(
    tools: str, runs: list[list[str]], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(drawings, "DRAWN_EARLY", len(load_registry(folder).tools) + (tools != "many"))
    monkeypatch.setattr(resources.Drawings, "make_ready", lambda *_: None)
    monkeypatch.setattr(start, "begin_drawing", lambda _: None if tools == "few" else "process")
    assert start.main([str(folder)]) == 0
    assert runs[0] == {"few": ["load_behind", str(folder)], "few, long": ["load_behind", "None"], "many": ["load_pages"]}[tools]


def test_waiting_for_the_server_ends_when_it_takes_visitors_or_in_the_end_without(monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.monotonic()
    monkeypatch.setattr(runtime, "exists", lambda: False)
    start.wait_for_server(0.05)
    assert time.monotonic() - began >= 0.05
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(state=states.pop()))
    states = [runtime.RuntimeState.NO_SESSIONS_CONNECTED, runtime.RuntimeState.INITIAL]
    start.wait_for_server(20)
    assert states == []


def test_the_index_of_the_folder_is_begun_before_anybody_looks_and_shared_with_the_pages(folder: Path) -> None:
    start.begin(folder)
    config = load_config(folder)
    begun = tuple(resources.workbench()._snapshots.values())
    assert len(begun) == 1
    assert resources.workbench().open(load_registry(folder), resources.Model(config.model, config.query_prefix)) is begun[0]
    assert begun[0].wait(20)
    start.begin(folder / "nowhere")  # which the first page tells


@pytest.mark.parametrize("large", [False, True])
def test_what_draws_the_map_of_large_files_is_started_before_they_are_read(
    large: bool, runs: list[list[str]], monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    size = (folder / "tools.json").stat().st_size
    done: list[object] = []
    monkeypatch.setattr(start, "_LARGE_BYTES", 1 if large else 100 * size)
    monkeypatch.setattr(start, "start_drawing", lambda: done.append("started") or "process")
    monkeypatch.setattr(resources.Workbench, "registry", lambda *_: done.append("read") or load_registry(folder))
    monkeypatch.setattr(resources.Drawings, "make_ready", lambda _, tools, process: done.append((tools > 0, process)))
    start.main([str(folder)])
    assert done == (["started", "read", (True, "process")] if large else [])


def test_what_was_started_to_draw_ends_where_the_registry_cannot_be_read(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "tools.json").write_text("[" + " " * 200_000, encoding="utf-8")
    ended: list[tuple[int, bool]] = []
    make_ready = resources.Drawings.make_ready

    def noted(self: resources.Drawings, tools: int, started: Any) -> None:
        make_ready(self, tools, started)
        ended.append((tools, started.poll() is not None))

    monkeypatch.setattr(resources.Drawings, "make_ready", noted)
    assert not start.begin(folder, start.begin_drawing(folder))
    assert ended == [(0, True)]


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
