from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from curator_core import Curator, Registry, TestQuery, Tool, evaluate, load_registry, save_registry
from curator_core.cli import main
from curator_core.commands.command_line import Reading

Run = Callable[..., tuple[int, str, str]]
TOOLS = (
    Tool("apply_for_hostel_leave", "Ask the warden for days away", roles=("student",)),
    Tool("submit_grievance", "File a complaint about anything"),
    Tool("get_weather", "Show the weather of a city"),
)
QUERIES = (TestQuery("hostel leave", ("apply_for_hostel_leave",), tags=("name",)), TestQuery("stars of the galaxy", ()))


@pytest.fixture
def folder(tmp_path: Path, tiny_model: Path) -> Path:
    """A small registry on a tiny model, so that nothing large is loaded."""
    place = tmp_path / "shop"
    save_registry(Registry(name="shop", tools=TOOLS, synonyms={"grievance": ["formal complaint"]}, test_queries=QUERIES), place)
    (place / "curator.toml").write_text(f"model = {json.dumps(str(tiny_model))}\n")
    return place


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process; returns (exit status, stdout, stderr)."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["tool-curator", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        return (int(ended.value.code or 0), *capsys.readouterr())

    return run


def test_query_prints_the_trace_as_json(run: Run, folder: Path) -> None:
    status, out, _ = run("query", folder, "hostel leave", "--top-k", 2, "--role", "student", "--json")
    record = json.loads(out)
    assert status == 0 and record["tools"][0] == "apply_for_hostel_leave" and len(record["tools"]) == 2
    row = record["passes"][0]["rows"][0]
    assert (row["forced"], row["forced_hits"], row["forced_of"]) == (True, 2, 3)


def test_query_prints_a_table_with_reasons(run: Run, folder: Path) -> None:
    status, out, _ = run("query", folder, "hostel leave and also a formal complaint")
    assert status == 0
    assert "split at “and also” → ① hostel leave ② a formal complaint" in out
    assert "are in its name (2 of 3 words)" in out
    assert "synonym fired: formal complaint → grievance" in out


def test_set_changes_numbers_and_stages(run: Run, folder: Path) -> None:
    _, out, _ = run("query", folder, "hostel leave", "--set", "rrf_k=1", "--set", "anchor=off", "--json")
    record = json.loads(out)
    assert record["settings"]["rrf_k"] == 1
    assert not record["passes"][0]["rows"][0]["forced"]


def test_eval_prints_metrics_and_one_result_a_question(run: Run, folder: Path) -> None:
    status, out, _ = run("eval", folder, "--json")
    record = json.loads(out)
    assert status == 0
    last = run("eval", folder)[1].splitlines()[-1]
    assert re.fullmatch(r"took \d+\.\d s: starting \d+\.\d, files and index \d+\.\d, 2 questions \d+\.\d", last)
    assert {"registry", "profile", "model", "queries", "metrics", "by_tag", "no_tool", "invalid", "results"} <= record.keys()
    assert record["queries"] == len(record["results"]) == 2
    assert record["metrics"]["hit@1"] == 1 and record["by_tag"]["name"]["queries"] == 1


