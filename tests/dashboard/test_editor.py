"""The text editor's Python side; what it does in a browser is in tests/browser."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard import editor, session
from dashboard.editor import with_line_ends_of
from dashboard.editor.invisible import invisible_notices


def test_a_browser_s_line_ends_become_those_of_the_text_that_was_edited() -> None:
    assert with_line_ends_of("one\r\ntwo", "one\ntwo\nthree") == "one\r\ntwo\r\nthree"
    assert with_line_ends_of("one\ntwo", "one\ntwo\nthree") == "one\ntwo\nthree"
    assert with_line_ends_of("one\r\ntwo\nthree", "one\ntwo") == "one\ntwo"  # mixed already: nothing to keep
    assert with_line_ends_of("", "a\nb") == "a\nb"


class Stopped(BaseException):
    """What Streamlit raises where the next message has come."""


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    kept: dict[str, Any] = {"box": {"commit": {"text": "typed", "at": 7}}}
    monkeypatch.setattr(session, "value", kept.get)
    monkeypatch.setattr(session, "put", kept.__setitem__)
    monkeypatch.setattr(session, "notice_waits", lambda: False)
    return kept


@pytest.mark.parametrize(("error", "times"), [(None, 1), (Stopped, 2), (ValueError, 1)])
def test_a_text_is_taken_once_again_only_where_taking_it_was_stopped(error: Any, times: int, state: dict[str, Any]) -> None:
    taken: list[str] = []

    def take(text: str) -> None:
        taken.append(text)
        if error is not None and len(taken) == 1:
            raise error

    for _ in range(3):
        try:
            editor._take("box", "", take)
        except (Stopped, ValueError) as met:
            assert isinstance(met, error)
    assert taken == ["typed"] * times


def test_what_a_page_sends_again_to_a_new_server_is_not_taken_for_news(state: dict[str, Any]) -> None:
    taken: list[str] = []
    assert editor._last("box") == {"text": None, "at": 0}  # the first look in this session
    editor._take("box", "", taken.append)
    state["box"] = {"commit": {"text": "typed now", "at": 8}}
    editor._take("box", "", taken.append)
    assert taken == ["typed now"] and editor._last("box") == {"text": "typed now", "at": 8}


def test_characters_that_do_not_show_are_named_with_code_point_and_place() -> None:
    (notice,) = invisible_notices("num\u200bbers")
    assert notice.startswith("zero width space (U+200B) at character 4")
    assert "right-to-left override (U+202E)" in invisible_notices("\u202eabc")[0]
    assert "control character (U+001B)" in invisible_notices("\x1b[31m")[0]


def test_plain_text_of_any_script_has_no_notice() -> None:
    assert invisible_notices("Gebühr für Café,\n\tशुल्क 学费 😀") == ()


def test_many_unseen_characters_are_counted_instead_of_listed() -> None:
    notices = invisible_notices("a" + "\u200b" * 9)
    assert len(notices) == 6
    assert notices[-1] == "and 4 more such characters"
