from __future__ import annotations

from typing import Any

import pytest

from curator_core.parameters import parameter_words


def test_names_and_descriptions_of_all_parameters_are_read_nested_ones_too() -> None:
    schema = {
        "type": "object",
        "properties": {
            "studentId": {"type": "string", "description": "Who asks"},
            "range": {"type": "object", "properties": {"start_date": {"description": "First day"}}},
            "rooms": {"type": "array", "items": {"properties": {"floor": {}}}},
        },
    }
    assert parameter_words(schema) == ("student Id range rooms start date floor", "Who asks First day")


@pytest.mark.parametrize(
    "schema", [None, {}, {"properties": ["a"]}, {"properties": {"a": "text"}}, {"properties": {"a": {"description": 3}}}]
)
def test_a_schema_of_any_shape_is_read_without_a_fault(schema: Any) -> None:
    assert parameter_words(schema)[1] == ""
