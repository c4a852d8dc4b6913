"""The whole map as a figure: the marks of an index's tools, the names of its clusters, and what is drawn over it. Pure: no Streamlit."""

from __future__ import annotations

from plotly.graph_objects import Figure

from curator_core import Clusters, Layout, ToolIndex
from dashboard.overlap.map_chart import Focus, Look, kinds, map_figure, ordered, spots
from dashboard.overlap.map_labels import cluster_labels
from dashboard.overlap.map_overlay import Overlay, overlaid

FIRST_LOOK = Look("cluster", None, None, "light")  # as most people see a map that they come to


def figure_of(index: ToolIndex, layout: Layout, clusters: Clusters | None, look: Look, focus: Focus, overlay: Overlay) -> Figure:
    """Return the map of an index. clusters: None while they are not known; then no mark has a colour of its own."""
    registry, clusters = index.registry, clusters if look.colouring == "cluster" else None
    shown = registry.pool(look.role)
    kind_of = kinds(registry, layout.keys, look.colouring, clusters)
    marks = spots(layout, shown, kind_of)
    labels = cluster_labels(layout, clusters, shown) if clusters else ()
    groups = {mark.keys[0]: registry.by_key[mark.keys[0]].group for mark in marks}
    figure = map_figure(marks, groups, ordered(kind_of, clusters), labels, focus=focus, star=look.star, theme=look.theme)
    return overlaid(figure, layout, shown, overlay, look.star, look.theme)
