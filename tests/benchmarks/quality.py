"""`make bench-quality DATA=folder`: what is found, and what clashes are worth, on labelled registries, one a folder.

What is found: see tests.benchmarks.retrieval.

First clashes: of the 20 first by test_queries.jsonl and the tools' own texts, how many have at least 2 swaps in more_queries.jsonl; beside
it the order of plain similarity, and the share of all pairs that have so many. Steals: how well the list of steals, made without any label,
follows the steals in all labelled questions (Spearman over all pairs with either), beside plain similarity. In a registry of at most
EVERY_TOOL_UP_TO tools every pair is in that list; in a larger one those that were near each other are; a pair that only labels know has
the strength that its similarity and its thief's pull give it, with no share. `of 50`: how many of the 50 first have a labelled steal.
`first`: the same over the pairs that stand among the first EACH a tool of either order, or have a label. `swapped`: over those where some
text of a tool, asked as a question, brings the other first, or that have a label. `sure`: over those with a share of SURE or a label. Only
the list chooses the last two, which counts against it wherever few tools are asked about by labelled questions: all that it is sure of
without a label are in, while what similarity is sure of is not.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.stats import spearmanr

from curator_core import (
    Curator,
    QueryResult,
    TestQuery,
    build_index,
    default_cache_dir,
    evaluate,
    find_clashes,
    load_encoder,
    load_registry,
)
from curator_core.collisions.clashes import Clashes
from curator_core.collisions.steals import pair_strengths
from curator_core.collisions.strays import Strays
from curator_core.files.folder import load_test_queries
from tests.benchmarks.retrieval import WAYS, retrieval_table

FIRST, SWAPS, LISTED, EACH, SURE = 20, 2, 50, 10, 0.01
Pairs = Counter[tuple[str, str]]


def steals_in(results: Iterable[QueryResult]) -> Pairs:
    """Count for (tool, the one that came first instead) the labelled questions."""
    return Counter(
        (tool, result.tools[0])
        for result in results
        if result.status == "judged" and result.tools and result.tools[0] not in (result.case.expected or ())
        for tool in set(result.case.expected or ())
    )


def first_clashes(found: Clashes, more: Pairs, similarity: np.ndarray) -> Sequence[str]:
    """Return how many of the first clashes hold, the same for the order of similarity, and the base rate."""
    swaps = Counter({pair: more[pair] + more[pair[::-1]] for pair in ({tuple(sorted(one)) for one in more})})
    keys, (a, b) = found.strays.keys, np.triu_indices(len(found.strays.keys), 1)
    nearest = [(keys[a[i]], keys[b[i]]) for i in np.argsort(-similarity[a, b], kind="stable")[:FIRST]]
    held = [sum(swaps[pair] >= SWAPS for pair in pairs) for pairs in ([clash.tools for clash in found.clashes[:FIRST]], nearest)]
    base = sum(count >= SWAPS for count in swaps.values()) / max(len(a), 1)
    return [f"{held[0]} of {FIRST}", f"{held[1]} of {FIRST}", f"{100 * base:.1f} %"]


def steals(strays: Strays, labelled: Pairs, similarity: np.ndarray) -> Sequence[str]:
    """Return the correlations of both orders with the labelled steals, how many of the first hold, and over how many pairs."""
    size = len(strays.keys)
    places, counts, shares = {key: i for i, key in enumerate(strays.keys)}, np.zeros((size, size)), np.zeros((size, size))
    for (victim, thief), count in labelled.items():
        counts[places[victim], places[thief]] = count
    shares[strays.victims, strays.others] = strays.likely
    listed = np.zeros((size, size), dtype=bool)
    listed[strays.victims, strays.others] = True
    either = (listed | (counts > 0)) & ~np.eye(size, dtype=bool)
    strengths = pair_strengths(strays, similarity, shares, *np.indices((size, size)))
    orders = [np.where(either, order, -np.inf) for order in (strengths, similarity)]
    ends = [np.partition(order, -EACH * size, axis=None)[-EACH * size] if size > EACH else -np.inf for order in orders]
    first = np.any([order >= end for order, end in zip(orders, ends, strict=True)], axis=0) | (counts > 0)
    swapped = counts > 0
    swapped[strays.victims, strays.others] |= strays.firsts > 0
    sure = (shares >= SURE) | (counts > 0)
    parts = [either, either & first, either & swapped, either & sure]
    figures = [[*(f"{spearmanr(order[some], counts[some])[0]:+.4f}" for order in orders), f"{int(some.sum())}"] for some in parts]
    firsts = [np.argsort(-order[either], kind="stable")[:LISTED] for order in orders]
    held = [f"{int((counts[either][some] > 0).sum())}" for some in firsts]
    return [*held, *(figure for some in figures for figure in some)]


def row(folder: Path) -> Sequence[str]:
    registry = load_registry(folder, strict=False)
    curator = Curator(build_index(registry, load_encoder("bundled"), default_cache_dir()))
    evaluation = evaluate(curator, registry.test_queries)
    found = find_clashes(curator, evaluation, limit=FIRST)
    more_file = folder / "more_queries.jsonl"
    more: Sequence[TestQuery] = load_test_queries(more_file)[0] if more_file.exists() else ()
    others = steals_in(evaluate(curator, more).results)
    vectors = curator.index.dense(curator.settings)
    rows = np.zeros((0, 0)) if vectors is None else vectors.rows.astype(np.float64)
    similarity = np.round(rows @ rows.T, 6)
    labelled = steals_in(evaluation.results) + others
    held = first_clashes(found, others, similarity) if more else ["", "", ""]
    return [
        folder.name,
        str(len(registry.tools)),
        str(len(registry.test_queries) + len(more)),
        *held,
        *steals(found.strays, labelled, similarity),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="a folder of labelled registries, one a folder")
    parser.add_argument("names", nargs="*", help="only these registries")
    parser.add_argument("--only", choices=("retrieval", "clashes"), help="one of the two tables")
    parser.add_argument("--ways", nargs="+", choices=tuple(WAYS), default=tuple(WAYS), help="which ways of picking tools")
    arguments = parser.parse_args()
    folders = sorted(path.parent for path in arguments.data.glob("*/tools.json"))
    folders = [folder for folder in folders if not arguments.names or folder.name in arguments.names]
    if arguments.only != "clashes":
        Console(width=140).print(retrieval_table(folders, arguments.ways))
    if arguments.only != "retrieval":
        Console(width=210).print(clash_table(folders))


def clash_table(folders: Sequence[Path]) -> Table:
    table = Table(box=None, header_style="bold", title="clashes: what they predict")
    for title in (
        "registry",
        "tools",
        "labelled",
        "first clashes",
        "by similarity",
        "base",
        "of 50",
        "by similarity",
        "steals",
        "by similarity",
        "pairs",
        "first",
        "by similarity",
        "pairs",
        "swapped",
        "by similarity",
        "pairs",
        "sure",
        "by similarity",
        "pairs",
    ):
        table.add_column(title, justify="left" if title == "registry" else "right")
    for folder in folders:
        table.add_row(*row(folder))
    return table


if __name__ == "__main__":
    main()
