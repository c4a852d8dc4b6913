"""Who somebody is: by a trusted proxy's header, by login, else by a name that is chosen and remembered by the browser.

What they may do is decided by the engine. A name chosen on the page is no proof; for that, put the workbench behind a login.
"""

from __future__ import annotations

import getpass
import os
import time
import urllib.parse

import streamlit as st

from curator_core import Person

HEADER = "TOOL_CURATOR_USER_HEADER"  # environment variable: the header in which a trusted proxy names the user
COOKIE = "tool_curator_name"
_NOBODY = "somebody without a name"
_LOOK_SECONDS = 2.0  # how long it is taken for granted that nobody logs in: a page asks twenty times, and each look reads for files
_no_login_until = 0.0


def given_name() -> str | None:
    """Return the name that a proxy or a login gives, None where neither is configured and a name may be chosen.

    Where one is configured and gives no name, nobody gets to choose one: see `unnamed`.
    """
    if header := os.environ.get(HEADER):
        return _as_text(st.context.headers.get(header)) or _NOBODY
    if not needs_login():
        return None
    user = st.user.to_dict()
    address = user.get("email") if user.get("email_verified") is not False else None  # anybody can claim another's address
    return str(address or user.get("name") or user.get("sub") or "").strip() or _NOBODY


def unnamed() -> str:
    """Return why it cannot be told who somebody is, though a proxy or a login has to say it; "" where it can."""
    if given_name() != _NOBODY or (needs_login() and not is_logged_in()):
        return ""
    if header := os.environ.get(HEADER):
        return (
            f"This workbench takes names from the header {header}, which a login proxy sets, and your request came without it. Open the "
            f"workbench through the proxy's address. If you did, the proxy does not set this header: see its configuration, and {HEADER} "
            "in the environment of the workbench."
        )
    return "The login gave neither an e-mail address nor a name: the provider's configuration has to allow the scope “email” or “profile”."


def _as_text(header: str | None) -> str:
    """Return a header's value; proxies write names in UTF-8, servers read headers as Latin-1."""
    value = str(header or "").strip()
    try:
        return value.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return value


def needs_login() -> bool:
    """Say whether people log in: Streamlit has an OIDC provider in .streamlit/secrets.toml, and no proxy does it."""
    global _no_login_until  # noqa: PLW0603 - of the whole process, as the file is
    if os.environ.get(HEADER) or time.monotonic() < _no_login_until:
        return False
    if "is_logged_in" in st.user.to_dict():
        return True
    _no_login_until = time.monotonic() + _LOOK_SECONDS
    return False


def is_logged_in() -> bool:
    """Say whether this browser is logged in, where people log in."""
    return bool(st.user.to_dict().get("is_logged_in"))


def usual_name() -> str:
    """Return the name that this browser was used under last, else what the computer calls its user."""
    kept = urllib.parse.unquote(st.context.cookies.get(COOKIE) or "").strip()
    return kept if kept and kept.isprintable() else _computers_user()


def limited(person: Person) -> Person:
    """Let somebody whom the proxy or login did not name look only."""
    return Person(person.name, ("viewer",)) if person.name == _NOBODY else person


def _computers_user() -> str:
    try:
        return getpass.getuser() or "author"
    except (OSError, KeyError):  # a container without a list of users
        return "author"
