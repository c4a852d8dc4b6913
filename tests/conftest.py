"""What holds for all tests: one thread a process, since as many test processes as cores run side by side."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is first imported
