"""Who works next, where many people use one process: pages take turns, and work in the background gives way to them. Pure: no Streamlit.

All threads share one interpreter: fifty pages that are made at once all come late, where three at a time come in the order in which they
were asked for. A part of a page, such as the answer to a question, is quickly made and goes before whole pages, and what a page looks for
by itself goes last; each for some seconds only. What is only waited for holds no place.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

PLACES = 3  # pages that are made at the same time
_LOOK_SECONDS = 0.1  # how often who waits in line looks whether that is still wanted
_SHARE = 4.0  # work in the background rests at most so many times as long as it worked
_MOST_SECONDS = 1.0  # and no longer than this at a time
_CROWD, _STRETCH = 8, 4.0  # so many that wait double the time between a page's own looks; it grows so many times at most
_TABS, _COUNTED_SECONDS = 10, 20.0  # so many more that asked for something in the last seconds do so too
_MOST_KNOWN = 1000  # browsers that something is kept of; some never ask again
PART, PAGE, LOOK = 0.0, 30.0, 45.0  # so many seconds later than a part of a page counts as asked for: a whole page, a page's own look


@dataclass(slots=True, eq=False)
class _Ticket:
    """What stands for somebody in the line. due: who has the earliest is next; ready: set once it has a place."""

    due: float
    ready: threading.Event = field(default_factory=threading.Event)


class Turns:
    """The places of a process, given in the order of asking, quick things before others; safe for threads. A thread holds one at most."""

    def __init__(self, places: int = PLACES) -> None:
        self._places = self._free = places
        self._line: list[_Ticket] = []
        self._left: dict[str, float] = {}  # who was overtaken in line -> when it was due
        self._seen: dict[str, float] = {}  # whose page was asked for, and when last
        self._lock, self._calm, self._mine = threading.Lock(), threading.Event(), threading.local()
        self._calm.set()
        self._behind = self._ahead = 0

    def take(self, look: Callable[[], float | None] = lambda: None, after: float = PART, who: str = "") -> None:
        """Wait for a place. look: called now and then meanwhile; after what it raises, who asks again goes on where it stood in line.

        after: PART, PAGE or LOOK; what `look` returns takes its place, where that is sooner: something else waits for this to be made.
        who: whose page it is, in whatever thread it is asked for again.
        """
        if self._ticket is None:
            self._mine.who = who
            self._mine.ticket = self._queue(time.monotonic() + after, who)
        while not self._mine.ticket.ready.wait(_LOOK_SECONDS):
            sooner = look()
            if sooner is not None:
                with self._lock:
                    self._mine.ticket.due = min(self._mine.ticket.due, time.monotonic() + sooner)

    def give_back(self) -> None:
        """Let the next one have this thread's place, or its place in line."""
        ticket, self._mine.ticket = self._ticket, None
        if ticket is None:
            return
        with self._lock:
            if ticket in self._line:
                self._line.remove(ticket)
                self._leave(ticket)
            elif self._line:
                self._next()
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
                self._mine.ticket = self._queue(-math.inf)
                self._mine.ticket.ready.wait()

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

    def behind(self, more: int) -> None:
        """Count so many more pieces of work in the background, from their being asked for to their end."""
        with self._lock:
            self._behind += more

    def look_every(self, seconds: float) -> float:
        """Return how often a page should look by itself whether something has come: so often where little goes on, else less often."""
        since = time.monotonic() - _COUNTED_SECONDS
        with self._lock:
            others = sum(at > since for at in self._seen.values()) - 1
        return seconds * min(1 + (self._behind + len(self._line)) / _CROWD + max(others, 0) / _TABS, _STRETCH)

    @property
    def _ticket(self) -> _Ticket | None:
        """What stands for this thread in the line."""
        ticket: _Ticket | None = getattr(self._mine, "ticket", None)
        return ticket

    def _settle(self) -> None:
        if self._free == self._places and not self._ahead:
            self._calm.set()

    def _queue(self, due: float, who: str = "") -> _Ticket:
        with self._lock:
            ticket = _Ticket(min(due, self._left.pop(who, due)))
            self._calm.clear()
            if self._free:
                self._free -= 1
                ticket.ready.set()
            else:
                self._line.append(ticket)
            self._see(who)
        return ticket

    def _see(self, who: str) -> None:
        """Note whose page is asked for; who comes back later counts as seen last."""
        if who:
            self._seen.pop(who, None)
            self._seen[who] = time.monotonic()
            if len(self._seen) > _MOST_KNOWN:
                del self._seen[next(iter(self._seen))]

    def _next(self) -> None:
        """Give a place to the one who is due."""
        ticket = min(self._line, key=lambda one: one.due)
        self._line.remove(ticket)
        ticket.ready.set()

    def _leave(self, ticket: _Ticket) -> None:
        """Remember where in line somebody stood, for when the same one asks again."""
        if who := getattr(self._mine, "who", ""):
            if len(self._left) >= _MOST_KNOWN:
                self._left.clear()
            self._left[who] = ticket.due


TURNS = Turns()  # of this process
