"""Evaluations in the background: the same question set is asked once, and a failure is told instead of waited for."""

from __future__ import annotations

import gc
import threading
import time
import weakref

import pytest

from curator_core import Curator, Registry, TestQuery, Tool, build_index, effect_of, evaluate, profile
from dashboard import runs
from dashboard.jobs import Jobs, Report
from dashboard.runs import Runs
from tests.core.fakes import FakeEncoder

CASES = (TestQuery("pay the fee", ("pay_fee",)), TestQuery("renew a book", ("renew_book",)))


@pytest.fixture
def curator() -> Curator:
    tools = (Tool("pay_fee", "Pay the fee."), Tool("renew_book", "Renew a book."))
    return Curator(build_index(Registry(name="r", tools=tools), FakeEncoder()))


def test_a_run_is_what_evaluate_gives_and_counts_its_questions(curator: Curator) -> None:
    run = Runs().of(curator, CASES)
    assert run.wait(20)
    assert run.result == evaluate(curator, CASES)
    assert (run.done, run.total, run.error) == (2, 2, "")


def test_the_same_questions_on_the_same_index_are_asked_once_and_other_settings_anew(curator: Curator) -> None:
    kept = Runs()
    first = kept.of(curator, CASES)
    assert kept.of(Curator(curator.index), CASES) is first
    assert kept.of(Curator(curator.index, curator.settings.with_values({"split": False})), CASES) is not first
    assert kept.of(curator, CASES[:1]) is not first


def test_where_new_test_queries_move_the_unsure_line_every_question_is_asked_again() -> None:
    tools = (Tool("pay_fee", "Pay the fee."), Tool("renew_book", "Renew a book."))
    index, kept = build_index(Registry(name="r", tools=tools), FakeEncoder(dimension=256)), Runs()
    many = tuple(TestQuery(f"pay the fee {number}", ("pay_fee",)) for number in range(20))
    far = TestQuery("quantum renew", ())
    lines, unsure = [], []
    for own in ((far,), (*many, far)):
        run = kept.of(Curator(index, profile("tuned"), own), own)
        assert run.wait(20) and run.result is not None and run.result.no_tool_line is not None
        lines.append(run.result.no_tool_line.value)
        unsure.append(run.result.results[-1].low_confidence)
    assert lines[0] == 0.25 < lines[1]
    assert unsure == [False, True]


