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
    monkeypatch.setattr(SafeSessionState, "__init__", whole_callbacks._begin)


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


def test_the_runs_of_one_session_do_not_change_its_state_at_the_same_time_and_other_sessions_are_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole_callbacks.install()
    monkeypatch.setattr(SessionState, "on_script_will_rerun", lambda *_, **__: inside())
    state, inside_now, go_on, put = SessionState(), threading.Event(), threading.Event(), threading.Event()
    stopped, next_run, another = (SafeSessionState(one, lambda: None) for one in (state, state, SessionState()))

    def inside() -> None:
        inside_now.set()
        assert go_on.wait(20)

    def change() -> None:
        stopped["key"] = 1
        put.set()

    threads = [threading.Thread(target=next_run.on_script_will_rerun, args=(None,)), threading.Thread(target=change)]
    threads[0].start()
    assert inside_now.wait(20)
    another["key"] = 1
    threads[1].start()
    assert not put.wait(0.05)
    go_on.set()
    assert put.wait(20)
    for thread in threads:
        thread.join(20)


def test_a_lock_lives_as_long_as_a_run_of_its_session() -> None:
    whole_callbacks.install()
    before = len(whole_callbacks._locks)
    safe = SafeSessionState(SessionState(), lambda: None)
    assert len(whole_callbacks._locks) == before + 1
    del safe
    assert len(whole_callbacks._locks) == before
