"""Two authors in two browsers, with random acts in turn: no text is lost. Two hundred of them are in tests/soak."""

from __future__ import annotations

from collections.abc import Callable

from curator_core import Person, load_registry, open_store
from curator_core.authoring import history
from tests.browser.workbench import Screen, Workbench
from tests.soak.two_browsers import TwoBrowsers


def day_of_two(workbench: Workbench, visit: Callable[..., Screen], acts: int, seed: int, most: int = 0) -> TwoBrowsers:
    """Let two authors work, and check that no text is lost and that files and history agree.

    most: so many acts at most, if few publish or none gets in another's way before.
    """
    store = open_store(workbench.folder)
    try:
        day = TwoBrowsers(store, {Person(name): visit(workbench, name) for name in ("Indu", "Jai")}, seed)
        day.work(acts)
        while day.counts["acts"] < most and not (day.counts["publishes"] > 2 and day.counts["conflicts"] > 0):
            day.work(1)
        print(day.told())
        assert day.lost() == []
        history.notice_outside(store)
        assert history.registry_at(store, history.latest(store)) == load_registry(workbench.folder)
    finally:
        store.close()
    return day


def test_two_authors_in_two_browsers_lose_no_text(small: Workbench, visit: Callable[..., Screen]) -> None:
    day = day_of_two(small, visit, acts=9, seed=1475, most=40)  # few acts, and one of each kind among them
    assert day.counts["publishes"] > 2 and all(day.counts[kind] for kind in ("conflicts", "undone", "by hand"))
