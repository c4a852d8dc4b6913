"""The README speaks the truth: its example gives its output, its tables are what is measured, its links exist."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from tests.benchmarks.stages import table

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Run in the project's folder, with the vectors of the last run: most of the time here would go into the same 1,000 texts."""
    kept = getattr(request.config, "cache", None)  # None under `-p no:cacheprovider`
    cache = kept.mkdir("vectors") if kept else tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(cache))


@pytest.mark.model
def test_the_example_gives_the_output_that_stands_below_it() -> None:
    (code, output) = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", README, re.DOTALL)[0]
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
