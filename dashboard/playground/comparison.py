"""Two answers to one question side by side, and two tools of one answer. Pure: no Streamlit."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from curator_core import Row, Settings, Trace, Versus, profile, switches_of
from dashboard.charts import WORDS
from dashboard.tables import Listed, decimals, frame, listed_row, meaning_cell, moved, name_cell, plural, visible, words_cell

if TYPE_CHECKING:
    import pandas as pd

_SPECS = {spec.name: spec for spec in fields(Settings)}
NUMBERS = tuple(name for name, spec in _SPECS.items() if "low" in spec.metadata and name != "top_k")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the other side is asked with. number: None, or a setting's name with its value there."""

    profile: str
    top_k: int
    off: Collection[str] = ()
    number: str | None = None
    value: float | None = None


def other_settings(here: Settings, wanted: Wanted) -> Settings:
    """Return the settings of the other side: those of this side (or its profile's), with what is wanted. Raises SettingsError."""
    start = here if wanted.profile == here.profile else profile(wanted.profile)
    values: dict[str, object] = {stage: stage not in wanted.off for stage in switches_of(wanted.profile)} | {"top_k": wanted.top_k}
    if wanted.number in NUMBERS and wanted.value is not None:
        whole = isinstance(_SPECS[wanted.number].default, int)
        values[wanted.number] = int(wanted.value) if whole else float(wanted.value)
    return start.with_values(values)


def differences(here: Settings, there: Settings) -> tuple[str, ...]:
    """Return what differs, in words: each setting with its value on both sides."""
    names = [name for name in _SPECS if getattr(here, name) != getattr(there, name)]
    return tuple(f"{_label(name)}: {_value(getattr(here, name))} here, {_value(getattr(there, name))} there" for name in names)


def gone(trace: Trace, before: Trace) -> tuple[Listed, ...]:
    """Return the tools that only the other answer has, in its order, with this side's figures for the whole question."""
    lost = [(place, key) for place, key in enumerate(before.tools, 1) if key not in set(trace.tools)]
    if not trace.passes:
        return ()
    return tuple(listed_row(trace, key, before=place) for place, key in lost if key in trace.positions)


def summary(trace: Trace, before: Trace) -> str:
    """Say how two answers differ: how many tools are new, gone, up, down, and in the same place."""
    places = {key: place for place, key in enumerate(before.tools, 1)}
    changes = [moved(places.get(key), place)[0] for place, key in enumerate(trace.tools, 1)]
    lost = len(set(before.tools) - set(trace.tools))
    counts = [(changes.count("n"), "new"), (lost, "gone"), (changes.count("▲"), "up"), (changes.count("▼"), "down")]
    said = ", ".join(f"{count} {word}" for count, word in counts if count)
    size = f"{plural(len(trace.tools), 'tool')} here, {len(before.tools)} there: "
    return size + (f"{said}, {changes.count('=')} in the same place." if said else "the same tools in the same order.")


def versus_frame(versus: Versus) -> pd.DataFrame:
    """Return both tools' figures in the pass in which they are compared, the one that stands first on top."""
    return frame([_versus_row(key, row) for key, row in zip((versus.first, versus.second), versus.rows, strict=True)])


def margins_text(versus: Versus) -> str:
    """Say how much more each list gives to the first tool's combined score, "" where nothing was combined."""
    told = [f"{WORDS.get(name, name)} {'+' if margin >= 0 else '−'}{decimals(abs(margin), 4)}" for name, margin in versus.margins.items()]
    return "Lead in the combined score: " + ", ".join(told) if told else ""


def _versus_row(key: str, row: Row | None) -> dict[str, str]:
    if row is None:
        return {"tool": visible(key), "rank": "–", "meaning": "–", "words": "–", "combined": "–", "name rule": "not searched"}
    cells = {"rank": str(row.rank or "–"), "meaning": meaning_cell(row), "words": words_cell(row), "combined": decimals(row.score, 4)}
    return {"tool": visible(key)} | cells | {"name rule": name_cell(row)}


def _label(name: str) -> str:
    return str(_SPECS[name].metadata.get("label", name.capitalize()))


def _value(value: object) -> str:
    return "on" if value is True else "off" if value is False else f"{value:g}" if isinstance(value, float) else str(value)
