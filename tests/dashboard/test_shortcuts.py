"""The shortcuts come to the same as what they stand in for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import streamlit as st
from streamlit import config
from streamlit.cursor import Cursor, RunningCursor
from streamlit.delta_generator import DeltaGenerator
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.testing.v1 import AppTest

from dashboard import shortcuts


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(app_session, "_populate_theme_msg", shortcuts._fill)
    monkeypatch.setattr(SafeSessionState, "filtered_state", shortcuts._all_values)
    monkeypatch.setattr(SessionState, "__getitem__", shortcuts._value)
    monkeypatch.setattr(DeltaGenerator, "__deepcopy__", shortcuts._copy)
    monkeypatch.setattr(Cursor, "__deepcopy__", None, raising=False)
    shortcuts.install()
    shortcuts._kept.clear()
    yield
    shortcuts._kept.clear()


@pytest.mark.parametrize("section", ["theme", "theme.light", "theme.dark", "theme.sidebar"])
def test_the_theme_is_the_one_that_streamlit_works_out(section: str) -> None:
    theirs = CustomThemeConfig()
    shortcuts._fill(theirs, section)
    for _ in range(2):  # worked out, then kept
        ours = CustomThemeConfig()
        app_session._populate_theme_msg(ours, section)
        assert ours == theirs


def test_a_theme_that_is_changed_while_the_workbench_runs_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = CustomThemeConfig(), CustomThemeConfig()
    app_session._populate_theme_msg(before, "theme")
    changed = deepcopy(config.get_config_options())
    changed["theme.primaryColor"].set_value("#123456", "a test")
    monkeypatch.setattr(config, "_config_options", changed)
    app_session._populate_theme_msg(after, "theme")
    assert before.primary_color != after.primary_color == "#123456"


def test_another_streamlit_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_session, "_populate_theme_msg", shortcuts._fill)
    monkeypatch.setattr(shortcuts, "__version__", "1.70.0")
    shortcuts.install()
    assert app_session._populate_theme_msg is shortcuts._fill


def page() -> None:
    import streamlit as st

    st.session_state.setdefault("plain", "value")
    st.text_input("Name", "old", key="name")
    st.selectbox("Kind", ["one", "two"], index=None, key="kind")
    st.text("|".join(sorted(st.session_state)))


def test_boxes_look_up_their_values_as_ever_and_all_values_are_there() -> None:
    test = AppTest.from_function(page).run()
    assert test.text_input[0].value == "old" and test.selectbox[0].value is None
    test.text_input[0].set_value("new")
    test.selectbox[0].set_value("two").run()
    assert (test.text_input[0].value, test.selectbox[0].value) == ("new", "two")
    assert test.text[0].value == "kind|name|plain"
    assert [test.session_state[key] for key in ("plain", "name", "kind")] == ["value", "new", "two"]


def test_a_value_is_looked_up_without_going_through_the_others() -> None:
    state = SessionState()
    safe = SafeSessionState(state, lambda: None)
    state["asked"] = 1
    values = safe.filtered_state
    assert "asked" in values and values["asked"] == 1 and values.get("absent") is None
    assert "$$ID-hidden-None" not in values and len(values) == 1
    looked_up = threading.Event()
    with safe._lock:  # as of the session's other run, which changes it meanwhile
        other = threading.Thread(target=lambda: (values["asked"], looked_up.set()))
        other.start()
        assert not looked_up.wait(0.05)
    assert looked_up.wait(20)


def test_a_value_is_the_one_that_was_put_last_whether_in_this_run_or_before() -> None:
    state = SessionState()
    state["kept"] = state["changed"] = 1
    state._compact_state()
    state["changed"], state["new"] = 2, None
    for look_up in (SessionState.__getitem__, shortcuts._value):
        assert [look_up(state, key) for key in ("kept", "changed", "new")] == [1, 2, None]
    with pytest.raises(KeyError, match="absent"):
        state["absent"]


def stack() -> tuple[DeltaGenerator, ...]:
    """Three containers in each other, the innermost with two elements already."""
    outer = DeltaGenerator(root_container=0, cursor=RunningCursor(0))
    middle = DeltaGenerator(root_container=0, cursor=RunningCursor(0, (3,)), parent=outer, block_type="vertical")
    inner = DeltaGenerator(root_container=0, cursor=RunningCursor(0, (3, 1)), parent=middle)
    for _ in range(2):
        _cursor(inner).lock_element()
    return outer, middle, inner


def test_a_copied_stack_of_containers_stands_where_the_first_stood_and_goes_on_by_itself() -> None:
    first = stack()
    copied = deepcopy(first)
    assert [_cursor(one).delta_path for one in copied] == [_cursor(one).delta_path for one in first] == [[0, 0], [0, 3, 0], [0, 3, 1, 2]]
    assert [one._block_type for one in copied] == [None, "vertical", None]
    _cursor(copied[2]).lock_element()
    assert _cursor(copied[2]).delta_path == [0, 3, 1, 3] and _cursor(first[2]).delta_path == [0, 3, 1, 2]


def test_what_is_around_several_containers_is_copied_once() -> None:
    outer, middle, inner = deepcopy(stack())
    assert inner._parent is middle and middle._parent is outer


def fragments() -> None:
    import streamlit as st

    @st.fragment
    def part(name: str) -> None:
        with st.container():
            st.button("Again", key=f"again_{name}")
            st.text(f"{name} {st.session_state.get(f'again_{name}')}")

    with st.container():
        st.text("above")
        with st.columns(2)[1]:
            part("first")
            part("second")
        st.text("below")


def test_parts_of_a_page_keep_their_places() -> None:
    test = AppTest.from_function(fragments).run()
    assert [one.value for one in test.text] == ["above", "first False", "second False", "below"]
    test.button(key="again_second").click().run()
    assert [one.value for one in test.text] == ["above", "first False", "second True", "below"]


def _cursor(container: DeltaGenerator) -> Any:
    return container._cursor


def test_streamlit_is_the_one_that_the_shortcuts_were_made_for() -> None:
    assert st.__version__ and shortcuts._fill and shortcuts._all_values and shortcuts._copy
