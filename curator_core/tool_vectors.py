"""Several vectors a tool, added by weight: the whole text dilutes what its pieces say plainly, and a group tells where a tool belongs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from curator_core.records import Floats
from curator_core.settings import Settings
from curator_core.synonyms import IndexedText

Rows = NDArray[np.float32]
_WEIGHTS = ("vector_whole", "vector_description", "vector_name", "vector_group")  # of the pieces, in their order


def vector_weights(settings: Settings) -> tuple[float, ...]:
    """Return the weights of a tool's pieces; all 0 counts as the whole text alone."""
    weights = tuple(getattr(settings, name) for name in _WEIGHTS)
    return weights if settings.tool_vectors and any(weights) else (1.0, 0.0, 0.0, 0.0)


def vector_numbers(settings: Settings) -> tuple[float, ...]:
    """Return all numbers that the vectors depend on."""
    of_examples = (settings.example_text, settings.example_length) if settings.examples else ()
    return *vector_weights(settings), *of_examples


def pieces_of(text: IndexedText, kinds: Sequence[str]) -> tuple[str, ...]:
    """Return what of a tool is encoded: its whole text, its description (else its name), its name, and both with its group's name."""
    name, description, group = map(text.part, ("name", "description", "group"))
    return text.text(kinds), description or name, name, " ".join(filter(None, (group, name, description)))


def encoded_pieces(texts: Sequence[IndexedText], kinds: Sequence[str], settings: Settings) -> Iterator[str]:
    """Yield every text that `mixed_rows` has read."""
    used = np.flatnonzero(vector_weights(settings)).tolist()
    for text in texts:
        pieces = pieces_of(text, kinds)
        yield from (pieces[number] for number in used)
        yield from text.examples if settings.examples else ()


def mixed_rows(texts: Sequence[IndexedText], kinds: Sequence[str], settings: Settings, rows_of: Callable[[list[str]], Rows]) -> Rows:
    """Return one vector a tool (n, d): the mean of its pieces' by weight, not normalised again, so that pieces that differ count less.

    rows_of: gives the vectors of texts. A tool with example questions has its vector moved towards them.
    """
    weights = np.array(vector_weights(settings))
    used = np.flatnonzero(weights)
    pieces = [pieces_of(text, kinds) for text in texts]
    vectors = (weights[number] * rows_of([piece[number] for piece in pieces]).astype(np.float64) for number in used)
    mixed = sum(vectors) / weights.sum()
    having = [number for number, text in enumerate(texts) if text.examples] if settings.examples else []
    found = rows_of([example for number in having for example in texts[number].examples]) if having else np.zeros((0, 0), np.float32)
    start = 0
    for number in having:
        stop = start + len(texts[number].examples)
        mixed[number] = _moved(mixed[number], found[start:stop].astype(np.float64), settings)
        start = stop
    rows: Rows = np.asarray(mixed, dtype=np.float32)
    return rows


def _moved(vector: Floats, examples: Floats, settings: Settings) -> Floats:
    """Return the direction of a tool's text and its examples together; the text counts as so many examples, so that few move it less.

    Its length is below 1, the more so the more of it are examples: they are near what users say, and a tool with them would otherwise win
    over tools that have none.
    """
    count, text = len(examples), settings.example_text
    together: Floats = text * vector / max(float(np.linalg.norm(vector)), 1e-12) + examples.sum(axis=0)
    length = 1 - (1 - settings.example_length) * count / (count + text)
    moved: Floats = length * together / max(float(np.linalg.norm(together)), 1e-12)
    return moved
