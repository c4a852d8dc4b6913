"""Profiles and stages on the test queries: charts and tables with the same figures. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import pandas as pd
import plotly.graph_objects as go

from curator_core import MetricChange, RecallCurve, Recommendation, StageWorth, Sureness
from curator_core.compare import ENOUGH
from curator_core.proof.paired import too_few
from dashboard.charts import BAD, COLOURS, plain_label, styled
from dashboard.compare.comparison_tables import signed
from dashboard.tables import decimals, plural, visible

PROFILE_COLOURS: Mapping[str, str] = {"seed": "#68737f", "tuned": "#2f74b5"}
Against = Literal["tools", "tokens"]
_DASHES = {"seed": "dot", "tuned": "solid"}
_VERDICTS = {
    "helps": "▲ helps",
    "hurts": "▼ hurts",
    "both": "▲▼ both",
    "no clear change": "≈ no clear change",
    "no change": "= no change",
    "too few to say": "too few to say",
}
_SHARES = (0.8, 0.9, 0.95)


def advice_badge(found: Recommendation) -> str:
    """Return the advice in a few words."""
    if found.profile is None:
        return "too few to say"
    return f"use {found.profile}" if found.is_switch else f"stay with {found.profile}"


def recall_chart(curves: Sequence[RecallCurve], against: Against) -> go.Figure:
    """Return one line a profile: the share of right tools among the first ones, against their number or what they cost."""
    figure = go.Figure()
    for curve in curves:
        figure.add_scatter(
            x=[point.tools if against == "tools" else point.cost for point in curve.points],
            y=[point.recall for point in curve.points],
            text=[str(point.tools) for point in curve.points],
            name=curve.profile,
            mode="lines+markers",
            line={"color": PROFILE_COLOURS[curve.profile], "width": 2.2, "dash": _DASHES[curve.profile]},
            marker={"size": 5},
            hovertemplate=f"{plain_label(curve.profile)}: %{{y:.3f}} with %{{text}} tools<extra></extra>",
        )
    for curve, offset in zip(curves, (-14, 14), strict=False):
        _name(figure, curve, against, offset)
    figure = styled(figure, height=280)
    figure.update_layout(margin={"l": 4, "r": 16, "t": 8, "b": 46}, hovermode="closest")
    title = "tools given" if against == "tools" else f"{curves[0].unit if curves else 'tokens'} of their declarations"
    figure.update_xaxes(visible=True, rangemode="tozero", showgrid=False, zeroline=False, title={"text": title, "standoff": 10})
    low = min((point.recall for curve in curves for point in curve.points), default=0.0)
    figure.update_yaxes(autorange=False, range=(max(low - 0.06, -0.02), 1.02), tickformat=".2f", zeroline=False)
    return figure


def _name(figure: go.Figure, curve: RecallCurve, against: Against, offset: int) -> None:
    if not curve.points:
        return
    point = curve.points[min(5, len(curve.points) - 1)]
    figure.add_annotation(
        x=point.tools if against == "tools" else point.cost,
        y=point.recall,
        text=plain_label(curve.profile),
        font={"color": PROFILE_COLOURS[curve.profile]},
        showarrow=False,
        yshift=offset,
        xshift=18,
    )


def needed_sentences(curves: Sequence[RecallCurve]) -> tuple[str, ...]:
    """Say how many tools and tokens each profile takes to have most of the right tools in the answer."""
    said = []
    for share in _SHARES:
        each = []
        for curve in curves:
            point = curve.needed(share)
            more = f"{plural(point.tools, 'tool')} ({point.cost:,.0f} {curve.unit})" if point else f"more than {len(curve.points)} tools"
            each.append(f"{curve.profile} {more}")
        said.append(f"{share:.0%} of the right tools are given with: {', '.join(each)}.")
    if curves and (few := too_few(curves[0].queries)):
        said.append(f"{few.capitalize()}: take it as a hint.")
    return tuple(said)


def curve_frame(curves: Sequence[RecallCurve]) -> pd.DataFrame:
    """Return one row a number of tools: recall and cost of each profile; the text twin of the chart."""
    columns: dict[str, list[object]] = {"tools": [point.tools for point in curves[0].points] if curves else []}
    for curve in curves:
        columns[f"{curve.profile}: found"] = [decimals(point.recall, 3) for point in curve.points]
        columns[f"{curve.profile}: {curve.unit}"] = [f"{point.cost:,.0f}" for point in curve.points]
    return pd.DataFrame(columns)


def stages_frame(worths: Sequence[StageWorth]) -> pd.DataFrame:
    """Return one row a stage: what the test queries say of it, without it and with it."""
    rows = []
    for one in worths:
        row: dict[str, object] = {"stage": one.label if one.on else f"{one.label} (off)", "verdict": _VERDICTS[one.verdict]}
        row["n"] = str(one.changes[0].queries if one.changes else 0)
        for change in one.changes:
            row |= _worth_cells(change)
        no_tool = one.comparison.no_tool
        if no_tool["queries"]:
            row["no tool noticed"] = f"{no_tool['before']} → {no_tool['after']} of {no_tool['queries']}"
        rows.append(row)
    return pd.DataFrame(rows)


def _worth_cells(change: MetricChange) -> dict[str, object]:
    return {change.name: f"{decimals(change.before, 3)} → {decimals(change.after, 3)}"} | _gain_cells(change)


def _gain_cells(change: MetricChange) -> dict[str, object]:
    span = f"{signed(change.interval[0])} … {signed(change.interval[1])}" if change.interval else "–"
    return {
        f"{change.name} gain": signed(change.difference) if change.queries >= ENOUGH else "too few",
        f"{change.name} 95 %": span,
        f"{change.name} ▲ ▼": f"{change.wins} / {change.losses}",
    }


def stage_tags_frame(worth: StageWorth) -> pd.DataFrame:
    """Return one row a tag: what one stage is worth there; fewer than 20 questions say too little for a figure."""
    rows = []
    for group in worth.comparison.by_tag:
        cells: dict[str, object] = {"tag": visible(group.name), "n": str(group.queries)}
        for change in (change for change in group.metrics if change.name in ("hit@1", "recall@5")):
            cells |= _gain_cells(change)
        rows.append(cells)
    return pd.DataFrame(rows)


def no_tool_chart(found: Sureness) -> go.Figure:
    """Return the histogram of best meaning matches: questions with a right tool, those without one, and the line."""
    figure = go.Figure()
    middle = [step.low + 0.025 for step in found.steps]
    answered, no_tool = ([getattr(step, kind) for step in found.steps] for kind in ("answered", "no_tool"))
    for name, counts, colour, pattern in (("a tool is right", answered, COLOURS["dense"], ""), ("no tool fits", no_tool, BAD, "/")):
        if any(counts):
            figure.add_bar(
                x=middle,
                y=counts,
                name=name,
                width=0.046,
                marker={"color": colour, "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": "#ffffff"}},
                hovertemplate=f"{name}: %{{y}} test queries<extra></extra>",
            )
    figure = styled(figure, height=260)
    figure.update_layout(margin={"l": 4, "r": 8, "t": 26, "b": 46}, showlegend=True, legend={"orientation": "h", "y": 1.14, "x": 0})
    figure.update_xaxes(
        visible=True,
        showgrid=False,
        zeroline=False,
        tickformat=".2f",
        title={"text": "best meaning match", "standoff": 10},
        range=_span(found),
    )
    figure.update_yaxes(autorange=True, zeroline=False, title=None)
    figure.add_vline(x=found.line.value, line={"color": "#68737f", "width": 1.6, "dash": "dash"})
    figure.add_annotation(
        x=found.line.value, y=1, yref="paper", text=f"line {decimals(found.line.value, 2)}", showarrow=False, xanchor="left", xshift=4
    )
    return figure


def _span(found: Sureness) -> tuple[float, float]:
    ends = [found.line.value, *(step.low for step in found.steps)]
    return min(ends) - 0.05, max(ends) + 0.1


def no_tool_frame(found: Sureness) -> pd.DataFrame:
    """Return one row a step of the histogram, its text twin."""
    return pd.DataFrame(
        {
            "best meaning match": [f"{step.low:.2f} to {step.low + 0.05:.2f}" for step in found.steps],
            "against the line": [_side(step.low, found.line.value) for step in found.steps],
            "a tool is right": [step.answered for step in found.steps],
            "no tool fits": [step.no_tool for step in found.steps],
        }
    )


def _side(low: float, line: float) -> str:
    if low + 0.05 <= line + 1e-9:
        return "below"
    return "above" if low >= line - 1e-9 else "holds the line"
