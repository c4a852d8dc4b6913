"""The dense stage in a real PostgreSQL with pgvector answers exactly as the one in the process does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from curator_core import Curator, Registry, StoreError, Tool, ToolIndex, build_index
from curator_core.dense_pgvector import PgVectors, keep_in_postgres
from curator_core.errors import ModelUnavailable
from curator_core.settings import Settings
from tests.core.fakes import FakeEncoder
from tests.core.postgres import Postgres, pgvector_or_skip

pytestmark = pytest.mark.postgres

WORDS = (
    "pay",
    "fee",
    "renew",
    "book",
    "hall",
    "room",
    "exam",
    "result",
    "grade",
    "leave",
    "hostel",
    "bus",
    "pass",
    "library",
    "fine",
    "card",
)
QUESTIONS = ("pay my fee", "renew the library book and also show my exam result", "hostel room", "nothing of this")


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    running = pgvector_or_skip()
    running.start()
    yield running
    running.remove()


def registry_of(size: int) -> Registry:
    """Return tools of a few words each, so that many have equal texts; every fifth is for clerks alone."""
    draw = np.random.default_rng(size)
    texts = (" ".join(draw.choice(WORDS, 4)) for _ in range(size))
    return Registry("many", tuple(Tool(f"tool_{n}", text, roles=("clerk",) if n % 5 == 0 else ()) for n, text in enumerate(texts)))


@pytest.fixture(scope="module")
def encoder() -> FakeEncoder:
    return FakeEncoder()


@pytest.fixture(scope="module")
def here(encoder: FakeEncoder) -> ToolIndex:
    """More tools than are compared exactly at once."""
    return build_index(registry_of(2_200), encoder)


@pytest.fixture(scope="module")
def there(encoder: FakeEncoder, server: Postgres, here: ToolIndex) -> tuple[ToolIndex, PgVectors]:
    index = build_index(registry_of(2_200), encoder)
    return index, keep_in_postgres(index, server.url)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("role", [None, "clerk"])
def test_an_answer_and_every_rank_of_it_is_the_same_from_postgres(
    question: str, role: str | None, here: ToolIndex, there: tuple[ToolIndex, PgVectors]
) -> None:
    one, other = (Curator(index).curate(question, role=role) for index in (here, there[0]))
    assert one.tools == other.tools and one.confidence == other.confidence
    for first, second in zip(one.passes, other.passes, strict=True):
        assert first.dense is not None and second.dense is not None
        assert first.dense.ranks.tolist() == second.dense.ranks.tolist()
        assert first.dense.similarities.tolist() == second.dense.similarities.tolist()


def test_an_edit_on_top_of_it_is_compared_as_ever(here: ToolIndex, there: tuple[ToolIndex, PgVectors], encoder: FakeEncoder) -> None:
    edited = registry_of(2_200).with_edits([here.registry.edit("tool_7", "description", "pay my fee now")])
    one, other = (Curator(build_index(edited, encoder, previous=index)).curate("pay my fee") for index in (here, there[0]))
    assert one.tools == other.tools and "tool_7" in one.tools


@pytest.mark.parametrize("role", [None, "clerk"])
def test_the_nearest_are_those_of_faiss_and_equal_ones_stand_in_order_of_rows(
    role: str | None, here: ToolIndex, there: tuple[ToolIndex, PgVectors], encoder: FakeEncoder
) -> None:
    query = encoder.encode_query("pay the exam fee")
    pool = here.pool(role).positions
    vectors = here.dense(Settings())
    assert vectors is not None
    exact = vectors.similarities(query, pool)
    order = pool[np.lexsort((pool, -np.round(exact, 6)))]
    assert there[1].nearest(query, 50, role) == order[:50].tolist()
    distances, _ = vectors.faiss.search(query[None], 50)
    if role is None:
        assert distances[0] == pytest.approx(exact[order[:50]], abs=1e-6)


def test_a_graph_finds_most_of_the_nearest_also_for_a_role(
    here: ToolIndex, there: tuple[ToolIndex, PgVectors], encoder: FakeEncoder
) -> None:
    there[1].add_graph()
    vectors = here.dense(Settings())
    assert vectors is not None
    for role in (None, "clerk"):
        pool = here.pool(role)
        for question in QUESTIONS[:3]:
            query = encoder.encode_query(question)
            found = there[1].nearest(query, 20, role, ef_search=200)
            like = vectors.similarities(query, np.array(found))
            least = np.sort(vectors.similarities(query, pool.positions))[-20]
            assert set(found) <= set(pool.positions.tolist()) and (like >= least - 1e-6).sum() >= 16


def test_a_table_is_written_once_for_an_index_and_another_content_has_its_own(
    server: Postgres, there: tuple[ToolIndex, PgVectors], encoder: FakeEncoder
) -> None:
    again = keep_in_postgres(build_index(registry_of(2_200), encoder), server.url)
    other = keep_in_postgres(build_index(registry_of(30), encoder), server.url)
    assert again.table == there[1].table != other.table
    assert again.rows.shape == (2_200, 32) and other.rows.shape == (30, 32)
    assert (again.rows == there[1].rows).all()


def test_an_index_of_words_only_and_a_server_that_is_down_are_refused_in_words(encoder: FakeEncoder) -> None:
    pytest.importorskip("pgvector")
    with pytest.raises(ModelUnavailable, match="made of words only"):
        keep_in_postgres(build_index(registry_of(3), None), "postgresql://x@127.0.0.1:1/x")
    with pytest.raises(StoreError, match=r"cannot keep the vectors.*see that the server answers"):
        keep_in_postgres(build_index(registry_of(3), encoder), "postgresql://x@127.0.0.1:1/x")
