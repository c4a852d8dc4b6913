"""What draws charts is loaded ahead of the page that needs it, and is found in the Streamlit that is installed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st
from streamlit.testing.v1 import AppTest

from dashboard.ahead import chart_modules


def test_the_module_that_draws_charts_is_found() -> None:
    assert len(chart_modules()) == 1
    assert (Path(st.__file__).parent / "static" / chart_modules()[0]).is_file()


def test_the_page_with_the_map_asks_for_it_and_another_page_does_not(app: Callable[..., AppTest]) -> None:
    for page, asked in (("overlap", True), ("tools", False)):
        found = app(page=page).get("bidi_component")
        assert any("ahead_charts" in element.proto.id for element in found) == asked
