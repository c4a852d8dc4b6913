"""The workbench's entry: page set-up, what is always visible, and navigation."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import panels, session

PAGES = (
    ("views/playground.py", "Playground", ":material/search:"),
    ("views/tools.py", "Tools", ":material/build:"),
    ("views/synonyms.py", "Synonyms", ":material/swap_horiz:"),
)

here = Path(__file__).parent
st.set_page_config(page_title="Tool Curator", page_icon=str(here / "icon.svg"), layout="wide")
pages = [st.Page(path, title=title, icon=icon) for path, title, icon in PAGES]
page = st.navigation(pages, position="top")
if session.is_open():
    with st.container():  # one element, whatever it holds: the page below keeps its place, and an open editor its caret
        panels.header()
    page.run()
else:
    panels.choose_registry()
