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
    counted_results,
    delete_phrase,
    evaluate,
    move_phrase,
    not_for,
    pair_words,
    shared_phrases,
    swaps_between,
)
from dashboard import panels, session
from dashboard.resources import workbench
from dashboard.tables import visible

Change = Literal["move", "copy", "delete", "not for"]
_NAMES: dict[Change, str] = {
    "move": "Move a phrase of its extra context to the other",
    "copy": "Give a phrase to the other too",
    "delete": "Delete a phrase of its extra context",
    "not for": "Add a “not for …” line",
}
_LISTED = 12
_CHANGE_HELP = "What to do with the text of the tool that is chosen here. It becomes one step of the draft, which can be undone."
_PHRASE_HELP = "For “not for”: what people mean when they want the other tool. Else: the phrase, as it stands in the text."


def separate(index: ToolIndex, pair: tuple[str, str], evaluation: Evaluation) -> None:
    """Show both tools in two columns, and offer one change with its effect on the pair's test queries."""
    words = pair_words(index, *pair, session.settings())
    for column, key, own in zip(st.columns(2), pair, (words.first, words.second), strict=True):
        with column, st.container(border=True, gap="xsmall"):
            tool = session.registry().by_key[key]
            st.text(visible(key))
            st.text(visible(tool.description))
            panels.note("Extra context")
            st.text(visible(tool.extra_context) or "–")
            panels.note("Words that separate it")
            st.text(visible(", ".join(one.word for one in own[:_LISTED])) or "none: every word is in the other text too")
    panels.note("Phrases that both match")
    st.text(visible(" · ".join(shared_phrases(index, *pair, settings=session.settings())[:_LISTED])) or "none")
    _change(index, pair, evaluation)


def _change(index: ToolIndex, pair: tuple[str, str], evaluation: Evaluation) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        key = st.selectbox("Change the text of", pair, key="overlap_change_tool", format_func=visible, help=_CHANGE_HELP)
        kind: Change = st.selectbox("How", list(_NAMES), key="overlap_change_kind", format_func=_NAMES.__getitem__, help=_CHANGE_HELP)
        phrase = st.text_input("Phrase", key="overlap_change_phrase", help=_PHRASE_HELP)
    if not phrase.strip():
        return
    other = pair[1] if key == pair[0] else pair[0]
    try:
        edits = _edits(session.registry(), kind, key, other, phrase)
        after = _after(index, edits, pair, evaluation)
    except CuratorError as error:
        panels.message("This change is not possible", str(error))
        return
    st.text(_effect(pair, evaluation, after))
    st.button("Into the draft", key="overlap_change_add", type="primary", icon=":material/call_split:", on_click=_adds(edits))


def _edits(registry: Registry, kind: Change, key: str, other: str, phrase: str) -> tuple[Edit, ...]:
    if kind == "move":
        return move_phrase(registry, key, other, phrase)
    if kind == "copy":
        return copy_phrase(registry, other, phrase)
    return delete_phrase(registry, key, phrase) if kind == "delete" else not_for(registry, key, other, phrase)


def _after(index: ToolIndex, edits: tuple[Edit, ...], pair: tuple[str, str], evaluation: Evaluation) -> Evaluation:
    """Ask the test queries of both tools under the change."""
    changed = build_index(session.registry().with_edits(edits), index.encoder, workbench().cache_dir, previous=index)
    cases = [result.case for result in counted_results(evaluation) if not set(pair).isdisjoint(result.case.expected or ())]
    return evaluate(Curator(changed, session.settings()), cases)


def _effect(pair: tuple[str, str], before: Evaluation, after: Evaluation) -> str:
    old, new = counted_results(before), counted_results(after)
    asked = [result for result in old if not set(pair).isdisjoint(result.case.expected or ())]
    swaps = f"swaps {len(swaps_between(old, *pair))} → {len(swaps_between(new, *pair))}"
    right = f"their {len(asked)} test queries: {sum(bool(r.right) for r in asked)} → {sum(bool(r.right) for r in new)} right"
    return f"{swaps} · {right}"


def _adds(edits: tuple[Edit, ...]) -> Callable[[], None]:
    def act() -> None:
        if session.attempt(lambda: session.add(*edits)):
            session.put("overlap_change_phrase", "")

    return act
