from __future__ import annotations

from collections.abc import Callable

import pytest

from curator_core import Curator, Registry, TestQuery, Tool, build_index, evaluate
from tests.core.fakes import FakeEncoder

MakeCurator = Callable[..., Curator]
TOOLS = {f"tool{number:02d}": f"matter{number:02d}" for number in range(30)}


def result(curator: Curator, case: TestQuery) -> tuple[str, int | None, int | None]:
    """Return standing, margin in places, and the rank of the last expected tool."""
    (found,) = evaluate(curator, [case]).results
    return found.standing, found.margin and found.margin.places, found.margin and found.margin.rank


def test_the_margin_of_an_expected_tool_is_how_many_places_it_would_have_to_lose(curator_of: MakeCurator) -> None:
    assert result(curator_of(TOOLS, low_confidence=False), TestQuery("matter07", ("tool07",))) == ("ok", 5, 1)


def test_an_expected_tool_below_the_first_five_lacks_the_places_between(curator_of: MakeCurator) -> None:
    curator = curator_of(TOOLS, low_confidence=False)
    trace = curator.curate("matter07")
    beyond = next(row.tool for row in trace.rows(0, "all") if row.rank == 23)
    assert result(curator, TestQuery("matter07", (beyond,))) == ("failing", -18, 23)


def test_the_last_of_several_expected_tools_decides(curator_of: MakeCurator) -> None:
    curator = curator_of(TOOLS, low_confidence=False)
    third, eighth = (curator.curate("matter07").tools[place] for place in (2, 7))
    assert result(curator, TestQuery("matter07", ("tool07", third))) == ("ok", 3, 3)
    assert result(curator, TestQuery("matter07", ("tool07", eighth))) == ("failing", -3, 8)


def test_more_expected_tools_than_five_may_take_as_many_places(curator_of: MakeCurator) -> None:
    curator = curator_of(TOOLS, low_confidence=False)
    assert result(curator, TestQuery("matter07", curator.curate("matter07").tools[:7])) == ("ok", 1, 7)


def test_fewer_tools_than_are_measured_are_what_an_agent_gets(curator_of: MakeCurator) -> None:
    curator = curator_of(TOOLS, top_k=3, low_confidence=False)
    fourth = curator.curate("matter07", top_k=20).tools[3]
    assert result(curator, TestQuery("matter07", (fourth,))) == ("failing", -1, 4)
    assert result(curator, TestQuery("matter07", (), (fourth,))) == ("no tool", 1, None)


def test_a_forbidden_tool_anywhere_in_the_answer_fails_the_query_whatever_else_is_said(curator_of: MakeCurator) -> None:
    curator = curator_of(TOOLS, low_confidence=False)
    for expected in (None, (), ("tool07",)):
        standing, places, _ = result(curator, TestQuery("matter07", expected, ("tool07",)))
        assert (standing, places) == ("failing", -20)


def test_a_query_that_only_forbids_passes_while_the_tool_stays_out(curator_of: MakeCurator) -> None:
    curator = curator_of(TOOLS, low_confidence=False)
    beyond = next(row.tool for row in curator.curate("matter07").rows(0, "all") if row.rank == 25)
    assert result(curator, TestQuery("matter07", None, (beyond,))) == ("ok", 5, None)


def test_questions_that_name_no_tool_have_no_margin(curator_of: MakeCurator) -> None:
    curator = curator_of(TOOLS)
    assert result(curator, TestQuery("matter07", None)) == ("unjudged", None, None)
    assert result(curator, TestQuery("matter07", ())) == ("no tool", None, None)
    assert result(curator, TestQuery("matter07", ("gone",))) == ("invalid", None, None)


def test_a_tool_that_the_role_may_not_see_stands_behind_all_others() -> None:
    registry = Registry(tools=(Tool("a", "apples", roles=("cook",)), Tool("b", "pears", roles=("guest",))))
    (found,) = evaluate(Curator(build_index(registry, FakeEncoder())), [TestQuery("pears", ("b",), role="cook")]).results
    assert found.standing == "failing"
    assert found.margin is not None and (found.margin.tool, found.margin.rank) == ("b", None)


@pytest.mark.parametrize("query", ["matter03 and also matter09", "matter03", "zzz", "matter01, then matter02 plus matter03"])
def test_the_sign_of_the_margin_is_whether_the_tool_is_among_the_first_five(curator_of: MakeCurator, query: str) -> None:
    curator = curator_of(TOOLS)
    first = curator.curate(query).tools[:5]
    for result in evaluate(curator, [TestQuery(query, (tool,)) for tool in TOOLS]).results:
        assert result.margin is not None and result.case.expected
        assert (result.margin.places > 0) == (result.case.expected[0] in first) == result.right
