"""The settings of the whole registry: stages and numbers to edit, what a save would write, and what it does to the last question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from curator_core import (
    PROFILE_NAMES,
    TUNED_STAGES,
    Config,
    Curator,
    CuratorError,
    Settings,
    Trace,
    load_config,
    profile,
    save_settings,
    written_config,
)
from dashboard import panels, session
from dashboard.drafts import authoring
from dashboard.engine.settings_table import (
    ANSWER,
    GROUPS,
    PROFILE_HELP,
    SPECS,
    Typed,
    Wanted,
    about,
    difference,
    differing,
    shown,
    shown_value,
    trial_frame,
    wanted,
)
from dashboard.session import Outcome
from dashboard.tables import plural, visible

_TYPED, _TURN = "engine_typed", authoring.SETTINGS_TURN
_WAITING = "As saved. Change a value at the left: what would be written to curator.toml stands here before you save."
_STALE = "curator.toml was changed on disk since it was read. Read it again before you save; the values you typed are kept."


def typed() -> Typed:
    """Return the values that this author changed and did not save, for the registry that is open."""
    kept = session.value(_TYPED)
    return kept[1] if kept and kept[0] == session.opened().folder else {}


def settings_form() -> None:
    """Show every stage switch and number, by stage."""
    result = wanted(session.opened().config.settings, typed())
    _profile()
    tuned = {group: names for group, names in GROUPS.items() if group in TUNED_STAGES}
    _groups({group: names for group, names in GROUPS.items() if group not in tuned}, result)
    with st.expander("Stages of the profile tuned", key="engine_tuned", expanded=result.settings.profile == "tuned"):
        _groups(tuned, result)


def save_panel() -> None:
    """Show what a save would write, and save it; and what the values do to the last question."""
    result = wanted(session.opened().config.settings, typed())
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**curator.toml**")
        if typed():
            st.badge(f"{plural(len(typed()), 'value')} not saved", icon=":material/edit_note:", color="violet")
    stale = _trouble()
    if typed():
        _what_is_written(result)
    else:
        panels.note(_WAITING)
    with st.container(horizontal=True, gap="xsmall"):
        blocked = not typed() or bool(result.errors) or stale or not authoring.may_write()
        st.button("Save settings", key="engine_save", type="primary", icon=":material/save:", disabled=blocked, on_click=_save)
        st.button(
            "Put into the draft",
            key="engine_draft",
            icon=":material/edit_note:",
            disabled=not typed() or bool(result.errors) or not authoring.may_write(),
            on_click=_to_draft,
            help=_DRAFT_HELP,
        )
        st.button("Put back", key="engine_back", icon=":material/undo:", disabled=not typed(), on_click=_put_back, help=_BACK_HELP)
        st.button("Reset to the profile's defaults", key="engine_reset", on_click=_reset, help=_RESET_HELP)
    _in_draft()
    _trial(result)


def _in_draft() -> None:
    """Say which settings the author's draft changes."""
    waiting = [edit for edit in session.edits() if edit.field == "settings"]
    if waiting:
        said = ", ".join(f"{edit.tool} {shown_value(edit.old)} → {shown_value(edit.new)}" for edit in waiting)
        st.text(visible(f"In your draft: {said}. Every page counts with it already; it is written when you publish."))


def _profile() -> None:
    """Let the author choose the profile: every field takes its values, except what the registry has set apart from its old one."""
    saved = session.opened().config.settings

    def act() -> None:
        new = saved.with_values({"profile": session.value(key)})
        _start_anew({"profile": new.profile, **differing(saved, new)} if new != saved else {})

    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        key, now = f"engine_{session.value(_TURN) or 0}_profile", str(typed().get("profile", saved.profile))
        st.selectbox("Profile", PROFILE_NAMES, PROFILE_NAMES.index(now), key=key, on_change=act, help=PROFILE_HELP, width=150)
        panels.note(_PROFILE_NOTE, width="stretch")


def _groups(groups: Mapping[str, Sequence[str]], result: Wanted) -> None:
    for group, names in groups.items():
        with st.container(border=True, gap="xsmall"):
            if group == ANSWER:
                st.markdown("**The answer**")
            else:
                _switch(group)
            for name in names:
                _number(name, result.errors.get(name))


