from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

import numpy as np
import pytest

from curator_core import large_pages
from curator_core.dense import DenseVectors

LARGE, SMALL = (3_000, 384), (100, 384)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """Collect what the system is asked for: from which address on, how many bytes, which advice; it declines."""
    calls: list[tuple[int, int, int]] = []

    class System:
        def madvise(self, start: Any, length: Any, advice: int) -> int:
            calls.append((start.value, length.value, advice))
            return -1

    monkeypatch.setattr(ctypes, "CDLL", lambda _: System())
    return calls


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux is asked")
def test_whole_pages_within_the_vectors_are_asked_for_and_nothing_beside_them(asked: list[tuple[int, int, int]]) -> None:
    vectors = DenseVectors(np.ones(LARGE, np.float32)).rows
    first, last = vectors.ctypes.data, vectors.ctypes.data + vectors.nbytes
    assert asked
    for start, length, _ in asked:
        assert start % mmap.PAGESIZE == length % mmap.PAGESIZE == 0
        assert first <= start < first + mmap.PAGESIZE and last - mmap.PAGESIZE < start + length <= last


def test_few_vectors_are_left_where_they_are(asked: list[tuple[int, int, int]]) -> None:
    DenseVectors(np.ones(SMALL, np.float32))
    assert asked == []


def test_another_system_is_not_asked(asked: list[tuple[int, int, int]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_pages.sys, "platform", "darwin")
    large_pages.in_large_pages(np.ones(LARGE, np.float32))
    assert asked == []


def test_vectors_in_large_pages_are_the_same() -> None:
    rows = np.random.default_rng(0).standard_normal(LARGE).astype(np.float32)
    assert np.array_equal(DenseVectors(rows).rows, rows)
