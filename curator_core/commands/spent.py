"""Where the time of a command goes, for whoever waits for it."""

from __future__ import annotations

import time


class Spent:
    """Seconds by what they were spent on. Before that it is the processor's time: nobody has looked at a clock yet."""

    def __init__(self) -> None:
        self._parts = [("starting", time.process_time())]
        self._last = time.perf_counter()

    def on(self, what: str) -> None:
        """Say what the time since the last call was spent on."""
        now = time.perf_counter()
        self._parts.append((what, now - self._last))
        self._last = now

    @property
    def sentence(self) -> str:
        """All of it, in the order in which it went by."""
        total = sum(seconds for _, seconds in self._parts)
        return f"{total:.1f} s: {', '.join(f'{what} {seconds:.1f}' for what, seconds in self._parts)}"
