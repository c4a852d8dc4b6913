"""Behind a login: who somebody is comes from an OpenID Connect provider or from a proxy's header, and from nowhere else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from curator_core import Person, open_store
from curator_core.authoring import drafts
from tests.browser import workbench as workbench_
from tests.browser.login_provider import Provider
from tests.browser.workbench import Screen, Workbench

TOOLS = [{"name": "pay_fees", "description": "Pay tuition fees"}]
ASHA = "asha@example.org"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    (folder / "tools.json").write_text(json.dumps({"schema_version": 1, "name": "small", "tools": TOOLS}, indent=2))
    (folder / "curator.toml").write_text(f'[people]\n"{ASHA}" = ["author"]\n"*" = ["viewer"]\n')
    return folder


def edit(screen: Screen, text: str) -> None:
    screen.go("tools", tool="pay_fees")
    screen.editor("Description").fill(text)
    screen.wait_for_status("Description", "in your draft, not published yet")


def kept_of(folder: Path, name: str) -> list[Any]:
    store = open_store(folder)
    found = [edit.new for edit in drafts.read(store, Person(name)).edits]
    store.close()
    return found


def test_a_login_with_openid_connect_names_the_author(
    folder: Path, start: Callable[[Path], Workbench], visit: Callable[..., Screen], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("authlib")
    port = workbench_.free_port()
    monkeypatch.setattr(workbench_, "free_port", lambda: port)
    secrets = folder.parent / "secrets.toml"
    monkeypatch.setenv("STREAMLIT_SECRETS_FILES", str(secrets))
    with Provider({"email": ASHA}) as provider:
        secrets.write_text(provider.secrets(f"http://127.0.0.1:{port}/oauth2callback"))
        screen = visit(start(folder), "Somebody else")
        screen.go()
        expect(screen.page.get_by_text("Log in to see and edit the registry.")).to_be_visible()
        expect(screen.page.get_by_text("pay_fees")).to_have_count(0)
        screen.page.get_by_role("button", name="Log in").click()
        expect(screen.page.get_by_text(ASHA)).to_be_visible(timeout=30_000)
        assert len(provider.nonces) == 1
        edit(screen, "by the one who logged in")
        assert kept_of(folder, ASHA) == ["by the one who logged in"] and kept_of(folder, "Somebody else") == []
        screen.page.get_by_role("button", name="Log out").click()
        expect(screen.page.get_by_role("button", name="Log in")).to_be_visible(timeout=30_000)


def test_a_proxy_s_header_names_the_author_and_without_it_nothing_is_shown(
    folder: Path, start: Callable[[Path], Workbench], visit: Callable[..., Screen], browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOL_CURATOR_USER_HEADER", "X-Forwarded-User")
    workbench = start(folder)
    past = visit(workbench, "Somebody else")
    past.go("tools", tool="pay_fees")
    expect(past.page.get_by_text("takes names from the header X-Forwarded-User")).to_be_visible()
    expect(past.page.get_by_text("Pay tuition fees")).to_have_count(0)
    context = browser.new_context(extra_http_headers={"X-Forwarded-User": ASHA})
    through = Screen(context.new_page(), workbench)
    edit(through, "through the proxy")
    expect(through.page.get_by_text(ASHA)).to_be_visible()
    assert kept_of(folder, ASHA) == ["through the proxy"]
    context.close()
