"""The README speaks the truth: its example gives its output, its tables are what is measured, its links exist."""

from __future__ import annotations

import contextlib
import io
import json
import re
import shlex
import sys
from pathlib import Path

import pytest
import yaml

from curator_core import Registry, TestQuery, Tool, save_registry
from curator_core.cli import main
from tests.benchmarks.stages import table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


EXAMPLES = re.findall(r"```python\n((?:(?!```).)*)```\n\n```text\n(.*?)```", README, re.DOTALL)


def test_every_example_has_its_output_below_it() -> None:
    assert len(EXAMPLES) == README.count("```python") == 3


@pytest.mark.model
@pytest.mark.parametrize(("code", "output"), EXAMPLES)
def test_an_example_gives_the_output_that_stands_below_it(code: str, output: str) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == output


@pytest.mark.model
def test_the_table_of_stages_is_what_is_measured() -> None:
    assert "\n".join(table(Path("sample_registries/campus"))) in README


def test_two_commands_and_the_example_stand_in_the_first_thirty_lines() -> None:
    top = "\n".join(README.splitlines()[:30])
    assert "make run" in top and "make test" in top and "```python" in top and "```text" in top


def test_pictures_and_files_that_are_named_exist() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (ROOT / target).exists(), target


# -- the gate in CI


@pytest.fixture(scope="module")
def ci(tmp_path_factory: pytest.TempPathFactory, tiny_model: Path) -> Path:
    """A folder as the CI examples expect it: a small registry on a tiny model, and its baseline to be made."""
    folder = tmp_path_factory.mktemp("ci")
    tools = (Tool("apply_for_leave", "ask for days away"), Tool("get_weather", "show the weather"))
    cases = (TestQuery("days away", ("apply_for_leave",), tags=("hard",), critical=True),)
    save_registry(Registry("small", tools, test_queries=cases), folder / "registry")
    (folder / "registry" / "curator.toml").write_text(f"model = {json.dumps(str(tiny_model))}\n")
    return folder


def run_line(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> int:
    """Run a `tool-curator` line of a shell in this process, `>` and `>>` included; return its exit status."""
    words = shlex.split(line, comments=True)
    target = None
    if words[-2] in (">", ">>"):
        *words, _, target = words
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    written = capsys.readouterr()
    if target and "$" not in target:
        (folder / target).write_text(written.out, encoding="utf-8")
    assert not written.err, written.err
    return int(ended.value.code or 0)


def test_the_ci_examples_are_valid_and_their_commands_run(
    ci: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    section = README.split("## The same numbers in CI")[1].split("\n## ")[0]
    shell = re.findall(r"```sh\n(.*?)```", section, re.DOTALL)[0].splitlines()
    workflow, hooks = map(yaml.safe_load, re.findall(r"```yaml\n(.*?)```", section, re.DOTALL))
    steps = [step["run"] for step in workflow["jobs"]["tools"]["steps"] if "run" in step]
    (hook,) = hooks["repos"][0]["hooks"]
    assert workflow[True] == ["pull_request"]  # YAML 1.1 reads `on` as a truth value; the build server does not
    assert hook["pass_filenames"] is False and re.search(hook["files"], "registry/tools.json")
    lines = [line for line in (*shell, *steps, hook["entry"]) if line.startswith("tool-curator ")]
    assert len(lines) == 5 and set(steps) - set(lines) == {"pip install tool-curator"}
    for line in lines:
        assert run_line(line, ci, monkeypatch, capsys) == 0, line


def test_the_ci_example_fails_when_a_question_broke(ci: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_line("tool-curator eval registry --json > baseline.json", ci, monkeypatch, capsys) == 0
    record = json.loads((ci / "baseline.json").read_text(encoding="utf-8"))
    assert record["results"][0]["right"] is True
    forbidding = '{"query": "days away", "expected": ["apply_for_leave"], "forbidden": ["get_weather"], "critical": true}\n'
    (ci / "registry" / "test_queries.jsonl").write_text(forbidding, encoding="utf-8")
    monkeypatch.setattr(sys, "argv", shlex.split("tool-curator eval registry --baseline baseline.json --fail-on broke,critical"))
    monkeypatch.chdir(ci)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1 and "check failed: no critical: 1 critical: “days away”" in capsys.readouterr().err
