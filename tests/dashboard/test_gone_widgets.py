"""What a page has no longer is forgotten, but for the last of it and for what gets its value back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.runtime.state import SessionState
from streamlit.testing.v1 import AppTest

from dashboard import gone_widgets

PAGES = gone_widgets.STAY // 50 + 3  # of 50 widgets each


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(SessionState, "_remove_stale_widgets", gone_widgets._drop_values)
    yield


def page() -> None:
    import streamlit as st

    at = st.number_input("page", 0, 100, key="at")
    if at % 2 == 0:
        st.text_input("comes back", key="kept", persist_state="session")
    for number in range(50):
        st.checkbox(f"{number}", key=f"box {at} {number}", on_change=lambda: None)


def turned(pages: int) -> AppTest:
    """Return the page after it was turned so many times."""
    app = AppTest.from_function(page).run()
    app.text_input(key="kept").set_value("typed").run()
    for at in range(1, pages):
        app.number_input(key="at").set_value(at).run()
    return app


def known(app: AppTest) -> set[str]:
    """Return the names of the widgets that the session knows of."""
    state = app.session_state._state._state  # a session in two wrappers
    return {state._key_id_mapper.id_key_mapping[widget] for widget in state._new_widget_state.widget_metadata}


def test_without_it_every_widget_stays() -> None:
    app = turned(PAGES)
    assert len(known(app)) == 50 * PAGES + 2


def test_the_last_that_are_gone_stay_and_those_before_are_forgotten() -> None:
    gone_widgets.install()
    names = known(turned(PAGES))
    assert len(names) <= gone_widgets.STAY + 52
    assert {f"box {PAGES - 1} 0", f"box {PAGES - 2} 0", f"box {PAGES - 3} 0", "at", "kept"} <= names
    assert not names & {"box 0 0", "box 1 49"}


def test_what_comes_back_has_its_value_however_long_it_was_gone() -> None:
    gone_widgets.install()
    app = turned(PAGES)
    for at in range(2 * PAGES + 1, 6 * PAGES, 2):  # pages without it
        app.number_input(key="at").set_value(at).run()
    app.number_input(key="at").set_value(100).run()
    assert app.text_input(key="kept").value == "typed"


def test_a_forgotten_widget_begins_anew_and_works() -> None:
    gone_widgets.install()
    app = turned(1)
    app.checkbox(key="box 0 3").check().run()
    for at in range(1, PAGES):
        app.number_input(key="at").set_value(at).run()
    app.number_input(key="at").set_value(0).run()
    assert app.checkbox(key="box 0 3").value is False
    assert app.checkbox(key="box 0 3").check().run().checkbox(key="box 0 3").value is True
