"""How the command line shows traces, evaluations and problems: rich tables over the records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from curator_core.proof.paired import ENOUGH, TOO_FEW, too_few
from curator_core.story import why
from curator_core.text import plural, visible

if TYPE_CHECKING:  # an answer is printed without what evaluations need
    from curator_core.compare import Comparison
    from curator_core.encoder import ModelReport
    from curator_core.errors import Problem
    from curator_core.evaluation import Evaluation
    from curator_core.proof.gate import Check
    from curator_core.records import Row
    from curator_core.trace import Trace

_WIDE = 70  # columns from which the figures stand beside the reasons
PART_SIGNS = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"


def print_trace(console: Console, trace: Trace) -> None:
    """Show what happened to a question, then the tools with their reasons and figures."""
    for line in _happened(trace):
        console.print(Text(visible(line), style="dim"))
    if not trace.picks:
        console.print(Text(f"No tools: {trace.reason}."))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("tool", no_wrap=True)
    table.add_column("why", overflow="fold", ratio=1)
    wide = console.width >= _WIDE
    for title in ("meaning", "words", "combined", "") if wide else ():
        table.add_column(title, justify="right" if title else "left", no_wrap=True)
    for place, pick in enumerate(trace.picks, 1):
        row = trace.row(trace.pass_of(pick), pick.position)
        figures = (*_figures(row), _flags(row, pick.parts, pick.via)) if wide else ()
        table.add_row(str(place), Text(visible(row.tool)), Text(visible(why(row))), *figures)
    console.print(table)


def print_evaluation(
    console: Console, evaluation: Evaluation, comparison: Comparison | None = None, checks: Iterable[Check] = (), spent: str = ""
) -> None:
    """Show the metrics of a run, whole, by tag and by role, with the number of questions beside each; held-out ones apart.

    spent: where the time went.
    """
    console.print(Text(f"{visible(evaluation.registry)} · profile {evaluation.settings.profile} · {evaluation.model or 'words only'}"))
    tune, held_out = evaluation.apart
    runs = [("to tune on", tune), ("held out", held_out)] if held_out.results else [("all judged", evaluation)]
    _print_figures(console, runs)
    for title, run in runs:
        if run.no_tool["queries"]:
            which = f" ({title})" if held_out.results else ""
            flagged = f"{run.no_tool['flagged']} of {run.no_tool['queries']} questions flagged as unsure"
            few = too_few(int(run.no_tool["queries"] or 0))
            console.print(Text(f"no tool applies{which}: {flagged}{f'; {few}' if few else ''}"))
    for said in tune.sureness.sentences if tune.sureness else ():
        console.print(Text(said, style="dim"))
    _print_rest(console, evaluation, comparison)
    for check in checks:
        console.print(Text(f"check {check.name}: {'passed' if check.passed else 'failed'}; {check.found}"))
    if spent:
        console.print(Text(f"took {spent}", style="dim"))


def _print_figures(console: Console, runs: Sequence[tuple[str, Evaluation]]) -> None:
    """Show the means of each run; a star says where they are over too few questions."""
    names = dict.fromkeys(name for _, run in runs for name, value in run.metrics.items() if value is not None)
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("questions")
    for name in ("n", *names):
        table.add_column(name, justify="right")
    rows = [row for title, run in runs for row in _rows(title, run)]
    for name, count, means in rows:
        star = "*" if count < ENOUGH else ""
        table.add_row(Text(visible(name)), f"{count}{star}", *(_decimal(means[metric]) for metric in names))
    console.print(table)
    if any(count < ENOUGH for _, count, _ in rows):
        console.print(Text(f"* {TOO_FEW}: {ENOUGH} are the least", style="dim"))


def _rows(title: str, run: Evaluation) -> Iterator[tuple[str, int, Mapping[str, float | int | None]]]:
    """Yield name, number of questions and means: of the whole run, of each tag, and of each role where there are roles."""
    yield title, len(run.having("judged")), run.metrics
    for tag, means in run.by_tag.items():
        yield f"  {tag}", int(means["queries"] or 0), means
    for role, means in run.by_role.items() if any(run.by_role) else ():
        yield f"  role {role}" if role else "  no role", int(means["queries"] or 0), means


def _print_rest(console: Console, evaluation: Evaluation, comparison: Comparison | None) -> None:
    """Show which stages lost how many questions, what became of them since the baseline, and what was not counted."""
    if evaluation.lost:
        console.print(Text(f"lost by: {', '.join(f'{stage} {count}' for stage, count in evaluation.lost.items())}"))
    if comparison is not None:
        console.print(Text(visible(f"{comparison.before.name} → {comparison.after.name}: {comparison.headline}")))
        for change in (change for change in comparison.shown if change.verdict in ("broke", "fixed")):
            moved = f"rank {change.rank_before or 'none'} → {change.rank_after or 'none'}" if change.case.expected else "unsure or not"
            console.print(Text(f"  {change.verdict}: “{visible(change.case.query)}”: {moved}"))
    shown = evaluation.apart[0]
    for result in shown.having("invalid") + shown.having("unjudged"):
        console.print(Text(f"not counted: “{visible(result.case.query)}”: {visible(result.reason)}"))
    for reason in evaluation.unread:
        console.print(Text(f"not counted: {visible(reason)}"))


def print_problems(console: Console, registry: str, problems: Iterable[Problem]) -> None:
    """Show errors, then warnings, and how many there are of each."""
    listed = sorted(problems, key=lambda problem: problem.level != "error")
    for problem in listed:
        console.print(
            Text(f"{problem.level}: ", style="bold red" if problem.level == "error" else "yellow").append(
                visible(str(problem)), style="default"
            )
        )
    errors = sum(problem.level == "error" for problem in listed)
    console.print(Text(f"{visible(registry)}: {plural(errors, 'error')}, {plural(len(listed) - errors, 'warning')}"))


def print_model(console: Console, report: ModelReport) -> None:
    """Show which model is used, why, and how to get the recommended one."""
    rows: Mapping[str, object] = {
        "model": report.model,
        "why": report.reason,
        "folder": report.folder,
        "fingerprint": report.fingerprint,
        "dimensions": report.dimension,
        "reads at most": f"{report.max_tokens} tokens",
        "query prefix": repr(report.query_prefix) if report.query_prefix else "none",
        "quick start": report.kept or "made at its first use",
        "recommended": f"{report.preferred}: {'found' if report.preferred_found else 'not found'} in {report.preferred_folder}",
    }
    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in rows.items():
        table.add_row(Text(name, style="bold"), Text(visible(str(value))))
    console.print(table)
    if not report.preferred_found:
        console.print(Text(report.how_to_get))


def _happened(trace: Trace) -> list[str]:
    parts = " ".join(f"{_sign(number)} {part.query}" for number, part in enumerate(trace.split.parts, 1))
    return [
        *([f"split at {', '.join(f'“{marker}”' for marker in trace.split.markers)} → {parts}"] if parts else []),
        *([f"words that no tool knows: {', '.join(trace.unknown_words)}"] if trace.unknown_words else []),
        *(f"synonym fired: {synonym.phrase} → {synonym.term}" for synonym in trace.synonyms),
        *trace.notes,
        *([trace.no_tool_reason] if trace.no_tool and trace.picks else []),
    ]


def _figures(row: Row) -> tuple[str, str, str]:
    meaning = "" if row.dense_rank is None else f"#{row.dense_rank} {row.similarity:.2f}"
    words = "" if row.sparse_rank is None else f"#{row.sparse_rank} {row.bm25:.1f}"
    return meaning, words, f"{row.score:.4f}"


def _flags(row: Row, parts: tuple[int, ...], via: str) -> Text:
    signs = [*map(_sign, parts), *(["name"] if row.forced else []), *(["top-up"] if via == "top-up" else [])]
    return Text(" ".join(signs))


def _sign(number: int) -> str:
    return PART_SIGNS[number - 1] if number <= len(PART_SIGNS) else f"({number})"


def _decimal(value: float | int | None) -> str:
    return "–" if value is None else f"{value:.3f}"
