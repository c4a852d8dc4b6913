"""Which tools answer the questions about a tool, where a registry is too large to ask all."""

from __future__ import annotations

import numpy as np
import pytest

from curator_core import Registry, Tool, build_index
from curator_core.collisions import asked_together
from curator_core.collisions.asked_together import _heaviest
from curator_core.collisions.strays import estimate_strays
from tests.core.fakes import FakeEncoder


def test_in_a_large_registry_only_tools_near_by_are_asked(monkeypatch: pytest.MonkeyPatch, encoder: FakeEncoder) -> None:
    tools = tuple(Tool(f"tool_{number:02}", f"word{number // 2} thing{number // 2}") for number in range(24))
    index = build_index(Registry(name="test", tools=tools), encoder)
    whole = estimate_strays(index)
    for name, number in (("EVERY_TOOL_UP_TO", 4), ("NEAR_BY_MEANING", 3), ("NEAR_BY_WORDS", 3), ("DRAWN_BY_OPENINGS", 1)):
        monkeypatch.setattr(asked_together, name, number)
    near = estimate_strays(index)
    assert len(near.others) < len(whole.others) / 2
    assert all(place ^ 1 in near.others[near.row(place)] for place in range(24))  # each one's twin


def test_of_equal_weights_the_first_tools_are_near(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asked_together, "NEAR_BY_WORDS", 3)
    tools, weights = np.array([9, 4, 7, 1, 3, 2]), np.array([1.0, 2.0, 1.0, 1.0, 0.0, -1.0])
    assert _heaviest(tools, weights).tolist() == [4, 1, 7]
    assert _heaviest(tools[4:], weights[4:]).tolist() == [2]
