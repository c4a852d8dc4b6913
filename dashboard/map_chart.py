"""The map of the tools as a figure, made from plain records. Pure: no Streamlit. Colours are never alone: forms and words stand beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from curator_core import Clusters, Layout, Registry
from curator_core.records import Floats
from dashboard.charts import BAD, plain_label
from dashboard.tables import visible

_Box = tuple[float, float, float, float]  # left, bottom, right, top
Colouring = Literal["cluster", "group", "role"]
COLOURINGS: tuple[Colouring, ...] = ("cluster", "group", "role")
HEIGHT = 560
_LEGEND = 66  # three lines below the map, so that it keeps its size
MARK_COLOURS = ("#2f74b5", "#c06a1a", "#13827a", "#8a58ba", "#c2487f", "#7d7518")  # told apart with any colour vision, 3:1 on both grounds
_FORMS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "hexagon", "pentagon")
_OTHER_COLOUR = "#7b8794"
_MOST_KINDS = {"cluster": 42, "group": 12, "role": 10}
_EDGE = 1.07  # the map goes from -1 to 1; names at the edge need some room
_LETTER, _LINE = 0.0155, 0.062  # the size of a letter and a line of a name, in units of the map, as they come out at 1280 px
_SHIFTS = {0.0: 0.0, 0.7: 0.3, -0.7: 0.3, 1.4: 0.8, -1.4: 0.8, 2.1: 2.0, -2.1: 2.0}  # of a name, in lines, and what each costs
_ASIDE = {0.0: 0.0, 0.2: 1.0, -0.2: 1.0, 0.4: 2.5, -0.4: 2.5}  # in widths
_NAMES_IN_PILE = 10
INK = {"light": ("#0f1722", "rgba(255,255,255,0.74)"), "dark": ("#e6eaf0", "rgba(18,23,30,0.72)")}


@dataclass(frozen=True, slots=True)
class Spot:
    """One mark on the map. keys: the tools on it, more than one where their texts are the same; kind: what its colour stands for."""

    keys: tuple[str, ...]
    x: float
    y: float
    kind: str


@dataclass(frozen=True, slots=True)
class Label:
    """A cluster's name on the map, at its tools' centre or a little beside, where it covers no other name."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Look:
    """What the map looks like, beside which tool is in focus. role: whose tools it has; star: where the question stands."""

    colouring: Colouring
    role: str | None
    star: tuple[float, float] | None
    theme: str


def kinds(registry: Registry, keys: Sequence[str], colouring: Colouring, clusters: Clusters | None) -> tuple[str, ...]:
    """Return what each tool's colour stands for; beyond the most frequent ones, "other …"."""
    if colouring == "cluster":
        return clusters.names() if clusters else ("",) * len(keys)
    tools = [registry.by_key[key] for key in keys]
    named = (
        [tool.group or "no group" for tool in tools] if colouring == "group" else [", ".join(tool.roles) or "everyone" for tool in tools]
    )
    first = {name for name, _ in sorted(Counter(named).items(), key=lambda item: (-item[1], item[0]))[: _MOST_KINDS[colouring]]}
    return tuple(name if name in first else f"other {colouring}s" for name in named)


def spots(layout: Layout, shown: Collection[str], kind_of: Sequence[str]) -> tuple[Spot, ...]:
    """Return the marks for these tools, in order of the first key; tools on one place share a mark."""
    piles: dict[tuple[float, float], list[int]] = {}
    seen = set(shown)
    for position, (key, place) in enumerate(zip(layout.keys, layout.positions.tolist(), strict=True)):
        if key in seen:
            piles.setdefault((place[0], place[1]), []).append(position)
    return tuple(
        Spot(tuple(layout.keys[i] for i in pile), x, y, kind_of[pile[0]] if len({kind_of[i] for i in pile}) == 1 else "several")
        for (x, y), pile in piles.items()
    )


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
        box = _free_box(float(x), float(y), len(text) * _LETTER, marks, taken)
        if box is not None:
            taken.append(box)
            labels.append(Label(text, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2))
    return tuple(labels)


def map_figure(
    marks: Sequence[Spot],
    groups: Mapping[str, str],
    labels: Sequence[Label] = (),
    *,
    ring: str | None = None,
    star: tuple[float, float] | None = None,
    theme: str = "light",
    turn: int = 0,
) -> go.Figure:
    """Return the map. groups: each tool's group, for the text at the pointer; ring: the tool in focus; star: where the question stands;
    turn: another number makes the browser forget what was clicked.

    The same arguments give the same figure. Each mark carries its first tool's key as customdata: a point's number is only that in
    its own colour.
    """
    ink, ground = INK.get(theme, INK["light"])
    figure = go.Figure()
    order = [kind for kind, _ in sorted(Counter(mark.kind for mark in marks).items(), key=lambda item: (_last(item[0]), -item[1], item[0]))]
    for number, kind in enumerate(order):
        figure.add_trace(_trace([mark for mark in marks if mark.kind == kind], kind, number, groups, len(marks)))
    for mark in marks:
        if ring in mark.keys:
            figure.add_trace(_ring(mark, ink))
    if star is not None:
        figure.add_trace(_star(star, ink))
    notes = [_note(label.text, label.x, label.y, ink, ground) for label in labels]
    notes += [_note(f"×{len(mark.keys)}", mark.x, mark.y, ink, ground, beside=True) for mark in marks if len(mark.keys) > 1]
    figure.update_layout(annotations=notes, showlegend=not labels and len(order) > 1)
    return _framed(figure, ink, turn)


