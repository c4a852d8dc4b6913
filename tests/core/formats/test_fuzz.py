"""Whatever a file holds, reading it gives a registry or a RegistryError, and what was read can be saved and exported."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from curator_core import RegistryError, export_registry, import_tools, new_registry, plan_import, read_source
from curator_core.files.writing import fresh_contents
from tests.core.formats.mutations import TEXTS, VALUES, texts, values
from tests.laws import examples

SHORT = examples(15)


def read(source: Any) -> None:
    """Read a source; what comes of it must be fit for saving and for every kind of export, and to be imported again."""
    try:
        found = read_source(source)
    except RegistryError as error:
        assert error.problems and all(problem.found and problem.fix for problem in error.problems)
        return
    registry = new_registry(found)
    assert len(found.origins) == len(registry.tools) == len(registry.keys)
    fresh_contents(registry)
    assert plan_import(registry, found).edits == (), "the same again is nothing to do"
    for format in ("jsonl", "mcp", "gemini", "bfcl", "csv"):
        export_registry(registry, format)


@pytest.mark.parametrize("name", TEXTS)
@SHORT
@given(data=some.data())
def test_changed_texts_are_read_or_refused(name: str, data: some.DataObject) -> None:
    read(data.draw(texts(name)))


@pytest.mark.parametrize("name", VALUES)
@SHORT
@given(data=some.data())
def test_changed_values_are_read_or_refused(name: str, data: some.DataObject) -> None:
    read(data.draw(values(name)))


def test_the_documents_themselves_are_read() -> None:
    for name, text in TEXTS.items():
        registry = import_tools(text.encode())
        assert registry.tools or registry.synonyms, name
