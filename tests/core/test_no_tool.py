from __future__ import annotations

import pytest

from curator_core import HELD_OUT, Curator, Registry, Settings, TestQuery, Tool, build_index, profile
from curator_core.no_tool import FEWEST, no_tool_line
from tests.core.fakes import FakeEncoder

TOOLS = tuple(Tool(f"tool_{word}", f"does {word} for everyone") for word in ("apples", "bread", "cheese", "dates"))
ASKED = tuple(TestQuery(f"does {word} for me {number}", (f"tool_{word}",)) for word in ("apples", "bread") for number in range(FEWEST // 2))


def curator(cases: tuple[TestQuery, ...], name: str = "tuned", dimension: int = 256) -> Curator:
    return Curator(build_index(Registry(tools=TOOLS, test_queries=cases), FakeEncoder(dimension)), profile(name))


@pytest.mark.parametrize("name", ["seed", "tuned"])
def test_a_question_unlike_the_registrys_own_is_one_that_no_tool_fits(name: str) -> None:
    ask = curator(ASKED, name).curate
    near, far = ask("does apples for me 3"), ask("quantum banana telescope")
    assert not near.no_tool and far.no_tool
    assert float(near.confidence) > float(far.confidence)


def test_nine_in_ten_of_the_own_questions_reach_the_line() -> None:
    one = curator(ASKED)
    line = no_tool_line(one.index, one.settings)
    flagged = sum(one.curate(case.query).no_tool for case in ASKED)
    assert 0 < line < 1 and flagged <= len(ASKED) / 10


def test_few_questions_held_out_ones_and_those_without_a_tool_draw_no_line() -> None:
    for cases in (ASKED[1:], tuple(TestQuery(case.query, (), tags=case.tags) for case in ASKED)):
        one = curator(cases)
        assert no_tool_line(one.index, one.settings) == Settings().low_confidence_similarity
    held_out = tuple(TestQuery(case.query, case.expected, tags=(HELD_OUT,)) for case in ASKED)
    assert no_tool_line(curator(held_out).index, profile("tuned")) == Settings().low_confidence_similarity


def test_without_an_answer_no_tool_applies_and_without_a_model_nobody_can_say() -> None:
    words = Curator(build_index(Registry(tools=TOOLS, test_queries=ASKED), None), profile("tuned"))
    assert words.curate("xylophone").no_tool and not words.curate("apples").no_tool
    assert curator(ASKED).curate("?!").no_tool
