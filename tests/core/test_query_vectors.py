from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from curator_core import Curator, Registry, TestQuery, Tool, build_index, evaluate, load_encoder, save_registry
from curator_core.cache import VectorCache
from curator_core.models.sentence_model import SentenceModel
from curator_core.query_vectors import QueryVectors
from tests.core.fakes import FakeEncoder

WORDS = (
    "show",
    "my",
    "the",
    "fee",
    "attendance",
    "hostel",
    "leave",
    "grievance",
    "submit",
    "apply",
    "for",
    "balance",
    "what",
    "is",
    "tool",
)
CASES = (TestQuery("money back", ("refund_order",)), TestQuery("weather and also money back", ("get_weather", "refund_order")))
SHOP = Registry(name="shop", tools=(Tool("refund_order", "money back"), Tool("get_weather", "weather")), test_queries=CASES)


def vectors(encoder: FakeEncoder, folder: Path | None = None, at_most: int = 100) -> QueryVectors:
    return QueryVectors(encoder, VectorCache(folder, "fake", encoder.dimension), at_most)


def test_a_question_is_encoded_once(encoder: FakeEncoder) -> None:
    kept = vectors(encoder)
    assert kept.of("hostel leave") is kept.of("hostel leave")
    assert encoder.queries_encoded == 1


def test_what_was_asked_for_longest_ago_goes_first(encoder: FakeEncoder) -> None:
    kept = vectors(encoder, at_most=2)
    for query in ("a", "b", "a", "c"):
        kept.of(query)
    assert encoder.queries_encoded == 3
    kept.of("a")
    assert encoder.queries_encoded == 3
    kept.of("b")
    assert encoder.queries_encoded == 4


def test_test_questions_are_kept_on_disk_and_typed_ones_are_not(encoder: FakeEncoder, tmp_path: Path) -> None:
    first = vectors(encoder, tmp_path)
    typed = first.of("typed")
    assert first.ahead(["tested", "tested", "typed"]) == 1
    again = vectors(encoder, tmp_path)
    assert again.ahead(["tested"]) == 0
    assert np.array_equal(again.of("tested"), first.of("tested"))
    assert encoder.queries_encoded == 2
    assert np.array_equal(again.of("typed"), typed) and encoder.queries_encoded == 3


def test_a_vector_of_a_question_cannot_be_written(encoder: FakeEncoder, tmp_path: Path) -> None:
    for _ in range(2):
        kept = vectors(encoder, tmp_path)
        kept.ahead(["fee"])
        with pytest.raises(ValueError, match="read-only"):
            kept.of("fee")[0] = 1


def test_a_question_and_a_tool_of_the_same_text_have_vectors_of_their_own(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, "m", 2)
    cache.put(["fee"], np.array([[1, 0]], np.float32))
    cache.put(["fee"], np.array([[0, 1]], np.float32), "query")
    assert cache.get(["fee"])["fee"].tolist() == [1, 0]
    assert cache.get(["fee"], "query")["fee"].tolist() == [0, 1]


def test_the_prefix_tells_vectors_apart(tmp_path: Path) -> None:
    vectors(FakeEncoder(64), tmp_path).ahead(["fee"])
    other = vectors(FakeEncoder(64, query_prefix="find: "), tmp_path)
    assert other.ahead(["fee"]) == 1


def test_an_evaluation_encodes_each_question_and_part_once_and_a_later_one_none(encoder: FakeEncoder, tmp_path: Path) -> None:
    first = evaluate(Curator(build_index(SHOP, encoder, tmp_path)), CASES)
    assert encoder.queries_encoded == 3  # two questions; the parts of the second are "weather" and the first question
    again = FakeEncoder(64)
    assert evaluate(Curator(build_index(SHOP, again, tmp_path)), CASES).to_dict() == first.to_dict()
    assert (again.queries_encoded, again.documents_encoded) == (0, 0)


# -- in batches


@pytest.fixture
def model(tiny_model: Path) -> SentenceModel:
    return load_encoder(str(tiny_model))


def questions(count: int) -> list[str]:
    return [" ".join(WORDS[(start + step) % len(WORDS)] for step in range(1 + start % 7)) for start in range(count)]


def test_questions_together_have_the_vectors_that_each_has_alone(model: SentenceModel) -> None:
    some = questions(40)
    for question, vector in zip(some, model.encode_queries(some), strict=True):
        assert np.array_equal(vector, model.encode_query(question)), question


@pytest.mark.model
def test_the_bundled_models_vectors_are_bit_for_bit_the_same_together() -> None:
    model = load_encoder("bundled")
    some = questions(40)
    for question, vector in zip(some, model.encode_queries(some), strict=True):
        assert np.array_equal(vector, model.encode_query(question)), question


def test_no_question_has_no_vector(model: SentenceModel, encoder: FakeEncoder) -> None:
    assert model.encode_queries([]).shape == (0, 16)
    assert vectors(encoder).ahead([]) == 0


@pytest.mark.process
def test_where_every_vector_is_kept_no_model_is_loaded(tmp_path: Path, tiny_model: Path) -> None:
    save_registry(SHOP, tmp_path / "shop")
    evaluate(Curator(build_index(SHOP, load_encoder(str(tiny_model)), tmp_path / "cache")), CASES)
    code = f"""
import sys
from curator_core import Curator, build_index, evaluate, load_encoder, load_registry
registry = load_registry({str(tmp_path / "shop")!r})
curator = Curator(build_index(registry, load_encoder({str(tiny_model)!r}), {str(tmp_path / "cache")!r}))
print(evaluate(curator, registry.test_queries).metrics["recall@5"], sorted({{"torch", "transformers"}} & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1.0 []\n"
