"""What a drawing is asked for is made once, by whoever asks first."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from curator_core import Registry, Tool, build_index
from dashboard.overlap.drawings import Drawing


@pytest.fixture
def drawing() -> Drawing:
    return Drawing(build_index(Registry(tools=(Tool("pay", "Pay a fee"),)), None))


def test_a_piece_that_two_pages_ask_for_at_once_is_made_once(drawing: Drawing) -> None:
    asked, goes_on, made = threading.Event(), threading.Event(), []

    def make() -> str:
        made.append(threading.current_thread().name)
        asked.set()
        assert goes_on.wait(10)
        return "piece"

    with ThreadPoolExecutor(2) as pages:
        first = pages.submit(drawing.once, ("a",), make)
        assert asked.wait(10)
        second = pages.submit(drawing.once, ("a",), make)
        goes_on.set()
        assert (first.result(10), second.result(10)) == ("piece", "piece")
    assert len(made) == 1
    assert drawing.once(("b",), lambda: "another") == "another"


def test_a_piece_that_could_not_be_made_is_tried_again_when_somebody_asks_again(drawing: Drawing) -> None:
    def fail() -> str:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        drawing.once(("a",), fail)
    assert drawing.once(("a",), lambda: "piece") == "piece"
