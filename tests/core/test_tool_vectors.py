from __future__ import annotations

import numpy as np
import pytest

from curator_core import Curator, Registry, Settings, Tool, build_index, load_encoder, profile
from curator_core.models.model_scale import QUESTIONS, SPREAD, TEXTS, model_scale, scale_of
from curator_core.synonyms import ALL_SEGMENTS, indexed_texts
from curator_core.tool_vectors import mixed_rows, pieces_of
from tests.core.fakes import FakeEncoder

PAY = Tool("pay_fee", "Settle what is due", extra_context="dues", group="student_money")


def test_the_pieces_of_a_tool_are_its_whole_text_description_name_and_group() -> None:
    (text,) = indexed_texts(Registry(tools=(PAY,)))
    assert pieces_of(text, ALL_SEGMENTS) == (
        "pay fee Settle what is due dues",
        "Settle what is due",
        "pay fee",
        "student money pay fee Settle what is due",
    )
    (bare,) = indexed_texts(Registry(tools=(Tool("pay_fee"),)))
    assert pieces_of(bare, ALL_SEGMENTS) == ("pay fee",) * 4


def test_a_tools_vector_is_the_mean_of_its_pieces_by_weight() -> None:
    encoder, texts, settings = FakeEncoder(16), indexed_texts(Registry(tools=(PAY,))), profile("tuned")
    rows = encoder.encode_documents(list(pieces_of(texts[0], ALL_SEGMENTS))).astype(np.float64)
    wanted = (np.array([1.0, 0.5, 0.3, 0.3]) @ rows / 2.1).astype(np.float32)
    assert mixed_rows(texts, ALL_SEGMENTS, settings, encoder.encode_documents)[0].tolist() == pytest.approx(wanted.tolist(), abs=1e-7)
    alone = settings.with_values({f"vector_{name}": 0.0 for name in ("whole", "description", "name", "group")})
    assert mixed_rows(texts, ALL_SEGMENTS, alone, encoder.encode_documents)[0].tolist() == pytest.approx(rows[0].tolist(), abs=1e-7)


def test_the_seed_profile_embeds_one_text_a_tool_and_the_pieces_come_with_the_first_tuned_question() -> None:
    encoder = FakeEncoder(16)
    index = build_index(Registry(tools=(PAY,)), encoder)
    assert encoder.documents_encoded == 1
    index.dense(Settings())
    assert encoder.documents_encoded == 1
    index.dense(profile("tuned"))
    assert encoder.documents_encoded == 4


def test_a_model_whose_similarities_lie_closer_together_has_them_count_for_more() -> None:
    rows = np.eye(len(TEXTS), dtype=np.float32)
    usual = scale_of(rows, rows)
    assert scale_of(rows, rows / 2) == pytest.approx(2 * usual, abs=0.02)
    assert scale_of(rows, np.zeros_like(rows)) == 1.0
    assert SPREAD > 0 and len(QUESTIONS) == len(TEXTS)


@pytest.mark.model
def test_similarities_of_the_bundled_model_count_as_they_are() -> None:
    bundled = load_encoder("bundled")
    assert model_scale(bundled.encode_query, bundled.encode_documents) == pytest.approx(1.0, abs=0.011)


def test_examples_move_a_tools_vector_towards_them_the_more_the_more_there_are() -> None:
    encoder, settings = FakeEncoder(64), profile("tuned")
    asked = ["how do I clear my dues", "what do I owe the office"]
    tools = [Tool("pay_fee", "Settle what is due", examples=tuple(asked[:count])) for count in range(3)]
    texts = [indexed_texts(Registry(tools=(tool,)))[0] for tool in tools]
    rows = mixed_rows(texts, ALL_SEGMENTS, settings, encoder.encode_documents).astype(np.float64)
    middle = encoder.encode_documents(asked).astype(np.float64).mean(axis=0)
    cosines = [row @ middle / np.linalg.norm(row) for row in rows]
    assert cosines[0] < cosines[1] < cosines[2]
    lengths = [float(np.linalg.norm(row)) for row in rows[1:]]
    assert 1 > lengths[0] > lengths[1] > settings.example_length
    text = mixed_rows(texts[:1], ALL_SEGMENTS, settings, encoder.encode_documents)[0].astype(np.float64)
    together = settings.example_text * text / np.linalg.norm(text) + encoder.encode_documents(asked).astype(np.float64).sum(axis=0)
    assert rows[2] / lengths[1] == pytest.approx(together / np.linalg.norm(together), abs=1e-6)
    off = mixed_rows(texts, ALL_SEGMENTS, settings.with_values({"examples": False}), encoder.encode_documents)
    assert off[1].tolist() == pytest.approx(off[0].tolist())


def test_an_example_is_found_by_its_words_in_the_tuned_profile_and_not_in_the_seed() -> None:
    registry = Registry(tools=(Tool("pay_fee", "Settle what is due", examples=("clear my backlog",)), Tool("show_room", "Where a room is")))
    curator = Curator(build_index(registry, None))
    assert curator.curate("backlog", settings=profile("tuned")).tools == ("pay_fee",)
    assert curator.curate("backlog").tools == ()
    assert curator.curate("backlog", settings=profile("tuned").with_values({"examples": "off"})).tools == ()
