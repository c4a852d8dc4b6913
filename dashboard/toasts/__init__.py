"""Short news for a moment at the corner of the page, which a screen reader tells too.

Streamlit's toasts are dialogs that refer to a name which is not there, and nothing reads them out (seen with 1.67).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer


@cache
def _component() -> ComponentRenderer:
    js = Path(__file__).with_name("toasts.js").read_text(encoding="utf-8")
    return st.components.v2.component("tool_curator_toasts", js=js)


def toast(text: str, icon: str, key: str) -> None:
    """Show a text in a toast, named by its text."""
    st.toast(text, icon=icon)
    _component()(key=key, width="content")
