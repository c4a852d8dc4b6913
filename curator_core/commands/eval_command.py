"""`tool-curator eval`: measure a registry by its test questions, compare with an earlier run, and check that nothing got worse."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from curator_core.commands.command_line import AsJson, Folder, Profile, Sets, complain, open_curator, print_json, show, write
from curator_core.commands.spent import Spent

if TYPE_CHECKING:
    from curator_core.compare import Comparison
    from curator_core.curator import Curator
    from curator_core.evaluation import Evaluation
    from curator_core.proof.gate import Check

Format = Literal["table", "markdown", "json", "junit"]


def evaluate_command(
    folder: Folder,
    queries: Annotated[
        Path | None, typer.Option(help="A test_queries.jsonl to use instead of the folder's own.", show_default=False)
    ] = None,
    profile: Profile = None,
    set_: Sets = None,
    baseline: Annotated[
        Path | None, typer.Option(help="An earlier run (eval --json) to compare with; of the same registry and model.", show_default=False)
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(metavar="[TAG:]METRIC=NUMBER", help="Exit with 1 when a figure is lower; repeatable.", show_default=False),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(metavar="WHAT", help="Exit with 1 on broke, critical, failing or invalid questions; repeatable.", show_default=False),
    ] = None,
    format_: Annotated[Format, typer.Option("--format", help="How to print the run.")] = "table",
    as_json: AsJson = False,
) -> None:
    """Ask the registry's test questions and measure the answers; exit status 1 when a check failed."""
    from curator_core.compare import compare_runs
    from curator_core.evaluation import evaluate
    from curator_core.proof.gate import parse_limits, parse_reasons, run_checks
    from curator_core.proof.saved_runs import load_run, refuse_unlike
    from curator_core.text import plural

    spent = Spent()
    limits, reasons = parse_limits(fail_under or ()), parse_reasons(fail_on or (), baseline is not None)
    earlier = load_run(baseline) if baseline else None
    curator = open_curator(folder, profile, set_)
    spent.on("files and index")
    if earlier is not None:
        refuse_unlike(earlier, evaluate(curator, ()), str(baseline))  # before the work
    evaluation = _evaluated(curator, queries)
    spent.on(plural(len(evaluation.results), "question"))
    comparison = compare_runs(earlier, evaluation, names=(str(baseline), "now")) if earlier else None
    checks = run_checks(evaluation, comparison, limits, reasons)
    _put("json" if as_json else format_, evaluation, comparison, checks, spent)
    failed = [check for check in checks if not check.passed]
    for check in failed:
        complain(f"check failed: {check.name}: {check.found}")
    if failed:
        raise typer.Exit(1)


def _evaluated(curator: Curator, queries: Path | None) -> Evaluation:
    """Ask the registry's questions, or those of a file, which are read anew."""
    from curator_core.evaluation import evaluate
    from curator_core.files.folder import load_test_queries

    registry = curator.index.registry
    cases, problems = load_test_queries(queries) if queries else (registry.test_queries, registry.problems)
    file = queries.name if queries else "test_queries.jsonl"
    unread = [str(problem) for problem in problems if problem.level == "error" and problem.where.startswith(file)]
    return evaluate(curator, cases, unread=unread)


def _put(format_: Format, evaluation: Evaluation, comparison: Comparison | None, checks: Sequence[Check], spent: Spent) -> None:
    """Write the run; every format shows the same figures."""
    if format_ == "json":
        compared = {"comparison": comparison.to_dict()} if comparison else {}
        checked = {"checks": [check.to_dict() for check in checks]} if checks else {}
        print_json(evaluation.to_dict() | compared | checked)
    elif format_ == "markdown":
        from curator_core.proof.run_markdown import evaluation_markdown

        write(evaluation_markdown(evaluation, comparison, checks))
    elif format_ == "junit":
        from curator_core.proof.run_junit import junit_xml

        write(junit_xml(evaluation, checks))
    else:
        from curator_core.commands.printing import print_evaluation

        show(print_evaluation, evaluation, comparison, checks, spent.sentence)
