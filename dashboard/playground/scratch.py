"""Several questions at once: what each brings, in one line. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import pandas as pd

from curator_core import Curator, Settings, ToolIndex, Trace
from dashboard.tables import NAME, decimals, visible

AT_MOST = 50
FIRST = 3
TWO_IN_ONE, UNSURE, NOTHING = "two-in-one", "unsure", "nothing fits"
FLAGS = (NAME, TWO_IN_ONE, UNSURE, NOTHING)
_KEPT = 500
_kept: WeakKeyDictionary[ToolIndex, dict[tuple[str, str | None, Settings], Asked]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of the list. first: the first tools; tools: how many there are; best: the best meaning match; flags: of FLAGS."""

    query: str
    first: tuple[str, ...]
    tools: int
    best: float | None
    flags: tuple[str, ...]


def questions(text: str) -> tuple[str, ...]:
    """Return the questions of a text, one a line, without blank lines and repeats."""
    return tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))


def ask(curator: Curator, queries: Sequence[str], role: str | None) -> tuple[Asked, ...]:
    """Ask the first AT_MOST questions; what was asked before with the same index, role and settings is kept."""
    kept = _kept.setdefault(curator.index, {})
    found = []
    for query in queries[:AT_MOST]:
        key = (query, role, curator.settings)
        if key not in kept:
            kept[key] = _asked(curator.curate(query, role=role))
        found.append(kept[key])
    while len(kept) > _KEPT:
        kept.pop(next(iter(kept)), None)
    return tuple(found)


def scratch_frame(asked: Sequence[Asked]) -> pd.DataFrame:
    """Return one row a question: its first tools, the best meaning match, and what to know about it."""
    rows = []
    for one in asked:
        named = [visible(key) for key in one.first] + [""] * (FIRST - len(one.first))
        rows.append((visible(one.query), decimals(one.best, 2) or "–", list(one.flags), *named))
    return pd.DataFrame(rows, columns=["question", "meaning", "flags", "1st", "2nd", "3rd"])


def _asked(trace: Trace) -> Asked:
    named = any(one.anchor is not None and bool(one.anchor.forced.any()) for one in trace.passes)
    flags = {
        NAME: named,
        TWO_IN_ONE: bool(trace.split.parts),
        UNSURE: trace.confidence.low_confidence,
        NOTHING: trace.evidence == "none",
    }
    best = trace.confidence.max_similarity
    return Asked(trace.query, trace.tools[:FIRST], len(trace.tools), best, tuple(flag for flag, holds in flags.items() if holds))
