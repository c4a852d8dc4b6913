"""Self-retrieval for real, magnets and ghosts."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from curator_core import Curator, Registry, Settings, TestQuery, Tool, UnknownName, build_index
from curator_core.collisions.magnets import ghosts_of, magnets_of
from curator_core.collisions.self_retrieval import self_retrieve
from curator_core.collisions.strays import estimate_strays
from curator_core.evaluation import evaluate
from tests.core.fakes import FakeEncoder

TEXTS = {
    "search": "Look anything up",
    "find_book": "Search the library for books",
    "find_room": "Search for a free room",
    "pay_fee": "Pay what is owed",
    "bus_times": "When the next bus leaves",
}
QUERIES = tuple(
    TestQuery(text, (key,))
    for text, key in (
        ("search books", "find_book"),
        ("search the library", "find_book"),
        ("search a room", "find_room"),
        ("bus", "bus_times"),
    )
)


def test_a_name_that_others_sentences_say_steals_them(curator_of: Callable[..., Curator]) -> None:
    found = self_retrieve(curator_of(TEXTS), "find_book")
    assert [(probe.text, probe.source, probe.first) for probe in found.probes] == [
        ("find book", "name", "find_book"),
        ("Search the library for books", "description", "search"),
    ]
    assert (found.found, found.thieves) == (1, (("search", 1),))
    json.dumps(found.to_dict())


def test_the_margin_is_what_a_tool_leads_by_or_lacks(curator_of: Callable[..., Curator]) -> None:
    probes = self_retrieve(curator_of(TEXTS, anchor=False), "bus_times").probes
    assert all(probe.rank == 1 and probe.margin is not None and probe.margin > 0 for probe in probes)


def test_a_tool_that_is_not_there_is_refused(curator_of: Callable[..., Curator]) -> None:
    with pytest.raises(UnknownName):
        self_retrieve(curator_of(TEXTS), "nothing")


def known() -> tuple[Curator, tuple[object, ...]]:
    registry = Registry(tools=tuple(Tool(name, text) for name, text in TEXTS.items()), test_queries=QUERIES)
    curator = Curator(build_index(registry, FakeEncoder(dimension=64)), Settings(top_k=1))
    results = evaluate(curator, QUERIES).results
    return curator, (results, estimate_strays(curator.index))


def test_a_magnet_is_named_with_the_word_that_draws() -> None:
    curator, (results, strays) = known()
    magnet = magnets_of(curator, results, strays)[0]  # type: ignore[arg-type]
    assert (magnet.key, magnet.wrongly, magnet.by_name, magnet.words[0]) == ("search", 3, 3, "search")
    json.dumps(magnet.to_dict())


def test_a_ghost_is_expected_and_never_comes() -> None:
    curator, (results, strays) = known()
    ghosts = ghosts_of(curator, results, strays)  # type: ignore[arg-type]
    assert [(ghost.key, ghost.expected) for ghost in ghosts][:2] == [("find_book", 2), ("find_room", 1)]
    json.dumps(ghosts[0].to_dict())
