"""Widgets that several pages share: header, messages, and links to a tool."""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from dashboard import session, tables
from dashboard.charts import COLOURS
from dashboard.looks import look_every
from dashboard.resources import Snapshot, workbench
from dashboard.tables import EXTRA, FINGERPRINTED, NAME, TOP_UP, circled, plural, problems_table, short_model, visible

Colour = Literal["red", "orange", "yellow", "blue", "green", "violet", "grey"]

STAGE_BADGE: dict[str, Colour] = {"dense": "blue", "sparse": "orange", "anchor": "violet", "split": "yellow", "low_confidence": "grey"}
FLAG_COLOURS = {
    **{circled(number): COLOURS["split"] for number in range(1, 10)},
    NAME: COLOURS["anchor"],
    TOP_UP: COLOURS["low_confidence"],
    EXTRA: COLOURS["low_confidence"],
}
_WORDS = re.compile("[A-Za-z0-9_]+(?:[ -][A-Za-z0-9_]+)*")  # with _ and - escaped, no Markdown is made of these
_CLICK_SECONDS = 10.0
OFFERED = 200  # tools in one list


def header(who: Callable[[], None]) -> None:
    """Show what is always visible: registry, role lens, index, model; and what is wrong with that."""
    registry, snapshot = session.registry(), session.snapshot()
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.text(visible(registry.name or session.opened().folder.name), width="content")
        st.badge(plural(len(registry.tools), "tool"), color="grey", help="Tools in this registry, with your edits.")
        role_lens()
        _index_badge(snapshot)
        st.space("stretch")  # the two at the right stay there, whatever the index has to say
        problems()
        who()
    model_trouble(snapshot)


def place_of_draft() -> None:
    """Say, where the draft bar stands while there is a draft, that there is none; so the first edit moves nothing down."""
    draft = session.overlay().draft
    if not draft.steps and not draft.redo:
        with st.container(height=35, border=False, vertical_alignment="center"):  # as high as a button
            note("Nothing of yours waits to be published: every page shows the registry as it is.")


def role_lens() -> None:
    """Let the author look at the registry as one role sees it."""
    roles = session.registry().roles
    st.selectbox(
        "Role",
        roles,
        index=None,
        key="role",
        bind="query-params",
        placeholder="All roles",
        label_visibility="collapsed",
        width=180,
        disabled=not roles,
        help="Role lens: search only what this role may see. Tools without roles are for everyone.",
    )


def _index_badge(snapshot: Snapshot) -> None:
    """Show what the index holds and which model made it; while it is being made, how far that is."""
    if not snapshot.finished:
        _progress()
        return
    index = snapshot.index
    if index.encoder is None:
        st.badge("Words only", icon=":material/warning:", color="orange", help="There is no meaning match; the message below says why.")
        return
    mark = index.fingerprint[:7]
    st.badge(
        f"Index = your text · {mark}",
        icon=":material/check:",
        color="green",
        help=f"The index was made from exactly the text you see. Its fingerprint is a SHA-256 over {FINGERPRINTED}.",
    )
    st.text(short_model(index.encoder.model_id), width="content")


@look_every(1)
def _progress() -> None:
    """Show how far the index is, and rerun the page once when it is there."""
    snapshot = session.snapshot_now()
    if snapshot.finished:
        st.rerun(scope="app")
    st.badge(
        snapshot.progress.stage,
        icon=":material/hourglass_top:",
        color="blue",
        help="Until the model is there, answers use words only. Results change when it is ready.",
    )


def message(title: str, text: str) -> None:
    """Show a warning whose text may quote registry text: a fixed title, and the text as plain text."""
    with st.container(border=True, gap="xsmall"):
        st.badge(title, icon=":material/warning:", color="red")
        st.text(visible(text))


def note(text: str, width: Literal["stretch", "content"] = "stretch") -> None:
    """Show a fixed remark, small and grey, with more contrast than st.caption has. It is Markdown: never put a user's text into it."""
    st.markdown(f":small[:gray[{text}]]", width=width)


def tab(text: str) -> str:
    """Return the label of a tab; the open one would have the colour of buttons, too dark for a text on a dark page. Only fixed texts."""
    return f":gray[{text}]"


def pill(text: str) -> str:
    """Return the label of something to choose that stands on its own; see `tab`. Only fixed texts, and what `literal` returns."""
    return text if text.startswith("`") else f":gray[{text}]"


def model_trouble(snapshot: Snapshot) -> None:
    """Say why there is no meaning match, and offer to try again."""
    if not (snapshot.finished and snapshot.progress.error):
        return
    message("Word match only: the model cannot be used", snapshot.progress.error)
    st.button("Try the model again", key="header_retry", on_click=workbench().forget_failed)


