"""A click on a button that leads elsewhere counts, also where the page is stopped before it comes to that button."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import panels


def page() -> None:
    import streamlit as st

    from dashboard import panels

    state = st.session_state
    if state.pop("stopped_early", False):
        st.stop()
    if state.get("row", 0) >= 0:
        row = state.get("row", 0)
        panels.press("Open", "open", lambda: st.text(f"opened {row}"), take=lambda: state.update(taken=row))


@pytest.fixture
def at() -> AppTest:
    return AppTest.from_function(page).run()


def test_a_click_leads_there_once_with_what_goes_along(at: AppTest) -> None:
    at.button[0].click().run()
    assert [text.value for text in at.text] == ["opened 0"]
    assert at.session_state["taken"] == 0
    assert not at.run().text


def test_a_click_on_a_page_that_is_stopped_before_the_button_leads_to_what_was_clicked(at: AppTest) -> None:
    at.session_state["stopped_early"] = True
    assert not at.button[0].click().run().text
    at.session_state["row"] = 1  # what stands there now is another one
    assert [text.value for text in at.run().text] == ["opened 0"]


def test_a_click_whose_page_was_left_meanwhile_leads_nowhere_when_that_page_is_seen_again(
    at: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    at.session_state["stopped_early"] = True
    at.button[0].click().run()
    monkeypatch.setattr(panels, "_CLICK_SECONDS", 0.0)
    assert not at.run().text
