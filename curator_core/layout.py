"""The map: where each tool stands on a plane, so that like tools stand together, and stay where they are when others are edited."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict
from threadpoolctl import threadpool_limits

from curator_core.encoder import fingerprint_of
from curator_core.errors import CuratorError
from curator_core.index import ToolIndex
from curator_core.overlap import Rows, blocks, distinct_rows, nearest_rows, rows_of
from curator_core.records import Bools, Floats, Ints, frozen
from curator_core.settings import Settings

FORMAT = "tool-curator map 1"  # raise when the same vectors would stand elsewhere
FEW, QUICK, MOST = 5, 1000, 5000  # numbers of different tools at which the method changes, see `lay_out`
LANDMARKS = 4000
BESIDE, NEARBY = 5, 0.05  # a tool is placed by its 5 nearest ones, of which those within 0.05 of the chosen spot count
KEPT_NEIGHBOURS, KEPT_SAMPLE = 10, 500
KEPT_FILES = 30  # every draft with an edit is an index of its own
_SEED = 20


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Where the tools of an index stand; x and y lie between -1 and 1. Tools with the same text stand on one spot.

    fingerprint: of the index; model: of the model that made its vectors. keys, digests: each tool, and its text's digest. positions:
    (n, 2), in order of keys. placed: which tools were put among their neighbours after the map was drawn (new, edited, or beyond the
    first 4,000); many of them are a reason to draw it anew. method: "empty", "point", "line", "circle" or "t-SNE".
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

    def piles(self) -> tuple[int, ...]:
        """Return for each tool how many tools stand on its very spot, itself included."""
        spots = [tuple(spot) for spot in self.positions.tolist()]
        sizes = Counter(spots)
        return tuple(sizes[spot] for spot in spots)

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


def lay_out(index: ToolIndex, previous: Layout | None = None) -> Layout:
    """Give every tool its position. The same index gives the same map, in every process; nothing depends on the file's order.

    Up to 5 different vectors stand on a line or circle in order of keys, more by t-SNE from a PCA start with a fixed seed on one
    thread: 500 steps up to 1,000 vectors, then 300 coarser ones; above 5,000 it draws 4,000 of them and places the others.
    previous: every tool whose text stands on that map stays exactly there, the others are placed among their neighbours (`_beside`);
    where the two share no text or have different models, the map is drawn anew. Raises ModelUnavailable for an index of words only.
    """
    rows = rows_of(index, Settings())
    model, digests = _model(index), _digests(index)
    stays = {} if previous is None or previous.model != model else dict(zip(previous.digests, range(len(previous.keys)), strict=True))
    old = np.array([stays.get(digest, -1) for digest in digests], dtype=np.int64)
    if previous is not None and (old >= 0).any():
        positions, method = np.where(old[:, None] >= 0, previous.positions[old], 0.0), previous.method
        placed = np.where(old >= 0, previous.placed[old], True)
        positions[old < 0] = _beside(rows[old >= 0], positions[old >= 0], rows[old < 0])
    else:
        positions, placed, method = _drawn(rows)
    kept = _neighbours_kept(rows, positions)
    return Layout(index.fingerprint, model, index.keys, digests, frozen(positions), frozen(placed), method, kept)


def place_query(layout: Layout, index: ToolIndex, vector: Rows) -> tuple[float, float]:
    """Return where a question's vector (d,) stands: among its 5 nearest tools, where most of them stand together (`_beside`).

    Raises CuratorError when the layout belongs to another index or there are no tools.
    """
    rows = rows_of(index, Settings())
    if layout.fingerprint != index.fingerprint or not len(rows):
        found = "has no tools" if not len(rows) else f"was made for index {layout.fingerprint[:8]}, not {index.fingerprint[:8]}"
        raise CuratorError(f"the map {found}; lay the index out first")
    x, y = _beside(rows, layout.positions, np.asarray(vector, dtype=np.float32)[None, :])[0]
    return float(x), float(y)


def _model(index: ToolIndex) -> str:
    return "" if index.encoder is None else fingerprint_of(index.encoder)


def _digests(index: ToolIndex) -> tuple[str, ...]:
    return tuple(hashlib.sha256(text.text().encode("utf-8", "surrogatepass")).hexdigest()[:24] for text in index.texts)


# -- drawing a map


def _drawn(rows: Rows) -> tuple[Floats, Bools, str]:
    """Draw the different vectors, and put tools with the same vector on one spot."""
    first, number_of = distinct_rows(rows)
    rows, count = rows[first], len(first)
    placed = np.zeros(count, dtype=bool)
    if count <= FEW:
        spots, method = _few(count)
    elif count <= MOST:
        spots, method = _framed(_tsne(rows)), "t-SNE"
    else:
        placed[np.random.default_rng(_SEED).permutation(count)[LANDMARKS:]] = True
        spots, method = np.zeros((count, 2)), "t-SNE"
        spots[~placed] = _framed(_tsne(rows[~placed]))
        spots[placed] = _beside(rows[~placed], spots[~placed], rows[placed])
    return spots[number_of], placed[number_of], method


def _few(count: int) -> tuple[Floats, str]:
    if count < 3:
        return np.array([[0.0, 0.0]] if count == 1 else [[-0.5, 0.0], [0.5, 0.0]])[:count], ("empty", "point", "line")[count]
    turns = np.arange(count) / count * 2 * np.pi
    return np.round(np.column_stack([np.sin(turns), np.cos(turns)]) * 0.7, 6), "circle"


def _plain(rows: Rows) -> Floats:
    """Return the first two principal components (n, 2); scikit-learn fixes their signs."""
    from sklearn.decomposition import PCA

    with threadpool_limits(1):
        return np.asarray(PCA(2, random_state=_SEED).fit_transform(rows.astype(np.float64)))


def _tsne(rows: Rows) -> Floats:
    """Return t-SNE positions (n, 2) from our own neighbours, on one thread: with more, sums and so the map would differ."""
    from sklearn.manifold import TSNE

    quick = len(rows) > QUICK
    perplexity = 10.0 if quick else min(30.0, (len(rows) - 1) / 3)
    plain = _plain(rows)
    apart = np.random.default_rng(_SEED).normal(size=plain.shape) * 0.01  # what PCA puts on one spot would never part
    start = ((plain / plain[:, 0].std() + apart) * 1e-4).astype(np.float32)  # the scale at which t-SNE starts from PCA
    graph = _distances(rows, min(len(rows) - 1, int(3 * perplexity + 1)))
    pace = {"max_iter": 300, "early_exaggeration": 4.0, "angle": 1.0} if quick else {"max_iter": 500}
    with threadpool_limits(1):
        drawn = TSNE(perplexity=perplexity, metric="precomputed", init=start, random_state=_SEED, **pace).fit_transform(graph)
    return np.asarray(drawn, dtype=np.float64)


def _distances(rows: Rows, count: int) -> Any:
    """Return the distances to the `count` nearest rows as a sparse graph, each row sorted, itself first, as scikit-learn wants it."""
    from scipy.sparse import csr_matrix

    places, similarities = nearest_rows(rows, count)
    near = np.column_stack([np.arange(len(rows)), places])
    far = np.column_stack([np.zeros(len(rows)), np.sqrt(np.maximum(0.0, 2 - 2 * similarities))])
    return csr_matrix((far.ravel(), near.ravel(), np.arange(0, near.size + 1, count + 1)), shape=(len(rows), len(rows)))


def _framed(points: Floats) -> Floats:
    """Centre the points and scale them evenly to -1..1."""
    centred = points - (points.max(axis=0) + points.min(axis=0)) / 2
    framed: Floats = np.round(centred / (np.abs(centred).max() or 1.0), 6)
    return framed


# -- placing on a drawn map


def _beside(rows: Rows, positions: Floats, vectors: Rows) -> Floats:
    """Place vectors (m, d) on a map that has the rows: (m, 2).

    Of a vector's 5 nearest rows, the one that stands closest to the other four is chosen, nearer ones weighing more; its place is the
    mean of those within 0.05 of that one, by the same weights, 1 / (1 - similarity). A mean over all five would fall between groups
    where no like tool stands: on 4,076 tools it kept 22 % of the neighbours, this keeps 40 %.
    """
    placed = np.zeros((len(vectors), 2))
    for start, stop in blocks(len(vectors), len(rows)):
        similarities = np.round((vectors[start:stop] @ rows.T).astype(np.float64), 6)
        near = np.argsort(-similarities, axis=1, kind="stable")[:, :BESIDE]
        weights = 1 / np.maximum(1 - np.take_along_axis(similarities, near, 1), 1e-6)
        spots = positions[near]
        apart = np.linalg.norm(spots[:, :, None] - spots[:, None], axis=3)
        chosen = np.einsum("mij,mj->mi", apart, weights).argmin(axis=1)
        together = weights * (apart[np.arange(len(near)), chosen] <= NEARBY)
        placed[start:stop] = np.einsum("mi,mij->mj", together, spots) / together.sum(axis=1, keepdims=True)
    return np.round(placed, 6)


def _neighbours_kept(rows: Rows, positions: Floats) -> float | None:
    """Return the share of the nearest neighbours that are so on the map, over at most 500 different vectors with a fixed seed."""
    from scipy.spatial import cKDTree

    first, _ = distinct_rows(rows)
    if len(first) <= KEPT_NEIGHBOURS + 1:  # every other tool would be among the 10 nearest
        return None
    some: Ints = np.sort(np.random.default_rng(_SEED).permutation(len(first))[:KEPT_SAMPLE])
    near, _ = nearest_rows(rows[first], KEPT_NEIGHBOURS, some)
    drawn: NDArray[np.int64] = cKDTree(positions[first]).query(positions[first][some], KEPT_NEIGHBOURS + 1)[1]
    shares = [len(set(a.tolist()) & set(b[b != own][:KEPT_NEIGHBOURS].tolist())) for own, a, b in zip(some, near, drawn, strict=True)]
    return round(float(np.mean(shares)) / KEPT_NEIGHBOURS, 4)


# -- keeping maps between processes


def kept_layout(index: ToolIndex, cache_dir: str | Path | None, previous: Layout | None = None) -> Layout:
    """Return the map of an index: the one kept in the cache folder, else laid out now and kept there.

    previous: as in `lay_out`; a kept map on which one of its tools would jump is not used. cache_dir None keeps nothing.
    """
    found = None if cache_dir is None else load_layout(cache_dir, index)
    if found is not None and (previous is None or _agree(found, previous)):
        return found
    layout = lay_out(index, previous)
    if cache_dir is not None:
        save_layout(cache_dir, layout)
    return layout


def load_layout(cache_dir: str | Path, index: ToolIndex) -> Layout | None:
    """Return the map that was kept for exactly this index; None when there is none, or when the file is damaged or unreadable."""
    try:
        layout = Layout.from_dict(json.loads(_file(cache_dir, index.fingerprint).read_bytes()))
    except (OSError, ValueError, RecursionError):  # it can be made again: damage is as good as absence
        return None
    same = (layout.fingerprint, layout.model, layout.keys, layout.digests) == (
        index.fingerprint,
        _model(index),
        index.keys,
        _digests(index),
    )
    return layout if same else None


def save_layout(cache_dir: str | Path, layout: Layout) -> bool:
    """Keep a map in the cache folder, whole or not at all, and drop all but the last KEPT_FILES. False where it cannot be written."""
    target = _file(cache_dir, layout.fingerprint)
    written = target.with_name(f"{target.name}.{uuid4().hex[:8]}.tmp")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(json.dumps(layout.to_dict()), encoding="ascii")
        written.replace(target)
        by_age = sorted(target.parent.glob("map-*.json"), key=lambda path: path.stat().st_mtime_ns)
        for old in by_age[:-KEPT_FILES]:
            old.unlink(missing_ok=True)
    except OSError:
        with suppress(OSError):
            written.unlink(missing_ok=True)
        return False
    return True


def _file(cache_dir: str | Path, fingerprint: str) -> Path:
    return Path(cache_dir) / f"map-{fingerprint[:32]}.json"


def _agree(one: Layout, two: Layout) -> bool:
    """Say whether every text that both maps have stands on one spot, and they have the same model."""
    here, there = (dict(zip(layout.digests, layout.positions.tolist(), strict=True)) for layout in (one, two))
    return one.model == two.model and all(here[digest] == there[digest] for digest in here.keys() & there.keys())
