"""Pages take turns in the order in which they were asked for, and work in the background gives way to them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from streamlit.runtime.scriptrunner.script_runner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from dashboard import page_turns
from dashboard.jobs import Jobs
from dashboard.turns import LOOK, PAGE, PART, TURNS, Turns


class Overtaken(Exception):
    """A newer message of the same browser has come."""


def in_thread(act: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    return thread


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not is_so() and time.monotonic() < end:
        time.sleep(0.005)
    assert is_so()


@pytest.fixture
def busy() -> Iterator[Turns]:
    """One place, which this thread has."""
    turns = Turns(places=1)
    turns.take()
    yield turns
    turns.give_back()


def test_a_place_goes_to_the_one_who_asked_first(busy: Turns) -> None:
    begun: list[int] = []

    def page(number: int) -> None:
        busy.take()
        begun.append(number)
        busy.give_back()

    threads = []
    for number in range(3):
        threads.append(in_thread(lambda number=number: page(number)))  # type: ignore[misc]
        until(lambda: len(busy._line) == len(threads))
    assert begun == []
    busy.give_back()
    for thread in threads:
        thread.join(20)
    assert begun == [0, 1, 2]


def test_who_is_overtaken_while_waiting_keeps_its_place_in_line_for_the_newer_message(busy: Turns) -> None:
    begun: list[str] = []
    newer = [True]

    def look() -> None:
        if newer.pop() if newer else False:
            raise Overtaken

    def first() -> None:
        with pytest.raises(Overtaken):
            busy.take(look)
        until(lambda: len(busy._line) == 2)
        busy.take(look)
        begun.append("first")
        busy.give_back()

    def second() -> None:
        busy.take()
        begun.append("second")
        busy.give_back()

    one = in_thread(first)
    until(lambda: len(busy._line) == 1)
    two = in_thread(second)
    one_waits_again = lambda: not newer and len(busy._line) == 2
    until(one_waits_again)
    busy.give_back()
    for thread in (one, two):
        thread.join(20)
    assert begun == ["first", "second"]


def test_who_leaves_the_line_lets_the_others_through(busy: Turns) -> None:
    def leave() -> None:
        with pytest.raises(Overtaken):
            busy.take(_overtaken)
        busy.give_back()

    in_thread(leave).join(20)
    busy.give_back()
    busy.take()  # the place is free, and not kept for the one that left


def test_while_a_page_only_waits_another_is_made(busy: Turns) -> None:
    made = threading.Event()

    def page() -> None:
        busy.take()
        made.set()
        busy.give_back()

    with busy.aside():
        in_thread(page)
        assert made.wait(20)


def test_a_page_that_looks_for_what_is_there_already_keeps_its_place(busy: Turns) -> None:
    begun, there = threading.Event(), threading.Event()

    def page() -> None:
        busy.take()
        begun.set()
        busy.give_back()

    in_thread(page)
    until(lambda: len(busy._line) == 1)
    there.set()
    assert busy.wait(there, 20)
    assert len(busy._line) == 1 and not begun.is_set()
    there.clear()
    assert not busy.wait(there, 0.05)  # while it only waits, the other is made
    assert begun.wait(20)


def test_a_thread_has_one_place_at_most_however_often_it_asks() -> None:
    turns = Turns(places=2)
    turns.take()
    turns.take()
    assert turns._free == 1
    turns.give_back()
    turns.give_back()
    assert turns._free == 2


def in_line(turns: Turns, *waiting: tuple[str, float]) -> tuple[list[str], list[threading.Thread]]:
    """Let some ask for a place one after the other; return who was given one, as it grows."""
    begun: list[str] = []

    def page(name: str, after: float) -> None:
        turns.take(after=after)
        begun.append(name)
        turns.give_back()

    threads = []
    for name, after in waiting:
        threads.append(in_thread(lambda name=name, after=after: page(name, after)))  # type: ignore[misc]
        until(lambda: len(turns._line) == len(threads))
    return begun, threads


def test_an_answer_goes_before_whole_pages_and_what_a_page_looks_for_by_itself_goes_last(busy: Turns) -> None:
    begun, threads = in_line(busy, ("look", LOOK), ("page", PAGE), ("second page", PAGE), ("answer", PART))
    busy.give_back()
    for thread in threads:
        thread.join(20)
    assert begun == ["answer", "page", "second page", "look"]


def test_who_has_waited_for_long_goes_before_what_is_more_urgent(busy: Turns) -> None:
    begun, threads = in_line(busy, ("page", PAGE - 2 * PAGE), ("answer", PART))  # asked for so long ago
    busy.give_back()
    for thread in threads:
        thread.join(20)
    assert begun == ["page", "answer"]


def test_a_look_that_an_answer_waits_for_goes_as_the_answer_would(busy: Turns) -> None:
    begun: list[str] = []

    def look() -> None:
        busy.take(lambda: PART, LOOK)
        begun.append("look")
        busy.give_back()

    def page() -> None:
        busy.take(after=PAGE)
        begun.append("page")
        busy.give_back()

    one = in_thread(look)
    until(lambda: len(busy._line) == 1 and busy._line[0].due < time.monotonic() + PAGE)  # it has looked
    other = in_thread(page)
    until(lambda: len(busy._line) == 2)
    busy.give_back()
    for thread in (one, other):
        thread.join(20)
    assert begun == ["look", "page"]


def test_a_browser_that_asks_again_in_another_thread_keeps_its_place_in_line(busy: Turns) -> None:
    begun: list[str] = []
    leave, left = threading.Event(), threading.Event()

    def overtaken() -> None:
        with pytest.raises(Overtaken):
            busy.take(lambda: _overtaken() if leave.is_set() else None, who="first")
        busy.give_back()
        left.set()

    def page(who: str) -> None:
        busy.take(who=who)
        begun.append(who)
        busy.give_back()

    in_thread(overtaken)
    until(lambda: len(busy._line) == 1)
    threads = [in_thread(lambda: page("second"))]
    until(lambda: len(busy._line) == 2)
    leave.set()
    assert left.wait(20)
    threads.append(in_thread(lambda: page("first")))
    until(lambda: len(busy._line) == 2)
    busy.give_back()
    for thread in threads:
        thread.join(20)
    assert begun == ["first", "second"]


@pytest.mark.parametrize(
    ("parts", "by_itself", "after"), [([], False, PAGE), (["a"], False, PART), (["a"], True, LOOK), (["a", "b"], True, PART)]
)
def test_a_run_is_as_urgent_as_what_is_asked_for(parts: list[str], by_itself: bool, after: float) -> None:
    """Two parts at once: what somebody asked for may have been joined with what the page asks for by itself."""
    assert page_turns._after(RerunData(fragment_id_queue=parts, is_auto_rerun=by_itself)) == after


def test_work_in_the_background_rests_while_a_page_is_made_and_goes_on_at_once_when_none_is(busy: Turns) -> None:
    rested = threading.Event()

    def work() -> None:
        busy.rest(60.0)
        rested.set()

    began = time.monotonic()
    busy.rest(0.01)  # it goes on in any case, or nothing would ever be ready on a busy day
    assert time.monotonic() - began >= 0.03
    in_thread(work)
    assert not rested.wait(0.05)
    busy.give_back()
    assert rested.wait(20)


def test_work_in_the_background_rests_while_an_index_is_built_that_pages_wait_for() -> None:
    turns = Turns()
    with turns.ahead():
        began = time.monotonic()
        turns.rest(0.01)
        assert time.monotonic() - began >= 0.03
    began = time.monotonic()
    turns.rest(60.0)
    assert time.monotonic() - began < 1


def test_a_job_rests_between_its_steps_while_a_page_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    rested: list[float] = []
    monkeypatch.setattr(TURNS, "rest", rested.append)

    def make(report: Callable[[int, int], None]) -> str:
        report(1, 2)
        report(2, 2)
        return "made"

    job = Jobs("making").of("key", make)
    assert job.wait(20) and job.result == "made"
    assert len(rested) == 3  # before it begins, and at each step


def test_a_job_that_nobody_wants_any_more_when_its_turn_comes_is_not_begun() -> None:
    jobs, held, go, begun = Jobs("making"), threading.Event(), threading.Event(), []

    def hold(_: object) -> bool:
        held.set()
        return go.wait(20)

    first = jobs.of("first", hold)
    assert held.wait(20)
    second = jobs.of("second", lambda _: begun.append("second"))
    third = jobs.of("third", lambda _: begun.append("third"), instead_of=second)
    go.set()
    assert first.wait(20) and second.wait(20) and third.wait(20)
    assert begun == ["third"]
    assert "something newer is asked for" in second.error


def test_pages_look_by_themselves_less_often_where_much_waits() -> None:
    turns = Turns()
    assert turns.look_every(1) == 1
    turns.behind(2)
    assert turns.look_every(1) == 1.25
    turns.behind(-2)
    assert turns.look_every(1) == 1
    for who in ("one", "one", *map(str, range(10))):  # one who does much changes nothing, many do
        assert turns.look_every(1) < 2
        turns.take(who=who)
        turns.give_back()
    assert turns.look_every(1) == 2


def test_each_run_of_a_page_gives_its_place_back_whatever_comes_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, name, was in ((ScriptRunContext, "on_script_start", page_turns._begin), (ScriptRunner, "_run_script", page_turns._run)):
        monkeypatch.setattr(owner, name, was)
    page_turns.install()
    monkeypatch.setattr(page_turns, "_run", _taken_and_failed)
    free = TURNS._free
    with pytest.raises(Overtaken):
        ScriptRunner._run_script(object(), None)  # type: ignore[arg-type]
    assert TURNS._free == free


def _overtaken() -> None:
    raise Overtaken


def _taken_and_failed(*_: object) -> None:
    TURNS.take()
    raise Overtaken
