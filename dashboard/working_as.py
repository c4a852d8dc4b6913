"""Who works in this tab: shown in the header; chosen there where no login or proxy says it, and remembered by the browser."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import streamlit as st

from dashboard import identity, panels, session, watch
from dashboard.tables import visible

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.components.v2.types import ComponentRenderer

_REMEMBER = """export default function ({ data }) {
  document.cookie = `${data.cookie}=${encodeURIComponent(data.name)}; Path=/; Max-Age=31536000; SameSite=Strict`
}"""
_LOOK_ONLY = "Your role here is viewer: you see everything and change nothing. Roles are given in curator.toml, [people]."


@cache
def _remember() -> ComponentRenderer:
    return st.components.v2.component("tool_curator_name", html="<span></span>", js=_REMEMBER)


def working_as() -> None:
    """Show what changed meanwhile, then the author's name and, where it is a matter of trust, let it be changed."""
    watch.watch()
    person = session.person()
    if identity.given_name() is not None:
        st.text(visible(person.name), width="content")
        if identity.needs_login():
            st.button("Log out", key="header_logout", type="tertiary", on_click=st.logout)
    else:
        with st.popover(panels.literal(person.name), icon=":material/person:", key="header_person"):
            st.text_input("Working as", person.name, key=f"working_as_{person.name}", on_change=_renamed(f"working_as_{person.name}"))
            panels.note("Drafts are kept under this name, and the history says it. It is no proof of who you are.")
        if person.name != identity.usual_name():
            _remember()(key="header_remember", data={"label": "", "cookie": identity.COOKIE, "name": person.name}, width="content")
    if "author" not in person.roles:
        st.badge("You may look, not edit", icon=":material/visibility:", color="grey", help=_LOOK_ONLY)


def ask_for_login() -> bool:
    """Where a login or a proxy has to say who somebody is and does not, say so; return whether nothing else is to be shown."""
    if reason := identity.unnamed():
        st.markdown("**Tool Curator**")
        panels.message("Nobody says who you are", reason)
        if identity.needs_login():
            st.button("Log out", key="header_logout", on_click=st.logout)
        return True
    if not identity.needs_login() or identity.is_logged_in():
        return False
    st.markdown("**Tool Curator**")
    st.text("Log in to see and edit the registry.")
    st.button("Log in", key="header_login", type="primary", on_click=st.login)
    return True


def _renamed(key: str) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        session.attempt(lambda: session.work_as(str(session.value(key) or "")))

    return act
