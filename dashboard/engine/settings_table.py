"""The engine's settings as an author edits them: what was typed, what it does to curator.toml and to a question. Pure: no Streamlit."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pandas as pd

from curator_core import SWITCHES, Settings, SettingsError, Trace
from dashboard.tables import moved, visible

SPECS: dict[str, dataclasses.Field[Any]] = {spec.name: spec for spec in dataclasses.fields(Settings) if spec.name != "profile"}
NUMBERS = tuple(name for name in SPECS if name not in SWITCHES)
ANSWER = "answer"
# which numbers belong to which stage; the first group is of the whole answer
GROUPS: dict[str, tuple[str, ...]] = {
    ANSWER: ("top_k", "rrf_k"),
    "dense": ("similarity_decimals",),
    "sparse": ("bm25_k1", "bm25_b", "bm25_epsilon", "sparse_floor", "token_min_length"),
    "synonyms": (),
    "extra_context": (),
    "anchor": ("anchor_ratio", "anchor_min_length"),
    "split": ("split_budget_extra", "split_budget_min", "split_union_factor"),
    "low_confidence": ("low_confidence_similarity", "low_confidence_extra"),
    "tool_vectors": ("vector_whole", "vector_description", "vector_name", "vector_group"),
    "examples": ("example_text", "example_length", "example_words"),
    "stems": (),
    "fields": (
        "field_k1",
        "field_b",
        "field_name",
        "field_description",
        "field_extra_context",
        "field_synonyms",
        "field_group",
        "field_parameters",
        "field_parameter_texts",
        "field_examples",
    ),
    "add_scores": ("words_weight", "name_weight"),
    "soft_anchor": (),
    "own_line": (),
    "soft_split": ("part_weight", "part_reach", "part_words", "parts_at_most"),
}
PROFILE_HELP = (
    "A named set of all settings. seed: the design's own numbers, lists joined by ranks. tuned: scores added up, words by field and by "
    "stem, several vectors a tool; it finds more on every public registry that it was measured on."
)
Typed = Mapping[str, str | bool]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What an author's values come to. settings: with all that can be used; errors: by setting, what is wrong with the others."""

    settings: Settings
    errors: Mapping[str, str]


def shown(value: object) -> str | bool:
    """Return a setting's value as its field shows it: a switch as it is, a number as text that is read back to the same number."""
    return value if isinstance(value, bool) else repr(value)


def shown_value(value: object) -> str:
    """Return a setting's value as a remark names it."""
    return "as the profile has it" if value is None else "on" if value is True else "off" if value is False else str(value)


def wanted(saved: Settings, typed: Typed) -> Wanted:
    """Return the settings with the typed values over the saved ones."""
    errors: dict[str, str] = {}
    for name, value in typed.items():
        try:
            saved = _checked(saved.with_values({name: value}), name)
        except SettingsError as error:
            errors[name] = str(error)
    return Wanted(saved, errors)


def differing(saved: Settings, other: Settings) -> dict[str, str | bool]:
    """Return what to type to get from one to the other."""
    return {name: shown(getattr(other, name)) for name in SPECS if getattr(saved, name) != getattr(other, name)}


def about(name: str) -> str:
    """Return a number's meaning, default and range as one line."""
    spec = SPECS[name]
    meta = spec.metadata
    low, high = (f"{bound:,}".removesuffix(".0") for bound in (meta["low"], meta["high"]))
    return f"{meta['help']} Default {shown(spec.default)}, allowed {low} to {high} {meta['unit']}".rstrip() + "."


def difference(now: str, then: str) -> str:
    """Return what changes from one text to another, as lines with + and -, with the lines around; "" when nothing does."""
    lines = difflib.unified_diff(now.splitlines(), then.splitlines(), n=2, lineterm="")
    body = [" …" if line.startswith("@@") else visible(line) for line in islice(lines, 2, None)]  # without the names of two files
    return "\n".join(body[1:])


def trial_frame(now: Trace, then: Trace, count: int = 5) -> pd.DataFrame:
    """Return the first tools of a question's answer as it is saved and with other settings, with their places in both."""
    tools = dict.fromkeys((*then.tools[:count], *now.tools[:count]))
    places = [(_place(now, key), _place(then, key)) for key in tools]
    return pd.DataFrame(
        {
            "tool": [visible(key) for key in tools],
            "saved": [str(before or "–") for before, _ in places],
            "with these": [str(after or "–") for _, after in places],
            "change": [moved(before, after) for before, after in places],
        }
    )


def _place(trace: Trace, key: str) -> int | None:
    return trace.tools.index(key) + 1 if key in trace.tools else None


def _checked(settings: Settings, name: str) -> Settings:
    """Refuse what a query would only cut down with a note: a registry's own number of tools should be one that is meant."""
    low, high = SPECS["top_k"].metadata["low"], SPECS["top_k"].metadata["high"]
    if name == "top_k" and not low <= settings.top_k <= high:
        raise SettingsError(f"top_k = {settings.top_k}: allowed is {low} to {high}")
    return settings
