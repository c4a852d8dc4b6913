"""What suggestions for all failing tools are worth: `python -m tests.benchmarks.tool_edits DATA [NAMES] [--draws 5] [--profile tuned]`.

Each draw gives every tool 5 questions of more_queries.jsonl, the only test queries that the suggestions see; tools that have fewer get
none, and registries without that file are left out. What helps is applied, and test_queries.jsonl, of which nothing was seen, says:
edited, others = top-1 of the questions that expect an edited tool, and of all others, before and after, by a newly built index;
net-negative = the share of the edits that, made alone, cost more first places than they bring. An edit made alone is asked the questions
that it can turn: its own tool's, and those where its tool comes near to the first.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import numpy as np
from rich.console import Console
from rich.table import Table

from curator_core import Curator, TestQuery, build_index, default_cache_dir, evaluate, load_encoder, load_registry, profile
from curator_core.files.folder import load_test_queries
from curator_core.suggestions.score_table import ScoreTable
from curator_core.suggestions.tool_advice import choose_ideas
from curator_core.suggestions.tool_ideas import ToolIdea

GIVEN, NEAR = 5, 0.5  # questions a tool; usual leads within which a question counts as near
TITLES = ("registry", "draw", "tools", "edits", "examples", "edited", "after", "gain", "others", "after", "change", "net-negative", "s")


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw. edited, others: top-1 before and after, in percent; negative: of the edits."""

    tools: int
    edits: int
    examples: int
    edited: tuple[float, float]
    others: tuple[float, float]
    negative: float
    seconds: float


def drawn(more: Sequence[TestQuery], seed: int) -> tuple[TestQuery, ...]:
    """Draw the questions that are given."""
    by_tool: dict[str, list[TestQuery]] = {}
    for case in more:
        if case.expected and len(case.expected) == 1:
            by_tool.setdefault(case.expected[0], []).append(case)
    chance = random.Random(seed)
    return tuple(case for _, some in sorted(by_tool.items()) if len(some) >= GIVEN for case in chance.sample(some, GIVEN))


def draws(folder: Path, seeds: Sequence[int], name: str) -> Iterator[Draw]:
    """Yield what each draw gives."""
    registry, encoder = load_registry(folder, strict=False), load_encoder("bundled")
    more = load_test_queries(folder / "more_queries.jsonl")[0]
    asked = [case for case in registry.test_queries if case.expected]
    for seed in seeds:
        given = drawn(more, seed)
        curator = Curator(build_index(replace(registry, test_queries=given), encoder, default_cache_dir()), profile(name))
        started = time.perf_counter()
        ideas, refused = choose_ideas(curator, evaluate(curator, given))
        seconds = time.perf_counter() - started
        before, after = (_firsts(curator_of(curator, some), asked) for some in ((), ideas))
        tools = {idea.tool for idea in ideas}
        own = np.array([not tools.isdisjoint(case.expected or ()) for case in asked])
        edited, others = ((100 * before[some].mean(), 100 * after[some].mean()) for some in (own, ~own))
        nets = net_effects(curator, ideas, asked, before)
        examples = sum(bool(idea.examples) for idea in ideas)
        negative = 100 * fmean(net < 0 for net in nets) if nets else 0.0
        yield Draw(len(ideas) + len(refused), len(ideas), examples, edited, others, negative, seconds)


def curator_of(curator: Curator, ideas: Sequence[ToolIdea]) -> Curator:
    """Return a curator over the registry with some ideas, with an index that shares nothing but vectors of texts."""
    registry = curator.index.registry
    edited = registry.with_edits([edit for idea in ideas for edit in idea.edits(registry)])
    return Curator(build_index(edited, curator.index.encoder, default_cache_dir()), curator.settings)


def net_effects(curator: Curator, ideas: Sequence[ToolIdea], asked: Sequence[TestQuery], before: np.ndarray) -> list[int]:
    """Return how many more questions each idea, alone, puts right first."""
    table, index, found = ScoreTable(curator, asked), curator.index, []
    for idea in ideas:
        edited = build_index(index.registry.with_edits(idea.edits(index.registry)), index.encoder, default_cache_dir(), previous=index)
        column = table.column(edited, idea.tool)
        turned = table.leads_with(idea.tool, column + NEAR * table.usual) < table.lead
        turned[table.expecting(idea.tool)] = True
        some = np.flatnonzero(turned)
        after = _firsts(Curator(edited, curator.settings), [asked[place] for place in some])
        found.append(int(after.sum() - before[some].sum()))
    return found


def _firsts(curator: Curator, cases: Sequence[TestQuery]) -> np.ndarray:
    return np.array([one.metrics["hit@1"] for one in evaluate(curator, cases).results])


def row(name: str, number: str, some: Sequence[Draw]) -> list[str]:
    """Return one line: the means over some draws."""
    mean = lambda read: fmean(read(one) for one in some)
    figures = [f"{mean(read):.0f}" for read in (lambda one: one.tools, lambda one: one.edits, lambda one: one.examples)]
    for side in ("edited", "others"):
        before, after = (mean(lambda one, side=side, at=at: getattr(one, side)[at]) for at in (0, 1))
        figures += [f"{before:.1f}", f"{after:.1f}", f"{after - before:+.2f}"]
    return [name, number, *figures, f"{mean(lambda one: one.negative):.1f} %", f"{mean(lambda one: one.seconds):.0f}"]


def edits_table(folders: Sequence[Path], seeds: Sequence[int], name: str) -> Table:
    """Return a line a draw, and one for the mean."""
    table = Table(*TITLES, box=None, header_style="bold", title=f"suggestions from {GIVEN} questions a tool, profile {name}")
    for folder in folders:
        if (folder / "more_queries.jsonl").exists():
            found = []
            for seed, one in zip(seeds, draws(folder, seeds, name), strict=True):
                found.append(one)
                table.add_row(*row(folder.name, str(seed), [one]))
            table.add_row(*row(folder.name, "mean", found), style="bold")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("names", nargs="*", help="only these registries")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--first", type=int, default=1, help="the seed of the first draw")
    parser.add_argument("--profile", default="tuned")
    options = parser.parse_args()
    folders = sorted(path.parent for path in options.data.glob("*/tools.json") if not options.names or path.parent.name in options.names)
    seeds = range(options.first, options.first + options.draws)
    Console(width=160).print(edits_table(folders, seeds, options.profile))


if __name__ == "__main__":
    main()
