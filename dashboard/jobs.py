"""Long work in the background: started by the first page that asks for it, kept by content, given up when no page asks any more."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from curator_core import CuratorError

Report = Callable[[int, int], None]
_KEPT = 12
_FORGOTTEN_AFTER = 20.0  # seconds without a page that asks
_LOG = logging.getLogger(__name__)
_Made = TypeVar("_Made")


class _GivenUp(Exception):
    """No page has asked for the work for a while."""


class Job(Generic[_Made]):
    """One piece of work. done, total: how far it is; result: None until it is there; error: why it will not be."""

    def __init__(self, make: Callable[[Report], _Made]) -> None:
        self.done, self.total = 0, 0
        self.result: _Made | None = None
        self.error = ""
        self.given_up = False
        self.asked_at = time.monotonic()
        self._make, self._finished = make, threading.Event()

    @property
    def finished(self) -> bool:
        """Whether no more will come: the result is there, or an error."""
        return self._finished.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is finished, at most so long; return whether it is."""
        return self._finished.wait(seconds)

    def run(self, turn: threading.Lock) -> None:
        """Do the work; runs in a thread of its own. turn: held between two reports, so that jobs of one kind share one core."""
        turn.acquire()
        try:
            self.result = self._make(lambda done, total: self._report(turn, done, total))
        except _GivenUp:
            self.given_up = True
        except CuratorError as error:
            self.error = str(error)
        except Exception as error:  # noqa: BLE001 - in a thread nobody else would hear of it, and the page would wait for ever
            _LOG.exception("work in the background failed")
            self.error = f"this failed: {type(error).__name__}: {error}; see the console"
        finally:
            turn.release()
            self._finished.set()

    def _report(self, turn: threading.Lock, done: int, total: int) -> None:
        self.done, self.total = done, total
        if time.monotonic() - self.asked_at > _FORGOTTEN_AFTER:
            raise _GivenUp
        turn.release()
        time.sleep(0)  # let another job have its turn
        turn.acquire()


class Jobs:
    """The last few jobs of a process, by what they are about; safe for threads."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._kept: OrderedDict[Hashable, Job[Any]] = OrderedDict()
        self._lock, self._turn = threading.Lock(), threading.Lock()

    def of(self, key: Hashable, make: Callable[[Report], _Made]) -> Job[_Made]:
        """Return the job of a key at once; the first call for it starts it, and so does one after it was given up."""
        with self._lock:
            job = self._kept.get(key)
            if job is None or job.given_up:
                job = self._kept[key] = Job(make)
                threading.Thread(target=job.run, args=(self._turn,), name=self._name, daemon=True).start()
            job.asked_at = time.monotonic()
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return job
