"""What a tool's texts hide, or say to the model: shown escaped, with code points; taken out only when the author asks for it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from curator_core import Edit, Tool, cleaned, hidden_in_tool
from dashboard import session
from dashboard.drafts.authoring import may_write
from dashboard.tables import plural, visible

_FIELDS = ("description", "extra_context", "examples")
_HELP = (
    "Descriptions travel with registries from anywhere. Characters without width part words that look whole, and words to the model may "
    "make an agent do what its user did not ask for. Here they are only text."
)
_CLEAN_HELP = (
    "Takes out characters that do not show, terminal codes and HTML comments, from description, extra context and examples. Words stay. "
    "It is an edit in your draft, with undo."
)
_SHOWN = 12


def hidden_panel(key: str, tool: Tool) -> None:
    """Show what is hidden in a tool's texts, with a way to take out what nobody sees; nothing where nothing is."""
    found = hidden_in_tool(tool)
    if not found:
        return
    lines = [f"{field}, letter {one.start + 1}: {one.said}" for field, some in found.items() for one in some]
    with st.container(border=True, gap="xsmall"):
        st.badge("Hidden text, or words to the model", icon=":material/visibility_off:", color="orange", help=_HELP)
        st.text(visible("\n".join(lines[:_SHOWN])) + (f"\nand {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""))
        if may_write() and clean_edits(key, tool):
            st.button(
                "Take out what does not show",
                key="tools_clean",
                icon=":material/cleaning_services:",
                on_click=_clean(key),
                help=_CLEAN_HELP,
            )


def clean_edits(key: str, tool: Tool) -> tuple[Edit, ...]:
    """Return the edits that take out of a tool's texts what the eye does not see."""
    new = {
        "description": cleaned(tool.description),
        "extra_context": cleaned(tool.extra_context),
        "examples": tuple(map(cleaned, tool.examples)),
    }
    return tuple(Edit(key, field, getattr(tool, field), new[field]) for field in _FIELDS if getattr(tool, field) != new[field])


def _clean(key: str) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        edits = clean_edits(key, session.registry().tool(key))
        if edits and session.attempt(lambda: session.add(*edits)):
            session.renew_editors()
            session.notify(session.Outcome(True, f"{plural(len(edits), 'text')} cleaned; “Undo last” brings the characters back."))

    return act
