"""What the browser will need for a page, loaded while the server still works for it: what draws charts is its largest part."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STATIC = Path(st.__file__).parent / "static"
_CHARTS = "static/js/PlotlyChart.*.js"
# a module is loaded once, whoever asks; where it cannot be loaded now, the chart asks again and says what is wrong
_JS = """export default function (component) {
  for (const module of component.data.modules) import(new URL(module, document.baseURI).href).catch(() => {})
}"""


@cache
def _component() -> ComponentRenderer:
    return st.components.v2.component("tool_curator_ahead", js=_JS)


@cache
def chart_modules() -> tuple[str, ...]:
    """Return the addresses of the modules that draw charts, none where this Streamlit calls them otherwise."""
    return tuple(sorted(path.relative_to(_STATIC).as_posix() for path in _STATIC.glob(_CHARTS)))


def load_charts() -> None:
    """Let the browser load what draws charts; takes no place on the page."""
    if modules := chart_modules():
        _component()(key="ahead_charts", data={"modules": list(modules)}, width="content")
