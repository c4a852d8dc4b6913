"""One tool: its texts in editors, who may see it, what the model cuts off, and what the draft has changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from curator_core import Tool, ToolIndex, key_before
from dashboard import session
from dashboard.drafts.authoring import may_write, note_draft
from dashboard.drafts.note_panel import note_panel
from dashboard.editor import Counter, Status, text_editor
from dashboard.tables import plural, visible
from dashboard.tools.examples_warning import examples_warning
from dashboard.tools.hidden_panel import hidden_panel
from dashboard.tools.tool_history import tool_history
from dashboard.tools.tool_table import groups

SEGMENTS = {"name": "name", "description": "description", "extra_context": "extra context", "synonyms": "synonyms"}
_FIELDS = {"description": "Description", "extra_context": "Extra context", "examples": "Examples", "group": "Group", "roles": "Roles"}
_HELP = {
    "description": "What the tool does, as the agent reads it. Questions are matched against it.",
    "extra_context": "Words that users say and the description does not. They help matching; the agent does not see them.",
    "examples": "Questions it answers, one per line; none of them a test query. The profile tuned looks at them, seed does not.",
}


def tool_detail(key: str) -> None:
    """Show the editors and facts of one tool of the draft."""
    tool, index = session.registry().by_key[key], session.snapshot().index
    saved = _saved(key)
    _who(key, tool)
    _text(key, "description", tool, saved, rows=4, counter=_counter(index, key))
    _text(key, "extra_context", tool, saved, rows=2)
    _cut_off(index, key)
    hidden_panel(key, tool)
    _synonyms(index, key)
    _examples(key, tool, saved)
    examples_warning(tool)
    _changes(key, tool, saved)
    tool_history(key)
    note_panel(key)


def example_lines(text: str) -> tuple[str, ...]:
    """Return the examples that a text holds, one a line; empty lines are no examples."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _saved(key: str) -> Tool | None:
    """Return the tool as it is saved, None for one that the draft adds."""
    before = key_before(session.edits(), key)
    return None if before is None else session.base().by_key.get(before)


def _who(key: str, tool: Tool) -> None:
    """Show the group and the roles; both are edited in place."""
    group, roles = st.columns(2)
    with group:
        _chooser("group", key, tool.group or None, _group)
    with roles:
        _chooser("roles", key, list(tool.roles), _roles)


def _group(key: str, name: str) -> None:
    st.selectbox(
        "Group",
        groups(session.registry()),
        key=name,
        accept_new_options=True,
        disabled=not may_write(),
        index=None,
        placeholder="none",
        on_change=_changed(key, "group", name, lambda chosen: chosen or ""),
        help="The server or family that the tool comes from.",
    )


def _roles(key: str, name: str) -> None:
    st.multiselect(
        "Roles",
        session.registry().roles,
        key=name,
        accept_new_options=True,
        disabled=not may_write(),
        placeholder="everyone",
        on_change=_changed(key, "roles", name, lambda chosen: tuple(chosen or ())),
        help="Who may see the tool. None chosen: everyone.",
    )


def _chooser(field: str, key: str, value: Any, show: Callable[[str, str], None]) -> None:
    """Show a widget whose value starts as the draft has it, anew after each undo, discard, save and reload."""
    name = f"tools_{field}_{session.opened().number}_{key}"
    if session.value(name) is None:
        session.put(name, value)
    show(key, name)


def _changed(key: str, field: str, name: str, read: Callable[[Any], Any]) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        place = session.registry().keys.index(key)
        if session.attempt(lambda: session.add_edit(key, field, read(session.value(name)))):
            session.put("tool", session.registry().keys[place])  # a group can be part of the key

    return act


def _text(key: str, field: str, tool: Tool, saved: Tool | None, rows: int, counter: Counter | None = None) -> None:
    value = str(getattr(tool, field))
    text_editor(
        _FIELDS[field],
        value,
        key=f"tools_{field}_{key}",
        version=session.opened().number,
        on_commit=lambda text: _edit(key, field, text),
        on_save=note_draft,
        rows=rows,
        help=_HELP[field],
        counter=counter,
        status=_status(saved, field, value),
    )


def _examples(key: str, tool: Tool, saved: Tool | None) -> None:
    text_editor(
        _FIELDS["examples"],
        "\n".join(tool.examples),
        key=f"tools_examples_{key}",
        version=session.opened().number,
        on_commit=lambda text: _edit(key, "examples", example_lines(text)),
        on_save=note_draft,
        normal=lambda text: "\n".join(example_lines(text)),
        rows=2,
        help=_HELP["examples"],
        status=_status(saved, "examples", tool.examples),
    )


def _edit(key: str, field: str, new: Any) -> None:
    session.attempt(lambda: session.add_edit(key, field, new))


def _status(saved: Tool | None, field: str, value: object) -> Status:
    same = saved is not None and getattr(saved, field) == value
    return Status("as published") if same else Status("in your draft, not published yet", "draft")


def _counter(index: ToolIndex, key: str) -> Counter:
    """Say how much of the model's limit the whole text of the tool takes."""
    tokens = index.tokens(key)
    if tokens is None or index.encoder is None:
        return Counter()
    limit = index.encoder.max_tokens
    return Counter(f"all texts of this tool: {tokens} of {limit} tokens", over=tokens > limit)


def _cut_off(index: ToolIndex, key: str) -> None:
    """Say, segment by segment, what is past the model's limit."""
    unseen = index.unseen(key)
    if not unseen:
        return
    with st.container(border=True, gap="xsmall"):
        st.badge("Too long: the model does not read all of it", icon=":material/content_cut:", color="orange", help=_CUT)
        for kind, text in unseen.items():
            st.text(visible(f"{SEGMENTS[kind]}: not read from “{text.strip()[:60]}…”, {plural(len(text.split()), 'word')}"))


def _synonyms(index: ToolIndex, key: str) -> None:
    """List the synonym rules that put phrases into this tool's text."""
    rules = index.texts[index.positions[key]].synonyms
    title = f"Synonyms that apply: {len(rules)}" if rules else "No synonym applies"
    with st.expander(title, icon=":material/swap_horiz:", key="tools_synonyms"):
        st.text("\n".join(visible(f"{rule.term} → {', '.join(rule.phrases)}") for rule in rules) or _NO_SYNONYM)
        st.page_link("views/synonyms.py", label="Edit synonyms", icon=":material/edit:")


def _changes(key: str, tool: Tool, saved: Tool | None) -> None:
    """Show the saved text of each field that the draft changed, with a way back."""
    changed = [field for field in _FIELDS if saved is not None and getattr(saved, field) != getattr(tool, field)]
    if not changed or saved is None:
        return
    with st.expander(f"Published text of what you changed here: {len(changed)}", icon=":material/history:", key="tools_changes"):
        for field in changed:
            before = getattr(saved, field)
            st.caption(_FIELDS[field])
            st.text(visible(before if isinstance(before, str) else "\n".join(before)) or "(empty)")
            st.button("Put back", key=f"tools_put_back_{field}", icon=":material/undo:", on_click=_put_back(key, field, before))


def _put_back(key: str, field: str, before: Any) -> Callable[[], None]:
    def act() -> None:
        session.heed_editors()
        if session.attempt(lambda: session.add_edit(key, field, before)):
            session.renew_editors()

    return act


_CUT = (
    "Meaning match sees only the start of the text, up to the model's limit; word match sees all. Shorten the text, or put the "
    "important words first."
)
_NO_SYNONYM = "No term of the synonym list stands in this tool's name, description or extra context."
