"""What each stage is worth: asked with it and without it, question by question."""

from __future__ import annotations

from dataclasses import replace

from curator_core import HELD_OUT, Curator, Registry, Settings, TestQuery, Tool, build_index, profile, stage_worths, switches_of
from tests.core.fakes import FakeEncoder

TOOLS = (
    Tool("get_attendance", "Days in class"),
    Tool("attendance_shortage", "Who is in trouble and must come more often"),
    Tool("pay_fees", "Pay tuition online", extra_context="settle what is due"),
    Tool("bus_times", "When the bus leaves"),
)
HURT = tuple(TestQuery(f"am i in trouble with attendance {n}", ("attendance_shortage",), tags=("trouble",)) for n in range(20))
HELPED = TestQuery("settle what is due", ("pay_fees",), tags=("money",))


def worths(cases: tuple[TestQuery, ...], settings: Settings | None = None) -> dict[str, object]:
    one = Curator(build_index(Registry(tools=TOOLS, test_queries=cases), FakeEncoder(64)), settings or Settings())
    return {worth.stage: worth for worth in stage_worths(one, cases)}


def test_a_stage_that_puts_right_tools_lower_hurts_with_its_wins_losses_and_interval() -> None:
    found = worths(HURT)
    anchor = found["anchor"]
    assert anchor.verdict == "hurts" and anchor.on and anchor.label == "Name rule"
    (first,) = [one for one in anchor.changes if one.name == "hit@1"]
    assert (first.before, first.after, first.wins, first.losses, first.queries) == (1.0, 0.0, 0, 20, 20)
    assert first.interval == (-1.0, -1.0)
    assert found["split"].verdict == "no change"


def test_by_tag_each_group_has_its_own_figures_with_an_interval_from_twenty_questions_on() -> None:
    groups = {group.name: group for group in worths((*HURT, HELPED))["anchor"].comparison.by_tag}
    assert [one.losses for one in groups["trouble"].metrics if one.name == "hit@1"] == [20]
    assert all(one.interval for one in groups["trouble"].metrics)
    assert not any(one.interval for one in groups["money"].metrics)


def test_below_twenty_questions_nothing_is_said_and_held_out_ones_are_not_asked() -> None:
    kept = tuple(replace(case, tags=(HELD_OUT,)) for case in HURT)
    anchor = worths((*kept, HELPED))["anchor"]
    assert anchor.verdict == "too few to say"
    assert anchor.changes[0].queries == 1
    assert "trouble" not in str(anchor.to_dict())


def test_every_switch_of_each_profile_is_judged_and_one_that_is_off_is_asked_as_if_it_were_on() -> None:
    for name in ("seed", "tuned"):
        assert tuple(worths((HELPED,), profile(name))) == switches_of(name)
    off = worths((HELPED,), Settings(extra_context=False))["extra_context"]
    assert not off.on
    (first,) = [one for one in off.changes if one.name == "hit@1"]
    assert (first.before, first.after) == (0.0, 1.0)


def test_progress_counts_every_question_of_every_run() -> None:
    seen: list[tuple[int, int]] = []
    one = Curator(build_index(Registry(tools=TOOLS, test_queries=(HELPED,)), FakeEncoder(64)))
    stage_worths(one, (HELPED,), progress=lambda done, total: seen.append((done, total)))
    runs = len(switches_of("seed")) + 1
    assert seen == [(number, runs) for number in range(1, runs + 1)]
