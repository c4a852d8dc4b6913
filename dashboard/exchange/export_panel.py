"""The registry, some of its tools, its synonyms or test queries as a file in any format; what a format cannot hold is said."""

from __future__ import annotations

import streamlit as st

from curator_core import EXPORT_FORMATS, CuratorError, export_registry
from dashboard import panels, session
from dashboard.tables import plural, visible

_ALL, _ROLE, _ANSWER = "all", "what the role sees", "what a question brings"
_LINES, _LETTERS = 24, 3000  # few enough to need no scroll bar, which the keyboard could not reach
_MIME = {".json": "application/json", ".csv": "text/csv", ".jsonl": "application/jsonl", ".tsv": "text/tab-separated-values"}
_FORMAT_HELP = "Formats that come back by Import say the same afterwards; what one cannot hold is listed before you download."
_WHICH_HELP = "The registry with your draft. The role is the one chosen at the top; a question brings what an agent would be given."


def export_panel() -> None:
    """Let the author choose format and tools; show the beginning of the file, what it leaves out, and the download."""
    left, right = st.columns((2, 5), gap="large")
    with left:
        format = str(
            st.selectbox(
                "Format", list(EXPORT_FORMATS), key="export_format", format_func=lambda one: EXPORT_FORMATS[one].title, help=_FORMAT_HELP
            )
        )
        keys = _which() if EXPORT_FORMATS[format].holds == "tools" else None
    with right:
        if keys is not None and not keys:
            panels.note("No tool is chosen.")
        else:
            _file(format, keys)


def _which() -> list[str] | None:
    """Return the keys of the tools to export, None for all."""
    options = [_ALL, *([_ROLE] if session.role() else []), _ANSWER]
    if session.value("export_which") not in (None, *options):
        session.put("export_which", _ALL)
    chosen = st.radio("Which tools", options, key="export_which", help=_WHICH_HELP)
    if chosen == _ROLE:
        return list(session.registry().pool(session.role()))
    if chosen == _ANSWER:
        question = st.text_input("The question", session.query(), key="export_query", live=True, placeholder="what a user would ask")
        return list(session.curator().curate(question, role=session.role()).tools) if (question or "").strip() else []
    return None


def _file(format: str, keys: list[str] | None) -> None:
    registry = session.registry()
    try:
        made = export_registry(registry, format, keys)
    except CuratorError as error:
        panels.message("This cannot be exported", str(error))
        return
    name = "".join(letter if letter.isalnum() else "_" for letter in registry.name) or "registry"
    data = made.text.encode("utf-8")
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.download_button(
            f"Download {name}-{format}{made.suffix}",
            (b"\xef\xbb\xbf" if made.suffix == ".csv" else b"") + data,
            f"{name}-{format}{made.suffix}",
            _MIME.get(made.suffix, "text/plain"),
            key="export_download",
            type="primary",
            icon=":material/download:",
            on_click="ignore",
        )
        tools = f"{plural(len(registry.tools if keys is None else keys), 'tool')}, " if EXPORT_FORMATS[format].holds == "tools" else ""
        st.text(f"{tools}{len(data):,} bytes", width="content")
    if made.left_out:
        panels.message("This format cannot hold", "\n".join(made.left_out))
    if made.suffix in (".csv", ".tsv"):
        panels.note("A cell that could start a formula begins with an apostrophe, which coming back takes off again.")
    lines = made.text.split("\n")
    st.code(visible("\n".join(lines[:_LINES])[:_LETTERS]), language=None, wrap_lines=True)
    if len(lines) > _LINES or len(made.text) > _LETTERS:
        panels.note("The beginning of the file.")
