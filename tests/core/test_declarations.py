from __future__ import annotations

import pytest

from curator_core import Registry, Tool, UnknownName
from curator_core.declarations import Cost, declaration, declaration_cost
from tests.core.fakes import FakeEncoder

SCHEMA = {"type": "object", "properties": {"day": {"type": "string"}}}
REGISTRY = Registry(tools=(Tool("a", "Does a", extra_context="for retrieval", parameters=SCHEMA), Tool("b", "Does b")))


def test_a_declaration_has_name_description_and_parameters_and_no_extra_context() -> None:
    declared = declaration(REGISTRY.tool("a"))
    assert declared == {"type": "function", "function": {"name": "a", "description": "Does a", "parameters": SCHEMA}}
    assert declaration(REGISTRY.tool("b"))["function"]["parameters"] == {"type": "object", "properties": {}}


def test_the_cost_is_that_of_all_declarations_together() -> None:
    one, two = (declaration_cost(REGISTRY, [key], FakeEncoder()) for key in ("a", "b"))
    both = declaration_cost(REGISTRY, ["a", "b"], FakeEncoder())
    assert both.tools == 2 and both.characters == one.characters + two.characters
    assert both.tokens is not None and both.tokens == (one.tokens or 0) + (two.tokens or 0) > 0
    assert declaration_cost(REGISTRY, ["a"]).tokens is None


def test_no_tools_cost_nothing_and_unknown_ones_are_an_error() -> None:
    assert declaration_cost(REGISTRY, [], FakeEncoder()).tokens == 0
    with pytest.raises(UnknownName):
        declaration_cost(REGISTRY, ["zz"])


def test_a_share_is_counted_in_tokens_and_in_characters_where_there_are_none() -> None:
    assert Cost(1, 300, 20).share_of(Cost(4, 900, 80)) == 0.25
    assert Cost(1, 300, None).share_of(Cost(4, 900, None)) == pytest.approx(1 / 3)
    assert Cost(0, 0, 0).share_of(Cost(0, 0, 0)) == 0
