"""Other settings for one side of a comparison: profile, number of tools, stages that are off, and one number."""

from __future__ import annotations

from dataclasses import fields

import streamlit as st

from curator_core import PROFILE_NAMES, Settings, SettingsError, switches_of
from dashboard import panels
from dashboard.playground.comparison import NUMBERS, Wanted, other_settings

_SPECS = {spec.name: spec for spec in fields(Settings)}


def choose_settings(here: Settings, key: str, where: str = "there") -> Settings | None:
    """Show a side's settings and return them, None where they cannot be. here: where they start; where: a word for the side."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        profile = here.profile
        if len(PROFILE_NAMES) > 1:
            profile = st.selectbox(f"Profile {where}", PROFILE_NAMES, PROFILE_NAMES.index(here.profile), key=f"{key}_profile", width=130)
        top_k = st.number_input(f"Tools {where}", 1, 1_000_000, here.top_k, key=f"{key}_k", width=160)
        off = st.multiselect(
            f"Stages off {where}",
            switches_of(profile),
            [stage for stage in switches_of(profile) if profile == here.profile and not getattr(here, stage)],
            key=f"{key}_off" if profile == here.profile else f"{key}_off_{profile}",
            format_func=_label,
            placeholder="none",
            width=330,
        )
        number = st.selectbox(
            f"A number {where}", NUMBERS, index=None, key=f"{key}_number", format_func=_label, placeholder="none", width=210
        )
        value = _number(here, number, key, where) if number else None
    try:
        return other_settings(here, Wanted(profile, int(top_k), off, number, value))
    except SettingsError as error:
        panels.message("These settings cannot be", str(error))
        return None


def _number(here: Settings, name: str, key: str, where: str) -> float | None:
    spec = _SPECS[name]
    low, high, now = spec.metadata["low"], spec.metadata["high"], getattr(here, name)
    label, key, help = f"Value {where}", f"{key}_value_{name}", spec.metadata["help"]
    chosen: float | None
    if isinstance(now, int):
        chosen = st.number_input(label, int(low), int(high), now, key=key, help=help, width=150)
        return chosen
    step = 0.05 if high <= 10 and now >= 0.01 else 1e-9
    chosen = st.number_input(label, float(low), float(high), now, step, format="%g", key=key, help=help, width=150)
    return chosen


def _label(name: str) -> str:
    return str(_SPECS[name].metadata["label"])
