"""How the command line shows audits, magnets and ghosts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from curator_core.collisions.magnets import Ghost, Magnet
from curator_core.proof.audits import Audit, ForcedTool
from curator_core.proof.paired import MetricChange, too_few
from curator_core.proof.profiles import ProfileFigures
from curator_core.proof.recall_curve import SHARES, RecallCurve
from curator_core.proof.stage_worth import StageWorth
from curator_core.text import plural, visible

_LISTED = 10


def print_audits(
    console: Console,
    registry: str,
    rule: Audit,
    forced: Sequence[ForcedTool],
    split: Audit,
    magnets: Sequence[Magnet],
    ghosts: Sequence[Ghost],
) -> None:
    """Show what both stages do to the test queries, then the tools that come too often, then those that never come."""
    console.print(Text(f"{visible(registry)} · {plural(rule.queries, 'test query')} with a right tool"))
    console.print(Text(f"name rule: {_counts(rule)}"))
    rows: Iterable[tuple[object, ...]] = ((one.key, one.forced, one.right, one.hurt, ", ".join(one.words)) for one in forced[:_LISTED])
    first = "lifted" if rule.soft else "put first"
    _table(console, ("tool", first, "right", "hurt", "words of its name"), rows)
    console.print(Text(f"two-in-one questions: {_counts(split)}"))
    rows = ((case.outcome, case.case.query, " · ".join(case.parts)) for case in split.cases[:_LISTED] if case.outcome != "same")
    _table(console, ("outcome", "test query", "parts"), rows)
    console.print(Text(f"magnets, tools that come first for questions of others: {len(magnets) or 'none'}"))
    rows = ((one.key, one.returned, one.first, one.wrongly, f"{one.pull:.1f}", ", ".join(one.words)) for one in magnets[:_LISTED])
    _table(console, ("tool", "returned", "first", "wrongly", "draws", "words that cause it"), rows)
    console.print(Text(f"ghosts, tools that no test query brings: {len(ghosts) or 'none'}"))
    rows = ((one.key, one.expected, f"{one.found} of {one.asked}", ", ".join(one.shared)) for one in ghosts[:_LISTED])
    _table(console, ("tool", "expected", "own questions", "words it shares"), rows)


def print_worths(console: Console, profiles: ProfileFigures | None, stages: Sequence[StageWorth]) -> None:
    """Show which profile serves the test queries and how many tools each takes, then what each stage is worth."""
    if profiles is not None:
        console.print(Text(f"profile: {profiles.advice.reason}"))
        for curve in profiles.curves:
            few = too_few(curve.queries)
            console.print(Text(f"  {curve.profile}: {', '.join(_needed(curve, share) for share in SHARES)}{f'; {few}' if few else ''}"))
        for name, found in profiles.sureness.items():
            console.print(Text(f"  {name}, no tool: {' '.join(found.sentences)}"))
    rows = ((one.label, "on" if one.on else "off", one.verdict, *map(_gain, one.changes)) for one in stages)
    _table(console, ("stage", "is", "verdict", "right tool first", "in the first 5"), rows)


def _needed(curve: RecallCurve, share: float) -> str:
    point = curve.needed(share)
    return f"{share:.0%} with {point.tools} tools ({point.cost:,.0f} {curve.unit})" if point else f"{share:.0%} with more"


def _gain(change: MetricChange) -> str:
    if few := too_few(change.queries):
        return f"{few}: {change.wins} better, {change.losses} worse"
    span = f" ({change.interval[0]:+.3f} to {change.interval[1]:+.3f})" if change.interval else ""
    return f"{change.difference:+.3f}{span}, {change.wins} better, {change.losses} worse of {change.queries}"


def _counts(audit: Audit) -> str:
    figures = (
        ("helped", audit.count("helped")),
        ("hurt", audit.count("hurt")),
        ("displaced", audit.displaced),
        ("brought in", audit.brought),
    )
    few = too_few(audit.queries)
    counts = ", ".join(f"{number} {name}" for name, number in figures)
    return f"{len(audit.cases)} of {audit.queries} touched, {counts}{f'; {few}' if few else ''}"


def _table(console: Console, titles: Sequence[str], rows: Iterable[tuple[object, ...]]) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(str(cell))) for cell in row))
    if table.row_count:
        console.print(table)
