"""What is drawn over the map: how often tools come, clashes, what a question is near to, and where a draft moves tools. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from curator_core import Layout, Settings, ToolIndex, nearest_to_query
from dashboard.charts import BAD
from dashboard.overlap.map_chart import INK
from dashboard.tables import plural

NEAREST = 5  # lines from a question
_SMALLEST, _LARGEST = 5.0, 22.0  # of marks whose size says how often the tool comes
_ARROW = "#8a58ba"

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Overlay:
    """What to draw over a map, by tools' keys.

    returned: how often each tool is in what an agent gets, None: marks have one size. clashes: pairs to draw a line between. near: the
    tools that a question's lines lead to. moved: the tools that the draft moves, each with the place where it stood. lasso: dragging draws
    a line around marks, rather than moving the map.
    """

    returned: tuple[tuple[str, int], ...] | None = None
    clashes: tuple[tuple[str, str], ...] = ()
    near: tuple[str, ...] = ()
    moved: tuple[tuple[str, Place], ...] = ()
    lasso: bool = False


def moved_tools(before: Layout, after: Layout, names: Mapping[str, str]) -> tuple[tuple[str, Place], ...]:
    """Return the tools that stand elsewhere than before, each with where it stood. names: the key of now for each that was another."""
    here = _places(after)
    there = {names.get(key, key): place for key, place in _places(before).items()}
    return tuple((key, there[key]) for key in here if key in there and there[key] != here[key])


def nearest_keys(index: ToolIndex, question: str, role: str | None, settings: Settings) -> tuple[str, ...]:
    """Return the tools that a question's lines lead to: the nearest in the original space, one of each text."""
    return tuple(one.key for one in nearest_to_query(index, question, NEAREST, role, settings, one_per_pile=True))


def overlaid(figure: go.Figure, layout: Layout, shown: Iterable[str], overlay: Overlay, star: Place | None, theme: str) -> go.Figure:
    """Draw over a map. shown: the tools that are on it; star: where the question stands."""
    seen, ink = set(shown), INK.get(theme, INK["light"])[0]
    places = {key: place for key, place in _places(layout).items() if key in seen}
    lines = [
        _lines([(places[a], places[b]) for a, b in overlay.clashes if a in places and b in places], "clash", BAD, "solid"),
        _lines([(star, places[key]) for key in overlay.near if key in places] if star else [], "near the question", ink, "dot"),
    ]
    for trace in filter(None, lines):
        figure.add_trace(trace)
        figure.data = (figure.data[-1], *figure.data[:-1])  # below the marks
    for key, before in overlay.moved:
        if key in places:
            figure.add_annotation(**_arrow(before, places[key]))
    if overlay.returned is not None:
        _size(figure, dict(overlay.returned))
    if overlay.lasso:
        figure.update_layout(dragmode="lasso", clickmode="event")
    return figure


def in_words(overlay: Overlay) -> str:
    """Say what is drawn over the map; "" for nothing."""
    said = []
    if overlay.returned is not None:
        said.append("the larger a mark, the more test queries bring its tool")
    if overlay.clashes:
        said.append(f"{plural(len(overlay.clashes), 'line')} between tools that clash")
    if overlay.near:
        said.append("dotted lines lead from the question to the tools nearest in the original space")
    if overlay.moved:
        moved = len(overlay.moved)
        said.append(f"{plural(moved, 'arrow')}: where your draft moves {'a tool' if moved == 1 else 'tools'} to")
    return "; ".join(said)[:1].upper() + "; ".join(said)[1:] + "." if said else ""


# -- pieces


def _places(layout: Layout) -> dict[str, Place]:
    return {key: (x, y) for key, (x, y) in zip(layout.keys, layout.positions.tolist(), strict=True)}


def _lines(ends: Sequence[tuple[Place, Place]], name: str, colour: str, dash: str) -> dict[str, Any] | None:
    if not ends:
        return None
    x = [value for a, b in ends for value in (a[0], b[0], None)]
    y = [value for a, b in ends for value in (a[1], b[1], None)]
    style = {"color": colour, "width": 1.6, "dash": dash}
    look = {"type": "scattergl", "mode": "lines", "line": style, "opacity": 0.75, "hoverinfo": "skip", "showlegend": False}
    return {"x": x, "y": y, "name": name, **look}


def _arrow(before: Place, after: Place) -> dict[str, Any]:
    ends = {"x": after[0], "y": after[1], "ax": before[0], "ay": before[1], "axref": "x", "ayref": "y"}
    return {**ends, "text": "", "showarrow": True, "arrowhead": 2, "arrowwidth": 2, "arrowcolor": _ARROW, "standoff": 5}


def _size(figure: go.Figure, returned: Mapping[str, int]) -> None:
    """Give each mark the size of how often its tool comes, and say it at the pointer."""
    most = max(returned.values(), default=0) or 1
    for trace in figure.data:
        if trace.customdata is not None:
            counts = [returned.get(key, 0) for key in np.asarray(trace.customdata).tolist()]
            trace.marker.size = [_SMALLEST + (_LARGEST - _SMALLEST) * math.sqrt(count / most) for count in counts]
            texts = zip(trace.hovertext, counts, strict=True)
            trace.hovertext = [f"{text}<br>returned for {plural(count, 'test query')}" for text, count in texts]
