"""A callback runs to its end although the browser's next message has come: else a text or a click would be gone."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from streamlit.runtime.state import SafeSessionState, SessionState

from dashboard import whole_callbacks


class Stopped(BaseException):
    """What Streamlit raises in a page that is to be stopped."""


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", whole_callbacks._as_it_was)


def session_with(act: Any, monkeypatch: pytest.MonkeyPatch, stop: list[bool]) -> SafeSessionState:
    """Return a session whose next message calls one callback; a stop is asked for while `stop` says so."""

    def look() -> None:
        if stop[0]:
            raise Stopped

    safe = SafeSessionState(SessionState(), look)
    monkeypatch.setattr(SessionState, "on_script_will_rerun", lambda *_, **__: act(safe, stop))
    return safe


def note(safe: SafeSessionState, stop: list[bool]) -> None:
    safe["half"] = 1
    stop[0] = True  # the next message comes here
    safe["whole"] = 1


def test_without_it_a_callback_is_stopped_in_its_middle(monkeypatch: pytest.MonkeyPatch) -> None:
    safe = session_with(note, monkeypatch, [False])
    with pytest.raises(Stopped):
        safe.on_script_will_rerun(None)
    assert safe.filtered_state == {"half": 1}


def test_a_callback_is_not_stopped_and_the_page_after_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    whole_callbacks.install()
    safe = session_with(note, monkeypatch, [False])
    safe.on_script_will_rerun(None)
    assert safe.filtered_state == {"half": 1, "whole": 1}
    with pytest.raises(Stopped):
        safe["page"] = 1


def test_a_message_that_is_overtaken_before_its_first_callback_calls_none(monkeypatch: pytest.MonkeyPatch) -> None:
    whole_callbacks.install()
    safe = session_with(note, monkeypatch, [True])
    with pytest.raises(Stopped):
        safe.on_script_will_rerun(None)
    assert safe.filtered_state == {}


def test_the_callbacks_of_the_next_message_wait_for_those_of_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    whole_callbacks.install()
    met, begun, go_on = [], threading.Event(), threading.Event()

    def act(*_: object) -> None:
        met.append(threading.current_thread().name)
        begun.set()
        assert go_on.wait(5)
        met.append(threading.current_thread().name)

    safe = session_with(act, monkeypatch, [False])
    first, second = (threading.Thread(target=safe.on_script_will_rerun, args=(None,), name=name) for name in ("first", "second"))
    first.start()
    assert begun.wait(5)
    second.start()
    second.join(0.05)
    go_on.set()
    for thread in (first, second):
        thread.join(5)
    assert met == ["first", "first", "second", "second"]
