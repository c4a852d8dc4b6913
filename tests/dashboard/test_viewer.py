"""A viewer sees every page and changes nothing: whatever is clicked, the files, the store and the settings stay as they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from curator_core.authoring import history
from dashboard import resources

Start = Callable[..., AppTest]
PAGES = sorted(path.stem for path in (Path(resources.__file__).parent / "views").glob("*.py") if not path.stem.startswith("_"))
LEAVES = {"header_logout", "start_open", "start_new"}  # nothing of the registry


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


@pytest.mark.parametrize("page", PAGES)
def test_no_button_of_a_page_writes_anything_for_a_viewer(page: str, app: Start, folder: Path) -> None:
    (folder / "curator.toml").write_text('[people]\n"*" = ["viewer"]\n', encoding="utf-8")
    before = contents(folder)
    at = app(page=page, tool="pay_fees", q="fees")
    names = [str(button.key) for button in at.button if not button.disabled]
    for name in names:
        there = [button for button in at.button if button.key == name and not button.disabled]
        if there and name.removesuffix(there[0].label) not in LEAVES:
            there[0].click().run()
            assert not at.exception, name
    assert contents(folder) == before
    store = resources.workbench().store(folder.resolve())
    assert history.latest(store) == 1
    with store.reading() as connection:
        for table in ("drafts", "draft_steps", "submissions", "kept"):
            assert connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar() == 0
