"""How well the line tells questions that no tool fits from those that a tool answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from curator_core import Curator, NoToolLine, QueryResult, Registry, TestQuery, Tool, build_index, evaluate, profile, sureness
from curator_core.no_tool import FEWEST
from curator_core.proof.sureness import auroc
from tests.core.fakes import FakeEncoder

LINE = NoToolLine(0.3, 40, True)


def result(best: float | None, answered: bool) -> QueryResult:
    return QueryResult(TestQuery("q", ("a",) if answered else ()), "judged" if answered else "no_tool", max_similarity=best)


def test_what_lies_below_the_line_is_counted_by_kind() -> None:
    found = sureness([result(0.5, True), result(0.29, True), result(0.1, False), result(0.31, False), result(None, True)], LINE)
    assert (found.answered, found.flagged_wrongly, found.no_tool, found.flagged) == (2, 1, 2, 1)
    assert found.auroc == pytest.approx(3 / 4)
    said = " ".join(found.sentences)
    assert "stands at 0.30" in said and "1 of 2; too few queries to say (n = 2)" in said and "%" not in said
    many = [result(0.5, True), result(0.29, True), *(result(best, False) for best in (0.1, 0.31) for _ in range(10))]
    assert "11 of 20" not in (said := " ".join(sureness(many, LINE).sentences)) and "10 of 20. " in said and "75% of all pairs" in said


def test_the_histogram_counts_every_question_once_in_the_step_that_holds_it() -> None:
    found = sureness([result(0.5, True), result(0.52, True), result(0.55, False)], LINE)
    assert [(step.low, step.answered, step.no_tool) for step in found.steps] == [(0.5, 2, 0), (0.55, 0, 1)]


def test_without_questions_that_no_tool_fits_there_is_no_auroc_and_the_words_say_what_to_add() -> None:
    found = sureness([result(0.5, True)], LINE)
    assert found.auroc is None and "says that no tool fits" in found.sentences[-1]


@given(some.lists(some.sampled_from((0.1, 0.2, 0.3)), min_size=1), some.lists(some.sampled_from((0.1, 0.2, 0.3)), min_size=1))
def test_auroc_is_the_share_of_pairs_in_the_right_order(higher: list[float], lower: list[float]) -> None:
    pairs = [1.0 if a > b else 0.5 if a == b else 0.0 for a in higher for b in lower]
    assert auroc(higher, lower) == pytest.approx(sum(pairs) / len(pairs))


def test_an_evaluation_counts_right_and_wrong_flags_with_the_line_of_the_registrys_own_questions() -> None:
    tools = tuple(Tool(f"tool_{word}", f"does {word} for everyone") for word in ("apples", "bread", "cheese", "dates"))
    asked = tuple(TestQuery(f"does {word} for me {n}", (f"tool_{word}",)) for word in ("apples", "bread") for n in range(FEWEST // 2))
    cases = (*asked, TestQuery("quantum banana telescope", ()))
    for name in ("seed", "tuned"):
        one = Curator(build_index(Registry(tools=tools, test_queries=cases), FakeEncoder(256)), profile(name))
        no_tool = evaluate(one, cases).no_tool
        assert (no_tool["queries"], no_tool["flagged"], no_tool["answerable"]) == (1, 1, FEWEST)
        assert int(no_tool["flagged_wrongly"] or 0) <= FEWEST / 10 and no_tool["auroc"] == 1.0
        assert 0 < float(no_tool["line"] or 0) < 1 and no_tool["line_is_own"]
