"""Which words of a tool's texts help its test queries, hurt them, or do nothing."""

from __future__ import annotations

import pytest

from curator_core import Curator, Registry, TestQuery, Tool, UnknownName, build_index
from curator_core.suggestions.word_xray import PieceWorth, Xray, pieces_of, xray
from tests.core.fakes import FakeEncoder

DESKS = tuple(Tool(f"{kind}_desk", f"Answers questions to do with the {kind}") for kind in ("library", "mess", "exam"))
SHOPS = (
    Tool("lost_office", "Keeps a phone that was lost"),
    Tool("phone_shop", "Repairs a phone that was wet"),
    Tool("scooter_shop", "Sells my scooter: it was used"),
)
OFFICE = Tool("guards", "Takes reports. Stolen things come back, with luck", "burglary, scooter gone, exam exam exam")
CASES = (
    TestQuery("my scooter was stolen", ("guards",)),
    TestQuery("a stolen phone", ("guards",)),
    TestQuery("somebody hidden took my luck", ("guards",), tags=("held_out",)),
    TestQuery("when is the exam", ("exam_desk",)),
)


def curator(tool: Tool = OFFICE, synonyms: dict[str, list[str]] | None = None, encoder: FakeEncoder | None = None) -> Curator:
    registry = Registry(tools=(*DESKS, *SHOPS, tool), test_queries=CASES, synonyms=synonyms or {})
    return Curator(build_index(registry, encoder or FakeEncoder(128)))


def of(found: Xray, text: str) -> PieceWorth:
    (worth,) = (one for one in found.pieces if one.piece.text == text)
    return worth


def test_the_word_that_all_test_queries_have_helps_most() -> None:
    found = xray(curator(), "guards")
    assert found.queries == 2
    assert of(found, "stolen").verdict == "helps"
    assert of(found, "stolen").gain == max(one.gain for one in found.pieces if one.piece.kind == "word")
    assert of(found, "stolen").similarity > 0 and of(found, "stolen").bm25 > 0


def test_a_word_that_draws_the_text_away_does_not_help() -> None:
    exam = of(xray(curator(), "guards"), "exam")
    assert exam.verdict == "dead weight"
    assert exam.similarity < 0


def test_a_word_that_adds_to_a_match_and_moves_no_rank_is_in_reserve() -> None:
    assert of(xray(curator(), "guards"), "scooter").verdict == "in reserve"


def test_pieces_are_in_order_of_what_they_are_worth() -> None:
    gains = [one.gain for one in xray(curator(), "guards").pieces]
    assert gains == sorted(gains, reverse=True)


def test_words_stand_once_a_field_and_phrases_as_they_are_written() -> None:
    found = list(pieces_of(curator(), "guards"))
    words = [piece.text for piece in found if piece.kind == "word" and piece.field == "extra_context"]
    assert words == ["burglary", "scooter", "gone", "exam"]
    assert [piece.text for piece in found if piece.kind == "phrase"] == [
        "Takes reports", "Stolen things come back", "with luck", "scooter gone", "exam exam exam",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("exam", "burglary, scooter gone"),
        ("gone", "burglary, scooter, exam exam exam"),
        ("burglary", "scooter gone, exam exam exam"),
        ("scooter gone", "burglary, exam exam exam"),
    ],
)
def test_a_piece_that_is_left_out_leaves_a_clean_text(text: str, left: str) -> None:
    (piece,) = (piece for piece in pieces_of(curator(), "guards") if piece.text == text and piece.field == "extra_context")
    assert piece.edit.new == left


def test_a_synonym_phrase_is_left_out_of_its_rule() -> None:
    some = curator(synonyms={"burglary": ["scooter stolen", "break-in"]})
    synonyms = {piece.text: piece for piece in pieces_of(some, "guards") if piece.field == "synonyms"}
    assert (synonyms["scooter stolen"].term, synonyms["scooter stolen"].edit.new) == ("burglary", ("break-in",))
    assert of(xray(some, "guards"), "break-in").bm25 < of(xray(some, "guards"), "scooter stolen").bm25


def test_held_out_queries_are_not_asked() -> None:
    assert of(xray(curator(), "guards"), "luck").bm25 <= 0


def test_a_tool_without_test_queries_has_no_pieces_to_judge() -> None:
    assert xray(curator(), "mess_desk") == Xray("mess_desk", 0, ())


def test_a_tool_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UnknownName):
        xray(curator(), "guard")


def test_texts_are_encoded_once_each_and_progress_is_told() -> None:
    encoder, told = FakeEncoder(64), []
    some = curator(encoder=encoder)
    before = encoder.documents_encoded
    found = xray(some, "guards", lambda done, total: told.append((done, total)))
    assert encoder.documents_encoded - before <= len(found.pieces)
    assert told == [(number, len(found.pieces)) for number in range(1, len(found.pieces) + 1)]
