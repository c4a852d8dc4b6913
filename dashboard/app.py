"""The workbench's entry: page set-up, what is always visible, and navigation."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from dashboard import (
    ahead,
    gone_widgets,
    looks,
    messages_together,
    page_turns,
    panels,
    resources,
    session,
    shortcuts,
    whole_callbacks,
    working_as,
)
from dashboard.drafts import draft_bar
from dashboard.home import start_panel

# The daily work stands open at the left; the others are behind their group's name.
PAGES = {
    "": (
        ("views/home.py", "Home", ":material/home:"),
        ("views/playground.py", "Playground", ":material/search:"),
        ("views/tools.py", "Tools", ":material/build:"),
        ("views/synonyms.py", "Synonyms", ":material/swap_horiz:"),
    ),
    "Quality": (
        ("views/queries.py", "Test queries", ":material/checklist:"),
        ("views/overlap.py", "Overlap", ":material/join_inner:"),
        ("views/compare.py", "Compare", ":material/compare_arrows:"),
    ),
    "Changes": (
        ("views/review.py", "Review & history", ":material/history:"),
        ("views/exchange.py", "Import & export", ":material/import_export:"),
    ),
    "Setup": (("views/engine.py", "Engine & index", ":material/tune:"), ("views/help.py", "Help", ":material/help:")),
}

whole_callbacks.install()
gone_widgets.install()
page_turns.install()
looks.install()
messages_together.install()
shortcuts.install()
here = Path(__file__).parent
st.set_page_config(page_title="Tool Curator", page_icon=str(here / "icon.svg"), layout="wide")
pages = {
    group: [st.Page(path, title=title, icon=icon) for path, title, icon in some if panels.has_page(path)] for group, some in PAGES.items()
}
page = st.navigation({group: some for group, some in pages.items() if some}, position="top")
if working_as.ask_for_login():
    st.stop()
top = st.container(gap=None)  # one element, whatever it holds: the page below keeps its place, and an open editor its caret
if page.url_path == "overlap":
    with top:
        ahead.load_charts()
if session.is_open():
    session.heed_editors()  # what nobody could take when it came
    session.refresh()
    with top.container():
        panels.header(working_as.working_as)
        draft_bar.show()
        panels.place_of_draft()
if session.is_open() or page.title == "Help":
    page.run()
else:
    start_panel.welcome()
resources.FIRST_PAGE.set()
