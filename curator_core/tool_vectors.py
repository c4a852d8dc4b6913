"""Several vectors a tool, added by weight: the whole text dilutes what its pieces say plainly, and a group tells where a tool belongs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from curator_core.settings import Settings
from curator_core.synonyms import IndexedText

Rows = NDArray[np.float32]
_WEIGHTS = ("vector_whole", "vector_description", "vector_name", "vector_group")  # of the pieces, in their order


def vector_weights(settings: Settings) -> tuple[float, ...]:
    """Return the weights of a tool's pieces; all 0 counts as the whole text alone."""
    weights = tuple(getattr(settings, name) for name in _WEIGHTS)
    return weights if any(weights) else (1.0, 0.0, 0.0, 0.0)


def pieces_of(text: IndexedText, kinds: Sequence[str]) -> tuple[str, ...]:
    """Return what of a tool is encoded: its whole text, its description (else its name), its name, and both with its group's name."""
    name, description, group = map(text.part, ("name", "description", "group"))
    return text.text(kinds), description or name, name, " ".join(filter(None, (group, name, description)))


def mixed_rows(texts: Sequence[IndexedText], kinds: Sequence[str], settings: Settings, rows_of: Callable[[list[str]], Rows]) -> Rows:
    """Return one vector a tool (n, d): the mean of its pieces' by weight, not normalised again, so that pieces that differ count less.

    rows_of: gives the vectors of texts.
    """
    weights = np.array(vector_weights(settings))
    used = np.flatnonzero(weights)
    pieces = [pieces_of(text, kinds) for text in texts]
    vectors = (weights[number] * rows_of([piece[number] for piece in pieces]).astype(np.float64) for number in used)
    mixed: Rows = (sum(vectors) / weights.sum()).astype(np.float32)
    return mixed
