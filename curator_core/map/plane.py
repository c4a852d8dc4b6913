"""Vectors on a plane: drawn so that like ones stand together, set beside those that stand there, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from curator_core.index import Progress
from curator_core.nearest import Rows, blocks, cosines, distinct_rows, most_alike
from curator_core.overlap import nearest_rows
from curator_core.records import Bools, Floats, Ints

FEW, FINE, WHOLE, MOST = 5, 500, 1000, 8000  # numbers of different vectors at which the method changes, see `drawn`
BESIDE, NEARBY = 5, 0.05  # set beside the 5 nearest, of which those within 0.05 of the chosen one count; the map goes from -1 to 1
BONDS, CLOSE, ROUNDS, LOOK = 10, 20, 90, 10  # see `_settled`
KEPT_NEIGHBOURS, KEPT_SAMPLE = 10, 500
_SEED, _OTHER_SEED = 20, 21


def drawn(rows: Rows, progress: Progress | None = None) -> tuple[Floats, str]:
    """Draw vectors: positions (n, 2) between -1 and 1, and the method, "empty", "point", "line", "circle" or "t-SNE".

    Equal vectors stand on one spot. Up to 5 different ones stand on a line or circle in their order, up to 1,000 by t-SNE from a PCA
    start. Of more, t-SNE draws a part (halved until at most 1,000 are left, by a fixed seed); then come twice as many, set beside those
    there, and all settle (`_settled`), until all stand: in a third of the time of t-SNE over 4,076 tools this keeps as many neighbours.
    Those beyond 8,000 do not settle. One thread, so that every process draws the same. progress: (different vectors that stand, all).
    """
    first, number_of = distinct_rows(rows)
    if len(first) <= FEW:
        spots, method = _few(len(first))
    else:
        with threadpool_limits(1):  # sums of several threads differ in the last bits from run to run, and so would the map
            spots, method = _grown(rows[first], progress), "t-SNE"
    return spots[number_of], method


def sketched(rows: Rows) -> Floats:
    """Give vectors (n, d) places (n, 2) at once: their first two principal components, where the broad groups part and little else."""
    first, number_of = distinct_rows(rows)
    return (_few(len(first))[0] if len(first) <= FEW else _framed(_plain(rows[first])))[number_of]


def beside(rows: Rows, positions: Floats, vectors: Rows) -> Floats:
    """Give vectors (m, d) their places, (m, 2), on a map that has the rows (n, d) at positions (n, 2).

    Of a vector's 5 nearest rows, the one that stands closest to the other four is chosen, nearer ones weighing more; its place is the
    mean of those close to that one, by the same weights, 1 / (1 - similarity). A mean over all five would fall between groups where
    no like tool stands.
    """
    placed = np.zeros((len(vectors), 2))
    reach = NEARBY * float(np.abs(positions).max(initial=0.0))
    for start, stop in blocks(len(vectors), len(rows)):
        near = most_alike(vectors[start:stop] @ rows.T, BESIDE)
        alike = cosines(vectors, rows, np.repeat(np.arange(start, stop), near.shape[1]), near.ravel(), 6).reshape(near.shape)
        weights = 1 / np.maximum(1 - alike, 1e-6)
        spots = positions[near]
        apart = np.linalg.norm(spots[:, :, None] - spots[:, None], axis=3)
        chosen = np.einsum("mij,mj->mi", apart, weights).argmin(axis=1)
        together = weights * (apart[np.arange(len(near)), chosen] <= reach)
        placed[start:stop] = np.einsum("mi,mij->mj", together, spots) / together.sum(axis=1, keepdims=True)
    return np.round(placed, 6)


def parted(positions: Floats, new: Bools, names: Sequence[Hashable]) -> Floats:
    """Move the new ones (n,) that stand on the spot of another name a little aside, so that no two texts look like one.

    Those of one name stay together; the others, and where they can the new ones too, stay where they are.
    """
    moved = positions.copy()
    taken = {tuple(positions[at].tolist()): names[at] for at in np.flatnonzero(~new).tolist()}
    for at in np.flatnonzero(new).tolist():
        for attempt in count():
            turn = 2.4 * attempt  # the golden angle: no two attempts in one direction
            aside = positions[at] + 0.02 * np.sqrt(attempt) * np.array([np.cos(turn), np.sin(turn)])
            moved[at] = np.round(np.clip(aside, -1, 1), 6)
            if taken.setdefault(tuple(moved[at].tolist()), names[at]) == names[at]:
                break
    return moved


def neighbours_kept(rows: Rows, positions: Floats) -> float | None:
    """Return the share of the 10 nearest neighbours that are so on the map, over at most 500 different vectors with a fixed seed.

    None where there are too few to ask. The seed is not that of `drawn`: what t-SNE has drawn itself stands better than the rest.
    """
    from scipy.spatial import cKDTree

    first, _ = distinct_rows(rows)
    if len(first) <= KEPT_NEIGHBOURS + 1:  # every other tool would be among the 10 nearest
        return None
    some: Ints = np.sort(np.random.default_rng(_OTHER_SEED).permutation(len(first))[:KEPT_SAMPLE])
    near, _ = nearest_rows(rows[first], KEPT_NEIGHBOURS, some)
    on_map: NDArray[np.int64] = cKDTree(positions[first]).query(positions[first][some], KEPT_NEIGHBOURS + 1)[1]
    shares = [len(set(a.tolist()) & set(b[b != own][:KEPT_NEIGHBOURS].tolist())) for own, a, b in zip(some, near, on_map, strict=True)]
    return round(float(np.mean(shares)) / KEPT_NEIGHBOURS, 4)


# -- drawing


def _few(size: int) -> tuple[Floats, str]:
    if size < 3:
        return np.array([[0.0, 0.0]] if size == 1 else [[-0.5, 0.0], [0.5, 0.0]])[:size], ("empty", "point", "line")[size]
    turns = np.arange(size) / size * 2 * np.pi
    return np.round(np.column_stack([np.sin(turns), np.cos(turns)]) * 0.7, 6), "circle"


def _framed(points: Floats) -> Floats:
    """Centre the points and scale them evenly to -1..1."""
    centred = points - (points.max(axis=0) + points.min(axis=0)) / 2
    framed: Floats = np.round(centred / (np.abs(centred).max() or 1.0), 6)
    return framed


def _grown(rows: Rows, progress: Progress | None) -> Floats:
    """Draw a part of the rows, and let the others come in between, twice as many each time."""
    order = np.random.default_rng(_SEED).permutation(len(rows))
    sizes = [min(len(rows), MOST)]
    while sizes[-1] > WHOLE:
        sizes.append(-(-sizes[-1] // 2))
    report = progress or (lambda *_: None)
    report(0, len(rows))
    there: Ints = np.sort(order[: sizes.pop()])
    points = _tsne(rows[there])
    while sizes:
        report(len(there), len(rows))
        more: Ints = np.sort(order[: sizes.pop()])
        points = _settled(_joined(rows, there, points, more) * np.sqrt(len(more) / len(there)), nearest_rows(rows[more], BONDS)[0])
        there = more
    report(len(rows), len(rows))
    if len(there) == len(rows):
        return _framed(points)
    late = np.isin(np.arange(len(rows)), there, invert=True)
    return parted(_joined(rows, there, _framed(points), np.arange(len(rows))), late, range(len(rows)))


def _joined(rows: Rows, there: Ints, points: Floats, more: Ints) -> Floats:
    """Return the places of `more` rows, of which some are there and the others are set beside them."""
    own = np.searchsorted(more, there)
    new = np.setdiff1d(np.arange(len(more)), own)
    joined = np.zeros((len(more), 2))
    joined[own], joined[new] = points, beside(rows[there], points, rows[more[new]])
    return joined


def _tsne(rows: Rows) -> Floats:
    """Return t-SNE positions (n, 2) from our own neighbours: 500 steps to 500 rows, else 300 over fewer neighbours."""
    from sklearn.manifold import TSNE

    perplexity, steps = (min(30.0, (len(rows) - 1) / 3), 500) if len(rows) <= FINE else (10.0, 300)
    plain = _plain(rows)
    apart = np.random.default_rng(_SEED).normal(size=plain.shape) * 0.01  # what PCA puts on one spot would never part
    start = ((plain / plain[:, 0].std() + apart) * 1e-4).astype(np.float32)  # the scale at which t-SNE starts from PCA
    graph = _distances(rows, min(len(rows) - 1, int(3 * perplexity + 1)))
    pace = {"max_iter": steps, "early_exaggeration": 4.0, "angle": 1.0, "random_state": _SEED}
    return np.asarray(TSNE(perplexity=perplexity, metric="precomputed", init=start, **pace).fit_transform(graph), dtype=np.float64)


def _plain(rows: Rows) -> Floats:
    """Return the first two principal components (n, 2); scikit-learn fixes their signs."""
    from sklearn.decomposition import PCA

    return np.asarray(PCA(2, random_state=_SEED).fit_transform(rows.astype(np.float64)))


def _distances(rows: Rows, many: int) -> Any:
    """Return the distances to the `many` nearest rows as a sparse graph, each row sorted, itself first, as scikit-learn wants it."""
    from scipy.sparse import csr_matrix

    places, similarities = nearest_rows(rows, many)
    near = np.column_stack([np.arange(len(rows)), places])
    far = np.column_stack([np.zeros(len(rows)), np.sqrt(np.maximum(0.0, 2 - 2 * similarities))])
    return csr_matrix((far.ravel(), near.ravel(), np.arange(0, near.size + 1, many + 1)), shape=(len(rows), len(rows)))


def _settled(points: Floats, near: Ints) -> Floats:
    """Move points (n, 2) until each stands among its neighbours; near: the (n, BONDS) nearest of each in the original space.

    The forces of t-SNE (van der Maaten and Hinton 2008), each bond with one weight, and pushed off only by the CLOSE points that stand
    nearest: those far away have set the places to start from, and leaving them out makes a round ten times as quick. Which those are is
    looked up every LOOK rounds.
    """
    from scipy.spatial import cKDTree

    row, column, weight, starts = _bonds(near)
    apart = np.random.default_rng(_SEED).normal(size=points.shape) * 0.01  # two points on one spot would never part
    at = ((points + apart) @ np.array([1, 1j])).astype(np.complex64)  # single precision is a thousandth of what the eye tells apart
    speed, total, half, one = np.zeros_like(at), np.float32(0), np.float32(0.5), np.float32(1)
    for done in range(ROUNDS):
        if done % LOOK == 0:
            plane = np.column_stack([at.real, at.imag])
            close = np.ascontiguousarray(cKDTree(plane).query(plane, min(CLOSE + 1, len(at)))[1][:, 1:].T)
        bond, gap = at[row] - at[column], at - at[close]
        pull = np.add.reduceat(bond * (weight / (one + bond.real**2 + bond.imag**2)), starts)
        nearness = one / (one + gap.real**2 + gap.imag**2)
        total = total or np.float32(1.5) * nearness.sum(axis=0).mean()  # stays that of the start, as a share for those left out
        speed = half * speed - np.float32(1 - 0.9 * done / ROUNDS) * (pull - (gap * nearness * nearness).sum(axis=0) / total)
        speed /= np.maximum(one, np.abs(speed))
        at = at + speed
    return np.column_stack([at.real, at.imag]).astype(np.float64)


def _bonds(near: Ints) -> tuple[Ints, Ints, Rows, Ints]:
    """Return the bonds in both directions, in order of rows: their two ends, their weights, and where each row's begin."""
    from scipy.sparse import csr_matrix

    size, each = near.shape
    one_way = csr_matrix((np.full(near.size, 0.5 / each, np.float32), near.ravel(), np.arange(0, near.size + 1, each)), shape=(size, size))
    bonds = (one_way + one_way.T).tocsr()
    return np.repeat(np.arange(size), np.diff(bonds.indptr)), bonds.indices, bonds.data, bonds.indptr[:-1]
