"""The map of the tools as a figure, made from plain records. Pure: no Streamlit. Colours are never alone: forms and words stand beside."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import plotly.graph_objects as go

from curator_core import Clusters, Layout, Registry
from dashboard.charts import BAD, plain_label
from dashboard.overlap.map_labels import EDGE, Label
from dashboard.tables import visible

Part = tuple[float, float, float, float]  # left, right, bottom, top
Colouring = Literal["cluster", "group", "role"]
COLOURINGS: tuple[Colouring, ...] = ("cluster", "group", "role")
HEIGHT = 560
_LEGEND = 66  # three lines below the map, so that it keeps its size
MARK_COLOURS = ("#2f74b5", "#c06a1a", "#13827a", "#8a58ba", "#c2487f", "#7d7518")  # told apart with any colour vision, 3:1 on both grounds
_FORMS = ("circle", "square", "diamond", "triangle-up", "triangle-down", "hexagon", "pentagon")
_OTHER_COLOUR = "#7b8794"
_MOST_KINDS = {"cluster": 42, "group": 12, "role": 10}
WHOLE: Part = (-EDGE, EDGE, -EDGE, EDGE)
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
class Focus:
    """What the map draws the eye to. ring: the tool in focus; part: what is seen of the map, as it was when the figure last changed;
    turn: another number makes the browser forget what was clicked.
    """

    ring: str | None = None
    part: Part = WHOLE
    turn: int = 0


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
    first = set(_by_frequency(named)[: _MOST_KINDS[colouring]])
    return tuple(name if name in first else f"other {colouring}s" for name in named)


def ordered(kind_of: Sequence[str], clusters: Clusters | None = None) -> tuple[str, ...]:
    """Return all kinds in the order of their colours: clusters by their number, which an edit leaves, anything else by frequency.

    Of the whole registry, so that a role lens changes no colour.
    """
    order = [cluster.name for cluster in clusters.clusters] if clusters else _by_frequency(kind_of)
    return tuple(sorted((*order, "several"), key=_last))


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


def map_figure(
    marks: Sequence[Spot],
    groups: Mapping[str, str],
    order: Sequence[str],
    labels: Sequence[Label] = (),
    *,
    focus: Focus = Focus(),
    star: tuple[float, float] | None = None,
    theme: str = "light",
) -> go.Figure:
    """Return the map. groups: each tool's group, for the text at the pointer; order: every kind, as `ordered` has them; star: where the
    question stands.

    The same arguments give the same figure. Each mark carries its first tool's key as customdata: a point's number is only that in
    its own colour.
    """
    ink, ground = INK.get(theme, INK["light"])
    of_kind: dict[str, list[Spot]] = {}
    for mark in marks:
        of_kind.setdefault(mark.kind, []).append(mark)
    traces = [_trace(of_kind[kind], kind, number, groups, len(marks)) for number, kind in enumerate(order) if kind in of_kind]
    traces += [_ring(mark, ink) for mark in marks if focus.ring in mark.keys]
    traces += [_star(star, ink)] if star is not None else []
    notes = [_note(label.text, label.x, label.y, ink, ground) for label in labels]
    notes += [_note(f"×{len(mark.keys)}", mark.x, mark.y, ink, ground, beside=True) for mark in marks if len(mark.keys) > 1]
    layout = {"annotations": notes, **_frame(ink, focus, legend=not labels and len(of_kind) > 1)}
    return go.Figure({"data": traces, "layout": layout})


def blank(text: str, theme: str) -> go.Figure:
    """Return the map before it is drawn: as large as it will be, with a text in the middle.

    An empty trace lets the browser make ready what draws the marks.
    """
    ink, ground = INK.get(theme, INK["light"])
    trace = {"type": "scattergl", "x": [None], "y": [None], "hoverinfo": "skip"}
    return go.Figure({"data": [trace], "layout": {"annotations": [_note(text, 0, 0, ink, ground)], **_frame(ink, Focus(), legend=False)}})


def part_with(part: Part, place: Sequence[float] | None) -> Part:
    """Return a part of the map of the same size in which a place is seen: the same one where it is, else one with it in the middle."""
    left, right, bottom, top = part
    if place is None or (left <= place[0] <= right and bottom <= place[1] <= top):
        return part
    across, up = (right - left) / 2, (top - bottom) / 2
    return (place[0] - across, place[0] + across, place[1] - up, place[1] + up)


# -- pieces


def _by_frequency(names: Sequence[str]) -> list[str]:
    return [name for name, _ in sorted(Counter(names).items(), key=lambda item: (-item[1], item[0]))]


def _roles(roles: Sequence[str]) -> str:
    some = sorted(roles)
    return ", ".join(some[:2]) + (f" and {len(some) - 2} more" if len(some) > 2 else "") if some else "everyone"


def _last(kind: str) -> bool:
    return kind.startswith("other ") or kind in ("several", "no group")


def _trace(marks: Sequence[Spot], kind: str, number: int, groups: Mapping[str, str], total: int) -> dict[str, Any]:
    size = 9 if total <= 300 else 7 if total <= 1500 else 5
    sizes = [size if len(mark.keys) == 1 else size + 7 for mark in marks]
    return {
        "type": "scattergl",
        "x": _array([mark.x for mark in marks]),
        "y": _array([mark.y for mark in marks]),
        "customdata": _array([mark.keys[0] for mark in marks]),
        "hovertext": _array([_hover(mark, groups) for mark in marks]),
        "hovertemplate": "%{hovertext}<br>%{meta}<extra></extra>",
        "meta": plain_label(visible(kind)),
        "mode": "markers",
        "name": plain_label(visible(kind)),
        "marker": {
            "size": sizes if len(set(sizes)) > 1 else size,
            "color": _OTHER_COLOUR if _last(kind) else MARK_COLOURS[number % len(MARK_COLOURS)],
            "symbol": _FORMS[(number // len(MARK_COLOURS)) % len(_FORMS)],
            "opacity": 0.9,
            "line": {"width": 0},
        },
        "selected": {"marker": {"opacity": 1, "size": size + 9}},
        "unselected": {"marker": {"opacity": 0.45}},
    }


def _array(values: Sequence[object]) -> np.ndarray[Any, np.dtype[np.object_]]:
    """Return values as an array: of a list, plotly looks at every single one, a second for 20,000 tools."""
    return np.array(values, dtype=object)


def _hover(mark: Spot, groups: Mapping[str, str]) -> str:
    """Return the text at the pointer but for the last line, which all marks of a kind have."""
    names = [plain_label(visible(key)) for key in mark.keys[:_NAMES_IN_PILE]]
    lines = [f"{len(mark.keys)} tools with the same text:"] if len(mark.keys) > 1 else []
    lines += [f"<b>{name}</b>" for name in names]
    lines += ["…"] if len(mark.keys) > _NAMES_IN_PILE else []
    group = groups.get(mark.keys[0], "")
    return "<br>".join([*lines, *([plain_label(visible(group))] if group not in ("", mark.kind) else [])])


def _ring(mark: Spot, ink: str) -> dict[str, Any]:
    """Mark the tool in focus; it gives way where another mark is selected by a click, which leaves the figure as it is."""
    return {
        "type": "scattergl",
        "x": [mark.x],
        "y": [mark.y],
        "mode": "markers",
        "hoverinfo": "skip",
        "showlegend": False,
        "marker": {"size": 20, "color": "rgba(0,0,0,0)", "symbol": "circle", "line": {"width": 2.5, "color": ink}},
        "unselected": {"marker": {"opacity": 0}},
    }


def _star(place: tuple[float, float], ink: str) -> dict[str, Any]:
    return {
        "type": "scattergl",
        "x": [place[0]],
        "y": [place[1]],
        "mode": "markers",
        "hovertext": ["your question"],
        "hoverinfo": "text",
        "name": "your question",
        "marker": {"size": 19, "color": BAD, "symbol": "star", "line": {"width": 1.5, "color": ink}},
        "unselected": {"marker": {"opacity": 1}},
    }


def _note(text: str, x: float, y: float, ink: str, ground: str, beside: bool = False) -> dict[str, Any]:
    at_edge = x > 0.85
    shift = {"xanchor": "right" if at_edge else "left", "xshift": -8 if at_edge else 8, "yshift": -11} if beside else {}
    font = {"size": 11 if beside else 12, "color": ink}
    return {"text": plain_label(text), "x": x, "y": y, "showarrow": False, "font": font, "bgcolor": ground, "borderpad": 1, **shift}


def _frame(ink: str, focus: Focus, legend: bool) -> dict[str, Any]:
    """Return the layout around the marks.

    Streamlit hands every figure to plotly twice, the second time as a copy, with a new clickmode where it has none (seen with 1.67).
    `datarevision` says that the copied marks are the same, so that they are drawn once; another figure is always drawn anew.
    """
    axis = {"visible": False, "autorange": False}
    return {
        "showlegend": legend,
        "height": HEIGHT + (_LEGEND if legend else 0),
        "margin": {"l": 0, "r": 0, "t": 4, "b": 4},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "dragmode": "pan",
        "clickmode": "event+select",
        "datarevision": "as sent",
        "uirevision": f"map {focus.turn}",
        "xaxis": {**axis, "range": focus.part[:2]},
        "yaxis": {**axis, "range": focus.part[2:]},
        "legend": {
            "orientation": "h",
            "y": -0.01,
            "yanchor": "top",
            "x": 0,
            "font": {"size": 12, "color": ink},
            "itemsizing": "constant",
            "itemclick": False,
            "itemdoubleclick": False,
        },
    }
