"""What a part of a page that looks by itself sends says nothing of the widgets: what somebody typed, clicked or was given stays."""

from __future__ import annotations

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests

from dashboard import looks


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> ScriptRequests:
    monkeypatch.setattr(ScriptRequests, "request_rerun", ScriptRequests.request_rerun)  # put back afterwards
    looks.install()
    return ScriptRequests()


def says(value: str) -> WidgetStates:
    states = WidgetStates()
    states.widgets.add(id="tool", string_value=value)
    return states


def a_look() -> RerunData:
    return RerunData(widget_states=says("before"), fragment_id="part", is_auto_rerun=True)


def waiting(requests: ScriptRequests) -> RerunData:
    return requests.on_scriptrunner_ready().rerun_data


def test_a_look_alone_brings_no_values(requests: ScriptRequests) -> None:
    assert requests.request_rerun(a_look())
    assert waiting(requests).widget_states is None


def test_a_look_after_a_choice_that_waits_leaves_the_choice_as_it_is(requests: ScriptRequests) -> None:
    requests.request_rerun(RerunData(widget_states=says("chosen")))
    requests.request_rerun(a_look())
    assert waiting(requests).widget_states == says("chosen")


def test_a_choice_after_a_look_that_waits_counts(requests: ScriptRequests) -> None:
    requests.request_rerun(a_look())
    requests.request_rerun(RerunData(widget_states=says("chosen")))
    assert waiting(requests).widget_states == says("chosen")
