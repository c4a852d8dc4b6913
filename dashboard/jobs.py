"""Long work in the background: started by the first page that asks for it, and kept by content. Pure: no Streamlit."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from curator_core import CuratorError
from dashboard.turns import TURNS

Report = Callable[[int, int], None]
_KEPT = 16  # results of one kind
_LONG, _MOST_HASHED = 16, 256
_LOG = logging.getLogger(__name__)
_Made = TypeVar("_Made")


class Job(Generic[_Made]):
    """One piece of work. done, total: how far it is; result: None until it is there; error: why it will not be."""

    def __init__(self, name: str, make: Callable[[Report], _Made], total: int = 0) -> None:
        self.done, self.total = 0, total
        self.result: _Made | None = None
        self.error = ""
        self._name, self._finished, self._stopped = name, threading.Event(), False
        self._make: Callable[[Report], _Made] | None = make
        self._worked = 0.0  # the seconds of work of its thread when it rested last
        self._asked_at = time.monotonic()

    @property
    def finished(self) -> bool:
        """Whether no more will come: the result is there, or an error."""
        return self._finished.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is finished, at most so long; return whether it is."""
        return TURNS.wait(self._finished, seconds)

    def wait_at_first(self, seconds: float) -> bool:
        """Wait as `wait`, but no longer than until so long after it was first asked for: what looks again is answered at once."""
        left = self._asked_at + seconds - time.monotonic()
        return self.wait(left) if left > 0 else self.finished

    def run(self) -> None:
        """Do the work; runs in a thread of the background."""
        try:
            self._worked = time.thread_time()
            self._report(0, self.total)
            self.result = self._make(self._report) if self._make else None
        except CuratorError as error:
            self.error = str(error)
        except Exception as error:  # noqa: BLE001 - in a thread nobody else would hear of it, and the page would wait for ever
            _LOG.exception("%s failed", self._name)
            self.error = f"{self._name} failed: {type(error).__name__}: {error}; see the console"
        finally:
            self._end()

    def stop(self) -> None:
        """Go no further: whoever wanted the result wants another now."""
        self._stopped = True

    def never(self) -> None:
        """Stop it before it has begun: what it was to work on is let go now."""
        self.error = self._why_stopped
        self._end()

    def _end(self) -> None:
        self._make = None  # with it goes what the work was about, such as an index
        self._finished.set()

    @property
    def _why_stopped(self) -> str:
        return f"{self._name} was stopped: something newer is asked for"

    def _report(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        if self._stopped:
            raise CuratorError(self._why_stopped)
        worked = time.thread_time()
        TURNS.rest(worked - self._worked)
        self._worked = time.thread_time()


class _Hashed:
    """A long tuple in a key, such as all test queries: its hash is worked out once, and the same tuple is not compared."""

    __slots__ = ("_hash", "_items")

    def __init__(self, items: tuple[Hashable, ...]) -> None:
        self._items, self._hash = items, hash(items)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and (self._items is other._items or self._items == other._items)

    def is_of(self, items: tuple[Hashable, ...]) -> bool:
        """Whether it stands for exactly this object."""
        return self._items is items


_hashed: dict[int, _Hashed] = {}  # by the tuple's id, which stays its own while it is held here


def _quick(key: Hashable) -> Hashable:
    """Return a key that is equal to the same keys, and quick to look up though it holds long tuples."""
    return tuple(_long(part) if type(part) is tuple and len(part) > _LONG else part for part in key) if type(key) is tuple else key


def _long(items: tuple[Hashable, ...]) -> _Hashed:
    known = _hashed.get(id(items))
    if known is None or not known.is_of(items):
        if len(_hashed) >= _MOST_HASHED:
            _hashed.clear()
        known = _hashed[id(items)] = _Hashed(items)
    return known


class Jobs:
    """The last few jobs of one kind, by what they are about; safe for threads. name: what they do, such as "asking the questions".

    They are done one after the other, so that they do not slow each other down. kept: how many results; each author who works at the same
    time needs a few, or they would push out each other's.
    """

    def __init__(self, name: str, kept: int = _KEPT) -> None:
        self._name, self._most = name, kept
        self._kept: dict[Hashable, Job[Any]] = {}  # the one asked for last comes last; no OrderedDict, which hashes all keys to list them
        self._waiting: deque[Job[Any]] = deque()
        self._at_work = False
        self._lock = threading.Lock()

    def of(self, key: Hashable, make: Callable[[Report], _Made], total: int = 0, instead_of: Job[Any] | None = None) -> Job[_Made]:
        """Return the job of a key at once; the first call for it starts it. instead_of: one that nobody wants any more is stopped."""
        key = _quick(key)
        if instead_of is not None:
            self._let_go(instead_of, key)
        with self._lock:
            job = self._kept.pop(key, None)
            if job is None:
                job = Job(self._name, make, total)
                self._begin(job)
            self._kept[key] = job
            self._trim()
        return job

    def let_go(self, job: Job[Any]) -> None:
        """Stop a job that nobody wants any more and that is not through, so that others have their turn."""
        self._let_go(job, None)

    def _let_go(self, job: Job[Any], unless: Hashable) -> None:
        """Stop a job, unless it is the one of this key."""
        with self._lock:
            for key in [key for key, one in self._kept.items() if one is job and not one.finished and key != unless]:
                self._kept.pop(key).stop()
                if job in self._waiting:
                    self._waiting.remove(job)
                    job.never()
                    TURNS.behind(-1)

    def _begin(self, job: Job[Any]) -> None:
        """Put a job in line, and see to it that somebody works."""
        TURNS.behind(1)
        self._waiting.append(job)
        if not self._at_work:
            self._at_work = True
            threading.Thread(target=self._work, name=self._name, daemon=True).start()

    def _work(self) -> None:
        """Do what waits, until nothing does."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._at_work = False
                    return
                job = self._waiting.popleft()
            job.run()
            TURNS.behind(-1)
            with self._lock:
                self._trim()
            del job  # with its result, which nobody may want any more when the next one comes

    def _trim(self) -> None:
        """Let go of the oldest results that are too many; what is not finished stays, since somebody waits for it."""
        finished = [key for key, job in self._kept.items() if job.finished] if len(self._kept) > self._most else ()
        for key in finished[: len(self._kept) - self._most]:
            del self._kept[key]

    def all(self) -> tuple[Job[Any], ...]:
        """Return the jobs that are kept."""
        with self._lock:
            self._trim()
            return tuple(self._kept.values())