def test_eval_shows_roles_what_lost_questions_and_held_out_ones_apart(run: Run, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    lines = (
        {"query": "hostel leave", "expected": ["apply_for_hostel_leave"], "role": "student"},
        {"query": "weather", "expected": ["apply_for_hostel_leave"], "tags": ["held_out"], "forbidden": ["get_weather"]},
    )
    other.write_text("".join(json.dumps(line) + "\n" for line in lines))
    out = run("eval", folder, "--queries", other)[1]
    assert [line.split()[:4] for line in out.splitlines()[2:5]] == [
        ["to", "tune", "on", "1*"],
        ["role", "student", "1*", "1.000"],
        ["held", "out", "1*", "0.000"],
    ]
    assert "all judged" not in out and "lost by: forbidden 1" in out
    assert "* too few queries to say: 20 are the least" in out


def test_eval_takes_another_file_of_questions(run: Run, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"query": "weather", "expected": ["get_weather"]}\n')
    assert json.loads(run("eval", folder, "--queries", other, "--json")[1])["queries"] == 1
    assert "hit@1" in run("eval", folder, "--queries", other)[1]


def test_eval_lists_lines_that_are_no_question_as_invalid(run: Run, folder: Path) -> None:
    with (folder / "test_queries.jsonl").open("a") as file:
        file.write('{"query": "   ", "expected": ["get_weather"]}\n{"query": "weather", "expected": ["get_weather"]\n')
    record = json.loads(run("eval", folder, "--json")[1])
    assert [one["query"] for one in record["invalid"]] == ["   ", None]
    assert "line 4" in record["invalid"][1]["reason"]
    assert "not counted: test_queries.jsonl, line 4" in run("eval", folder)[1]


@pytest.fixture
def baseline(run: Run, folder: Path, tmp_path: Path) -> Path:
    """A run of the registry as it is, in a file."""
    file = tmp_path / "base.json"
    file.write_text(run("eval", folder, "--json")[1], encoding="utf-8")
    return file


def test_a_registry_that_did_not_change_passes_the_gate(run: Run, folder: Path, baseline: Path) -> None:
    status, out, err = run("eval", folder, "--baseline", baseline, "--fail-under", "recall@5=1", "--fail-on", "broke,critical")
    assert (status, err) == (0, "")
    assert "0 fixed, 0 broke" in out and "check recall@5 >= 1: passed" in out and "check no broke: passed; none" in out


def test_what_broke_is_exit_status_one_and_is_named(run: Run, folder: Path, baseline: Path) -> None:
    for number in range(5):  # tools that take the first places of the question
        tool = Tool(f"hostel_leave_{'abcde'[number]}", "hostel leave", roles=())
        registry = load_registry(folder)
        save_registry(registry.with_edits([registry.edit("", "tool", tool)]), folder)
    status, out, err = run("eval", folder, "--baseline", baseline, "--fail-under", "hit@1=0.5", "--fail-on", "broke")
    assert status == 1
    assert "broke: “hostel leave”: rank 1 → " in out
    assert err == (
        "tool-curator: check failed: hit@1 >= 0.5: hit@1 is 0.0 on 1 question\n"
        "tool-curator: check failed: no broke: 1 broke: “hostel leave”\n"
    )


def test_every_format_has_the_same_figures_to_the_last_digit(run: Run, folder: Path, baseline: Path) -> None:
    record = json.loads(run("eval", folder, "--baseline", baseline, "--fail-under", "mrr=0.1", "--format", "json")[1])
    assert record["metrics"] == evaluate(Curator.from_folder(folder), load_registry(folder).test_queries).metrics
    assert {one["name"]: one["after"] for one in record["comparison"]["metrics"]} == {
        name: value for name, value in record["metrics"].items() if value is not None
    }
    assert [check["passed"] for check in record["checks"]] == [True]
    junit = ElementTree.fromstring(run("eval", folder, "--format", "junit")[1])
    figures = {one.attrib["name"]: one.attrib["value"] for one in junit.iter("property")}
    assert float(figures["ndcg@10"]) == record["metrics"]["ndcg@10"]
    assert [case.attrib["name"] for case in junit.iter("testcase")] == [case.query for case in QUERIES]
    markdown = run("eval", folder, "--baseline", baseline, "--format", "markdown")[1]
    assert f"| ndcg@10 | {record['metrics']['ndcg@10']:.3f} |" in markdown


def test_a_run_with_a_comparison_is_a_baseline_too(run: Run, folder: Path, baseline: Path, tmp_path: Path) -> None:
    (tmp_path / "next.json").write_text(run("eval", folder, "--baseline", baseline, "--json")[1], encoding="utf-8")
    assert run("eval", folder, "--baseline", tmp_path / "next.json", "--fail-on", "broke")[0] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--baseline", "{base}", "--fail-under", "recall=1"], "write METRIC=NUMBER"),
        (["--fail-under", "nowhere:mrr=0.1"], "no judged question has the tag 'nowhere'; there are: name"),
        (["--fail-on", "broke"], "--baseline FILE"),
        (["--fail-on", "bad"], "choose from broke, critical, failing, invalid"),
        (["--baseline", "{base}.gone"], "cannot be read"),
        (["--baseline", "{folder}/tools.json"], "is no saved run"),
        (["--format", "pdf"], "pdf"),
    ],
)
def test_a_gate_that_cannot_be_checked_is_one_line_and_exit_status_two(
    run: Run, folder: Path, baseline: Path, options: list[str], message: str
) -> None:
    status, _, err = run("eval", folder, *(option.format(base=baseline, folder=folder) for option in options))
    assert status == 2 and message in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("field", "value"), [("model", "another/model"), ("model", None), ("registry", "bank"), ("model_fingerprint", "x")]
)
def test_a_baseline_of_another_model_or_registry_is_exit_status_two(
    run: Run, folder: Path, baseline: Path, field: str, value: str | None
) -> None:
    baseline.write_text(json.dumps(json.loads(baseline.read_text()) | {field: value}))
    status, out, err = run("eval", folder, "--baseline", baseline)
    assert (status, out) == (2, "") and err.count("\n") == 1 and "base.json" in err