# -- pieces


def _roles(roles: Sequence[str]) -> str:
    some = sorted(roles)
    return ", ".join(some[:2]) + (f" and {len(some) - 2} more" if len(some) > 2 else "") if some else "everyone"


def _last(kind: str) -> bool:
    return kind.startswith("other ") or kind in ("several", "no group")


def _trace(marks: Sequence[Spot], kind: str, number: int, groups: Mapping[str, str], total: int) -> go.Scattergl:
    size = 9 if total <= 300 else 7 if total <= 1500 else 5
    colour = _OTHER_COLOUR if _last(kind) else MARK_COLOURS[number % len(MARK_COLOURS)]
    return go.Scattergl(
        x=[mark.x for mark in marks],
        y=[mark.y for mark in marks],
        customdata=[mark.keys[0] for mark in marks],
        hovertext=[_hover(mark, groups) for mark in marks],
        hoverinfo="text",
        mode="markers",
        name=plain_label(visible(kind)),
        marker={
            "size": [size if len(mark.keys) == 1 else size + 7 for mark in marks],
            "color": colour,
            "symbol": _FORMS[(number // len(MARK_COLOURS)) % len(_FORMS)],
            "opacity": 0.9,
            "line": {"width": 0},
        },
        selected={"marker": {"opacity": 1, "size": size + 9}},
        unselected={"marker": {"opacity": 0.45}},
    )


def _hover(mark: Spot, groups: Mapping[str, str]) -> str:
    names = [plain_label(visible(key)) for key in mark.keys[:_NAMES_IN_PILE]]
    lines = [f"{len(mark.keys)} tools with the same text:"] if len(mark.keys) > 1 else []
    lines += [f"<b>{name}</b>" for name in names]
    lines += ["…"] if len(mark.keys) > _NAMES_IN_PILE else []
    about = dict.fromkeys((mark.kind, groups.get(mark.keys[0], "")))
    return "<br>".join([*lines, *(plain_label(visible(text)) for text in about if text)])


def _ring(mark: Spot, ink: str) -> go.Scattergl:
    """Mark the tool in focus; it gives way where another mark is selected by a click, which leaves the figure as it is."""
    return go.Scattergl(
        x=[mark.x],
        y=[mark.y],
        mode="markers",
        hoverinfo="skip",
        showlegend=False,
        marker={"size": 20, "color": "rgba(0,0,0,0)", "symbol": "circle", "line": {"width": 2.5, "color": ink}},
        unselected={"marker": {"opacity": 0}},
    )


def _star(place: tuple[float, float], ink: str) -> go.Scattergl:
    return go.Scattergl(
        x=[place[0]],
        y=[place[1]],
        mode="markers",
        hovertext=["your question"],
        hoverinfo="text",
        name="your question",
        marker={"size": 19, "color": BAD, "symbol": "star", "line": {"width": 1.5, "color": ink}},
        unselected={"marker": {"opacity": 1}},
    )


def _note(text: str, x: float, y: float, ink: str, ground: str, beside: bool = False) -> dict[str, Any]:
    at_edge = x > 0.85
    shift = {"xanchor": "right" if at_edge else "left", "xshift": -8 if at_edge else 8, "yshift": -11} if beside else {}
    font = {"size": 11 if beside else 12, "color": ink}
    return {"text": plain_label(text), "x": x, "y": y, "showarrow": False, "font": font, "bgcolor": ground, "borderpad": 1, **shift}


def _framed(figure: go.Figure, ink: str, turn: int) -> go.Figure:
    axis = {"visible": False, "range": [-_EDGE, _EDGE], "autorange": False}
    figure.update_layout(
        height=HEIGHT + (_LEGEND if figure.layout.showlegend else 0),
        margin={"l": 0, "r": 0, "t": 4, "b": 4},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        hovermode="closest",
        dragmode="pan",
        uirevision=f"map {turn}",
        xaxis=axis,
        yaxis=axis,
        legend={
            "orientation": "h",
            "y": -0.01,
            "yanchor": "top",
            "x": 0,
            "font": {"size": 12, "color": ink},
            "itemsizing": "constant",
            "itemclick": False,
            "itemdoubleclick": False,
        },
    )
    return figure


def _free_box(x: float, y: float, width: float, marks: Floats, taken: Sequence[_Box]) -> _Box | None:
    """Return the box near a place that covers no name, and few marks for how far away it is; None where all would cover a name."""
    middle = min(max(x, width / 2 - _EDGE), _EDGE - width / 2)
    best: tuple[float, _Box] | None = None
    for (up, far), (across, aside) in product(_SHIFTS.items(), _ASIDE.items()):
        left, bottom = middle + (across - 0.5) * width, y + (up - 0.5) * _LINE
        box = (left, bottom, left + width, bottom + _LINE)
        inside = left > -_EDGE - 0.01 and box[2] < _EDGE + 0.01 and abs(bottom + _LINE / 2) < _EDGE
        if not inside or any(_meet(box, other) for other in taken):
            continue
        cost = far + aside + float(((marks > (left, bottom)) & (marks < (box[2], box[3]))).all(axis=1).sum())
        if best is None or cost < best[0]:
            best = cost, box
    return best[1] if best else None


def _meet(a: _Box, b: _Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
