"""Figures and small pictures, made from plain numbers. Pure: no Streamlit. One colour per stage, readable in light and dark."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import plotly.graph_objects as go

COLOURS = {"dense": "#2f74b5", "sparse": "#b45f17", "anchor": "#8a58ba", "split": "#13827a", "low_confidence": "#68737f"}
GOOD, BAD = "#2a7f4f", "#c24a30"
WORDS = {"dense": "meaning", "sparse": "words", "anchor": "name", "split": "parts"}
_BAR_WIDTH, _BAR_HEIGHT = 84, 18


def bar_image(parts: Mapping[str, float], full: float) -> str:
    """Return a stacked bar of what each stage adds to the combined score, as an SVG data address. full: the whole width."""
    x, pieces = 0.0, []
    for stage, part in parts.items():
        width = _BAR_WIDTH * max(part, 0.0) / full  # a similarity can be a little below 0
        pieces.append(f'<rect x="{x:.1f}" y="4" width="{max(width - 1, 0):.1f}" height="{_BAR_HEIGHT - 8}" fill="{COLOURS[stage]}"/>')
        x += width
    base = f'<rect x="0" y="{_BAR_HEIGHT - 3}" width="{_BAR_WIDTH}" height="1" fill="#68737f55"/>'
    size = f'width="{_BAR_WIDTH}" height="{_BAR_HEIGHT}" viewBox="0 0 {_BAR_WIDTH} {_BAR_HEIGHT}"'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{base}{"".join(pieces)}</svg>'
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def stage_bars(bars: Sequence[tuple[str, Mapping[str, float], Mapping[str, str]]], full: float) -> go.Figure:
    """Return one horizontal stacked bar per pass, each stage's share labelled on it.

    bars: (name, what each stage adds to the combined score, the label of each stage); full: the whole width.
    """
    figure = go.Figure()
    names = [plain_label(name) for name, _, _ in bars]
    for stage in dict.fromkeys(stage for _, parts, _ in bars for stage in parts):
        figure.add_bar(
            y=names,
            x=[parts.get(stage, 0.0) for _, parts, _ in bars],
            text=[plain_label(labels.get(stage, "")) for _, _, labels in bars],
            name=WORDS.get(stage, stage),
            orientation="h",
            marker_color=COLOURS[stage],
            textposition="inside",
            insidetextanchor="start",
            textfont_color="#ffffff",
            hovertemplate="%{y}: %{fullData.name} adds %{x:.4f}<extra></extra>",
        )
    return styled(figure, height=34 * len(bars) + 8, x_range=(0.0, full))


def styled(figure: go.Figure, height: int, x_range: tuple[float, float] | None = None) -> go.Figure:
    """Give a figure the shared look: no grid, no legend, narrow margins, transparent ground; text colours come from the page's theme."""
    layout: dict[str, Any] = {
        "height": height,
        "barmode": "stack",
        "bargap": 0.28,
        "showlegend": False,
        "margin": {"l": 0, "r": 0, "t": 4, "b": 4},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "dragmode": False,
    }
    figure.update_layout(**layout)
    figure.update_xaxes(visible=False, fixedrange=True, range=x_range)
    figure.update_yaxes(autorange="reversed", fixedrange=True, showgrid=False, ticksuffix="  ", automargin=True)
    return figure


def plain_label(text: str) -> str:
    """Return a text as a chart label: plotly reads labels as HTML."""
    return escape(text, quote=False)
