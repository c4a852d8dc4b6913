"""Measuring of the draft's test queries, as pages ask for it: under the registry's own settings, as `eval` does."""

from __future__ import annotations

import streamlit as st

from curator_core import Curator
from dashboard import panels, session
from dashboard.drafts.authoring import own_settings
from dashboard.looks import look_every
from dashboard.resources import workbench
from dashboard.runs import Run

_PATIENCE_SECONDS = 0.4  # what is measured already is there by then, and no progress flickers


def measured() -> tuple[Curator, Run | None]:
    """Return the curator of the draft with the registry's own settings, and the measuring; None while the model is being loaded."""
    snapshot = session.snapshot()
    curator = Curator(snapshot.index, own_settings(), session.registry().test_queries)
    if not snapshot.finished:
        return curator, None
    job = workbench().runs.of(curator, session.registry().test_queries)
    job.wait(_PATIENCE_SECONDS)
    return curator, job


def progress(job: Run | None) -> None:
    """Say how far the measuring is, and show the page anew once it is done."""
    if job is None:
        panels.note("The model is being loaded; how the queries stand follows.")
    elif job.error:
        panels.message("The queries could not be measured", job.error)
    elif not job.finished:
        _busy()


@look_every(1)
def _busy() -> None:
    _, job = measured()  # asks again: the page still waits for it
    if job is None or job.finished:
        st.rerun(scope="app")
    st.progress(job.done / job.total if job.total else 0.0, f"Measuring the test queries: {job.done:,} of {job.total:,}")