@st.fragment
def problems() -> None:
    """List what loading found wrong, behind a button; the list is made when somebody opens it."""
    found = session.registry().problems
    if not found:
        return
    errors = sum(problem.level == "error" for problem in found)
    title = plural(errors, "part") + " unusable" if errors else plural(len(found), "remark")
    with st.popover(
        title,
        icon=":material/rule:",
        key="header_problems",
        help="What loading found in the registry's files.",
        on_change="rerun",
    ) as window:
        if window.open:
            st.dataframe(
                problems_table(found), hide_index=True, key="header_problems_table", width=820, alt="Remarks about the registry's files"
            )


def has_page(path: str) -> bool:
    """Say whether the workbench has a page, named as in views/…"""
    return (Path(__file__).parent / path).is_file()


def tool_link(key: str, label: str = "Edit this tool") -> None:
    """Link to a tool on the Tools page. The label is Markdown: never put a tool's name into it."""
    st.page_link("views/tools.py", label=label, icon=":material/edit:", query_params={"tool": visible(key)})


def submission_link(id: str, label: str) -> None:
    """Link to a draft that was handed over. The label is Markdown: never put a user's text into it."""
    st.page_link("views/review.py", label=label, icon=":material/rate_review:", query_params={"submission": id})


def revision_link(number: int, help: str) -> None:
    """Link to a revision of the history."""
    label = f"Revision {number}"
    st.page_link("views/review.py", label=label, query_params={"revision": str(number)}, help=help, width="content")


def name_link(key: str, page: str = "views/tools.py", parameter: str = "tool") -> None:
    """Link to a tool, or what else a page's parameter names, under its own name."""
    label = literal(key)
    st.page_link(page, label=label if label.startswith("`") else f":blue[{label}]", query_params={parameter: visible(key)})


def press(label: str, key: str, then: Callable[[], None], take: Callable[[], None] = lambda: None, **look: Any) -> None:
    """Show a button that leads elsewhere, to a dialog or another page. take: puts into the session what goes along.

    Its click is kept until the page comes to this place, though a newer message of the browser may stop the page before that; what comes
    too late, since its author has gone elsewhere meanwhile, is dropped.
    """
    name = f"{key}_pressed"

    def act() -> None:
        take()
        session.put(name, (then, time.monotonic()))

    st.button(label, key=key, on_click=act, **look)
    pressed = session.value(name)
    if pressed is not None:
        session.forget(name)
        lead, at = pressed
        if time.monotonic() - at < _CLICK_SECONDS:
            lead()


def key_of(name: str, *line: object) -> str:
    """Return the key of a button in a list that may change while somebody reads it: a click means the line that was read, not its place."""
    return f"{name}_{zlib.crc32(repr(line).encode('utf-8', 'replace'))}"


def all_in_list(only: str) -> None:
    """Lead to the list of tools, with only those that this is the matter with."""
    session.put("tools_only", only)
    st.switch_page("views/tools.py")


def literal(text: str) -> str:
    """Return a text for a label, which is Markdown: words as they are, anything that could be markup as inline code, where nothing is."""
    shown = visible(" ".join(text.split())) or "(no name)"
    if _WORDS.fullmatch(shown):
        return shown.replace("_", "\\_").replace("-", "\\-")
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown}{fence}"


def choose_tool(
    label: str, placeholder: str, help: str, width: int | Literal["stretch"] = "stretch", key: str = "tool", quiet: bool = False
) -> str | None:
    """Let the author choose any tool, by a part of its name; it stands in the address under `key`. Return its key.

    quiet: without the label above it. In a registry of thousands only some are offered until a part of a name is typed.
    """
    keys = session.registry().by_key
    asked: str | None = session.value(key)
    many = len(keys) > OFFERED
    if asked not in (None, *keys) and not many:
        session.put(key, None)  # it was renamed or deleted, or the registry is another one
    chosen: str | None = st.selectbox(
        label,
        tables.offered(keys, asked, OFFERED),
        index=None,
        key=key,
        bind="query-params",
        persist_state="session",
        format_func=visible,
        width=width,
        placeholder=placeholder,
        help=help,
        accept_new_options=many,
        label_visibility="collapsed" if quiet else "visible",
    )
    if chosen in (None, *keys):
        return chosen
    found = len(tables.offered(keys, chosen, OFFERED))
    st.text(f"{plural(found, 'tool')} with this in the name; open the list and choose." if found else "No tool has this in its name.")
    return None
