"""Rank lines: where each question's tool stood before and stands after, one line a question. Pure: no Streamlit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from dashboard.charts import BAD, GOOD, plain_label, styled
from dashboard.tables import visible

SHOWN = 40  # lines that can still be told apart
LAST = 20  # ranks below it share one place
_BELOW = LAST + 3
_NAME = 46  # letters of a question on the picture; the table beside it has all of them
_SAME = "#68737f"
Way = Literal["up", "down", "same"]
_LOOK: dict[Way, tuple[str, float]] = {"up": (GOOD, 2.4), "down": (BAD, 2.4), "same": (_SAME, 1.0)}


@dataclass(frozen=True, slots=True)
class Line:
    """One question. before, after: the rank of its tool on each side, None = nowhere."""

    query: str
    before: int | None
    after: int | None

    @property
    def way(self) -> Way:
        """Whether the tool came up, went down or stayed."""
        before, after = _height(self.before), _height(self.after)
        return "up" if after < before else "down" if after > before else "same"


def rank_lines(lines: Sequence[Line], before: str, after: str) -> go.Figure:
    """Return one line a question from its rank before to its rank after, first place on top. before, after: the sides' names."""
    figure = go.Figure()
    for way in ("same", "down", "up"):
        some = [line for line in lines if line.way == way]
        if some:
            figure.add_scatter(**_trace(some, way))
            if way != "same":
                _name_ends(figure, some)
    figure = styled(figure, height=440)
    figure.update_layout(hovermode="closest", margin={"l": 4, "r": 8, "t": 26, "b": 6})
    figure.update_xaxes(
        visible=True,
        side="top",
        range=(-0.08, 2.1),
        tickvals=[0, 1],
        ticktext=[plain_label(visible(before)), plain_label(visible(after))],
        showgrid=False,
        zeroline=False,
    )
    ticks = (1, 5, 10, 15, LAST)
    figure.update_yaxes(
        autorange=False,
        range=(_BELOW + 1, 0),
        tickvals=[*ticks, _BELOW],
        ticktext=[*map(str, ticks), "further"],
        zeroline=False,
    )
    return figure


def _trace(lines: Sequence[Line], way: Way) -> dict[str, object]:
    """Return all lines of one way as one trace: a gap stands between two lines."""
    colour, width = _LOOK[way]
    x: list[float | None] = []
    y: list[float | None] = []
    names: list[str] = []
    for line in lines:
        x += [0, 1, None]
        y += [_height(line.before), _height(line.after), None]
        names += [_told(line)] * 2 + [""]
    return {
        "x": x,
        "y": y,
        "mode": "lines+markers",
        "line": {"color": colour, "width": width},
        "marker": {"color": colour, "size": 6},
        "customdata": names,
        "hovertemplate": "%{customdata}<extra></extra>",
        "connectgaps": False,
    }


def _name_ends(figure: go.Figure, lines: Sequence[Line]) -> None:
    """Write a question at the right end of its line, once for all that end at one rank."""
    ends = Counter(_height(line.after) for line in lines)
    first = {_height(line.after): line for line in reversed(lines)}
    for end, line in first.items():
        text = _short(line.query) + (f" +{ends[end] - 1}" if ends[end] > 1 else "")
        figure.add_annotation(x=1, y=end, text=text, xanchor="left", xshift=10, showarrow=False)


def _height(rank: int | None) -> int:
    return _BELOW if rank is None or rank > LAST else rank


def _short(query: str) -> str:
    shown = visible(" ".join(query.split()))
    return plain_label(shown if len(shown) <= _NAME else shown[: _NAME - 1] + "…")


def _told(line: Line) -> str:
    places = [str(rank) if rank else "nowhere" for rank in (line.before, line.after)]
    return f"{_short(line.query)}: {places[0]} → {places[1]}"
