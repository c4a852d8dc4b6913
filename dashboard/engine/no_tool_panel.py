"""When no tool applies, on the Engine page: the line that is drawn through the registry's own test queries, over their histogram."""

from __future__ import annotations

import streamlit as st

from curator_core import PROFILE_NAMES
from dashboard import panels
from dashboard.drafts.authoring import own_settings
from dashboard.engine.profile_panel import figures
from dashboard.engine.profile_tables import no_tool_chart, no_tool_frame

_ROW = 28


def no_tool_tab() -> None:
    """Show the line, what lies below it, and the histogram."""
    found = figures()
    if found is None:
        return
    own = own_settings().profile
    chosen = st.segmented_control(
        "Profile", PROFILE_NAMES, default=own, key="engine_no_tool_of", required=True, format_func=panels.pill, help=_PROFILE_HELP
    )
    one = found.sureness.get(str(chosen or own))
    if one is None:
        st.info("Without meaning match nobody can say how unlike the tools a question is.", icon=":material/info:")
        return
    left, right = st.columns([0.6, 0.4], gap="large")
    with left:
        st.markdown("**When no tool applies**", help=_HELP)
        for said in one.sentences:
            st.text(said)
        st.plotly_chart(
            no_tool_chart(one),
            key="engine_no_tool",
            config={"displayModeBar": False},
            alt="Test queries by their best meaning match, those with a right tool and those without, and the line; the table has the same",
        )
    with right:
        frame = no_tool_frame(one)
        st.dataframe(
            frame,
            hide_index=True,
            key="engine_no_tool_rows",
            row_height=_ROW,
            height=min(420, _ROW * len(frame) + 38),
            alt="Test queries by their best meaning match",
        )


_HELP = (
    "A question whose best meaning match lies below the line is unlike everything that the registry's own questions ask: the answer then "
    "says that perhaps no tool applies (no_tool), and in the profile tuned a few more tools are given. Held-out questions draw no line."
)
_PROFILE_HELP = "Similarities differ between the profiles: tuned compares several vectors of each tool."
