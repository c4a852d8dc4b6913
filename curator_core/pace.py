"""How quickly a long task goes, and how long it will still take, in words."""

from __future__ import annotations

import time
from collections.abc import Callable

_TOLD_AFTER = 2.0  # seconds, before which a rate is a guess


class Pace:
    """Counts from when it was made; what was there before is not part of what it is told."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._started = clock, clock()

    def said(self, done: int, total: int) -> str:
        """Return how much is done, and after a moment how many a second and how long still: "640 of 4,000, 210 a second, 16 s left"."""
        passed, far = self._clock() - self._started, f"{done:,} of {total:,}"
        if passed < _TOLD_AFTER or not done or done >= total:
            return far
        rate = done / passed
        return f"{far}, {f'{rate:,.0f}' if rate >= 10 else f'{rate:.1f}'} a second, {_duration((total - done) / rate)} left"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
