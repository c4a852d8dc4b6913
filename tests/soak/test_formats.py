"""Ten thousand changed documents of each format: each is read or refused, in bounded time."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.core.formats.mutations import TEXTS, VALUES, texts, values
from tests.core.formats.test_fuzz import read

LONG = settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
SECONDS = 5.0


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", TEXTS)
@LONG
@given(data=some.data())
def test_changed_texts_are_read_or_refused_ten_thousand_times(name: str, data: some.DataObject) -> None:
    source = data.draw(texts(name))
    start = time.monotonic()
    read(source)
    assert time.monotonic() - start < SECONDS


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", VALUES)
@LONG
@given(data=some.data())
def test_changed_values_are_read_or_refused_ten_thousand_times(name: str, data: some.DataObject) -> None:
    source = data.draw(values(name))
    start = time.monotonic()
    read(source)
    assert time.monotonic() - start < SECONDS
