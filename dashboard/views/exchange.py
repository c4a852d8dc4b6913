"""Import & export: registries from anywhere into the draft, with a preview; and the way out in every format."""

from __future__ import annotations

import streamlit as st

from dashboard import panels
from dashboard.exchange.export_panel import export_panel
from dashboard.exchange.import_panel import import_panel

IMPORT, EXPORT = map(panels.tab, ("Import", "Export"))


def show() -> None:
    """Show the page."""
    bring, take = st.tabs([IMPORT, EXPORT], key="exchange_view", on_change="rerun")
    if bring.open:
        with bring:
            import_panel()
    if take.open:
        with take:
            export_panel()


if __name__ == "__main__":
    show()
