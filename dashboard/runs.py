"""Evaluations of whole query sets that a process makes: in the background, one at a time, kept by what was asked. Pure: no Streamlit."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence

from curator_core import Curator, CuratorError, Evaluation, TestQuery, evaluate

_KEPT_RUNS = 16
_LOG = logging.getLogger(__name__)
_Key = tuple[object, ...]


class Run:
    """One evaluation, as far as it is there.

    done, total: questions asked, of how many. evaluation: None until all are asked. error: why there will be none.
    """

    def __init__(self, total: int) -> None:
        self.done, self.total = 0, total
        self.evaluation: Evaluation | None = None
        self.error = ""
        self._finished = threading.Event()

    @property
    def finished(self) -> bool:
        """Whether no more will come: the evaluation is there, or an error."""
        return self._finished.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is finished, at most so long; return whether it is."""
        return self._finished.wait(seconds)

    def make(self, curator: Curator, cases: Sequence[TestQuery], turn: threading.Lock) -> None:
        """Ask the questions; runs in a thread of its own. turn: held meanwhile, so that runs do not slow each other down."""
        try:
            with turn:
                self.evaluation = evaluate(curator, cases, progress=self._report)
        except CuratorError as error:
            self.error = str(error)
        except Exception as error:  # noqa: BLE001 - in a thread nobody else would hear of it, and the page would wait for ever
            _LOG.exception("asking the test queries failed")
            self.error = f"the test queries could not be asked: {type(error).__name__}: {error}; see the console"
        finally:
            self._finished.set()

    def _report(self, done: int, total: int) -> None:
        self.done, self.total = done, total


class Runs:
    """The last few evaluations of a process, by index, settings and questions; safe for threads."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, Run] = OrderedDict()
        self._lock, self._turn = threading.Lock(), threading.Lock()

    def of(self, curator: Curator, cases: Sequence[TestQuery]) -> Run:
        """Return the run of these questions at once; the first call for it starts asking them in the background."""
        key = (curator.index.fingerprint, curator.settings, tuple(cases))
        with self._lock:
            run = self._kept.get(key)
            if run is None:
                run = self._kept[key] = Run(len(cases))
                threading.Thread(target=run.make, args=(curator, tuple(cases), self._turn), name="ask-queries", daemon=True).start()
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT_RUNS:
                self._kept.popitem(last=False)
        return run
