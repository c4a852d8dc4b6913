"""Magnets and ghosts: tools that come first for questions of others, and tools that never come, with the words that cause it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from curator_core.collisions.strays import Strays
from curator_core.curator import Curator
from curator_core.overlap import content_words
from curator_core.proof.query_result import QueryResult
from curator_core.text import tokenize

WORDS, LOOKED_AT = 5, 40
WRONGLY_FIRST = 3  # test queries of others that a tool must come first for to be a magnet
PULL = 3.0  # or the questions of so many other tools, by their own texts


@dataclass(frozen=True, slots=True)
class Magnet:
    """A tool that draws questions of others. returned: test queries whose answer it is in; first: for how many it comes first, wrongly:
    for how many of those another tool is expected. pull: how many tools' own questions go to it (curator_core.collisions.strays).
    by_name: how many of the wrong ones its name brought. words: about the matter, what it shares with those questions, the words
    that add most to its word score first; for one that draws by its text alone, with the texts of the tools that it draws from.
    None: their meaning brings it.
    """

    key: str
    returned: int
    first: int
    wrongly: int
    pull: float
    by_name: int
    words: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the magnet as JSON-serialisable values."""
        return asdict(self) | {"words": list(self.words)}


@dataclass(frozen=True, slots=True)
class Ghost:
    """A tool that no test query brings, and that answers few of its own questions. expected: test queries that should bring it.

    found: of the questions that it asks about itself (asked), how many it answers first. shared: words of its text that most other tools
    have too or that many do, the commonest first: they do not tell it from others.
    """

    key: str
    expected: int
    found: int
    asked: int
    shared: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the ghost as JSON-serialisable values."""
        return asdict(self) | {"shared": list(self.shared)}


def magnets_of(curator: Curator, results: Sequence[QueryResult], strays: Strays, limit: int = 20) -> tuple[Magnet, ...]:
    """Return the magnets, in order of (wrongly first, pull, key). results: of test queries; only judged ones count as wrong."""
    answered = [result for result in results if result.tools]
    returned = Counter(tool for result in answered for tool in result.tools[: result.given])
    first = Counter(result.tools[0] for result in answered)
    wrong: dict[str, list[QueryResult]] = {}
    for result in answered:
        if result.status == "judged" and result.tools[0] not in (result.case.expected or ()):
            wrong.setdefault(result.tools[0], []).append(result)
    pulls = dict(zip(strays.keys, strays.pulls.tolist(), strict=True))
    drawn = {key for key, some in wrong.items() if len(some) >= WRONGLY_FIRST} | {key for key, pull in pulls.items() if pull >= PULL}
    order = sorted(drawn, key=lambda key: (-len(wrong.get(key, ())), -round(pulls.get(key, 0.0), 6), key))[:limit]
    causes = {key: _causes(curator, key, wrong[key]) if key in wrong else (0, _drawn(curator, key, strays)) for key in order}
    return tuple(
        Magnet(key, returned[key], first[key], len(wrong.get(key, ())), round(pulls.get(key, 0.0), 2), *causes[key]) for key in order
    )


def ghosts_of(curator: Curator, results: Iterable[QueryResult], strays: Strays) -> tuple[Ghost, ...]:
    """Return the tools that no test query brings into what an agent gets and that answer less than half of their own questions first.

    Those that test queries expect come first, then in order of keys.
    """
    known = list(results)
    came = {tool for result in known for tool in result.tools[: result.given]}
    expected = Counter(tool for result in known for tool in result.case.expected or ())
    ghosts = []
    for place, key in enumerate(strays.keys):
        found, asked = int(strays.found[place]), int(strays.asked[place])
        if key not in came and (2 * found < asked or expected[key]):
            ghosts.append(Ghost(key, expected[key], found, asked, _shared(curator, key)))
    return tuple(sorted(ghosts, key=lambda ghost: (-ghost.expected, ghost.key)))


def _causes(curator: Curator, key: str, wrong: Sequence[QueryResult]) -> tuple[int, tuple[str, ...]]:
    """Return how many of some questions the tool's name brought, and the words of theirs that add most to its word score."""
    by_name, weights = 0, Counter[str]()
    for result in wrong[:LOOKED_AT]:
        trace = curator.curate(result.case.query, role=result.case.role)
        position = trace.positions.get(key)
        if position is not None and trace.passes:
            row = trace.row(0, position)
            by_name += row.forced
            weights.update({word: row.by_word.get(word, 0.0) for word in content_words({*row.by_word, *row.forced_by})})
    return by_name, _heaviest(weights)


def _drawn(curator: Curator, key: str, strays: Strays) -> tuple[str, ...]:
    """Return the words that a tool shares with the tools whose own questions go to it, those of the most questions first."""
    place = strays.keys.index(key)
    own, weights = _content(curator, key), Counter[str]()
    entries = np.flatnonzero(strays.others == place)
    first = entries[np.argsort(-strays.shares[entries], kind="stable")[:LOOKED_AT]]
    victims = np.searchsorted(strays.starts, first, side="right") - 1
    for victim, share in zip(victims.tolist(), strays.shares[first].tolist(), strict=True):
        weights.update(dict.fromkeys(own & _content(curator, strays.keys[victim]), share))
    return _heaviest(weights)


def _content(curator: Curator, key: str) -> set[str]:
    index = curator.index
    return content_words(tokenize(index.texts[index.positions[key]].text()))


def _heaviest(weights: Counter[str]) -> tuple[str, ...]:
    return tuple(sorted(weights, key=lambda word: (-round(weights[word], 6), word))[:WORDS])


def _shared(curator: Curator, key: str) -> tuple[str, ...]:
    """Return the words about the matter of a tool's text that the most other tools have."""
    words, sparse = _content(curator, key), curator.index.sparse(curator.settings.plain())
    tools = {word: int(np.size(sparse.postings(word)[0])) for word in words}
    return tuple(sorted((word for word in words if tools[word] > 1), key=lambda word: (-tools[word], word))[:WORDS])
