from __future__ import annotations

import pytest

from curator_core import Pace


def pace(seconds: float) -> Pace:
    """A pace that is asked so many seconds after it was made."""
    times = iter((0.0, seconds))
    return Pace(clock=lambda: next(times))


@pytest.mark.parametrize(
    ("seconds", "done", "said"),
    [
        (4, 800, "800 of 4,000, 200 a second, 16 s left"),
        (40, 100, "100 of 4,000, 2.5 a second, 26 min left"),
        (4000, 100, "100 of 4,000, 0.0 a second, 43.3 h left"),
        (10, 3_999, "3,999 of 4,000, 400 a second, 1 s left"),
    ],
)
def test_the_rate_and_the_time_left_follow_from_what_was_done(seconds: float, done: int, said: str) -> None:
    assert pace(seconds).said(done, 4_000) == said


@pytest.mark.parametrize(("seconds", "done"), [(0.5, 64), (60, 0), (60, 4_000)])
def test_nothing_is_guessed_in_the_first_moment_or_when_there_is_nothing_to_tell(seconds: float, done: int) -> None:
    assert pace(seconds).said(done, 4_000) == f"{done:,} of 4,000"
