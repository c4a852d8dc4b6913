"""The ways to a registry: recent ones, samples, any folder, a new empty one; and the three-step tour."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import streamlit as st

from curator_core import CuratorError
from dashboard import panels, session
from dashboard.home.recent import recent_folders
from dashboard.home.start import SAMPLE_TEXTS, copy_sample, new_registry, place_for_copy, samples
from dashboard.home.tour import Tour, tour_of
from dashboard.resources import workbench
from dashboard.tables import visible

SHOWN = 6  # recent registries
_OF_ONE_REGISTRY = ("q", "tool", "other", "role", "term", "test")  # what the address holds of a registry, and another one does not have


def welcome() -> None:
    """Show the start, when no registry is open."""
    st.header("Tool Curator", anchor=False)
    st.markdown("See why an LLM agent is shown a tool or not, and fix the few lines of text that decide it.")
    left, right = st.columns((3, 2), gap="large")
    with left:
        registries()
    with right, st.container(border=True):
        st.markdown("**How it goes, in three steps**")
        for number, (title, text) in enumerate(_STEPS, 1):
            st.markdown(f"**{number} · {title}.** {text}")
        st.caption("Open the sample *campus* to try it: its start page leads through these steps.")


def registries() -> None:
    """Offer the registries that can be opened, and a new one."""
    if reason := session.failure():
        panels.message("That did not work", reason)
        if session.is_open():
            st.button("Dismiss", key="start_dismiss", on_click=session.forget_failure)
    own = {folder.resolve() for folder in samples()}
    recent = [folder for folder in recent_folders(workbench().cache_dir) if folder not in own][:SHOWN]
    with st.container(border=True, gap="xsmall"):
        if recent:
            st.markdown("**Opened lately**")
        for number, folder in enumerate(recent):
            _offer(folder, f"start_recent_{number}", str(folder))
        st.markdown("**Samples to try**")
        for folder in samples():
            _sample(folder)
        if samples():
            st.text(
                f"Open: for a look; what you publish would be written into {visible(str(samples()[0].parent))}. "
                "Copy: a folder of your own, to work in and to keep."
            )
    _any_folder()
    _new_one()


def tour(of: Tour | None = None) -> None:
    """Lead through the three steps, each with a link to where it happens."""
    about = of or tour_of(session.registry())
    for number, (title, text) in enumerate(_STEPS, 1):
        st.markdown(f"**{number} · {title}.** {text}")
        if about is None:
            continue
        if number == 1:
            st.page_link(
                "views/playground.py",
                label=f"Ask {panels.literal(about.question)}",
                icon=":material/search:",
                query_params={"q": about.question},
            )
        if number == 2:
            st.page_link(
                "views/tools.py",
                label=f"Open {panels.literal(about.tool)}",
                icon=":material/build:",
                query_params={"tool": visible(about.tool)},
            )
        if number == 3 and about.word:
            st.caption(f"Here: no tool knows the word *{about.word}*. Type it into the extra context, and the rank moves.")


def _offer(folder: Path, key: str, said: str) -> None:
    left, right = st.columns((2, 3), gap="small", vertical_alignment="center")
    with left:
        _open_button(folder, key, "tertiary")
    right.text(visible("open now" if _is_open(folder) else said))


def _sample(folder: Path) -> None:
    """Offer a sample in two ways, side by side: as it is, or a copy of one's own."""
    st.text(visible("open now" if _is_open(folder) else SAMPLE_TEXTS.get(folder.name, "")))
    key = f"start_copy_{folder.name}"
    with st.container(horizontal=True, gap="small"):  # they wrap where both do not fit, rather than lose their names
        _open_button(folder, f"start_{folder.name}", "secondary")
        with st.popover(f"Copy {panels.literal(folder.name)}", icon=":material/content_copy:", key=key):
            place = str(place_for_copy(folder))
            st.text_input("Folder of the copy", place, key=f"{key}_folder", help="It is made; it must not be there yet.")
            st.button("Copy and open", key=f"{key}_sure", type="primary", on_click=_copy_typed(folder, f"{key}_folder"))


def _open_button(folder: Path, key: str, kind: Literal["secondary", "tertiary"]) -> None:
    label = f"Open {panels.literal(folder.name)}"
    st.button(label, key=key, type=kind, icon=":material/folder_open:", on_click=_open(folder), disabled=_is_open(folder))


def _is_open(folder: Path) -> bool:
    return session.is_open() and session.opened().folder == folder.resolve()


def _copy_typed(sample: Path, field: str) -> Callable[[], None]:
    def copied() -> None:
        try:
            folder = copy_sample(sample, str(session.value(field) or ""))
        except CuratorError as error:
            session.refuse(str(error))
        else:
            _arrived(session.open_folder(folder))

    return copied


def _any_folder() -> None:
    with st.expander("Open a folder", icon=":material/folder:", key="start_other"), st.form("start_form", border=False):
        st.text_input("Registry folder", key="start_folder", placeholder="/path/to/a/folder/with/tools.json")
        st.form_submit_button("Open this folder", on_click=_open_typed, key="start_open")


def _new_one() -> None:
    with (
        st.expander("Start an empty registry", icon=":material/create_new_folder:", key="start_new"),
        st.form("start_new_form", border=False),
    ):
        st.text_input("New folder", key="start_new_folder", placeholder="/path/to/a/new/folder", help="It is made if it is not there.")
        st.text_input("Name", key="start_new_name", placeholder="as the folder")
        st.form_submit_button("Start here", on_click=_start_typed, key="start_new_sure")


def _open(folder: str | Path) -> Callable[[], None]:
    return lambda: _arrived(session.open_folder(folder))


def _open_typed() -> None:
    typed = str(session.value("start_folder") or "").strip()
    _arrived(session.open_folder(typed) if typed else session.refuse("Write the path of a folder that has a tools.json."))


def _start_typed() -> None:
    try:
        folder = new_registry(str(session.value("start_new_folder") or ""), str(session.value("start_new_name") or ""))
    except CuratorError as error:
        session.refuse(str(error))
    else:
        _arrived(session.open_folder(folder))


def _arrived(opened: bool) -> None:
    """Forget what belongs to the registry that was open before."""
    for name in _OF_ONE_REGISTRY if opened else ():
        if session.value(name) is not None:
            session.put(name, "" if name == "q" else None)


_STEPS = (
    ("Ask", "In the Playground, type what a user would say. You see which tools an agent is shown, and why."),
    ("Open the tool that should come first", "Its texts stand on the Tools page; beside them, what your edits do to questions."),
    (
        "Add the users' words to its extra context",
        "The rank moves as you type. Your draft is kept; the registry changes when you press Publish, and “Undo last” takes a step back.",
    ),
)
