"""How the command line shows clashes."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from curator_core.collisions.clashes import Clash, Clashes
from curator_core.collisions.steals import Steal
from curator_core.text import plural, visible


def print_clashes(console: Console, found: Clashes) -> None:
    """Show the clashes, worst first, then the tools whose texts are equal."""
    role = f" · as {visible(found.role)}" if found.role else ""
    size = f"{plural(found.tools, 'tool')} · {plural(found.queries, 'test query')}"
    title = f"{visible(found.registry)}{role} · {size} · {found.model or 'words only'}"
    console.print(Text(title))
    if not found.clashes:
        console.print(Text("No clashes: there are not two tools to compare."))
    else:
        console.print(_table(found))
        console.print(
            Text("swaps: test queries of one that bring the other first · own: of what both ask about themselves · close: 1 = closest here")
        )
    for keys in found.duplicates:
        console.print(Text(f"one and the same text: {', '.join(map(visible, keys))}"))
    for one in found.dismissed:
        reason = f"{visible(one.reason)} ({visible(one.author)}, {one.at:%Y-%m-%d})"
        console.print(Text(f"dismissed: {' · '.join(map(visible, one.tools))}: {reason}"))


def print_steals(console: Console, found: Sequence[Steal]) -> None:
    """Show who takes whose questions, strongest first."""
    if not found:
        console.print(Text("No steals: there are not two tools to compare."))
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("#", "strength", "share", "similar"):
        table.add_column(title, justify="right", no_wrap=True)
    for title in ("questions about", "go to"):
        table.add_column(title, overflow="fold")
    for place, one in enumerate(found, 1):
        similar = "" if one.similarity is None else f"{one.similarity:.2f}"
        names = (Text(visible(name)) for name in (one.victim, one.thief))
        table.add_row(str(place), f"{one.strength:.3f}", f"{one.share:.2f}", similar, *names)
    console.print(table)
    console.print(
        Text("share: of questions about a tool, half in its own words, 1 = all bring the other · strength: orders the list, no probability")
    )


def _table(found: Clashes) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for title in ("#", "harm", "swaps", "own", "close"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("tools", overflow="fold")
    table.add_column("shared words", overflow="fold")
    for place, clash in enumerate(found.clashes, 1):
        figures = (f"{clash.harm:.2f}", str(clash.swaps), f"{clash.steals} of {clash.asked}", f"{clash.closeness:.2f}")
        table.add_row(str(place), *figures, Text(_tools(clash)), Text(visible(", ".join(clash.shared_words))))
    return table


def _tools(clash: Clash) -> str:
    names = " · ".join(map(visible, clash.tools))
    siblings = f" (and {plural(len(clash.family) - 2, 'sibling')}, {plural(clash.family_swaps, 'swap')})" if clash.family else ""
    return names + siblings + (" (they say the same)" if clash.duplicate else "")
