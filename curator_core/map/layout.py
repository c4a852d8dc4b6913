"""The map: where each tool stands on a plane, so that like tools stand together, and stay where they are when others are edited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from curator_core.encoder import fingerprint_of
from curator_core.errors import CuratorError
from curator_core.index import Progress, ToolIndex
from curator_core.map.plane import beside, drawn, neighbours_kept, parted, sketched
from curator_core.nearest import Rows, distinct_rows
from curator_core.overlap import rows_of, text_digests
from curator_core.records import Bools, Floats, frozen
from curator_core.settings import Settings

FORMAT = "tool-curator map 3"  # raise when the same vectors would stand elsewhere


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where the tools of an index stand; x and y lie between -1 and 1. Tools with the same text stand on one spot.

    fingerprint: of the index; model: of the model that made its vectors. keys, digests: each tool, and its text's digest. positions:
    (n, 2), in order of keys. placed: which tools were put among their neighbours after the map was drawn, new or edited ones. method:
    "empty", "point", "line", "circle", "t-SNE", or "PCA" for a sketch.
    neighbours_kept: how far the picture can be trusted: the share of a tool's 10 nearest neighbours in the original space that are
    among its 10 nearest on the map, on average; None where there are too few tools to ask.
    """

    fingerprint: str
    model: str
    keys: tuple[str, ...]
    digests: tuple[str, ...]
    positions: Floats
    placed: Bools
    method: str
    neighbours_kept: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the layout as JSON-serialisable values; `from_dict` gives it back to the last bit."""
        arrays = {"x": self.positions[:, 0].tolist(), "y": self.positions[:, 1].tolist(), "placed": self.placed.tolist()}
        texts = {"format": FORMAT, "fingerprint": self.fingerprint, "model": self.model, "method": self.method}
        return {**texts, "neighbours_kept": self.neighbours_kept, "keys": list(self.keys), "digests": list(self.digests), **arrays}

    @classmethod
    def from_dict(cls, values: Any) -> Layout:
        """Make a layout of what `to_dict` gave. Raises ValueError for anything else."""
        stored = _Stored.model_validate(values)
        if stored.format != FORMAT or len({len(some) for some in (stored.keys, stored.digests, stored.x, stored.y, stored.placed)}) > 1:
            raise ValueError(f"a map needs format {FORMAT!r} and lists of one length")
        positions = np.array([stored.x, stored.y], dtype=np.float64).T
        if np.abs(positions).max(initial=0.0) > 1:
            raise ValueError("a map's positions lie between -1 and 1")
        texts = (stored.fingerprint, stored.model, tuple(stored.keys), tuple(stored.digests))
        return cls(*texts, frozen(positions), frozen(np.array(stored.placed, dtype=bool)), stored.method, stored.neighbours_kept)


class _Stored(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    format: str
    fingerprint: str
    model: str
    method: str
    neighbours_kept: float | None
    keys: list[str]
    digests: list[str]
    x: list[float]
    y: list[float]
    placed: list[bool]


def lay_out(index: ToolIndex, previous: Layout | None = None, progress: Progress | None = None) -> Layout:
    """Give every tool its position. The same index gives the same map, in every process; nothing depends on the file's order.

    How a map is drawn: `plane.drawn`. previous: every tool whose text stands on that map stays exactly there, and the others are placed
    among their neighbours. The map is drawn anew where that one is of another model, or where more than half of the tools would have
    come after it was drawn. progress: as in `plane.drawn`. Raises ModelUnavailable for an index of words only.
    """
    rows, model, digests = rows_of(index, Settings()), model_of(index), text_digests(index)
    stays = {} if previous is None or previous.model != model else dict(zip(previous.digests, range(len(previous.keys)), strict=True))
    old = np.array([stays.get(digest, -1) for digest in digests], dtype=np.int64)
    new = old < 0
    if previous is None or new.all() or (new | previous.placed[old]).mean() > 0.5:
        positions, method = drawn(rows, progress)
        placed = np.zeros(len(rows), dtype=bool)
    else:
        positions, method, placed = np.where(new[:, None], 0.0, previous.positions[old]), previous.method, new | previous.placed[old]
        first = np.flatnonzero(~new)[distinct_rows(rows[~new])[0]]  # five copies of one text would be one neighbour
        positions[new] = beside(rows[first], positions[first], rows[new])
        positions = parted(positions, new, digests)
    kept = neighbours_kept(rows, positions)
    return Layout(index.fingerprint, model, index.keys, digests, frozen(positions), frozen(placed), method, kept)


def sketch(index: ToolIndex) -> Layout:
    """Return a first layout at once, method "PCA", to look at while `lay_out` works; no tool keeps its place in it."""
    rows = rows_of(index, Settings())
    positions = sketched(rows)
    known = (index.fingerprint, model_of(index), index.keys, text_digests(index))
    return Layout(*known, frozen(positions), frozen(np.zeros(len(rows), dtype=bool)), "PCA", neighbours_kept(rows, positions))


def place_query(layout: Layout, index: ToolIndex, vector: Rows) -> tuple[float, float]:
    """Return where a question's vector (d,) stands: among its 5 nearest tools, where most of them stand together (`plane.beside`).

    Raises CuratorError when the layout belongs to another index or there are no tools.
    """
    rows = rows_of(index, Settings())
    if layout.fingerprint != index.fingerprint or not len(rows):
        found = "has no tools" if not len(rows) else f"was made for index {layout.fingerprint[:8]}, not {index.fingerprint[:8]}"
        raise CuratorError(f"the map {found}; lay the index out first")
    x, y = beside(rows, layout.positions, np.asarray(vector, dtype=np.float32)[None, :])[0]
    return float(x), float(y)


def model_of(index: ToolIndex) -> str:
    """Return the fingerprint of the model that made the vectors, "" where there is none."""
    return "" if index.encoder is None else fingerprint_of(index.encoder)
