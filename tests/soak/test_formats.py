"""Ten thousand changed documents of each format: each is read or refused, in bounded time and memory."""

from __future__ import annotations

import resource
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from tests.core.formats.mutations import TEXTS, VALUES, texts, values
from tests.core.formats.test_fuzz import read

LONG = settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))
SECONDS = 5.0  # of processor time for one document, all of which have less than 3,000 characters
MEGABYTES = 300.0  # by which ten thousand of them may raise what the process ever held
slowest: dict[str, float] = {}


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@pytest.fixture(autouse=True)
def bounded(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hold the peak of memory against what it was before, and say time and memory of the format."""
    name, before, begun = request.node.name, _megabytes(), time.monotonic()
    yield
    grown = _megabytes() - before
    print(f"{name}: {time.monotonic() - begun:.0f} s, slowest {slowest.get(name, 0):.3f} s, peak {before + grown:.0f} MB (+{grown:.0f})")
    assert grown < MEGABYTES


def _in_time(source: object, request: pytest.FixtureRequest) -> None:
    start = time.process_time()
    read(source)
    took = time.process_time() - start
    slowest[request.node.name] = max(slowest.get(request.node.name, 0), took)
    assert took < SECONDS


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", TEXTS)
@LONG
@given(data=some.data())
def test_changed_texts_are_read_or_refused_ten_thousand_times(request: pytest.FixtureRequest, name: str, data: some.DataObject) -> None:
    _in_time(data.draw(texts(name)), request)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", VALUES)
@LONG
@given(data=some.data())
def test_changed_values_are_read_or_refused_ten_thousand_times(request: pytest.FixtureRequest, name: str, data: some.DataObject) -> None:
    _in_time(data.draw(values(name)), request)
