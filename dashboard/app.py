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

st.set_page_config(page_title="Tool Curator", page_icon=":material/tune:", layout="wide")
here = Path(__file__).parent
pages = [st.Page(path, title=title, icon=icon) for path, title, icon in PAGES if (here / path).exists()]
page = st.navigation(pages, position="top")
if session.is_open():
    panels.header()
    page.run()
else:
    panels.choose_registry()