def test_check_is_fine_with_warnings_and_fails_with_errors(run: Run, folder: Path) -> None:
    assert run("check", folder)[0] == 0
    document = json.loads((folder / "tools.json").read_text())
    document["tools"].append({"name": 7, "description": "seven"})
    (folder / "tools.json").write_text(json.dumps(document))
    status, out, _ = run("check", folder, "--json")
    assert status == 1
    assert "tool 4" in json.loads(out)["errors"][0]["where"]
    assert run("query", folder, "weather")[0] == 0  # what is usable works on


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["query", "{folder}", "?!"], "empty query"),
        (["query", "{folder}", "fees", "--role", "ghost"], "there are: student"),
        (["query", "{folder}", "fees", "--set", "topk=3"], "'topk' does not exist"),
        (["query", "{folder}", "fees", "--set", "top_k"], "NAME=VALUE"),
        (["query", "{folder}", "fees", "--profile", "best"], "choose one of: seed"),
        (["query", "{folder}/nowhere", "fees"], "nowhere"),
        (["eval", "{folder}", "--queries", "{folder}/nowhere.jsonl"], "nowhere.jsonl"),
        (["dashboard", "{folder}/nowhere"], "nowhere"),
        (["model", "show", "{folder}/nowhere"], "nowhere"),
    ],
)
def test_unusable_input_is_one_clear_line_and_exit_status_two(run: Run, folder: Path, arguments: list[str], message: str) -> None:
    status, out, err = run(*(argument.format(folder=folder) for argument in arguments))
    assert (status, out) == (2, "")
    assert message in err and err.count("\n") == 1 and "Traceback" not in err


_ANOTHER_WORKBENCH = """
import os, signal, subprocess, sys, threading
from curator_core import cli
begin = subprocess.Popen

def another(command):
    if {ended}:
        threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGTERM]).start()
    return begin([*command[: command.index("-m")], "-c", {program!r}])

subprocess.Popen = another
sys.argv = ["tool-curator", "dashboard"]
cli.main()
"""


@pytest.mark.process
def test_the_workbench_is_ours_whatever_has_its_name_in_the_folder_where_somebody_works(tmp_path: Path) -> None:
    (tmp_path / "dashboard.py").write_text("print('somebody else')\n")
    code = _ANOTHER_WORKBENCH.format(ended=False, program="import dashboard; print(dashboard.__file__)")
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60)
    assert Path(done.stdout.strip()).parts[-2:] == ("dashboard", "__init__.py")


