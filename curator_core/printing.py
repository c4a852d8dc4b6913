"""How the command line shows traces, evaluations and problems: rich tables over the records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from curator_core.encoder import ModelReport
from curator_core.errors import Problem
from curator_core.evaluation import Evaluation
from curator_core.records import Row
from curator_core.story import why
from curator_core.text import visible
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


def print_evaluation(console: Console, evaluation: Evaluation, unread: Iterable[str] = ()) -> None:
    """Show the metrics of a run, whole and by tag, with the number of questions beside each; unread: lines that are no question."""
    judged, skipped = evaluation.having("judged"), evaluation.having("invalid") + evaluation.having("unjudged")
    console.print(Text(f"{visible(evaluation.registry)} · profile {evaluation.settings.profile} · {evaluation.model or 'words only'}"))
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("questions")
    table.add_column("n", justify="right")
    names = [name for name, value in evaluation.metrics.items() if value is not None]
    for name in names:
        table.add_column(name, justify="right")
    for title, count, metrics in [
        ("all judged", len(judged), evaluation.metrics),
        *((f"  {tag}", means["queries"], means) for tag, means in evaluation.by_tag.items()),
    ]:
        table.add_row(Text(visible(title)), str(count), *(_decimal(metrics[name]) for name in names))
    console.print(table)
    no_tool = evaluation.no_tool
    if no_tool["queries"]:
        console.print(Text(f"no tool applies: {no_tool['flagged']} of {no_tool['queries']} questions flagged as unsure"))
    for result in skipped:
        console.print(Text(f"not counted: “{visible(result.case.query)}”: {visible(result.reason)}"))
    for reason in unread:
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
    console.print(Text(f"{visible(registry)}: {errors} errors, {len(listed) - errors} warnings"))


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
