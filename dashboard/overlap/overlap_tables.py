"""What the Overlap page shows beside the map, as tables and short texts made from core records. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import pandas as pd

from curator_core import Clusters, Layout, Neighbour, Pair, Registry
from dashboard.tables import decimals, plural, visible

_NAMES_IN_ROW = 12


def pairs_frame(pairs: Sequence[Pair]) -> pd.DataFrame:
    """Return the closest pairs, one a row, closest first."""
    return pd.DataFrame(
        {
            "#": range(1, len(pairs) + 1),
            "tool": [visible(pair.a) for pair in pairs],
            "and tool": [visible(pair.b) for pair in pairs],
            "similarity": [decimals(pair.similarity, 3) for pair in pairs],
            "percentile": [f"{pair.percentile:.0f}" for pair in pairs],
            "group": ["same" if pair.same_group else "" for pair in pairs],
            "shared words": [visible(", ".join(pair.shared_words)) for pair in pairs],
        }
    )


def piles_frame(piles: Sequence[tuple[str, ...]]) -> pd.DataFrame:
    """Return the tools whose texts are the same, one pile a row."""
    more = [("", f" … and {len(keys) - _NAMES_IN_ROW} more")[len(keys) > _NAMES_IN_ROW] for keys in piles]
    names = [visible(", ".join(keys[:_NAMES_IN_ROW])) + rest for keys, rest in zip(piles, more, strict=True)]
    return pd.DataFrame({"tools": [len(keys) for keys in piles], "with the same text": names})


def near_frame(near: Sequence[Neighbour]) -> pd.DataFrame:
    """Return the tools nearest to one tool or question, nearest first."""
    return pd.DataFrame(
        {
            "#": range(1, len(near) + 1),
            "tool": [visible(one.key) for one in near],
            "similarity": [decimals(one.similarity, 3) for one in near],
            "": [
                " ".join(filter(None, ("same text" if one.identical else "", f"×{one.copies}" if one.copies > 1 else ""))) for one in near
            ],
        }
    )


def copies_text(near: Sequence[Neighbour]) -> str:
    """Say how many tools have the very text of the tool in focus, "" where none has. near: the tools nearest to it, one per pile."""
    copies = sum(one.copies for one in near if one.identical)
    if not copies:
        return ""
    return f"{plural(copies, 'other tool')} {'has' if copies == 1 else 'have'} the very same text: no question can tell them apart."


def tools_frame(
    registry: Registry, keys: Sequence[str], shown: Collection[str], clusters: Clusters, nearest: Sequence[Neighbour]
) -> pd.DataFrame:
    """Return the map in words: each tool's cluster, group and nearest tool. keys: all, as the index has them; shown: which of them."""
    seen, names = set(shown), clusters.names()
    rows = []
    for position, key in enumerate(keys):
        if key in seen:
            near = nearest[position] if nearest else None
            group = registry.by_key[key].group
            close = (visible(near.key), decimals(near.similarity, 3)) if near else ("", "")
            rows.append((visible(key), visible(names[position]), visible(group), *close))
    return pd.DataFrame(rows, columns=["tool", "cluster", "group", "nearest tool", "similarity"])


def trust(layout: Layout) -> str:
    """Say in plain words how far the picture can be trusted."""
    if layout.method in ("point", "line", "circle"):
        return "With so few tools the map is only an arrangement in order of names. The list beside it says what is near."
    if layout.neighbours_kept is None:
        return "There are too few tools to say how far the picture can be trusted; the list beside it compares in the original space."
    said = (
        f"How far to trust the picture: of a tool's 10 nearest tools, {layout.neighbours_kept:.0%} on average are among its 10 nearest "
        "here. A plane cannot show more; the list beside it compares in the original space."
    )
    late = int(layout.placed.sum())
    return said + (f" {plural(late, 'tool')} came after the map was drawn and stand among their neighbours." if late else "")
