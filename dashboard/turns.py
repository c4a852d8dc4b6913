"""Who works next, where many people use one process: pages take turns, and work in the background gives way to them. Pure: no Streamlit.

All threads share one interpreter: fifty pages that are made at once all come late, where three at a time come in the order in which they
were asked for. What is only waited for holds no place.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PLACES = 3  # pages that are made at the same time
_LOOK_SECONDS = 0.1  # how often who waits in line looks whether that is still wanted
_SHARE = 4.0  # work in the background rests at most so many times as long as it worked
_MOST_SECONDS = 1.0  # and no longer than this at a time
_CROWD, _STRETCH = 8, 4.0  # so many that wait double the time between a page's own looks; it grows so many times at most


class Turns:
    """The places of a process, given in the order of asking; safe for threads. A thread holds one place at most."""

    def __init__(self, places: int = PLACES) -> None:
        self._places = self._free = places
        self._line: deque[threading.Event] = deque()
        self._lock, self._calm, self._mine = threading.Lock(), threading.Event(), threading.local()
        self._calm.set()
        self._behind = self._ahead = 0

    def take(self, look: Callable[[], object] = lambda: None) -> None:
        """Wait for a place. look: called now and then meanwhile; after what it raises, who asks again goes on where it stood in line."""
        if self._ticket is None:
            self._mine.ticket = self._queue(self._line.append)
        while not self._mine.ticket.wait(_LOOK_SECONDS):
            look()

    def give_back(self) -> None:
        """Let the next one have this thread's place, or its place in line."""
        ticket, self._mine.ticket = self._ticket, None
        if ticket is None:
            return
        with self._lock:
            if ticket in self._line:
                self._line.remove(ticket)
            elif self._line:
                self._line.popleft().set()
            else:
                self._free += 1
            self._settle()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let others have this thread's place while it only waits; afterwards it comes before all who have not begun."""
        held = self._ticket is not None
        self.give_back()
        try:
            yield
        finally:
            if held:
                self._mine.ticket = self._queue(self._line.appendleft)
                self._mine.ticket.wait()

    def wait(self, event: threading.Event, seconds: float) -> bool:
        """Wait for an event, at most so long, while others have this thread's place, which it keeps where that is there; return whether."""
        if event.is_set():
            return True
        with self.aside():
            return event.wait(seconds)

    def rest(self, worked_seconds: float) -> None:
        """Let pages go first, from work in the background that has just worked so long; it goes on in any case after some time."""
        if not self._calm.is_set():
            self._calm.wait(min(worked_seconds * _SHARE, _MOST_SECONDS))

    @contextmanager
    def ahead(self) -> Iterator[None]:
        """Let work in the background rest while a thread that makes no page does what pages wait for, such as the index of an edit."""
        with self._lock:
            self._ahead += 1
            self._calm.clear()
        try:
            yield
        finally:
            with self._lock:
                self._ahead -= 1
                self._settle()

    @contextmanager
    def behind(self) -> Iterator[None]:
        """Count a piece of work in the background, from its being asked for to its end."""
        with self._lock:
            self._behind += 1
        try:
            yield
        finally:
            with self._lock:
                self._behind -= 1

    def look_every(self, seconds: float) -> float:
        """Return how often a page should look by itself whether something has come: so often where little waits, else less often."""
        return seconds * min(1 + (self._behind + len(self._line)) / _CROWD, _STRETCH)

    @property
    def _ticket(self) -> threading.Event | None:
        """What stands for this thread in the line; set once it has a place."""
        ticket: threading.Event | None = getattr(self._mine, "ticket", None)
        return ticket

    def _settle(self) -> None:
        if self._free == self._places and not self._ahead:
            self._calm.set()

    def _queue(self, join: Callable[[threading.Event], None]) -> threading.Event:
        ticket = threading.Event()
        with self._lock:
            self._calm.clear()
            if self._free:
                self._free -= 1
                ticket.set()
            else:
                join(ticket)
        return ticket


TURNS = Turns()  # of this process
