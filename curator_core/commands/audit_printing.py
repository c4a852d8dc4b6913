"""How the command line shows audits, magnets and ghosts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from curator_core.collisions.magnets import Ghost, Magnet
from curator_core.proof.audits import Audit, ForcedTool
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
    _table(console, ("tool", "put first", "right", "hurt", "words of its name"), rows)
    console.print(Text(f"two-in-one questions: {_counts(split)}"))
    rows = ((case.outcome, case.case.query, " · ".join(case.parts)) for case in split.cases[:_LISTED] if case.outcome != "same")
    _table(console, ("outcome", "test query", "parts"), rows)
    console.print(Text(f"magnets, tools that come first for questions of others: {len(magnets) or 'none'}"))
    rows = ((one.key, one.returned, one.first, one.wrongly, f"{one.pull:.1f}", ", ".join(one.words)) for one in magnets[:_LISTED])
    _table(console, ("tool", "returned", "first", "wrongly", "draws", "words that cause it"), rows)
    console.print(Text(f"ghosts, tools that no test query brings: {len(ghosts) or 'none'}"))
    rows = ((one.key, one.expected, f"{one.found} of {one.asked}", ", ".join(one.shared)) for one in ghosts[:_LISTED])
    _table(console, ("tool", "expected", "own questions", "words it shares"), rows)


def _counts(audit: Audit) -> str:
    figures = (
        ("helped", audit.count("helped")),
        ("hurt", audit.count("hurt")),
        ("displaced", audit.displaced),
        ("brought in", audit.brought),
    )
    return f"{len(audit.cases)} of {audit.queries} touched, " + ", ".join(f"{number} {name}" for name, number in figures)


def _table(console: Console, titles: Sequence[str], rows: Iterable[tuple[object, ...]]) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in titles:
        table.add_column(title, overflow="fold")
    for row in rows:
        table.add_row(*(Text(visible(str(cell))) for cell in row))
    if table.row_count:
        console.print(table)
