"""How many examples a law is tried on: few in `make test`, other ones each time, and ten times as many in `make soak`.

No law is held to a time: how long an example takes depends on what else the machine does.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

LONG, TIMES = "long", 10
USUAL = 40  # of a law that says nothing of its own


def register() -> None:
    """Make both lengths known; the short one holds unless pytest is given --hypothesis-profile long."""
    free = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("short", free, max_examples=USUAL)
    settings.register_profile(LONG, free, max_examples=USUAL * TIMES)
    settings.load_profile("short")


def examples(number: int) -> settings:
    """Return the settings of a law that so many examples try in the short length."""
    return settings(max_examples=number * (TIMES if settings.get_current_profile_name() == LONG else 1))
