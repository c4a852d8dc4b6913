"""Large memory pages for vectors: tens of thousands of them are read for each question, and the processor looks up fewer addresses."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

from numpy.typing import NDArray

_WORTH_IT = 4 * 2**20  # bytes; numpy asks for the memory of its own arrays from there on
_COLLAPSE = 25  # MADV_COLLAPSE, since Linux 6.1: at once, in place of some time


def in_large_pages(array: NDArray[Any]) -> None:
    """Ask Linux to keep an array's memory in pages of 2 MB; elsewhere, or where it declines, all stays as it is."""
    if sys.platform != "linux" or array.nbytes < _WORTH_IT:
        return
    page, first = mmap.PAGESIZE, array.ctypes.data
    start, stop = -(-first // page) * page, (first + array.nbytes) // page * page
    madvise = ctypes.CDLL(None).madvise
    for advice in (mmap.MADV_HUGEPAGE, _COLLAPSE):
        madvise(ctypes.c_void_p(start), ctypes.c_size_t(stop - start), advice)
