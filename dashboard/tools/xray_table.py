"""A tool's word X-ray as a chart and as a table with the same figures. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from curator_core import PieceWorth, Xray
from dashboard.charts import BAD, COLOURS, GOOD, plain_label, styled
from dashboard.tables import decimals, visible

DRAWN = 16  # bars: the most helpful and the most harmful pieces
_SIGNS = {"helps": "▲ helps", "hurts": "▼ hurts", "mixed": "▲▼ both", "in reserve": "= in reserve", "dead weight": "– dead weight"}
_FIELDS = {"description": "description", "extra_context": "extra context", "synonyms": "synonym"}
_BAR = 22


def xray_frame(pieces: Sequence[PieceWorth]) -> pd.DataFrame:
    """Return one row a piece, in the order of the X-ray."""
    rows = [
        {
            "word or phrase": visible(one.piece.text),
            "verdict": _SIGNS[one.verdict],
            "places": f"{one.gain:+.1f}" if round(one.gain, 1) else "0",
            "stands in": _place(one),
            "helps": one.helps,
            "hurts": one.hurts,
            "keeps in": one.keeps,
            "keeps out": one.keeps_out,
            "meaning": decimals(one.similarity, 3),
            "words": decimals(one.bm25, 2),
        }
        for one in pieces
    ]
    return pd.DataFrame(rows)


def xray_chart(found: Xray) -> go.Figure:
    """Return a bar for each piece that moves a rank, as many places long as the tool stands higher with it, in the mean."""
    drawn = drawn_pieces(found)
    figure = go.Figure()
    figure.add_bar(
        y=[plain_label(f"{one.piece.text} · {_place(one)}") for one in drawn],
        x=[one.gain for one in drawn],
        text=[f"{'▲' if one.gain > 0 else '▼'} {abs(one.gain):.1f}" if one.gain else "▲▼" for one in drawn],
        orientation="h",
        marker_color=[GOOD if one.gain > 0 else BAD if one.gain < 0 else COLOURS["low_confidence"] for one in drawn],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.1f} places<extra></extra>",
    )
    widest = max((abs(one.gain) for one in drawn), default=1.0) or 1.0
    low = min(0.0, *(one.gain for one in drawn)) if drawn else 0.0
    return styled(figure, height=_BAR * len(drawn) + 12, x_range=(low - 0.2 * widest if low else 0.0, widest * 1.2))


def drawn_pieces(found: Xray) -> tuple[PieceWorth, ...]:
    """Return the pieces that the chart shows: of those that move a rank the most helpful, then the most harmful."""
    moving = found.having("helps", "hurts", "mixed")
    return moving if len(moving) <= DRAWN else (*moving[: DRAWN // 2], *moving[-DRAWN // 2 :])


def xray_summary(found: Xray) -> str:
    """Say how many pieces do what."""
    counts = {name: len(found.having(name)) for name in ("helps", "hurts", "mixed", "in reserve", "dead weight")}
    said = " · ".join(f"{counts[name]} {word}" for name, word in _COUNTED.items() if counts[name])
    return f"{said}, by {found.queries} test {'query' if found.queries == 1 else 'queries'}"


def dead_phrases(found: Xray) -> tuple[str, ...]:
    """Return the phrases that are dead weight, as they are written."""
    return tuple(visible(one.piece.text) for one in found.having("dead weight") if one.piece.kind == "phrase")


def _place(one: PieceWorth) -> str:
    field = _FIELDS[one.piece.field]
    return visible(f"{field} of {one.piece.term}") if one.piece.term else field


_COUNTED = {"helps": "help", "hurts": "hurt", "mixed": "do both", "in reserve": "in reserve", "dead weight": "dead weight"}
