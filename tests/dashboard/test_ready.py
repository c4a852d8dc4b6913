"""What a profile looks at is read before it is asked, with progress; and the playground says when perhaps no tool applies."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import resources
from tests.core.fakes import FakeEncoder

Start = Callable[..., AppTest]


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in at.text)


def progress(at: AppTest) -> str:
    return "\n".join(str(element.proto.text) for element in at.get("progress"))


def test_a_profile_that_looks_at_more_texts_shows_how_far_they_are_read_instead_of_keeping_the_page(
    app: Start, encoder: FakeEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = app(q="send a grievance")
    assert len(at.dataframe[0].value) == 5
    go_on, read = threading.Event(), encoder.encode_documents

    def wait(some: list[str]) -> object:
        assert go_on.wait(30)
        return read(some)

    monkeypatch.setattr(encoder, "encode_documents", wait)
    at.selectbox(key="profile").set_value("tuned").run()
    assert not at.exception
    assert "name, description, group and examples on their own: reading them" in progress(at)
    assert not at.dataframe
    go_on.set()
    for job in resources.workbench().readings.all():
        assert job.wait(30) and not job.error
    at.run()
    assert not progress(at) and at.dataframe[0].value.iloc[0]["tool"] == "submit_grievance"


def test_a_registry_whose_own_profile_is_tuned_has_its_texts_read_before_the_index_counts_as_ready(
    app: Start, folder: Path, encoder: FakeEncoder
) -> None:
    (folder / "curator.toml").write_text('profile = "tuned"\n', encoding="utf-8")
    at = app()
    before = encoder.documents_encoded
    assert before > 5
    at.text_input(key="q").set_value("send a grievance").run()
    assert at.dataframe[0].value.iloc[0]["tool"] == "submit_grievance"
    assert encoder.documents_encoded == before


@pytest.mark.parametrize("profile", ["seed", "tuned"])
def test_a_question_unlike_the_registrys_own_is_said_to_be_one_in_both_profiles(app: Start, folder: Path, profile: str) -> None:
    cases = [{"query": f"send a formal grievance {number}", "expected": ["submit_grievance"]} for number in range(20)]
    (folder / "test_queries.jsonl").write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    at = app(q="pay the committee", profile=profile)
    for job in resources.workbench().readings.all():
        assert job.wait(30)
    at.run()
    assert "perhaps none applies: best match" in texts(at)
    at.text_input(key="q").set_value("send a formal grievance now").run()
    for job in resources.workbench().readings.all():
        assert job.wait(30)
    assert "perhaps none applies" not in texts(at.run())
