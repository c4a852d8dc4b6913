"""When a question is so unlike the registry's own that probably no tool applies: a line drawn through its test queries."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from curator_core.best_matches import BestMatches, best_matches
from curator_core.index import ToolIndex
from curator_core.queries.held_out import without_held_out
from curator_core.settings import Settings
from curator_core.text import has_word_character, plural
from curator_core.tool import TestQuery

FEWEST = 20  # test queries from which their tenth percentile says something
MOST = 1_000  # of more, so many that stand evenly in the file: enough for the percentile, and the first look stays short
_TENTH, _KEPT = 10, 12


@dataclass(frozen=True, slots=True)
class NoToolLine:
    """Below which best meaning match a question is probably one that no tool fits.

    value: the similarity, rounded down to two decimals. queries: test queries that name a right tool and are not held out. own: it is
    drawn through them, so that nine in ten reach it; else they are too few (below FEWEST), and it is the setting "Unsure below".
    """

    value: float
    queries: int
    own: bool

    @property
    def sentence(self) -> str:
        """Where the line comes from, in plain words."""
        if self.own:
            asked = f"{plural(self.queries, 'test query')} with a right tool"
            return f"nine in ten of the {asked} have a best meaning match of {self.value:.2f} or more"
        return (
            f"{plural(self.queries, 'test query')} with a right tool, too few to draw a line of the registry's own (it takes {FEWEST}): "
            f"the setting “Unsure below” stands in, {self.value:.2f}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the line as JSON-serialisable values."""
        return asdict(self)


_Asked = dict[str | None, tuple[tuple[str, ...], BestMatches]]  # by role
_Known = tuple[tuple[TestQuery, ...], NoToolLine, _Asked]
_lines: WeakKeyDictionary[ToolIndex, dict[tuple[Settings, int], _Known]] = WeakKeyDictionary()  # the newest comes last
_lock = threading.Lock()  # settings are compared in Python, so that another thread may come in between


def no_tool_line(index: ToolIndex, settings: Settings, cases: tuple[TestQuery, ...] | None = None) -> NoToolLine:
    """Return the line of a registry under these settings.

    cases: the test queries to draw it through, None = those of the index's registry; held-out ones are not looked at. Kept per index: the
    first look asks all of them, which encodes those that were not asked before. The tools' own texts draw no line: what they say of
    themselves lies too high (on 3 of 9 public sets by more than 0.1, which would flag a third of the good questions).
    """
    return _known(index, settings, index.registry.test_queries if cases is None else cases)[1]


def _known(index: ToolIndex, settings: Settings, cases: tuple[TestQuery, ...]) -> _Known:
    with _lock:
        kept = _lines.setdefault(index, {})
        known = kept.get((settings, id(cases)))
        if known is not None:
            return known
        same = (one for (other, _), one in kept.items() if other == settings and one[0] == cases)  # the tuple of an edited registry
        known = next(same, None)
    known = known or _drawn(index, settings, cases)
    with _lock:
        kept[settings, id(cases)] = (cases, *known[1:])  # with the cases themselves, so that no others take their id
        while len(kept) > _KEPT:
            del kept[next(iter(kept))]
    return known


def _drawn(index: ToolIndex, settings: Settings, cases: tuple[TestQuery, ...]) -> _Known:
    asked = answerable(index, cases) if settings.dense and index.store is not None else []
    if len(asked) < FEWEST or index.store is None:
        return cases, NoToolLine(settings.low_confidence_similarity, len(asked), False), {}
    index.store.queries.ahead(case.query for case in asked)
    before = _known(index.base, settings, cases)[2] if index.base is not index else {}
    found: _Asked = {}
    for role in dict.fromkeys(case.role for case in asked):
        queries = tuple(case.query for case in asked if case.role == role)
        vectors = np.stack([index.store.queries.of(query) for query in queries])
        same = before[role][1] if role in before and before[role][0] == queries else None
        found[role] = (queries, best_matches(index, settings, role, vectors, same))
    best = sorted(float(value) for _, matches in found.values() for value in matches.values)
    return cases, NoToolLine(math.floor(best[len(best) // _TENTH] * 100 + 1e-9) / 100, len(asked), True), found


def answerable(index: ToolIndex, cases: Sequence[TestQuery]) -> list[TestQuery]:
    """Return the test queries that the line is drawn through: each can be asked, names a tool that is there, and is not held out."""
    roles, keys = index.registry.roles, index.positions
    some = [
        case
        for case in without_held_out(cases)
        if case.expected and case.role in (None, *roles) and has_word_character(case.query) and not keys.keys().isdisjoint(case.expected)
    ]
    return some if len(some) <= MOST else [some[number * len(some) // MOST] for number in range(MOST)]
