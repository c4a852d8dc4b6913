from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator_core import Settings, profile
from curator_core.field_scores import FieldScores
from curator_core.word_counts import WordCounts

DOCUMENTS = {
    "name": [["pay", "fee"], ["show", "room"], ["list"]],
    "description": [["settle", "what", "is", "due"], ["a", "room", "and", "its", "fee"], []],
    "parameters": [[], [], ["fee"]],
}


def scores(documents: dict[str, list[list[str]]] = DOCUMENTS, **numbers: float) -> FieldScores:
    return FieldScores({field: WordCounts(some) for field, some in documents.items()}, profile("tuned").with_values(numbers))


def plain(word: str, tool: int, settings: Settings, documents: dict[str, list[list[str]]] = DOCUMENTS) -> float:
    """The formula in the module's docstring, in plain loops."""
    weights = {"name": settings.field_name, "description": settings.field_description, "parameters": settings.field_parameters}
    tf = 0.0
    for field, some in documents.items():
        lengths = [len(one) for one in some if one]
        if some[tool]:
            mean = sum(lengths) / len(lengths)
            tf += weights[field] * some[tool].count(word) / (1 - settings.field_b + settings.field_b * len(some[tool]) / mean)
    having = sum(any(word in some[place] for some in documents.values()) for place in range(3))
    idf = math.log(1 + (3 - having + 0.5) / (having + 0.5))
    return idf * tf * (settings.field_k1 + 1) / (tf + settings.field_k1) if tf else 0.0


@pytest.mark.parametrize("word", ["fee", "room", "settle", "list"])
def test_a_word_adds_what_the_formula_says(word: str) -> None:
    tools, values = scores().postings(word)
    wanted = [plain(word, tool, profile("tuned")) for tool in range(3)]
    assert tools.tolist() == [tool for tool in range(3) if wanted[tool]]
    assert values.tolist() == pytest.approx([value for value in wanted if value])


def test_a_word_in_the_name_counts_more_than_one_in_a_parameter() -> None:
    tools, values = scores().postings("fee")
    by_tool = dict(zip(tools.tolist(), values.tolist(), strict=True))
    assert min(by_tool[0], by_tool[1]) > by_tool[2] > 0


@pytest.mark.parametrize("k1", [1.2, 0.0])
def test_a_field_whose_weight_is_nothing_adds_nothing_but_the_word_is_known(k1: float) -> None:
    tools, values = scores(field_parameters=0.0, field_k1=k1).postings("fee")
    assert dict(zip(tools.tolist(), values.tolist(), strict=True))[2] == 0.0


def test_a_word_that_no_tool_has_weighs_nothing() -> None:
    assert scores().idf("xylophone") == 0.0 and not len(scores().postings("xylophone")[0])


@given(st.lists(st.lists(st.sampled_from(["fee", "room", "leave"]), max_size=4), min_size=1, max_size=6))
def test_any_registry_has_finite_scores_and_rare_words_weigh_more(names: list[list[str]]) -> None:
    found = scores({"name": names})
    having = {word: sum(word in name for name in names) for word in ("fee", "room", "leave")}
    for word, count in having.items():
        assert len(found.postings(word)[0]) == count
        assert np.isfinite(found.postings(word)[1]).all()
        assert all(found.idf(word) >= found.idf(other) for other in having if 0 < count <= having[other])
