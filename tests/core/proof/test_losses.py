"""Which stage lost a question: three to eight tools that can be ranked by eye."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from curator_core import LOST, Curator, Registry, TestQuery, Tool, build_index, evaluate
from tests.core.fakes import FakeEncoder

MakeCurator = Callable[..., Curator]


def lost(curator: Curator, query: str, *expected: str, **more: object) -> list[tuple[str, str]]:
    """Return the stage and the sentence of each loss."""
    (result,) = evaluate(curator, [TestQuery(query, expected, **more)]).results  # type: ignore[arg-type]
    assert bool(result.losses) == (result.right is False)
    return [(loss.stage, loss.sentence) for loss in result.losses]


def many(word: str, count: int = 8) -> dict[str, str]:
    return {f"t{number}": f"{word} {'x' * (number + 1)}" for number in range(count)}


def test_a_right_question_has_lost_nothing(curator_of: MakeCurator) -> None:
    assert lost(curator_of({"pay_fee": "pay a fee", "b": "weather"}), "pay a fee", "pay_fee") == []


def test_the_role_may_not_see_it() -> None:
    registry = Registry("r", (Tool("a", "apples", roles=("cook",)), Tool("b", "pears", roles=("guest",))))
    curator = Curator(build_index(registry, FakeEncoder(64)))
    assert lost(curator, "pears", "b", role="cook") == [("role", "role cook may not see b")]


def test_neither_list_ranks_it(curator_of: MakeCurator) -> None:
    curator = curator_of(many("fee") | {"zz": "parcel"}, dense=False)
    assert lost(curator, "the fee", "zz") == [("no match", "zz is not in the answer: neither meaning nor words rank it")]


def test_the_name_rule_put_others_first(curator_of: MakeCurator) -> None:
    curator = curator_of({f"fees_{letter}": "nothing alike" for letter in "abcde"} | {"right": "pay tuition fees now", **many("other")})
    ((stage, sentence),) = lost(curator, "pay tuition fees now", "right")
    assert stage == "name rule"
    assert sentence == "right is 6th of the answer: it would be 1st, but the name rule puts fees_a, fees_b, fees_c and 2 more first"


# Words of one letter count for the fake model's meaning, but are too short for word match.


def test_words_pulled_down_what_meaning_had_in_front(curator_of: MakeCurator) -> None:
    others = {f"t{number:02d}": f"fee {'pad ' * (number // 4)}" for number in range(30)}
    sentence = "right is not in the answer: meaning #1, but no word shared: tools in both lists come first"
    curator = curator_of({"right": "q z"} | others, anchor=False, low_confidence=False)
    assert lost(curator, "fee q z", "right") == [("words", sentence)]
    curator = curator_of({"right": f"fee q z {'pad ' * 9}"} | others, anchor=False, low_confidence=False)
    sentence = "right is 13th of the answer: meaning #1, but words #31 pulled it down"
    assert lost(curator, "fee q q q z z z", "right") == [("words", sentence)]


def test_meaning_pulled_down_what_words_had_in_front(curator_of: MakeCurator) -> None:
    others = {f"t{number:02d}": f"fee q z {'pad ' * (number // 4)}" for number in range(30)}
    curator = curator_of({"right": "fee fee fee a b c d e f g h i j k"} | others, anchor=False, low_confidence=False)
    assert lost(curator, "fee q z", "right") == [("meaning", "right is 10th of the answer: words #1, but meaning #21 pulled it down")]


@pytest.mark.parametrize(
    ("off", "stage", "said"),
    [("dense", "cut", "beyond the first 5: words #"), ("sparse", "cut", "beyond the first 5: meaning #")],
)
def test_with_one_list_alone_there_is_only_the_cut(curator_of: MakeCurator, off: str, stage: str, said: str) -> None:
    tools = {f"t{number}": " ".join(["fee"] * (9 - number) + ["pad"] * number) for number in range(8)}
    curator = curator_of(tools, low_confidence=False, anchor=False, **{off: False})
    last = curator.curate("fee").tools[-1]
    ((found, sentence),) = lost(curator, "fee", last)
    assert found == stage and said in sentence


FRUIT = {f"{fruit}{number}": f"{fruit} {'red ' * number}" for fruit in ("apples", "pears") for number in range(6)}


def test_the_parts_of_a_question_took_the_places(curator_of: MakeCurator) -> None:
    curator = curator_of(FRUIT, anchor=False, low_confidence=False)
    fourth = next(row.tool for row in curator.curate("apples plus pears").rows(1) if row.rank == 4)
    ((stage, sentence),) = lost(curator, "apples plus pears", fourth)
    assert stage == "split" and "for part 1, “apples”, but the parts of the question took the places: 7th of the answer" in sentence


def test_the_budget_of_a_part_was_too_small(curator_of: MakeCurator) -> None:
    curator = curator_of(FRUIT | many("other"), split_budget_min=1, split_budget_extra=0, dense=False, anchor=False)
    query = "pears pears pears plus apples plus j plus k plus l plus m"  # 20 // 6 = 3 tools a part
    fourth = next(row.tool for row in curator.curate(query).rows(2, "all") if row.rank == 4)
    sentence = f"{fourth} is 4th for part 2, “apples”, which may give 3; 10th of the answer"
    assert lost(curator, query, fourth) == [("part budget", sentence)]


def test_forbidden_tools_are_named_with_their_place(curator_of: MakeCurator) -> None:
    curator = curator_of({"pay_fee": "pay a fee", "get_weather": "weather"})
    assert lost(curator, "pay a fee", "pay_fee", forbidden=("get_weather",)) == [("forbidden", "get_weather must not come and is 2nd")]


def test_a_question_that_no_tool_fits_looked_sure(curator_of: MakeCurator) -> None:
    assert lost(curator_of({"pay_fee": "pay a fee"}), "pay a fee") == [
        ("not unsure", "no tool fits, but the best meaning match is 0.96, not below 0.25")
    ]
    ((stage, sentence),) = lost(curator_of(many("fee"), dense=False), "the fee")
    assert stage == "not unsure" and "meaning match or low confidence is off" in sentence


def test_losses_are_counted_by_stage_in_a_fixed_order(curator_of: MakeCurator) -> None:
    cases = [TestQuery("the fee", ("zz",)), TestQuery("fee", ()), TestQuery("fee", ("t0",))]
    evaluation = evaluate(curator_of(many("fee") | {"zz": "parcel"}, dense=False), cases)
    assert evaluation.lost == {"no match": 1, "not unsure": 1}
    assert list(evaluation.to_dict()["lost"]) == [stage for stage in LOST if stage in evaluation.lost]
