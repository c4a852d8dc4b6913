"""Tools that edits bring closer together: the same phrase in two texts makes them equal for every question that says it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curator_core.index import ToolIndex
from curator_core.overlap import rows_of
from curator_core.records import Floats
from curator_core.settings import Settings

LEAST = 0.03  # a smaller rise of the similarity is not said
CHANGED_AT_MOST = 200  # tools whose texts changed that are looked at


@dataclass(frozen=True, slots=True)
class CloserPair:
    """Two tools with their similarity before the edits and after them."""

    tool: str
    other: str
    before: float
    after: float


def closer_pairs_of(before: ToolIndex, after: ToolIndex, settings: Settings | None = None, limit: int = 10) -> tuple[CloserPair, ...]:
    """Return the pairs that edits bring at least LEAST closer, one of them with a changed text, the largest rise first.

    Tools that are on one side only do not count. Nothing without a model on both sides.
    """
    settings = settings or Settings()
    if before.encoder is None or after.encoder is None or before is after:
        return ()
    texts = {text.key: text.text() for text in before.texts}
    shared = [text.key for text in after.texts if text.key in texts]
    changed = [text.key for text in after.texts if texts.get(text.key, text.text()) != text.text()][:CHANGED_AT_MOST]
    if not changed:
        return ()
    old, new = _similarities(before, changed, shared, settings), _similarities(after, changed, shared, settings)
    rise = (new - old).round(settings.similarity_decimals)
    found: dict[frozenset[str], CloserPair] = {}
    for row, column in np.argwhere(rise >= LEAST):
        tool, other = changed[row], shared[column]
        if tool != other:
            pair = CloserPair(tool, other, round(float(old[row, column]), 3), round(float(new[row, column]), 3))
            found.setdefault(frozenset((tool, other)), pair)
    return tuple(sorted(found.values(), key=lambda one: (one.before - one.after, one.tool, one.other))[:limit])


def _similarities(index: ToolIndex, changed: list[str], shared: list[str], settings: Settings) -> Floats:
    rows = rows_of(index, settings)
    some, all_ = (rows[[index.positions[key] for key in keys]].astype(np.float64) for keys in (changed, shared))
    return np.asarray(some @ all_.T, dtype=np.float64)
