"""Tools that come near to others of a registry: what an import may bring twice, under another name."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from curator_core.index import ToolIndex
from curator_core.overlap import nearest_tools
from curator_core.settings import Settings

NEAR = (
    0.85  # similarity of two tools' texts from which one is likely the other again: the same description under another name has about 0.89
)


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """A tool that is near to another. identical: both have the very same indexed text but for the name."""

    key: str
    other: str
    similarity: float
    identical: bool


def near_to_others(index: ToolIndex, keys: Collection[str], settings: Settings | None = None) -> tuple[NearDuplicate, ...]:
    """Return those of some tools whose nearest tool of the registry is at least NEAR, the nearest first, each pair once.

    Nothing without a model.
    """
    if index.encoder is None or len(index.keys) < 2:
        return ()
    wanted = set(keys)
    pairs = zip(index.keys, nearest_tools(index, settings), strict=True)
    found: dict[frozenset[str], NearDuplicate] = {}
    for key, near in pairs:
        if key in wanted and near.similarity >= NEAR:
            found.setdefault(frozenset((key, near.key)), NearDuplicate(key, near.key, near.similarity, near.identical))
    return tuple(sorted(found.values(), key=lambda one: (-one.similarity, one.key)))
