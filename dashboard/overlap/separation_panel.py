"""Separate the two tools of a clash: what both match, what tells them apart, and a change whose effect stands there before it is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from curator_core import (
    Curator,
    CuratorError,
    Edit,
    Evaluation,
    Registry,
    ToolIndex,
    build_index,
    copy_phrase,
    delete_phrase,
    field_with,
    move_phrase,
    not_for,
    own_phrases,
    pair_words,
    rename_tool,
    renamed_keys,
    shared_phrases,
)
from dashboard import panels, session
from dashboard.overlap.separation_effect import Pair, effect_on_pair, elsewhere
from dashboard.resources import workbench
from dashboard.tables import visible

Change = Literal["move", "copy", "delete", "not for", "rename"]
_NAMES: dict[Change, str] = {
    "move": "Move a phrase of its text to the other",
    "copy": "Give a phrase to the other too",
    "delete": "Delete a phrase of its text",
    "not for": "Add a “not for …” line",
    "rename": "Rename it",
}
CHOICE, PHRASE = "overlap_clash", "overlap_change_phrase"
_LISTED = 12
_PATIENCE_SECONDS = 4.0
_CHANGE_HELP = "What to do with the text of the tool that is chosen here. It becomes one step of the draft, which can be undone."
_PHRASE_HELP = (
    "A phrase as it stands in the extra context or the description of the tool. For “not for”: what people mean when they want the other "
    "tool. To rename: the new name; test queries follow it, agents that call the tool by its name have to follow too."
)
_OWN_HELP = "Phrases of its extra context: a click takes one into the field."


def separate(index: ToolIndex, pair: Pair, evaluation: Evaluation) -> None:
    """Show both tools in two columns, and offer one change with its effect on the pair's test queries."""
    words = pair_words(index, *pair, session.settings())
    for column, key, own in zip(st.columns(2), pair, (words.first, words.second), strict=True):
        with column, st.container(border=True, gap="xsmall"):
            tool = session.registry().by_key[key]
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.text(visible(key), width="stretch")
                panels.tool_link(key, "Edit")
            st.text(visible(tool.description))
            panels.note("Extra context")
            st.text(visible(tool.extra_context) or "–")
            panels.note("Words that separate it")
            st.text(visible(", ".join(one.word for one in own[:_LISTED])) or "none: every word is in the other text too")
    panels.note("Phrases that both match")
    st.text(visible(" · ".join(shared_phrases(index, *pair, settings=session.settings())[:_LISTED])) or "none")
    _change(index, pair, evaluation)


def _change(index: ToolIndex, pair: Pair, evaluation: Evaluation) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        key = st.selectbox("Change the text of", pair, key="overlap_change_tool", format_func=visible, help=_CHANGE_HELP)
        kind: Change = st.selectbox("How", list(_NAMES), key="overlap_change_kind", format_func=_NAMES.__getitem__, help=_CHANGE_HELP)
        phrase = st.text_input("Phrase, or the new name", key=PHRASE, help=_PHRASE_HELP)
    _offer(key, kind)
    if not phrase.strip():
        panels.note("Choose or type a phrase: what it does to the pair's swaps stands here before it is made.")
        return
    other = pair[1] if key == pair[0] else pair[0]
    try:
        edits = _edits(session.registry(), kind, key, other, phrase)
        changed = session.registry().with_edits(edits)
        _effect(index, changed, edits, pair, evaluation)
    except CuratorError as error:
        panels.message("This change is not possible", str(error))
        return
    now = renamed_keys(edits, changed.keys)
    st.button(
        "Into the draft",
        key="overlap_change_add",
        type="primary",
        icon=":material/call_split:",
        on_click=_adds(edits, (now.get(pair[0], pair[0]), now.get(pair[1], pair[1]))),
        help="One step of your draft: “Undo last” takes it back.",
    )


def _offer(key: str, kind: Change) -> None:
    """Offer the phrases of the extra context, where the change is about one."""
    phrases = own_phrases(session.registry(), key) if kind in ("move", "copy", "delete") else ()
    if phrases:
        name = f"overlap_change_own_{kind}_{key}"
        take = lambda: session.put(PHRASE, session.value(name) or "")
        st.pills(
            "Its phrases",
            phrases[: 2 * _LISTED],
            key=name,
            format_func=lambda one: panels.pill(panels.literal(one)),
            on_change=take,
            help=_OWN_HELP,
        )


def _edits(registry: Registry, kind: Change, key: str, other: str, phrase: str) -> tuple[Edit, ...]:
    if kind == "move":
        return move_phrase(registry, key, other, phrase, field_with(registry, key, phrase))
    if kind == "copy":
        return copy_phrase(registry, other, phrase)
    if kind == "delete":
        return delete_phrase(registry, key, phrase, field_with(registry, key, phrase))
    return rename_tool(registry, key, phrase) if kind == "rename" else not_for(registry, key, other, phrase)


def _effect(index: ToolIndex, changed: Registry, edits: tuple[Edit, ...], pair: Pair, evaluation: Evaluation) -> None:
    """Ask the test queries under the change, and say what becomes of the pair's, then of all others."""
    curator = Curator(build_index(changed, index.encoder, workbench().cache_dir, previous=index), session.settings())
    run = workbench().runs.of(curator, changed.test_queries)
    names = renamed_keys(edits, changed.keys)
    st.text(effect_on_pair(pair, evaluation, curator, names))
    run.wait(_PATIENCE_SECONDS)
    panels.note(elsewhere(pair, evaluation, run.result, names))


def _adds(edits: tuple[Edit, ...], pair: Pair) -> Callable[[], None]:
    def act() -> None:
        if session.attempt(lambda: session.add(*edits)):
            session.put(PHRASE, "")
            session.put(CHOICE, tuple(sorted(pair)))

    return act
