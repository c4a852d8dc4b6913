"""Where a tool stands in a question, which stage lost it, and by how much."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from curator_core import Curator, Registry, Tool, UnknownName, build_index
from curator_core.suggestions.shortfall import shortfall_of

ROOMS = {name: f"Shows the {name} of a room" for name in ("view", "price", "size", "floor", "owner")}


@pytest.fixture
def curator(curator_of: Callable[..., Curator]) -> Curator:
    return curator_of(ROOMS | {"grade": "Marks of an exam"}, anchor=False)


def test_a_tool_below_the_bar_lacks_the_score_that_the_last_one_above_it_has_more(curator: Curator) -> None:
    trace = curator.curate("the price of a room")
    lacks = shortfall_of(trace, "grade", 3)
    rows = {row.tool: row for row in trace.rows(0, "all")}
    assert (lacks.place, lacks.stage) == (6, "cut")
    assert rows[lacks.bar].rank == 3
    assert lacks.needs == pytest.approx(rows[lacks.bar].score - rows["grade"].score)
    assert lacks.sentence == (
        f"grade is 6th of the answer: beyond the first 3: meaning #{rows['grade'].dense_rank} and words #6; "
        f"it needs {lacks.needs:.4f} more combined score to pass {lacks.bar}, which is 3rd."
    )


def test_a_tool_that_stands_well_lacks_nothing(curator: Curator) -> None:
    found = shortfall_of(curator.curate("the price of a room"), "price", 3)
    assert (found.place, found.stage, found.needs) == (1, None, None)
    assert found.sentence.startswith("price is 1st of 6")


def test_score_is_not_the_point_where_the_name_rule_took_the_places(curator_of: Callable[..., Curator]) -> None:
    tools = {f"pay_{what}": "Other" for what in ("rent", "fine", "bill")} | {"ledger": "what I owe: rent, fine, bill, all I have to pay"}
    found = shortfall_of(curator_of(tools).curate("pay rent fine bill"), "ledger", 3)
    assert (found.stage, found.needs) == ("name rule", None)
    assert "the name rule puts" in found.sentence


def test_a_tool_that_the_role_may_not_see_was_not_searched(encoder: object) -> None:
    registry = Registry(tools=(Tool("a", "rooms", roles=("staff",)), Tool("b", "fees", roles=("student",))))
    found = shortfall_of(Curator(build_index(registry, encoder)).curate("rooms", role="student"), "a", 5)  # type: ignore[arg-type]
    assert (found.row, found.stage, found.needs) == (None, "role", None)


def test_an_unknown_tool_is_refused(curator: Curator) -> None:
    with pytest.raises(UnknownName, match="no tool 'pric'"):
        shortfall_of(curator.curate("price"), "pric", 3)
