"""How much speaks for an answer as a whole, and which pass brought each tool."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from curator_core import Curator, Settings

TOOLS = {
    "pay_fees": "Pay hostel and tuition fees online.",
    "get_timetable": "Show the weekly class timetable.",
    "renew_library_book": "Keep a borrowed book for two more weeks.",
    "list_clubs": "Clubs of the campus.",
}


@pytest.mark.parametrize(
    ("query", "line", "evidence"),
    [
        ("weekly class", -1.0, "clear"),  # above the unsure line
        ("weekly holidays", 1.0, "weak"),  # below it, one word shared
        ("bitcoin quotes", 1.0, "none"),  # below it, nothing shared
        ("timetable", 1.0, "clear"),  # below it, but the name rule fires
        ("?!", 1.0, "none"),
    ],
)
def test_evidence_weighs_meaning_words_and_names(curator_of: Callable[..., Curator], query: str, line: float, evidence: str) -> None:
    curator = curator_of(TOOLS, anchor_ratio=0.5, low_confidence_similarity=line)
    assert curator.curate(query).evidence == evidence


def test_evidence_is_judged_also_when_the_extra_tools_are_switched_off(curator_of: Callable[..., Curator]) -> None:
    curator = curator_of(TOOLS, low_confidence=False, low_confidence_similarity=1.0)
    assert curator.curate("bitcoin quotes").evidence == "none"


def test_words_alone_make_an_answer_count_as_clear(curator_of: Callable[..., Curator]) -> None:
    trace = curator_of(TOOLS).curate("weekly holidays", settings=Settings(dense=False))
    assert trace.tools == ("get_timetable",)
    assert trace.evidence == "clear"


def test_pass_of_names_the_part_where_a_tool_ranks_best(curator_of: Callable[..., Curator]) -> None:
    trace = curator_of(TOOLS).curate("weekly class timetable and also renew a borrowed library book")
    by_tool = {trace.pool[pick.position]: trace.pass_of(pick) for pick in trace.picks}
    assert by_tool["get_timetable"] == 1
    assert by_tool["renew_library_book"] == 2


def test_pass_of_is_the_whole_question_when_it_was_not_split(curator_of: Callable[..., Curator]) -> None:
    trace = curator_of(TOOLS).curate("weekly class timetable")
    assert {trace.pass_of(pick) for pick in trace.picks} == {0}
