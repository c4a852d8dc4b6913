"""Evaluations of whole query sets that a process makes: in the background, one at a time, kept by what was asked. Pure: no Streamlit."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence

from curator_core import Curator, CuratorError, Effect, Evaluation, QueryResult, Settings, TestQuery, effect_of, evaluate
from curator_core.proof.standings import Standings
from dashboard.jobs import Job, Jobs, Report

_KEPT = 64  # indexes and settings whose results are kept, question by question: those of everybody who edits at the same time
_KEPT_EFFECTS = 16  # asked for by two parts of a page, one soon after the other
_BLOCK = 100  # questions after which what is known grows
Results = dict[TestQuery, QueryResult]
Run = Job[Evaluation]  # its result: None until all questions are asked
_Key = tuple[str, Settings]


class Runs:
    """The last few evaluations of a process, by index, settings and questions; safe for threads.

    Results are kept question by question too, so that an edit of one test query asks one question, and an edit of a tool only those whose
    tools it moves.
    """

    def __init__(self) -> None:
        self._jobs = Jobs("asking the test queries", _KEPT)
        self._kept: OrderedDict[_Key, Results] = OrderedDict()
        self._lines: dict[_Key, float] = {}
        self._effects: dict[tuple[Run, Run, tuple[tuple[str, str], ...]], Effect] = {}  # the one asked for last comes last
        self._standings: Standings | None = None  # of the registry that was edited last, as it is published
        self._lock = threading.Lock()

    def of(self, curator: Curator, cases: Sequence[TestQuery], instead_of: Run | None = None) -> Run:
        """Return the run of these questions at once; the first call for it starts asking them in the background.

        instead_of: a run that nobody wants any more; it is stopped where it is.
        """
        key, wanted = (curator.index.fingerprint, curator.settings), tuple(cases)
        return self._jobs.of(
            (*key, wanted, curator.questions), lambda report: self._run(key, curator, wanted, report), len(wanted), instead_of
        )

    def known(self, curator: Curator) -> Results:
        """Return what is known already under this index and these settings."""
        return dict(self._results((curator.index.fingerprint, curator.settings)))

    def finished(self, curator: Curator, cases: Sequence[TestQuery], report: Report) -> Evaluation:
        """Return the evaluation of these questions when all are asked, for work in the background. Raises CuratorError where it failed."""
        run = self.of(curator, cases)
        while not run.wait(0.2):
            report(run.done, run.total)
        if run.result is None:
            raise CuratorError(run.error)
        return run.result

    def learn(self, effect: Effect, settings: Settings) -> None:
        """Keep what edits were found to do, under the index that they lead to, so that it is not asked again when they are made."""
        changes = (*effect.open, *effect.held_out)
        results = {change.after.case: change.after for change in changes if change.after is not None}
        self._results((effect.comparison.after.fingerprint, settings)).update(results)

    def effect(self, before: Run, after: Run, renames: Mapping[str, str]) -> Effect:
        """Return what the edits between two finished runs do; made once for all parts of the page that say it. Raises CuratorError."""
        if before.result is None or after.result is None:
            raise CuratorError(before.error or after.error)
        key = (before, after, tuple(renames.items()))
        with self._lock:
            known = self._effects.pop(key, None)
        found = effect_of(before.result, after.result, renames) if known is None else known
        with self._lock:
            self._effects[key] = found
            while len(self._effects) > _KEPT_EFFECTS:
                del self._effects[next(iter(self._effects))]
        return found

    def all(self) -> tuple[Run, ...]:
        """Return the runs that are kept."""
        return self._jobs.all()

    def _run(self, key: _Key, curator: Curator, cases: Sequence[TestQuery], report: Report) -> Evaluation:
        results = self._results(key, curator.no_tool_line().value if curator.settings.own_line else None)
        if any(case not in results for case in cases):
            results.update(self._unmoved(curator))
        missing = [case for case in dict.fromkeys(cases) if case not in results]
        known = len(cases) - len(missing)
        for start in range(0, len(missing), _BLOCK):
            tell = lambda done, _, start=start: report(known + start + done, len(cases))
            some = evaluate(curator, missing[start : start + _BLOCK], progress=tell)
            results.update({result.case: result for result in some.results})
        report(len(cases), len(cases))
        return dataclasses.replace(evaluate(curator, ()), results=tuple(results[case] for case in cases))

    def _unmoved(self, curator: Curator) -> Results:
        """Return what edits left as it was: the results of the index that this one was edited from, for the tools that stand as there."""
        base = Curator(curator.index.base, curator.settings)
        key = (base.index.fingerprint, base.settings)
        with self._lock:
            known = tuple(self._kept.get(key, {}).values())
            if known:  # every draft needs them, so those of many drafts must not push them out
                self._kept.move_to_end(key)
        if base.index is curator.index or not known:
            return {}
        standings = self._standings
        if standings is None or not standings.of_these(base, known):
            standings = self._standings = Standings.of(base, known)
        return {} if standings is None else standings.unmoved(curator)

    def _results(self, key: _Key, line: float | None = None) -> Results:
        """Return what is kept. line: the unsure line of now; where test queries moved it, every question is asked again."""
        with self._lock:
            if line is not None and self._lines.setdefault(key, line) != line:
                self._lines[key] = line
                self._kept.pop(key, None)
            results = self._kept.setdefault(key, {})
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._lines.pop(self._kept.popitem(last=False)[0], None)
        return results
