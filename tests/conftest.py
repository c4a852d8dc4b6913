"""What holds for all tests: one thread a process, as many processes as cores run side by side; and laws in their short length."""

from __future__ import annotations

import os

from tests import laws

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is first imported
laws.register()
