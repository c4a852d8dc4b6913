"""What suggested phrases are worth: `python -m tests.benchmarks.suggestions DATA [NAMES] [--queries 50] [--seed 1] [--each]`.

DATA has labelled registries, one a folder. Advice is made from test_queries.jsonl, what an author has. Further questions, which nothing
of it is made from, are those of more_queries.jsonl; where there are none, every second test query is set aside for it.

For failing test queries, drawn by a seed, the first phrase that is offered goes into the registry, and a newly built index says:
asked = how many of the queries themselves come into the first 5; rescued = the share of the tool's failing further questions that do, in
the mean over the queries and of all together; half = how many queries have at least half of them rescued; others = by how many points
recall@5 of all other tools falls in the mean, in the test queries and in a part of the further ones; as shown = how many have exactly the
effects that were shown.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean, median

from rich.console import Console
from rich.table import Table

from curator_core import (
    Curator,
    QueryResult,
    TestQuery,
    build_index,
    default_cache_dir,
    effect_of,
    evaluate,
    load_encoder,
    load_registry,
    suggest,
)
from curator_core.files.folder import load_test_queries

WITHIN, ASKED_OF_OTHERS = 5, 600
TITLES = ("registry", "queries", "none", "asked", "rescued", "together", "half", "others", "further", "as shown", "s an advice", "longest")


@dataclass(frozen=True, slots=True)
class Outcome:
    """One failing query. phrase: the first that was offered, "" = none; rescued, failing: of the tool's further questions; shown,
    further: points of recall@5 that other tools lose.
    """

    tool: str
    phrase: str
    seconds: float
    failing: int
    brought: bool = False
    rescued: int = 0
    shown: float = 0.0
    further: float = 0.0
    as_shown: bool = True


class Bench:
    """A registry, its figures before, and the questions of which nothing is shown."""

    def __init__(self, folder: Path) -> None:
        registry, more_file = load_registry(folder, strict=False), folder / "more_queries.jsonl"
        more: Sequence[TestQuery] = load_test_queries(more_file)[0] if more_file.exists() else ()
        if not more:
            more, registry = registry.test_queries[1::2], replace(registry, test_queries=registry.test_queries[::2])
        self.registry, self.encoder = registry, load_encoder("bundled")
        self.curator = Curator(build_index(registry, self.encoder, default_cache_dir()))
        self.before = evaluate(self.curator, registry.test_queries)
        self.more = evaluate(self.curator, more).having("judged")

    def failing(self, number: int, seed: int) -> list[tuple[TestQuery, str]]:
        """Draw failing test queries, each with an expected tool that is not among the first 5."""
        found = [(one.case, tool) for one in self.before.having("judged") for tool, rank in one.ranks.items() if not _within(rank)]
        random.Random(seed).shuffle(found)
        return found[:number]

    def outcome(self, case: TestQuery, tool: str) -> Outcome:
        """Take the first phrase that is offered, and count."""
        started = time.perf_counter()
        advice = suggest(self.curator, case.query, tool, case.role, before=self.before)
        seconds = time.perf_counter() - started
        own = [one.case for one in self.more if tool in one.ranks and not _within(one.ranks[tool])]
        if not advice.offered:
            return Outcome(tool, "", seconds, len(own))
        first = advice.offered[0]
        edited = self.registry.with_edits((first.edit,))
        after = Curator(build_index(edited, self.encoder, default_cache_dir()))  # anew: nothing is shared with what made the advice
        others = [one for one in self.more if tool not in one.ranks]
        others = others[:: len(others) // ASKED_OF_OTHERS + 1]
        shown, measured = first.effect, effect_of(self.before, evaluate(after, edited.test_queries))
        return Outcome(
            tool,
            first.phrase.text,
            seconds,
            len(own),
            brought=_within(first.after),
            rescued=sum(_within(one.ranks[tool]) for one in evaluate(after, own).results),
            shown=100 * (first.recall[0] - first.recall[1]) if first.recall else 0.0,
            further=_recall(others) - _recall(evaluate(after, [one.case for one in others]).results),
            as_shown=(shown.open, shown.held_out) == (measured.open, measured.held_out),
        )


def row(name: str, found: Sequence[Outcome]) -> list[str]:
    """Return one line of the table."""
    times = [one.seconds for one in found]
    some = [one for one in found if one.failing]
    shares, count = [one.rescued / one.failing for one in some], len(found)
    together = sum(one.rescued for one in some) / max(1, sum(one.failing for one in some))
    return [
        name,
        f"{count}",
        f"{sum(not one.phrase for one in found)}",
        f"{sum(one.brought for one in found)}",
        *([f"{fmean(shares):.3f}", f"{together:.3f}", f"{sum(share >= 0.5 for share in shares)} of {len(some)}"] if some else [""] * 3),
        *(f"{-fmean(values):+.3f}" for values in ([one.shown for one in found], [one.further for one in found])),
        f"{sum(one.as_shown for one in found)}",
        f"{median(times):.1f}",
        f"{max(times):.1f}",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", help="only these registries")
    parser.add_argument("--queries", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", action="store_true", help="a line for each query too")
    options = parser.parse_args()
    table, console = Table(*TITLES, box=None, header_style="bold", title="first offered phrases"), Console(width=160)
    for folder in sorted(path.parent for path in options.data.glob("*/tools.json")):
        if options.names and folder.name not in options.names:
            continue
        bench, found = Bench(folder), []
        for case, tool in bench.failing(options.queries, options.seed):
            found.append(bench.outcome(case, tool))
            if options.each:
                console.print(
                    f"{found[-1].rescued} of {found[-1].failing}, {found[-1].seconds:.1f} s, {tool}: {found[-1].phrase}", markup=False
                )
        if found:
            table.add_row(*row(folder.name, found))
    console.print(table)


def _within(rank: int | None) -> bool:
    return rank is not None and rank <= WITHIN


def _recall(results: Sequence[QueryResult]) -> float:
    """Return the mean recall@5, in points."""
    return 100 * fmean(one.metrics["recall@5"] for one in results) if results else 0.0


if __name__ == "__main__":
    main()
