"""Renaming, duplicating, adding and deleting tools: small forms behind buttons, each an edit of the draft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from curator_core import Registry, Tool
from dashboard import session
from dashboard.drafts.authoring import may_write


def tool_actions(key: str | None) -> None:
    """Show the buttons for the open tool (None: only adding one makes sense)."""
    if not may_write():
        return
    with st.container(horizontal=True, gap="xsmall"):
        if key is not None:
            _name_form("Rename", ":material/edit:", key, session.registry().by_key[key].name, rename)
            _name_form("Duplicate", ":material/content_copy:", key, f"{session.registry().by_key[key].name}_copy", duplicate)
            _delete_form(key)
        _name_form("Add a tool", ":material/add:", "", "", lambda _key, name: add_tool(name))


def rename(key: str, name: str) -> None:
    """Give the tool another name; its extra context and the test queries follow."""
    place = session.registry().keys.index(key)
    session.add_edit(key, "name", name)
    _open(session.registry().keys[place])


def duplicate(key: str, name: str) -> None:
    """Add a copy of the tool under another name."""
    _add(replace(session.registry().by_key[key], name=name))


def add_tool(name: str) -> None:
    """Add an empty tool."""
    _add(Tool(name))


def delete(key: str) -> None:
    """Delete the tool and open its neighbour."""
    keys = list(session.registry().by_key)
    place = keys.index(key)
    session.add_edit(key, "tool", None)
    _open(next(iter(keys[place + 1 : place + 2] or keys[max(place - 1, 0) : place]), None))


def taken(registry: Registry, name: str) -> str:
    """Return why a name cannot be given to a new tool, "" when it can."""
    if not name.strip():
        return "Write a name first."
    if any(tool.name == name for tool in registry.tools):
        return f"There is already a tool called {name!r}; choose another name."
    return ""


def _add(tool: Tool) -> None:
    edit = session.registry().edit("", "tool", tool)
    session.add(edit)
    _open(edit.tool)


def _open(key: str | None) -> None:
    session.put("tool", key)


def _name_form(label: str, icon: str, key: str, name: str, act: Callable[[str, str], None]) -> None:
    """Show a button that opens a form for a name."""
    own = f"tools_{label.split()[0].lower()}"
    field = f"{own}_name_{session.opened().number}_{key}"
    with st.popover(label, icon=icon, key=own, on_change="rerun"), st.form(f"{own}_form", border=False):
        st.text_input(
            "Name", name, key=field, help="Letters, digits and _ suit every agent. Extra context and test queries follow a renamed tool."
        )
        st.form_submit_button(label, key=f"{own}_submit", type="primary", on_click=_named(own, field, key, act))


def _named(own: str, field: str, key: str, act: Callable[[str, str], None]) -> Callable[[], None]:
    def submitted() -> None:
        session.heed_editors()
        name = str(session.value(field) or "").strip()
        if reason := taken(session.registry(), name):
            session.notify(session.Outcome(False, reason))
        elif session.attempt(lambda: act(key, name)):
            session.put(own, False)

    return submitted


def _delete_form(key: str) -> None:
    expecting = sum(key in (case.expected or ()) for case in session.registry().test_queries)
    with st.popover("Delete", icon=":material/delete:", key="tools_delete", on_change="rerun"):
        st.text(_expecting(expecting))
        st.caption("Nothing is written until you publish, and “Undo last” brings it back.")
        st.button("Delete this tool", key="tools_delete_sure", type="primary", on_click=_deleted(key))


def _expecting(count: int) -> str:
    if not count:
        return "No test query expects this tool."
    return f"{count} test quer{'y expects' if count == 1 else 'ies expect'} this tool; that will be taken out of them."


def _deleted(key: str) -> Callable[[], None]:
    def confirmed() -> None:
        session.heed_editors()
        if session.attempt(lambda: delete(key)):
            session.put("tools_delete", False)

    return confirmed