def test_a_run_that_fails_says_so_and_ends(curator: Curator, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no such thing")

    monkeypatch.setattr(runs, "evaluate", fail)
    run = Runs().of(curator, CASES)
    assert run.wait(20)
    assert run.result is None
    assert "no such thing" in run.error


def test_an_edit_of_one_question_asks_one_question(curator: Curator, encoder: FakeEncoder) -> None:
    kept = Runs()
    assert kept.of(curator, CASES).wait(20)
    asked: list[str] = []
    curate = curator.curate
    curator.curate = lambda query, **more: (asked.append(query), curate(query, **more))[1]  # type: ignore[method-assign]
    changed = (CASES[0], TestQuery("renew the book", ("renew_book",)))
    run = kept.of(curator, changed)
    assert run.wait(20) and run.result is not None
    assert asked == ["renew the book"]
    assert [result.case for result in run.result.results] == list(changed)
    assert set(kept.known(curator)) == {*CASES, *changed}


def test_a_job_that_nobody_wants_any_more_stops_where_it_is_and_is_made_anew_when_asked_for_again() -> None:
    jobs, begun, go, done = Jobs("counting"), threading.Event(), threading.Event(), []

    def count(report: Report) -> str:
        begun.set()
        go.wait(5)
        for number in range(3):
            done.append(number)
            report(number, 3)
        return "all"

    first = jobs.of("first", count, 3)
    assert begun.wait(5)
    second = jobs.of("second", lambda _: "two", instead_of=first)
    go.set()
    assert first.wait(5) and second.wait(5)
    assert (first.result, second.result, done) == (None, "two", [0]) and "stopped" in first.error
    again = jobs.of("first", count, 3)
    assert again.wait(5) and again.result == "all"


def test_a_job_that_is_stopped_before_its_turn_lets_go_at_once_of_what_it_was_about() -> None:
    jobs, held, go = Jobs("counting"), threading.Event(), threading.Event()

    class Index:
        """Something large."""

    def hold(_: Report) -> bool:
        held.set()
        return go.wait(20)

    first, threads = jobs.of("first", hold), threading.active_count()
    assert held.wait(20)
    last, gone = None, list[weakref.ref[Index]]()
    for number in range(50):  # an author types on and on while others' questions are asked
        index = Index()
        gone.append(weakref.ref(index))
        last = jobs.of(number, lambda _, about=index: about is not None, instead_of=last)
    del index
    gc.collect()
    assert last is not None and sum(one() is not None for one in gone) == 1 and threading.active_count() <= threads
    go.set()
    assert first.wait(20) and last.wait(20) and last.result is True


def test_who_looks_again_at_work_that_is_not_through_waits_no_second_time() -> None:
    jobs, go = Jobs("counting"), threading.Event()

    def make(report: Report) -> int:
        go.wait(20)
        return 3

    job = jobs.of("key", make)
    assert not job.wait_at_first(0.2)
    began = time.monotonic()
    assert not any(jobs.of("key", make).wait_at_first(0.2) for _ in range(50))
    assert time.monotonic() - began < 5  # not the ten seconds that fifty waits would take
    go.set()
    assert job.wait(20) and job.wait_at_first(0.2) and job.result == 3


def test_a_job_that_somebody_waits_for_is_not_pushed_out_by_others() -> None:
    jobs, go = Jobs("counting", kept=2), threading.Event()
    made = [jobs.of(number, lambda _: go.wait(20)) for number in range(5)]
    assert jobs.all() == tuple(made) and jobs.of(0, lambda _: False) is made[0]
    go.set()
    assert all(job.wait(20) and job.result for job in made)
    newest = jobs.of("newest", lambda _: True)
    assert newest.wait(20) and len(jobs.all()) == 2 and jobs.of("newest", lambda _: False) is newest


def test_a_finished_job_keeps_its_result_and_lets_go_of_what_it_was_about() -> None:
    class Index:
        """Something large."""

    index = Index()
    gone = weakref.ref(index)
    jobs = Jobs("counting", kept=2)
    made = [jobs.of(number, lambda _, number=number, about=index: (number, about is not None)) for number in range(4)]
    assert all(job.wait(10) for job in made)
    del index
    gc.collect()
    assert [job.result for job in made] == [(number, True) for number in range(4)] and gone() is None
    assert jobs.all() == (made[2], made[3])


def test_a_job_about_many_questions_is_found_by_equal_ones_and_without_looking_at_them_again() -> None:
    class Counted(str):
        looks = 0

        def __hash__(self) -> int:
            Counted.looks += 1
            return super().__hash__()

        def __eq__(self, other: object) -> bool:
            return super().__eq__(other)

    questions = tuple(Counted(f"question {number}") for number in range(100))
    jobs = Jobs("counting")
    first = jobs.of(("index", questions), lambda _: 1)
    looks = Counted.looks
    assert jobs.of(("index", questions), lambda _: 2) is first and Counted.looks == looks
    assert jobs.of(("index", tuple(Counted(one) for one in questions)), lambda _: 3) is first
    assert jobs.of(("index", questions[:-1]), lambda _: 4) is not first
    assert jobs.of(("index", (*questions[:-1], "another")), lambda _: 5) is not first


def test_an_edit_of_a_tool_asks_the_questions_whose_tools_it_moves_and_gives_what_asking_all_gives() -> None:
    names = [(what, of) for what in ("pay", "renew", "list", "cancel") for of in ("fee", "book", "room", "exam")]
    registry = Registry(name="r", tools=tuple(Tool(f"{what}_{of}", f"{what} the {of}") for what, of in names))
    cases = tuple(TestQuery(f"{tool.description} please", (tool.name,)) for tool in registry.tools)
    published, kept = Curator(build_index(registry, FakeEncoder(64))), Runs()
    assert kept.of(published, cases).wait(20)
    edited = registry.with_edits([registry.edit("pay_fee", "description", "pay the fee, renew the book")])
    draft, asked = Curator(build_index(edited, published.index.encoder, previous=published.index)), list[str]()
    curate = draft.curate
    draft.curate = lambda query, **more: (asked.append(query), curate(query, **more))[1]  # type: ignore[method-assign]
    run = kept.of(draft, cases)
    assert run.wait(20) and "renew the book please" in asked and len(asked) < len(cases)
    assert run.result == evaluate(Curator(build_index(edited, FakeEncoder(64))), cases)


def test_what_edits_do_is_worked_out_once_for_all_parts_of_a_page(curator: Curator) -> None:
    kept = Runs()
    before, after = kept.of(curator, CASES), kept.of(Curator(curator.index, curator.settings.with_values({"split": False})), CASES)
    assert before.wait(20) and after.wait(20) and before.result is not None and after.result is not None
    first = kept.effect(before, after, {})
    assert first == effect_of(before.result, after.result) and kept.effect(before, after, {}) is first
    assert kept.effect(before, after, {"pay_fee": "settle_fee"}) is not first and kept.effect(after, before, {}) is not first


def test_what_is_known_of_the_published_text_outlasts_any_number_of_drafts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "_KEPT", 4)
    tools = tuple(Tool(f"{what}_{of}", f"{what} the {of}") for what in ("pay", "renew", "list") for of in ("fee", "book", "room", "exam"))
    registry, kept = Registry(name="r", tools=tools), Runs()
    cases = tuple(TestQuery(f"{tool.description} please", (tool.name,)) for tool in tools)
    published = Curator(build_index(registry, FakeEncoder(64)))
    first = kept.of(published, cases)
    assert first.wait(20) and first.result is not None
    for number in range(8):
        edited = registry.with_edits([registry.edit("pay_fee", "description", f"pay the fee, renew the book {number}")])
        run = kept.of(Curator(build_index(edited, published.index.encoder, previous=published.index)), cases)
        assert run.wait(20) and run.result is not None
        shared = {id(result) for result in run.result.results} & {id(result) for result in first.result.results}
        assert shared, f"draft {number} asked every question"
