"""Where the questions about a tool go: the estimate is what the curator answers to the same question."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest

from curator_core import Curator, Registry, Settings, Tool, build_index, nearest, profile
from curator_core.collisions import strays as strays_module
from curator_core.collisions.own_questions import OPENING_WEIGHT, OwnQuestions
from curator_core.collisions.probes import OPENINGS, PROBES_AT_MOST, pieces_of, probes_of
from curator_core.collisions.strays import estimate_strays
from curator_core.synonyms import SynonymRules, indexed_text
from tests.core.fakes import FakeEncoder

TOOLS = {
    "pay_fee": "Pay a fee. Shows what is due, and the card that pays it.",
    "get_fee": "Look up a fee that is due.",
    "what_is_due": "Lists dues.",
    "book_room": "Book a room in the library for a group, or a desk.",
    "library_hours": "Opening hours of the library.",
    "getLibraryDesk": "How to get a desk.",
}


class OwnMeaning(FakeEncoder):
    """Gives a question the vector of the tool that asks it, moved towards the opening's."""

    asker: Any = None

    def encode_query(self, query: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        if self.asker is None:
            return super().encode_query(query)
        opening = max((one for one in OPENINGS if query.startswith(one)), key=len)
        moved = self.asker + (OPENING_WEIGHT * super().encode_query(opening).astype(np.float64) if opening else 0.0)
        return np.asarray(moved / np.linalg.norm(moved), dtype=np.float32)


def test_a_tools_questions_are_answered_as_the_curator_would() -> None:
    encoder, settings = OwnMeaning(dimension=64), Settings(split=False)
    registry = Registry(name="test", tools=tuple(Tool(name, text) for name, text in TOOLS.items()))
    found = estimate_strays(build_index(registry, encoder), settings=settings)
    for place, key in enumerate(found.keys):
        encoder.asker = None
        index = build_index(registry, encoder)  # anew: an index keeps the vectors of questions
        curator = Curator(index, settings)
        encoder.asker = index.dense(settings).rows[place].astype(np.float64)  # type: ignore[union-attr]
        probes = [probe.text for probe in probes_of(registry.by_key[key], index.texts[place])]
        passes = [curator.curate(f"{opening} {text}".strip()).passes[0] for text in probes for opening in OPENINGS]
        ranks = np.array([one.ranks for one in passes])
        shares = np.where(ranks > 0, 1 / np.maximum(ranks, 1) ** 2.0, 0).mean(axis=0)
        assert found.asked[place] == len(passes)
        assert found.found[place] == np.count_nonzero(ranks[:, place] == 1)
        assert np.allclose(found.shares[found.row(place)], np.delete(shares, place))
        reworded = np.array([curator.curate(f"{opening} zyzzyva".strip()).passes[0].ranks for opening in OPENINGS])
        said = np.where(reworded > 0, 1 / np.maximum(reworded, 1) ** 2.0, 0).mean(axis=0)
        assert np.allclose(found.reworded[found.row(place)], np.delete(said, place))


def test_a_name_that_an_opening_says_draws_everybodys_questions(curator_of: Callable[..., Curator]) -> None:
    found = estimate_strays(curator_of(TOOLS).index)
    assert found.keys[int(np.argmax(found.pulls))] == "what_is_due"


def test_closeness_is_that_of_the_vectors_which_the_profile_looks_at(curator_of: Callable[..., Curator]) -> None:
    index = curator_of(TOOLS).index
    seed, tuned = estimate_strays(index), estimate_strays(index, settings=profile("tuned"))
    rows = index.dense(profile("tuned")).rows.astype(np.float64)  # type: ignore[union-attr]
    unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert np.allclose(tuned.meant, (unit @ unit.T)[tuned.victims, tuned.others], atol=1e-6)
    assert np.array_equal(seed.meant, seed.similarities)
    assert np.array_equal(tuned.similarities, seed.similarities) and not np.array_equal(tuned.meant, seed.meant)


def test_without_a_model_the_words_decide() -> None:
    texts = {"a_fee": "Pay the fee", "b_fee": "Pay the fee at once", "c_room": "A room", "d_bus": "Buses", "e_map": "Maps"}
    registry = Registry(name="test", tools=tuple(Tool(name, text) for name, text in texts.items()))
    found = estimate_strays(build_index(registry, None))
    shares = dict(zip([found.keys[other] for other in found.others[found.row(1)]], found.shares[found.row(1)], strict=True))
    assert shares["a_fee"] > shares["c_room"] == 0
    assert np.isnan(found.similarities).all()
    assert np.array_equal(found.reworded, found.shares)


@pytest.mark.parametrize("name", ["seed", "tuned"])
def test_how_many_tools_ask_at_once_changes_no_bit(
    name: Literal["seed", "tuned"], monkeypatch: pytest.MonkeyPatch, curator_of: Callable[..., Curator]
) -> None:
    index = curator_of(TOOLS | {f"pay_{number}": "Pay a fee" + ", what is due" * number for number in range(9)}).index
    together = estimate_strays(index, settings=profile(name))
    monkeypatch.setattr(strays_module, "BLOCK_TOOLS", 1)
    monkeypatch.setattr(nearest, "BLOCK_CELLS", 4 * len(index.keys))  # several parts, which several threads ask
    done: list[int] = []
    alone = estimate_strays(index, settings=profile(name), progress=lambda some, _: done.append(some))
    assert done == [4, 8, 12, 15]
    for field in dataclasses.fields(together):
        assert np.array_equal(getattr(alone, field.name), getattr(together, field.name)), field.name


def test_whoever_stops_listening_does_not_wait_for_the_rest(monkeypatch: pytest.MonkeyPatch, curator_of: Callable[..., Curator]) -> None:
    index, asked, ask = curator_of({f"tool_{number}": "A text" for number in range(60)}).index, list[int](), OwnQuestions.ask
    monkeypatch.setattr(nearest, "BLOCK_CELLS", 1)
    monkeypatch.setattr(strays_module, "AT_ONCE", 1)

    def counted(questions: OwnQuestions, places: Any, *others: Any) -> Any:
        asked.append(int(places[0]))
        time.sleep(0.01)
        return ask(questions, places, *others)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(OwnQuestions, "ask", counted)
    with pytest.raises(KeyboardInterrupt):
        estimate_strays(index, progress=stop)
    assert len(asked) < 30


@pytest.mark.parametrize("size", [0, 1])
def test_a_registry_of_no_or_one_tool_has_no_strays(size: int, encoder: FakeEncoder) -> None:
    found = estimate_strays(build_index(Registry(name="test", tools=(Tool("only", "A text"),)[:size]), encoder))
    assert len(found.others) == 0


def test_sentences_are_cut_at_stops_and_commas_and_single_words_left_out() -> None:
    assert pieces_of("Pay a fee. Shows what is due, quickly; and how") == ("Pay a fee", "Shows what is due", "and how")
    assert pieces_of("Pays") == ("Pays",)
    assert pieces_of("…") == ()


def test_every_source_of_probes_has_its_turn_before_a_long_description_goes_on() -> None:
    tool = Tool("pay_fee", "One piece, two pieces, three pieces, four pieces, five pieces", "an extra", examples=("what do I owe",))
    probes = probes_of(tool, indexed_text("pay_fee", tool, SynonymRules({"fee": ["dues"]})))
    assert [probe.source for probe in probes[:5]] == ["name", "example", "description", "extra context", "synonym"]
    assert len(probes) == PROBES_AT_MOST
