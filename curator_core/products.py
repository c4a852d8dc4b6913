"""Inner products of many rows with the vectors of questions: large rows are read once for all of them, by two threads side by side."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGE = 15 * 2**20  # bytes of rows: fewer stay in the processor's cache, and are done before a second thread is awake
_LINE = 64  # bytes that the processor reads at once
_STRETCHES = 8  # which the two take in turn: where no processor is free for the second, the first takes nearly all of them


def products(rows: NDArray[Any], queries: NDArray[Any]) -> NDArray[Any]:
    """Return the inner products of a vector (d,), or several (m, d), with rows (n, d): (n,), or (m, n); each depends on the two alone."""
    if rows.nbytes < LARGE:
        return np.asarray(np.vecdot(rows, queries[..., None, :]))
    vectors, step = np.atleast_2d(queries), -(-len(rows) // _STRETCHES)
    found, starts = np.empty((len(rows), len(vectors)), rows.dtype), iter(range(0, len(rows), step))

    def multiply() -> None:
        for start in starts:
            np.vecdot(rows[start : start + step, None], vectors, out=found[start : start + step])

    pool, thread = _second_thread(os.getpid())
    _keep_apart(thread)
    second = pool.submit(multiply)
    multiply()
    if not second.cancel():
        second.result()
    return np.ascontiguousarray(found.T).reshape(*queries.shape[:-1], len(rows))


def aligned(array: NDArray[Any], dtype: type[np.floating[Any]]) -> NDArray[Any]:
    """Return a copy in another precision that begins where the processor's lines do: rows are read faster by a tenth, with equal sums."""
    room = np.empty(array.size + _LINE // np.dtype(dtype).itemsize, dtype)
    start = -room.ctypes.data % _LINE // room.itemsize
    copy = room[start : start + array.size].reshape(array.shape)
    copy[...] = array
    return copy


@lru_cache(maxsize=1)
def _second_thread(process: int) -> tuple[ThreadPoolExecutor, int]:
    """Return the thread that helps in a process, and the system's number of it; the process's copy, after a fork, has none."""
    pool = ThreadPoolExecutor(1, thread_name_prefix=f"products-{process}")
    return pool, pool.submit(threading.get_native_id).result()


def _keep_apart(thread: int) -> None:
    """Have another thread woken on a processor that this one is not on, where there is one.

    Linux wakes a thread where it ran last, also behind the one that wakes it, and leaves it there while another processor is idle.
    """
    if (here := _processor()) >= 0:
        with suppress(OSError):  # where a system does not let a program choose
            allowed = os.sched_getaffinity(0)
            os.sched_setaffinity(thread, allowed - {here} or allowed)


def _nowhere() -> int:
    return -1


_processor: Callable[[], int] = getattr(ctypes.CDLL(None), "sched_getcpu", _nowhere) if sys.platform == "linux" else _nowhere
