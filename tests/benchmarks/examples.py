"""What example questions and the line of "no tool" are worth: `python -m tests.benchmarks.examples DATA [NAMES] [--draws 5]`.

DATA has labelled registries, one a folder; those with more_queries.jsonl count. Profile `tuned`. Examples are drawn from the further
questions that name one tool, by a seed; what is measured is top-1 in test_queries.jsonl, in percent, the mean over the draws.

All: every tool that has so many further questions is given that many, the others none. `tools`: how many have so many. `of these`: the
same over the test queries that expect one of them. `a tool`: the mean over tools of the share of their test queries that are right, where
a tool with many test queries counts as much as one with few.
Some: so many tools are given 5. By how many points top-1 changes: for all test queries, for those of the tools that were given some, for
those of the others, and for these in the worst draw.
No tool: where test_queries.jsonl has questions that no tool fits. AUROC of the confidence; which share is flagged as "no tool" of the
questions that a tool fits and of those that none does, when the line is drawn through further questions that are no examples.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from rich.console import Console
from rich.table import Table
from sklearn.metrics import roc_auc_score

from curator_core import Curator, Registry, TestQuery, build_index, default_cache_dir, encode_ahead, evaluate, load_encoder, load_registry
from curator_core import profile as settings_of
from curator_core.files.folder import load_test_queries

COUNTS, GIVEN, SHARE, TUNED = (1, 3, 5, 10), 5, 0.3, settings_of("tuned")
Outcomes = Sequence[tuple[tuple[str, ...], bool]]  # of each test query: what it expects, and whether that comes first


class Bench:
    """A labelled registry and the further questions of each tool."""

    def __init__(self, folder: Path) -> None:
        self.registry, self.encoder = load_registry(folder, strict=False), load_encoder("bundled")
        self.further: dict[str, list[TestQuery]] = {}
        for case in load_test_queries(folder / "more_queries.jsonl")[0]:
            if len(case.expected or ()) == 1:
                self.further.setdefault((case.expected or ("",))[0], []).append(case)
        self.index = build_index(self.registry, self.encoder, default_cache_dir())
        self.plain = self.outcomes(self.registry)

    def having(self, count: int) -> list[str]:
        """Return the tools that have so many further questions."""
        return sorted(key for key, cases in self.further.items() if len(cases) >= count and key in self.registry.by_key)

    def curator(self, registry: Registry) -> Curator:
        return Curator(build_index(registry, self.encoder, default_cache_dir(), previous=self.index), TUNED)

    def outcomes(self, registry: Registry) -> Outcomes:
        """Ask all test queries that a tool fits."""
        judged = evaluate(self.curator(registry), registry.test_queries).having("judged")
        return [(one.case.expected or (), one.tools[:1] != () and one.tools[0] in (one.case.expected or ())) for one in judged]

    def given(self, keys: Sequence[str], count: int, seed: int) -> tuple[Registry, list[TestQuery]]:
        """Return the registry with examples for some tools, and the further questions that are none."""
        rng = random.Random(seed)
        drawn = {key: rng.sample(self.further[key], count) for key in keys}
        tools = [
            replace(tool, examples=tuple(case.query for case in drawn.get(key, ())))
            for key, tool in zip(self.registry.keys, self.registry.tools, strict=True)
        ]
        used = {id(case) for cases in drawn.values() for case in cases}
        left = [case for cases in self.further.values() for case in cases if id(case) not in used]
        return replace(self.registry, tools=tuple(tools)), left


def top1(outcomes: Outcomes, keys: Sequence[str] | None = None) -> float:
    """Return how many of the test queries are right, in percent. keys: only those that expect one of these tools."""
    some = set(keys or ())
    return 100 * fmean(right for expected, right in outcomes if keys is None or some.intersection(expected))


def top1_a_tool(outcomes: Outcomes) -> float:
    """Return the mean over the tools of the same."""
    of_tool: dict[str, list[bool]] = {}
    for expected, right in outcomes:
        for key in expected:
            of_tool.setdefault(key, []).append(right)
    return 100 * fmean(map(fmean, of_tool.values()))


def all_given(bench: Bench, count: int, draws: int) -> list[str]:
    keys = bench.having(count)
    found = [bench.outcomes(bench.given(keys, count, seed)[0]) for seed in range(draws)] if count else [bench.plain]
    figures = [(top1(one), top1(one, keys), top1_a_tool(one)) for one in found]
    means = [f"{fmean(values):.1f}" for values in zip(*figures, strict=True)]
    return [str(count), str(len(keys)), *means, f"{min(first for first, *_ in figures):.1f} to {max(first for first, *_ in figures):.1f}"]


def some_given(bench: Bench, draws: int) -> list[str]:
    enough, changes = bench.having(GIVEN), []
    for seed in range(draws):
        keys = random.Random(seed).sample(enough, int(SHARE * len(bench.registry.tools)))
        others = sorted(set(bench.registry.by_key) - set(keys))
        found = bench.outcomes(bench.given(keys, GIVEN, seed)[0])
        changes.append([top1(found, some) - top1(bench.plain, some) for some in (None, keys, others)])
    means = [fmean(values) for values in zip(*changes, strict=True)]
    return [f"{int(SHARE * len(bench.registry.tools))}", *(f"{value:+.1f}" for value in means), f"{min(one[2] for one in changes):+.1f}"]


def no_tool(bench: Bench, count: int) -> list[str]:
    registry, left = bench.given(bench.having(count) if count else (), count, 0)
    curator, cases = bench.curator(replace(registry, test_queries=tuple(left))), registry.test_queries
    encode_ahead(curator, (*cases, *left))
    traces = [(bool(case.expected), curator.curate(case.query)) for case in cases if case.expected is not None]
    auroc = roc_auc_score([fits for fits, _ in traces], [float(trace.confidence) for _, trace in traces])
    flagged = [100 * fmean(trace.no_tool for fits, trace in traces if fits == which) for which in (True, False)]
    return [str(count), f"{auroc:.3f}", *(f"{value:.1f} %" for value in flagged)]


def tables(folders: Sequence[Path], draws: int) -> Sequence[Table]:
    """Return the three tables."""
    titles = {
        "examples for all tools, top-1": ("registry", "examples", "tools", "top-1", "of these", "a tool", "draws"),
        f"{GIVEN} examples for {SHARE:.0%} of the tools, points of top-1": ("registry", "given", "all", "theirs", "others'", "worst"),
        "no tool applies": ("registry", "examples", "AUROC", "flagged, a tool fits", "flagged, none fits"),
    }
    found = [Table(*columns, box=None, header_style="bold", title=title) for title, columns in titles.items()]
    for folder in folders:
        bench = Bench(folder)
        for count in (0, *COUNTS):
            found[0].add_row(folder.name, *all_given(bench, count, draws))
        found[1].add_row(folder.name, *some_given(bench, draws))
        if any(case.expected == () for case in bench.registry.test_queries):
            for count in (0, GIVEN):
                found[2].add_row(folder.name, *no_tool(bench, count))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="a folder of labelled registries, one a folder")
    parser.add_argument("names", nargs="*", help="only these registries")
    parser.add_argument("--draws", type=int, default=5, help="how often examples are drawn")
    options = parser.parse_args()
    folders = sorted(path.parent for path in options.data.glob("*/more_queries.jsonl"))
    for table in tables([one for one in folders if not options.names or one.name in options.names], options.draws):
        Console(width=140).print(table)


if __name__ == "__main__":
    main()
