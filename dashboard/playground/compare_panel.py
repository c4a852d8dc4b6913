"""What an answer is compared with: the saved registry or other settings; and one tool against another."""

from __future__ import annotations

import streamlit as st

from curator_core import Curator, Settings, Trace, compare_tools
from dashboard import panels, session
from dashboard.compare.settings_chooser import choose_settings
from dashboard.playground.comparison import differences, margins_text, summary, versus_frame
from dashboard.tables import visible

_FIGURES = ("rank", "meaning", "words", "combined", "name rule")
_OTHER_HELP = "Compare settings: asks the same question a second time with other settings, and shows each tool's place in both answers."
_VERSUS_HELP = "Says why one of two tools stands before the other, with both tools' figures."


def switches() -> None:
    """Offer what to compare with, each quiet until it is wanted."""
    if session.edits() and not session.value("versus_settings"):
        st.checkbox("Compare with saved", True, key="versus", help="Place against the registry as saved.")
    st.toggle("Compare", key="versus_settings", persist_state="session", help=_OTHER_HELP)


def other_side(trace: Trace) -> tuple[str, Trace | None]:
    """Return what the answer is compared with, in a word, and its trace; ("", None) where nothing is wanted."""
    if session.value("versus_settings"):
        settings = choose_settings(trace.settings, "versus")
        if settings is None:
            return "", None
        other = _ask(session.curator(), trace, settings)
        _difference(trace, other)
        return "other", other
    if session.edits() and session.value("versus"):
        role = session.role() if session.role() in session.base().roles else None
        return "saved", session.curator(saved=True).curate(trace.query, role=role)
    return "", None


def _ask(curator: Curator, trace: Trace, settings: Settings) -> Trace:
    return curator.curate(trace.query, role=trace.role, settings=settings)


def _difference(trace: Trace, other: Trace) -> None:
    different = differences(trace.settings, other.settings)
    if not different:
        st.caption("Both sides have the same settings: switch a stage off there, or change a number.")
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.badge("other settings", icon=":material/compare_arrows:", color="blue")
        st.text(f"{summary(trace, other)}  {' · '.join(different)}")


def versus(trace: Trace, tool: str) -> None:
    """Let the author choose a second tool, and say why one of the two stands before the other."""
    other = panels.choose_tool("Compare with another tool", "Why this tool and not …", _VERSUS_HELP, key="other", quiet=True)
    if other is None or other == tool:
        return
    found = compare_tools(trace, tool, other)
    with st.container(border=True, gap="xsmall"):
        st.text(visible(found.sentence))
        st.dataframe(
            versus_frame(found),
            hide_index=True,
            key="versus_table",
            row_height=28,
            column_config={name: st.column_config.TextColumn(alignment="right") for name in _FIGURES},
            alt="Both tools' figures, the one that stands first on top",
        )
        if said := margins_text(found):
            st.caption(said)
