"""What edits change, word by word: signs and colours around plain text. Its html and script are fixed; texts come as data."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from curator_core import Edit, TestQuery, Tool, word_diff
from dashboard.tables import visible

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

SHOWN_AT_MOST = 100
_FIELDS = {
    "extra_context": "extra context",
    "test_query": "test query",
    "tool": "whole tool",
    "more": "other fields",
    "unresolved": "extra context of an absent tool",
    "settings": "setting",
}


@cache
def _component() -> ComponentRenderer:
    here = Path(__file__).parent
    html, css, js = ((here / f"text_diff.{ending}").read_text(encoding="utf-8") for ending in ("html", "css", "js"))
    return st.components.v2.component("tool_curator_text_diff", html=html, css=css, js=js)


def text_diff(edits: Sequence[Edit], key: str) -> None:
    """Show what each edit changes; of very many the first ones."""
    changes = [{"place": place_text(edit), "parts": parts(edit)} for edit in edits[:SHOWN_AT_MOST]]
    _component()(key=key, data={"label": "What changes, word by word", "changes": changes})
    if len(edits) > SHOWN_AT_MOST:
        st.text(f"and {len(edits) - SHOWN_AT_MOST:,} more")


def place_text(edit: Edit) -> str:
    """Say what an edit is about: the tool or term, and the field."""
    return visible(f"{edit.tool or 'registry'} · {_FIELDS.get(edit.field, edit.field)}")


def parts(edit: Edit) -> list[tuple[str, str]]:
    """Return the parts of an edit's text in order: what stays, what goes, what comes."""
    old, new = as_text(edit.old), as_text(edit.new)
    return [(kind, visible(text)) for kind, text in word_diff(old, new)] or [("equal", "(nothing)")]


def as_text(value: object) -> str:
    """Return any field's value as a text that can be compared: lists one entry a line, records one field a line."""
    if value is None:
        return ""
    if isinstance(value, Tool | TestQuery):
        fields = {name: getattr(value, name) for name in value.__dataclass_fields__}
        if isinstance(value, TestQuery) and value.expected == ():
            fields["expected"] = "(no tool applies)"  # beside "nobody has judged it", which is left out
        return _lines((name, as_text(entry)) for name, entry in fields.items() if entry)
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False, indent=1, default=_plain)
    return "\n".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else list(value)


def _lines(pairs: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"{name}: {text}" for name, text in pairs)
