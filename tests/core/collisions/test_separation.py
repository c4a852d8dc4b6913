"""Two tools pulled apart: shared words and phrases, and the edits, which can be taken back like any other."""

from __future__ import annotations

import pytest

from curator_core import Curator, CuratorError, Registry, TestQuery, Tool, build_index, find_clashes
from curator_core.collisions.separation import (
    copy_phrase,
    delete_phrase,
    field_with,
    move_phrase,
    not_for,
    own_phrases,
    pair_words,
    rename_tool,
    shared_phrases,
)
from tests.core.fakes import FakeEncoder

REGISTRY = Registry(
    tools=(
        Tool("fee_receipt", "Download the receipt of a paid fee", "proof of payment, what do I owe"),
        Tool("pending_dues", "Lists the fee that is still open", "proof of payment"),
        Tool("bus_times", "When the bus leaves"),
        Tool("weather", "Rain tomorrow"),
        Tool("library", "Books on a shelf"),
    ),
    test_queries=(TestQuery("what do I owe", ("pending_dues",)),),
)
PAIR = ("fee_receipt", "pending_dues")


def test_words_are_told_apart_by_the_tools_that_have_them() -> None:
    words = pair_words(build_index(REGISTRY, None), *PAIR)
    assert {one.word for one in words.both} == {"fee", "proof", "payment"}
    assert {"receipt", "download", "owe", "paid"} == {one.word for one in words.first}
    assert {"pending", "dues", "lists", "open"} >= {one.word for one in words.second} >= {"dues", "pending"}
    assert all(one.weights[0] > 0 == one.weights[1] for one in words.first)


def test_of_phrases_in_both_texts_only_the_longest_are_listed() -> None:
    assert shared_phrases(build_index(REGISTRY, None), *PAIR)[0] == "proof of payment"
    assert "payment" not in shared_phrases(build_index(REGISTRY, None), *PAIR)


def test_moving_a_phrase_ends_the_swap_in_one_step_that_can_be_undone() -> None:
    edits = move_phrase(REGISTRY, *PAIR, "what do I owe")
    after = REGISTRY.with_edits(edits)
    assert after.tool("fee_receipt").extra_context == "proof of payment"
    assert after.tool("pending_dues").extra_context == "proof of payment, what do I owe"
    assert [_swaps(registry) for registry in (REGISTRY, after)] == [1, 0]
    assert after.with_edits([edit.inverse() for edit in reversed(edits)]) == REGISTRY


def _swaps(registry: Registry) -> int:
    found = find_clashes(Curator(build_index(registry, FakeEncoder(dimension=64))))
    return next(clash.swaps for clash in found.clashes if clash.tools == PAIR)


def test_a_line_says_what_a_tool_is_not_for_and_where_to_go() -> None:
    (edit,) = not_for(REGISTRY, "fee_receipt", "pending_dues", "what is owed.")
    assert edit.new == "proof of payment, what do I owe\nNot for what is owed: use pending_dues."


def test_a_phrase_is_added_after_what_is_there() -> None:
    assert copy_phrase(REGISTRY, "weather", "umbrella")[0].new == "umbrella"
    assert copy_phrase(REGISTRY, "pending_dues", "dues")[0].new == "proof of payment, dues"


@pytest.mark.parametrize("phrase", ["roof of", "nothing of it", " "])
def test_a_phrase_that_does_not_stand_there_is_refused(phrase: str) -> None:
    with pytest.raises(CuratorError, match="does not stand there"):
        delete_phrase(REGISTRY, "fee_receipt", phrase)


def test_the_phrases_of_a_text_are_offered_as_they_stand_there() -> None:
    registry = Registry(tools=(Tool("a", "Nothing here", "proof of payment, what do I owe. Dues; dues\nlate"), Tool("b")))
    assert own_phrases(registry, "a") == ("proof of payment", "what do I owe", "Dues", "dues", "late")
    assert own_phrases(registry, "b") == ()


def test_a_phrase_of_the_description_is_found_there() -> None:
    assert field_with(REGISTRY, "fee_receipt", "paid fee") == "description"
    assert field_with(REGISTRY, "fee_receipt", "proof of payment") == "extra_context"
    after = REGISTRY.with_edits(delete_phrase(REGISTRY, "fee_receipt", "of a paid fee", "description"))
    assert after.tool("fee_receipt").description == "Download the receipt"


def test_test_queries_follow_a_new_name_and_the_same_name_is_refused() -> None:
    after = REGISTRY.with_edits(rename_tool(REGISTRY, "pending_dues", " open_dues "))
    assert after.test_queries[0].expected == ("open_dues",)
    with pytest.raises(CuratorError, match="another one than 'pending_dues'"):
        rename_tool(REGISTRY, "pending_dues", "pending_dues")