@pytest.mark.process
def test_who_ends_the_command_ends_the_workbench() -> None:
    code = _ANOTHER_WORKBENCH.format(ended=True, program="import time; time.sleep(120)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)  # until both have ended
    assert done.returncode != 0 and done.stderr == ""


@pytest.mark.parametrize("wrong", [["--colour", "red"], ["--top-k", "abc"]])
def test_a_wrong_command_line_is_one_line_and_exit_status_two(run: Run, folder: Path, wrong: list[str]) -> None:
    status, _, err = run("query", folder, "fees", *wrong)
    assert status == 2 and err.count("\n") == 1 and wrong[0] in err


def test_model_show_names_the_model_and_how_to_get_the_other(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "empty"))
    status, out, _ = run("model", "show")
    assert status == 0 and "all-MiniLM-L6-v2" in out and "model pull" in out
    assert json.loads(run("model", "show", "--json")[1])["preferred_found"] is False


@pytest.mark.process
def test_importing_the_engine_loads_no_heavy_library() -> None:
    heavy = "{'torch', 'faiss', 'pandas', 'streamlit', 'transformers'}"
    code = f"import sys, curator_core, curator_core.cli; print(sorted({heavy} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


@pytest.mark.process
def test_a_reader_that_has_seen_enough_is_no_error(folder: Path) -> None:
    command = f"set -o pipefail; {sys.executable} -c 'from curator_core.cli import main; main()' check {folder} --json | head -1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
def test_a_terminal_that_knows_no_unicode_gets_the_answer_all_the_same(folder: Path) -> None:
    code = "from curator_core.cli import main; main()"
    arguments = [sys.executable, "-c", code, "query", str(folder), "hostel leave plus the weather", "--set", "dense=off"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and "apply_for_hostel_leave" in done.stdout


@pytest.mark.process
def test_output_that_cannot_be_written_is_one_line(folder: Path) -> None:
    command = f"{sys.executable} -c 'from curator_core.cli import main; main()' check {folder} > /dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "cannot be written" in done.stderr and done.stderr.count("\n") == 1


def test_several_faults_of_the_settings_file_stand_in_one_line(run: Run, folder: Path) -> None:
    (folder / "curator.toml").write_text('profile = "best"\nmodell = 1\n[settings]\ntop_k = "x"\n')
    status, _, err = run("query", folder, "weather")
    assert status == 2 and err.count("\n") == 1 and "modell" in err and "top_k" in err


def test_unusable_parts_are_hinted_at_on_stderr(run: Run, folder: Path) -> None:
    document = json.loads((folder / "tools.json").read_text())
    (folder / "tools.json").write_text(json.dumps(document | {"tools": [*document["tools"], 7]}))
    status, _, err = run("query", folder, "weather")
    assert status == 0 and "1 part of" in err and "tool-curator check" in err


def test_a_question_with_half_a_letter_is_answered(run: Run, folder: Path) -> None:
    assert run("query", folder, "hostel \udcff leave", "--json")[0] == 0


def test_a_file_without_a_readable_question_is_unusable(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "noise.jsonl").write_bytes(bytes(range(128, 256)))
    assert run("eval", folder, "--queries", tmp_path / "noise.jsonl")[0] == 2


def test_the_history_is_compacted_by_one_command_and_a_viewer_may_not(run: Run, folder: Path) -> None:
    status, out, _ = run("history", "compact", folder, "--keep", 5, "--as", "Asha")
    assert status == 0 and "the latest 5 revisions" in out
    (folder / "curator.toml").write_text('[people]\n"*" = ["viewer"]\n')
    status, _, complaint = run("history", "compact", folder, "--as", "Asha")
    assert status == 2 and "takes the role reviewer" in complaint


def test_a_long_reading_says_how_far_it_is_and_its_pace(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reading, "_EVERY", 0.0)
    monkeypatch.setattr("curator_core.pace._TOLD_AFTER", 0.0)
    Reading().told(64, 4_000)
    assert re.fullmatch(r"tool-curator: reading tools, 64 of 4,000, [\d,.]+ a second, [\d.]+ (s|min|h) left\n", capsys.readouterr().err)
