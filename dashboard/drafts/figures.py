"""What a change does to the test queries before it is published: asked in the background, with the registry's own settings."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from curator_core import Curator, Edit, Receipt, Registry, TestQuery, receipt_of, renames_between
from dashboard import session
from dashboard.compare.sides import Chosen, questions
from dashboard.drafts.draft import settings_under
from dashboard.resources import Snapshot, workbench
from dashboard.runs import Run

_RUN = "figures_run"
PATIENCE_SECONDS = 6.0  # how long publishing waits for figures that are being made
_kept: WeakKeyDictionary[Run, tuple[Run, Receipt]] = WeakKeyDictionary()  # after -> (before, receipt)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a change, as far as they are. receipt: None while they are being made; waits_for: what that takes first."""

    receipt: Receipt | None = None
    waits_for: Snapshot | Run | None = None


def figures_of_draft() -> Figures:
    """Return the figures of the author's draft; the first look starts making them."""
    return _figures(session.registry(), session.edits(), session.snapshot_now(), _RUN)


def figures_of(edits: Sequence[Edit]) -> Figures:
    """Return the figures that edits have on the registry as it is published. Raises CuratorError where they do not fit on it."""
    registry = session.base().with_edits(edits)
    return _figures(registry, edits, workbench().open(registry, session.model(), previous=session.saved_snapshot()))


def receipt_soon(edits: Sequence[Edit]) -> Receipt:
    """Return the receipt of edits after a little patience; without figures where they are not there by then, and it says why."""
    until = time.monotonic() + PATIENCE_SECONDS
    figures = figures_of(edits)
    while figures.receipt is None:
        if figures.waits_for is None or not figures.waits_for.wait(max(until - time.monotonic(), 0)):
            return Receipt(missing="they were not ready in time")
        figures = figures_of(edits)
    return figures.receipt


def _figures(registry: Registry, edits: Sequence[Edit], after: Snapshot, kept: str = "") -> Figures:
    """kept: where this tab keeps the run of its draft, which the next one replaces: nobody wants the figures of older texts."""
    if not any(case.expected for case in registry.test_queries):
        return Figures(Receipt(missing="no test query names a right tool"))
    sides = []
    for snapshot, one, changes in ((session.saved_snapshot(), session.base(), ()), (after, registry, edits)):
        if not snapshot.finished:
            return Figures(waits_for=snapshot)
        if snapshot.progress.error:
            return Figures(Receipt(missing=f"the model is not there ({snapshot.progress.error})"))
        sides.append(Curator(snapshot.index, settings_under(session.opened().config, changes), one.test_queries))
    names = renames_between(session.base(), registry, edits)
    names_of = ((session.base(), "published"), (registry, "with the change"))
    was, now = (Chosen(name, one, side.settings) for (one, name), side in zip(names_of, sides, strict=True))
    first, second = _runs(sides, questions(was, now, names), kept)
    for run in (first, second):
        if not run.finished:
            return Figures(waits_for=run)
        if run.result is None:
            return Figures(Receipt(missing=run.error))
    return Figures(_receipt(first, second, names))


def _runs(sides: Sequence[Curator], asked: Sequence[tuple[TestQuery, ...]], kept: str) -> tuple[Run, Run]:
    first, last = workbench().runs.of(sides[0], asked[0]), session.value(kept) if kept else None
    second = workbench().runs.of(sides[1], asked[1], last if last is not first else None)
    if kept:
        session.put(kept, second)
    return first, second


def _receipt(before: Run, after: Run, names: dict[str, str]) -> Receipt:
    known = _kept.get(after)
    if known is not None and known[0] is before:
        return known[1]
    receipt = receipt_of(workbench().runs.effect(before, after, names).comparison)
    _kept[after] = (before, receipt)
    return receipt
