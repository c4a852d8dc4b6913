"""What a page sends reaches the loop in its order, in few wake-ups, and all of it before the next run begins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from streamlit.runtime.app_session import AppSession

from dashboard import messages_together


class Loop(asyncio.SelectorEventLoop):
    """Counts how often another thread, or this one, wakes it."""

    woken = 0

    def call_soon_threadsafe(self, callback: Any, *arguments: Any, context: Any = None) -> asyncio.Handle:
        self.woken += 1
        return super().call_soon_threadsafe(callback, *arguments, context=context)


class Session:
    """What the two methods need of Streamlit's session: a loop, and the run that goes on."""

    def __init__(self) -> None:
        self._event_loop, self.runner = asyncio.get_running_loop(), "the first run"

    def hand(self, callback: Callable[[], None]) -> None:
        AppSession._call_soon_on_event_loop(self, callback)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, name, was in (
        (AppSession, "_call_soon_on_event_loop", messages_together._hand),
        (AppSession, "_create_scriptrunner", messages_together._start),
    ):
        monkeypatch.setattr(owner, name, was)
    messages_together.install()


def run(act: Callable[[Loop], Coroutine[Any, Any, None]]) -> None:
    loop = Loop()
    try:
        loop.run_until_complete(act(loop))
    finally:
        loop.close()


def test_messages_of_a_page_wake_the_loop_once_and_arrive_in_their_order() -> None:
    async def act(loop: Loop) -> None:
        session, seen, all_seen = Session(), list[int](), asyncio.Event()

        def page() -> None:
            for number in range(50):
                session.hand(lambda number=number: seen.append(number))  # type: ignore[misc]
            session.hand(all_seen.set)

        page()
        woken = loop.woken
        await asyncio.wait_for(all_seen.wait(), 20)
        assert seen == list(range(50)) and woken == 1

    run(act)


def test_from_a_thread_of_its_own_a_page_loses_nothing_and_what_comes_later_wakes_the_loop_again() -> None:
    async def act(loop: Loop) -> None:
        session, seen = Session(), list[int]()
        for start in (0, 1000):
            all_seen = asyncio.Event()

            def page(start: int = start, all_seen: asyncio.Event = all_seen) -> None:
                for number in range(start, start + 1000):
                    session.hand(lambda number=number: seen.append(number))  # type: ignore[misc]
                session.hand(all_seen.set)

            await asyncio.to_thread(page)
            await asyncio.wait_for(all_seen.wait(), 20)
        assert seen == list(range(2000))

    run(act)


def test_a_message_that_cannot_be_handled_is_told_and_the_others_are_handled() -> None:
    async def act(loop: Loop) -> None:
        session, told, done = Session(), list[str](), asyncio.Event()
        loop.set_exception_handler(lambda _, context: told.append(type(context["exception"]).__name__))
        session.hand(iter(()).__next__)
        session.hand(done.set)
        await asyncio.wait_for(done.wait(), 20)
        assert told == ["StopIteration"]

    run(act)


def test_what_the_last_run_sent_is_taken_before_the_next_one_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit heeds only what the run sends that it knows as the present one."""
    monkeypatch.setattr(messages_together, "_start", lambda session, data: setattr(session, "runner", data))

    async def act(_: Loop) -> None:
        session, answers = Session(), list[str]()
        session.hand(lambda: answers.append(session.runner))
        AppSession._create_scriptrunner(session, "the next run")  # type: ignore[arg-type]
        assert answers == ["the first run"] and session.runner == "the next run"

    run(act)
