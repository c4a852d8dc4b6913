"""The names of clusters on the map: near their tools, and none over another. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from curator_core import Clusters, Layout
from curator_core.records import Floats
from dashboard.tables import visible

EDGE = 1.07  # the map goes from -1 to 1; names at the edge need some room
_Box = tuple[float, float, float, float]  # left, bottom, right, top
_LETTER, _LINE = 0.0155, 0.062  # the size of a letter and a line of a name, in units of the map, as they come out at 1280 px
_SHIFTS = {0.0: 0.0, 0.7: 0.3, -0.7: 0.3, 1.4: 0.8, -1.4: 0.8, 2.1: 2.0, -2.1: 2.0}  # of a name, in lines, and what each costs
_ASIDE = {0.0: 0.0, 0.2: 1.0, -0.2: 1.0, 0.4: 2.5, -0.4: 2.5}  # in widths


@dataclass(frozen=True, slots=True)
class Label:
    """A cluster's name on the map, at its tools' centre or a little beside, where it covers no other name."""

    text: str
    x: float
    y: float


def cluster_labels(layout: Layout, clusters: Clusters, shown: Collection[str]) -> tuple[Label, ...]:
    """Return the names that stand on the map, the largest cluster first; one that finds no free place near its centre is left out."""
    seen, many = set(shown), len(clusters.clusters) > 14
    places = dict(zip(layout.keys, layout.positions, strict=True))
    marks = np.array([places[key] for key in layout.keys if key in seen]).reshape(-1, 2)
    labels: list[Label] = []
    taken: list[_Box] = []
    for cluster in clusters.clusters:
        if not seen.intersection(cluster.keys):
            continue
        text = visible(" · ".join(cluster.words[:2]) if many and cluster.words else cluster.name)
        x, y = np.median([places[key] for key in cluster.keys], axis=0)  # whatever a few strays do
        width = len(text) * _LETTER
        within = (np.abs(marks[:, 1] - y) < 3 * _LINE) & (np.abs(marks[:, 0] - x) < 2 * width)  # those that any place would cover
        box = _free_box(float(x), float(y), width, marks[within], taken)
        if box is not None:
            taken.append(box)
            labels.append(Label(text, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    return tuple(labels)


def _free_box(x: float, y: float, width: float, marks: Floats, taken: Sequence[_Box]) -> _Box | None:
    """Return the box near a place that covers no name, and few marks for how far away it is; None where all would cover a name."""
    middle = min(max(x, width / 2 - EDGE), EDGE - width / 2)
    best: tuple[float, _Box] | None = None
    for (up, far), (across, aside) in product(_SHIFTS.items(), _ASIDE.items()):
        left, bottom = middle + (across - 0.5) * width, y + (up - 0.5) * _LINE
        box = (left, bottom, left + width, bottom + _LINE)
        inside = left > -EDGE - 0.01 and box[2] < EDGE + 0.01 and abs(bottom + _LINE / 2) < EDGE
        if not inside or any(_meet(box, other) for other in taken):
            continue
        cost = far + aside + float(((marks > (left, bottom)) & (marks < (box[2], box[3]))).all(axis=1).sum())
        if best is None or cost < best[0]:
            best = cost, box
    return best[1] if best else None


def _meet(a: _Box, b: _Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
