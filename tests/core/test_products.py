"""The products of many rows with questions are those of each row on its own, whoever works them out."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from curator_core.products import LARGE, _second_thread, aligned, products

MANY = LARGE // (4 * 384) + 5
AFTER_A_FORK = """
import os
import numpy as np
from curator_core.products import LARGE, products
rows = np.ones((LARGE // 400 + 1, 100), np.float32)
products(rows, rows[:1])
child = os.fork()
if not child:
    os._exit(0 if (products(rows, rows[:1]) == 100).all() else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.parametrize("size", [0, 1, 700, MANY])
@pytest.mark.parametrize("asked", [1, 3])
def test_each_product_is_that_of_its_row_and_vector_alone(size: int, asked: int) -> None:
    draw = np.random.default_rng(size + asked)
    rows, vectors = (draw.standard_normal((number, 384), dtype=np.float32) for number in (size, asked))
    found, alone = products(rows, vectors), products(rows, vectors[0])
    assert found.dtype == alone.dtype == np.float32 and found.shape == (asked, size)
    assert found.tolist() == [[float(np.vecdot(row, vector)) for row in rows] for vector in vectors]
    assert alone.tolist() == found[0].tolist()


@pytest.mark.parametrize("shape", [(1, 3), (7, 5), (300, 384)])
def test_a_copy_in_another_precision_begins_at_a_line_and_has_equal_products(shape: tuple[int, int]) -> None:
    rows = np.random.default_rng(shape[0]).standard_normal(shape, dtype=np.float32)
    copy, query = aligned(rows, np.float64), np.arange(float(shape[1]))
    assert copy.dtype == np.float64 and copy.ctypes.data % 64 == 0
    assert copy.tolist() == rows.tolist() and products(copy, query).tolist() == products(rows.astype(np.float64), query).tolist()


def test_where_the_second_thread_is_busy_the_first_does_not_wait_for_it() -> None:
    go, rows = threading.Event(), np.ones((MANY, 384), np.float32)
    busy = _second_thread(os.getpid())[0].submit(go.wait, 60)
    found = products(rows, rows[:1])
    waiting = not busy.done()
    go.set()
    assert waiting and (found == 384).all()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells on which processor a thread is")
def test_the_second_thread_may_not_run_on_the_processor_of_the_first() -> None:
    rows, allowed = np.ones((MANY, 384), np.float32), os.sched_getaffinity(0)
    products(rows, rows[:1])
    assert len(os.sched_getaffinity(_second_thread(os.getpid())[1])) == max(len(allowed) - 1, 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_copy_of_the_process_has_a_second_thread_of_its_own() -> None:
    assert subprocess.run([sys.executable, "-c", AFTER_A_FORK], timeout=60, check=False).returncode == 0
