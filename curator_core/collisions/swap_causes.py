"""What decides the swaps of a pair: meaning, words, or the name rule, which no change of a description or an extra context can overrule."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from curator_core.curator import Curator
from curator_core.proof.query_result import QueryResult
from curator_core.records import Row
from curator_core.settings import Settings
from curator_core.versus import Versus, compare_tools


@dataclass(frozen=True, slots=True)
class SwapCause:
    """One swap. result: the test query and its answer, which the thief comes first in; versus: both tools on it, the thief first."""

    result: QueryResult
    thief: str
    versus: Versus

    @property
    def by_name(self) -> bool:
        """Whether the name rule alone puts the thief before the other tool."""
        return self.versus.decided_by == "forced" and self.versus.first == self.thief

    @property
    def row(self) -> Row | None:
        """What the deciding pass knows of the thief."""
        return self.versus.rows[self.versus.first != self.thief]


def causes_of_swaps(curator: Curator, swaps: Iterable[QueryResult], a: str, b: str) -> tuple[SwapCause, ...]:
    """Ask the swapped test queries of a pair once more and say what decides each. swaps: as `swaps_between` gives them."""
    causes = []
    for swap in swaps:
        trace = curator.curate(swap.case.query, role=swap.case.role)
        causes.append(SwapCause(swap, swap.tools[0], compare_tools(trace, a, b)))
    return tuple(causes)


def name_rule_sentences(causes: Iterable[SwapCause], settings: Settings) -> tuple[str, ...]:
    """Say for each thief which of the swaps the name rule decides and what would change that; none where it decides nothing."""
    known = list(causes)
    by_name: dict[str, list[Row]] = {}
    for cause in known:
        if cause.by_name and cause.row is not None:
            by_name.setdefault(cause.thief, []).append(cause.row)
    return tuple(_sentence(thief, rows, len(known), settings) for thief, rows in by_name.items())


def _sentence(thief: str, rows: list[Row], swaps: int, settings: Settings) -> str:
    words = ", ".join(f"“{word}”" for word in dict.fromkeys(word for row in rows for word in row.forced_by))
    more = words_missing(rows, settings.anchor_ratio)
    longer = f"{'one more word' if more == 1 else f'{more} more words'} of {settings.anchor_min_length} letters or more"
    return (
        f"The name rule decides {len(rows)} of {swaps} {'swap' if swaps == 1 else 'swaps'}: it puts {thief} first wherever a question says "
        f"{words}, so no change of a description or an extra context undoes that. Rename {thief}, with {longer} that these questions do "
        "not say; or see on Engine & index, Audits, what the rule is worth, and change it there."
    )


def words_missing(rows: Iterable[Row], ratio: float) -> int:
    """Return how many words a name needs more, so that the words found of it are no longer the share that the name rule asks for."""
    return max((math.floor(row.forced_hits / ratio + 1e-9) + 1 - row.forced_of for row in rows), default=0) if ratio > 0 else 1
