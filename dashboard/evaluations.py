"""How the test queries stand, measured in the background: each once per index and settings. Pure: no Streamlit."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from curator_core import Curator, Evaluation, QueryResult, Settings, TestQuery, evaluate
from dashboard.jobs import Job, Jobs, Report

_KEPT = 6  # indexes whose results are kept
_BLOCK = 25  # queries between two reports
Results = dict[TestQuery, QueryResult]
Key = tuple[str, Settings]


class Evaluations:
    """Results of test queries by index and settings, so that an edit of one query measures one query."""

    def __init__(self) -> None:
        self._jobs = Jobs("measure-queries")
        self._kept: OrderedDict[Key, Results] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, curator: Curator, cases: Sequence[TestQuery]) -> Job[Evaluation]:
        """Return the measuring of these queries at once; the first call for them starts it in the background."""
        key, wanted = (curator.index.fingerprint, curator.settings), tuple(cases)
        return self._jobs.of((*key, wanted), lambda report: self._measure(key, curator, wanted, report))

    def known(self, curator: Curator) -> Results:
        """Return what is measured already under this index and these settings."""
        return dict(self._results((curator.index.fingerprint, curator.settings)))

    def _measure(self, key: Key, curator: Curator, cases: Sequence[TestQuery], report: Report) -> Evaluation:
        results = self._results(key)
        missing = [case for case in dict.fromkeys(cases) if case not in results]
        for start in range(0, len(missing), _BLOCK):
            report(start, len(missing))
            for result in evaluate(curator, missing[start : start + _BLOCK]).results:
                results[result.case] = result
        return evaluation_of(curator, [results[case] for case in cases])

    def _results(self, key: Key) -> Results:
        with self._lock:
            results = self._kept.setdefault(key, {})
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return results


def evaluation_of(curator: Curator, results: Sequence[QueryResult]) -> Evaluation:
    """Return results as an evaluation: with means, by tag and by role."""
    index = curator.index
    model = index.encoder.model_id if index.encoder else None
    return Evaluation(index.registry.name, curator.settings, model, index.fingerprint, tuple(results))