def _switch(name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        key = _widget(name)
        st.toggle(SPECS[name].metadata["label"], key=key, on_change=_changed(name))
        panels.note(SPECS[name].metadata["help"], width="stretch")


def _number(name: str, error: str | None) -> None:
    label, field, meaning = st.columns([0.23, 0.13, 0.64], vertical_alignment="center", gap="small")
    text = SPECS[name].metadata["label"]
    label.text(text)
    key = _widget(name)
    field.text_input(text, key=key, label_visibility="collapsed", on_change=_changed(name))
    if error is None:
        with meaning:
            panels.note(about(name))
        return
    with meaning, st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.badge("not usable", icon=":material/error:", color="red")
        st.text(visible(error), width="stretch")


def _widget(name: str) -> str:
    """Return the key of a setting's widget; its value starts as typed, else as saved."""
    key = f"engine_{session.value(_TURN) or 0}_{name}"
    if session.value(key) is None:
        session.put(key, typed().get(name, shown(getattr(session.opened().config.settings, name))))
    return key


def _changed(name: str) -> Callable[[], None]:
    def act() -> None:
        new = session.value(f"engine_{session.value(_TURN) or 0}_{name}")
        others = {other: value for other, value in typed().items() if other != name}
        _keep(others if _same(name, new) else {**others, name: new})

    return act


def _same(name: str, new: str | bool) -> bool:
    saved = session.opened().config.settings
    result = wanted(saved, {name: new})
    return not result.errors and result.settings == saved


def _keep(values: Typed) -> None:
    session.put(_TYPED, (session.opened().folder, dict(values)))


def _start_anew(values: Typed) -> None:
    """Keep these values and show them: every field starts anew."""
    _keep(values)
    session.put(_TURN, (session.value(_TURN) or 0) + 1)


def _put_back() -> None:
    _start_anew({})


def _reset() -> None:
    saved = session.opened().config
    _start_anew(differing(saved.settings, profile(saved.profile)))


# -- curator.toml


def _with(config: Config, result: Wanted) -> Config:
    return replace(config, profile=result.settings.profile, settings=result.settings)


def _on_disk() -> Config:
    return load_config(session.opened().folder)


def _trouble() -> bool:
    """Say that curator.toml was changed meanwhile, or cannot be read; return whether it keeps one from saving."""
    try:
        if _on_disk() == session.opened().config:
            return False
        panels.message("Changed on disk", _STALE)
    except CuratorError as error:
        panels.message("curator.toml cannot be read", str(error))
    st.button("Read curator.toml again", key="engine_reread", on_click=_read_again)
    return True


def _read_again() -> None:
    try:
        authoring.use_config(_on_disk())
    except CuratorError as error:
        session.notify(Outcome(False, str(error)))
        return
    _start_anew({name: value for name, value in typed().items() if not _same(name, value)})


def _to_draft() -> None:
    """Put the values into the draft, where they are undone, handed over and published like texts."""
    if authoring.put_settings(wanted(authoring.own_settings(), typed()).settings):
        _start_anew({})


def _what_is_written(result: Wanted) -> None:
    if result.errors:
        panels.note("A value cannot be used yet: see the red mark at the left. Nothing is written until it is corrected.")
    try:
        now, then = written_config(session.opened().folder, _with(_on_disk(), result))
    except CuratorError:
        return  # said above already
    if lines := difference(now, then):
        st.code(lines, language="diff", wrap_lines=True)


def _save() -> None:
    """Write the values, unless another hand was quicker."""
    result = wanted(session.opened().config.settings, typed())
    try:
        if _on_disk() != session.opened().config:
            session.notify(Outcome(False, _STALE))
            return
        config = _with(session.opened().config, result)
        save_settings(session.store(), session.person(), config)
    except CuratorError as error:
        session.notify(Outcome(False, str(error)))
        return
    authoring.use_config(config)
    session.notify(Outcome(True, "Saved curator.toml."))
    _start_anew({})


# -- the last question


def _trial(result: Wanted) -> None:
    """Show what the values do to the question that was asked last in the Playground."""
    st.markdown("**Tried on your last question**", help=_TRIAL_HELP)
    question = session.query().strip()
    if not question:
        panels.note("Ask one in the Playground, and see here where its first tools would stand.")
        return
    st.text(visible(question))
    saved = session.opened().config.settings
    now, then = (_trace(question, settings) for settings in (saved, result.settings))
    column = st.column_config
    widths = {"saved": 60, "with these": 70, "change": 64}
    st.dataframe(
        trial_frame(now, then),
        hide_index=True,
        key="engine_trial",
        row_height=28,
        column_config={name: column.TextColumn(width=width, alignment="right") for name, width in widths.items()},
        alt="The first tools of the last question, as saved and with these settings",
    )
    panels.note(f"{plural(len(now.tools), 'tool')} as saved, {len(then.tools)} with these values.")


def _trace(question: str, settings: Settings) -> Trace:
    return Curator(session.snapshot().index, settings).curate(question, role=session.role())


_PROFILE_NOTE = "A named set of all values below. Compare both on the Compare page, on your own test queries, before you save."
_DRAFT_HELP = "Like an edit of a text: every page shows what it does, it can be undone and handed over, and it is written when you publish."
_BACK_HELP = "Drop what you typed here; every field shows what is saved."
_RESET_HELP = "Fill in the defaults of the registry's profile. Nothing is written until you save."
_TRIAL_HELP = (
    "Places of the first five tools: with the settings as saved, and with the values at the left. "
    "What is switched in the Playground does not count here."
)
