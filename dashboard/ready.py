"""Whether a question can be answered at once: the texts that the settings look at, and the test queries, are read in the background."""

from __future__ import annotations

import streamlit as st

from curator_core import Curator
from dashboard.jobs import Job, Report
from dashboard.looks import look_every
from dashboard.resources import workbench

_PATIENCE_SECONDS = 0.3


def reading(curator: Curator) -> Job[bool]:
    """Return the reading of what a question takes under these settings; the first look starts it, and it is kept by content."""
    key = (curator.index.fingerprint, curator.settings, curator.questions)
    job: Job[bool] = workbench().readings.of(key, lambda report: _read(curator, report))
    job.wait(_PATIENCE_SECONDS)
    return job


def stalls(curator: Curator) -> bool:
    """Say whether a question asked now would wait for the model to read texts; then show how far that is."""
    settings, job = curator.settings, reading(curator)
    if job.finished or not (settings.tool_vectors or settings.examples):
        return False
    _busy(job)
    return True


def _read(curator: Curator, report: Report) -> bool:
    curator.prepare(report)
    return True


@look_every(1)
def _busy(job: Job[bool]) -> None:
    if job.finished:
        st.rerun(scope="app")
    said = "The profile tuned looks at each tool's name, description, group and examples on their own: reading them"
    st.progress(min(job.done / max(job.total, 1), 1.0), f"{said}, {job.done:,} of {job.total:,}. Kept afterwards.")
