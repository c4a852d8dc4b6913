"""What speaks for a clash, pair by pair: swaps in test queries, where the tools' own questions go, and how close the two are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from curator_core.collisions.strays import Strays
from curator_core.collisions.word_table import distinct
from curator_core.evaluation import Evaluation
from curator_core.index import ToolIndex
from curator_core.proof.query_result import QueryResult
from curator_core.records import Floats, Ints
from curator_core.settings import Settings

STRAY_WEIGHT = 4.0  # all of a tool's own questions going to the other count as much as so many swaps
DECIMALS = 4


def counted_results(evaluation: Evaluation) -> tuple[QueryResult, ...]:
    """Return the results that count as evidence: judged, answered, and not held out."""
    return tuple(result for result in evaluation.apart[0].results if result.status == "judged" and result.tools)


def swaps_between(results: Iterable[QueryResult], a: str, b: str) -> tuple[QueryResult, ...]:
    """Return the test queries of one of two tools whose first tool is the other."""
    return tuple(result for result in results if any(pair in ((a, b), (b, a)) for pair, _ in _swaps(result)))


def _swaps(result: QueryResult) -> Iterator[tuple[tuple[str, str], float]]:
    """Give (tool, the one that came first instead of it) and how much of a swap it is; the parts of one question add up to 1."""
    expected = tuple(dict.fromkeys(result.case.expected or ()))
    if result.status == "judged" and result.tools and result.tools[0] not in expected:
        for tool in expected:
            yield (tool, result.tools[0]), 1 / len(expected)


@dataclass(frozen=True, eq=False)
class PairEvidence:
    """Pairs (n, 2) of pool positions, the smaller first, with each direction's evidence (n, 2): the first's to the second, and back."""

    positions: Ints
    lost: Ints
    weights: Floats
    firsts: Ints
    shares: Floats
    asked: Ints
    similarities: Floats
    closeness: Floats
    pool: Ints

    @cached_property
    def harm(self) -> Floats:
        """What the list is ordered by (curator_core.collisions.clashes, Clash)."""
        total = self.weights.sum(axis=1) + STRAY_WEIGHT * self.shares.sum(axis=1) + self.closeness
        return np.asarray(np.round(total, DECIMALS))


def gather_evidence(index: ToolIndex, settings: Settings, strays: Strays, results: Sequence[QueryResult]) -> PairEvidence:
    """Gather what is known of every pair that was near, or was swapped."""
    pool, size, victims = index.pool().positions[[index.positions[key] for key in strays.keys]], len(strays.keys), strays.victims
    swapped = _swap_table(strays, results)
    codes = np.minimum(victims, strays.others) * size + np.maximum(victims, strays.others)
    swap_codes = [min(pair) * size + max(pair) for pair in swapped]
    pairs = distinct(np.concatenate([codes, np.array(swap_codes, dtype=np.int64)]))
    at, back = np.searchsorted(pairs, codes), (victims > strays.others).astype(np.int64)
    firsts, shares = np.zeros((len(pairs), 2), np.int64), np.zeros((len(pairs), 2))
    firsts[at, back], shares[at, back] = strays.firsts, strays.shares
    lost, weights = np.zeros((len(pairs), 2), np.int64), np.zeros((len(pairs), 2))
    for row, (pair, (count, weight)) in zip(np.searchsorted(pairs, swap_codes), swapped.items(), strict=True):
        lost[row, int(pair[0] > pair[1])], weights[row, int(pair[0] > pair[1])] = count, weight
    positions = np.column_stack(np.divmod(pairs, max(size, 1)))
    similarities = np.full(len(pairs), np.nan)
    similarities[at] = strays.similarities
    _fill_similarities(index, settings, pool, positions, similarities)
    closeness = _closeness(similarities, nearest_similarities_of(strays))
    return PairEvidence(positions, lost, weights, firsts, shares, strays.asked[positions].sum(axis=1), similarities, closeness, pool)


def _closeness(similarities: Floats, nearest: Floats) -> Floats:
    """Return for each pair the share of tools that have no nearer neighbour; 0 where nothing is known of meanings."""
    return np.where(np.isnan(similarities), 0.0, np.searchsorted(nearest, similarities, side="right") / max(len(nearest), 1))


def _swap_table(strays: Strays, results: Iterable[QueryResult]) -> dict[tuple[int, int], tuple[int, float]]:
    """Return for (victim, thief), as pool positions, how many swaps there are and how much they weigh."""
    places = {key: place for place, key in enumerate(strays.keys)}
    table: dict[tuple[int, int], tuple[int, float]] = {}
    for result in results:
        for (victim, thief), weight in _swaps(result):
            if victim in places and thief in places:
                pair = places[victim], places[thief]
                count, sum_ = table.get(pair, (0, 0.0))
                table[pair] = count + 1, sum_ + weight
    return table


def _fill_similarities(index: ToolIndex, settings: Settings, pool: Ints, positions: Ints, similarities: Floats) -> None:
    """Work out the similarity of the few pairs that were swapped without being near."""
    vectors = index.dense(settings.plain()) if settings.dense else None
    if vectors is None:
        return
    rows = vectors.rows
    for row in np.flatnonzero(np.isnan(similarities)):
        a, b = pool[positions[row]]
        similarities[row] = round(float(np.vecdot(rows[a].astype(np.float64), rows[b].astype(np.float64))), settings.similarity_decimals)


def nearest_similarities_of(strays: Strays) -> Floats:
    """Return each tool's similarity to the tool nearest to it, ascending."""
    nearest = np.full(len(strays.keys), -np.inf)
    np.maximum.at(nearest, strays.victims, np.nan_to_num(strays.similarities, nan=-np.inf))
    return np.sort(nearest)
