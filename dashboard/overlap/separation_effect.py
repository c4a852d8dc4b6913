"""What a change does to the test queries of two tools, and to all others, before it is made. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from curator_core import Curator, Evaluation, QueryResult, compare_runs, counted_results, evaluate, swaps_between
from dashboard.tables import plural

Pair = tuple[str, str]


def effect_on_pair(pair: Pair, before: Evaluation, curator: Curator, names: Mapping[str, str]) -> str:
    """Ask the test queries of both tools under the change; say what becomes of the swaps, and how many come out right.

    before: with the texts as they are; curator: of the changed registry; names: the key of now for each key that the change renames.
    """
    old = counted_results(before)
    now = (names.get(pair[0], pair[0]), names.get(pair[1], pair[1]))
    cases = [case for case in curator.index.registry.test_queries if not set(now).isdisjoint(case.expected or ())]
    new = counted_results(evaluate(curator, cases))
    swaps = f"swaps {len(swaps_between(old, *pair))} → {len(swaps_between(new, *now))}"
    asked = [[result for result in results if _expects(result, keys)] for results, keys in ((old, pair), (new, now))]
    first, right = ([sum(told(result) for result in results) for results in asked] for told in (_comes_first, lambda one: bool(one.right)))
    theirs = (
        f"their {plural(len(asked[0]), 'test query')}: {right[0]} → {right[1]} right, {first[0]} → {first[1]} with the right tool first"
    )
    return f"{swaps} · {theirs}"


def elsewhere(pair: Pair, before: Evaluation, after: Evaluation | None, names: Mapping[str, str]) -> str:
    """Say what becomes of all other test queries; the draft bar says it later where that is not known yet."""
    if after is None:
        return "Elsewhere: the other test queries are being asked; the draft bar will say it."
    comparison = compare_runs(_others(before, pair), _others(after, [names.get(key, key) for key in pair]), names)
    verdicts = [change.verdict for change in comparison.changes]
    return f"Elsewhere: {verdicts.count('fixed')} fixed, {verdicts.count('broke')} broke, of {len(verdicts)} other test queries"


def _others(evaluation: Evaluation, keys: Iterable[str]) -> Evaluation:
    wanted = set(keys)
    return replace(evaluation, results=tuple(one for one in evaluation.apart[0].results if not _expects(one, wanted)))


def _expects(result: QueryResult, keys: Iterable[str]) -> bool:
    return not set(keys).isdisjoint(result.case.expected or ())


def _comes_first(result: QueryResult) -> bool:
    return result.tools[0] in (result.case.expected or ())
