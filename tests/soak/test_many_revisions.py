"""Ten thousand revisions: every page opens within a second, also the oldest page of the list, and compacting gives the room back."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, select, update
from streamlit.testing.v1 import AppTest

from curator_core import Person, Store
from curator_core.authoring import history
from curator_core.authoring.store_tables import changes, revisions
from dashboard import resources
from tests.dashboard.conftest import TOOLS, app, empty_database, encoder, folder, fresh_process

__all__ = ["app", "empty_database", "encoder", "folder", "fresh_process"]  # fixtures
PAGES = sorted(path.stem for path in (Path(resources.__file__).parent / "views").glob("*.py") if not path.stem.startswith("_"))


def write_ten_thousand(store: Store) -> None:
    head = history.revision(store, 1)
    row = {"registry": store.registry, "kind": "published", "author": "Asha", "at": head.at, "reason": "why", "before": head.after}
    edit = {"registry": store.registry, "position": 0, "field": "description", "old": "a " * 50, "new": "b " * 50}
    numbers = range(2, 10_001)
    with store.writing() as connection:
        connection.execute(insert(revisions), [{**row, "after": head.after, "files": {}, "number": number} for number in numbers])
        connection.execute(insert(changes), [{**edit, "number": n, "tool": str(TOOLS[n % len(TOOLS)]["name"])} for n in numbers])
        files = connection.execute(select(revisions.c.files).where(revisions.c.number == 1)).scalar()
        connection.execute(update(revisions).where(revisions.c.number == 10_000).values(files=files))


def seconds(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


@pytest.mark.soak
def test_pages_open_within_a_second_on_ten_thousand_revisions(app: Callable[..., AppTest], folder: Path) -> None:
    at = app(page="tools", tool="pay_fees")
    store = resources.workbench().store(folder.resolve())
    write_ten_thousand(store)
    took: dict[str, float] = {}
    for page in PAGES:
        at.switch_page(f"views/{page}.py").run()
        took[page] = min(seconds(at.run) for _ in range(3))
        assert not at.exception
    at.switch_page("views/review.py").run()
    took["oldest"] = seconds(at.number_input(key="review_page").set_value(200).run)
    assert 1 in at.dataframe[0].value["revision"].tolist()
    took["compacting"] = seconds(lambda: history.compact(store, Person("Asha"), keep=1000))
    print({name: round(one, 2) for name, one in took.items()})
    assert max(took.values()) < 1
