"""The quick path against the slow one, on registries and questions that a number stands for."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass

import pytest

from curator_core import PROFILE_NAMES, Curator, Registry, Tool, ToolIndex, build_index, profile
from tests.core.fakes import FakeEncoder
from tests.core.seed_reference import SeedReference
from tests.core.strategies import WORDS

PROFILES = tuple(map(profile, PROFILE_NAMES))
SIZES = (  # up to which everything is ranked at once
    "dense.EXACT_UP_TO",
    "dense.ADDED_UP_TO",
    "dense._GATHERED_UP_TO",
    "ranking._AT_ONCE",
    "ranking._SORTED_AT_ONCE",
    "fusion._ALL_UP_TO",
)
_JOINTS = (" and also ", ", then ", " plus ", " and ", ", ")


@dataclass(frozen=True)
class Case:
    """A question to a random registry."""

    index: ToolIndex
    query: str
    top_k: int
    role: str | None

    @classmethod
    def of(cls, number: int) -> Case:
        draw = random.Random(number)
        registry = _registry(draw)
        return cls(build_index(registry, FakeEncoder(12)), _question(draw), draw.randint(1, 12), draw.choice((None, *registry.roles)))

    def tools(self) -> list[tuple[str, ...]]:
        """Return the answers of both profiles."""
        return [Curator(self.index, one).curate(self.query, top_k=self.top_k, role=self.role).tools for one in PROFILES]

    def plain_tools(self) -> tuple[str, ...]:
        """Return the seed's answer as plain loops give it."""
        return SeedReference(self.index.registry, FakeEncoder(12)).curate(self.query, self.top_k, self.role)


def differing(numbers: Iterable[int]) -> list[int]:
    """Return the numbers whose question gets other tools, or another order, in another way than the quick one.

    The ways: the seed read once more in plain loops; of both profiles every list ranked whole; and registries treated as if large.
    """
    cases = {number: Case.of(number) for number in numbers}
    quick = {number: case.tools() for number, case in cases.items()}
    other = [number for number, case in cases.items() if case.plain_tools() != quick[number][0]]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("curator_core.fusion.CombinedRank._first", lambda self, count: self.order[:count])
        other += [number for number, case in cases.items() if case.tools() != quick[number]]
    with pytest.MonkeyPatch.context() as patch:
        for name in SIZES:
            patch.setattr(f"curator_core.{name}", 0)
        other += [number for number, case in cases.items() if case.tools() != quick[number]]
    return other


def _registry(draw: random.Random) -> Registry:
    names = {"_".join(draw.choices(WORDS, k=draw.randint(1, 3))) for _ in range(draw.randint(1, 20))}
    tools = (
        Tool(name, _words(draw, 8), _words(draw, 2), roles=draw.choice(((), ("student",), ("staff",))), group=draw.choice(("", "room")))
        for name in sorted(names)
    )
    synonyms = {draw.choice(WORDS): [_words(draw, 3)] for _ in range(draw.randint(0, 3))}
    return Registry(name="random", tools=tuple(tools), synonyms=synonyms)


def _question(draw: random.Random) -> str:
    return draw.choice(_JOINTS).join(_words(draw, 4) or "fee" for _ in range(draw.choice((1, 1, 2, 3))))


def _words(draw: random.Random, most: int) -> str:
    return " ".join(draw.choices([*WORDS, "fees", "zzz"], k=draw.randint(0, most)))
