"""Every number and switch of the design: name, default, unit, range and one help line, and the profiles made of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from curator_core.errors import SettingsError


def number(default: float, label: str, help: str, low: float, high: float, unit: str = "") -> Any:
    """Declare a numeric setting; its type is that of its default."""
    return field(default=default, metadata={"label": label, "help": help, "low": low, "high": high, "unit": unit})


def switch(label: str, help: str) -> Any:
    """Declare a stage that is on by default and can be switched off."""
    return field(default=True, metadata={"label": label, "help": help})


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers and stage switches of one query. `Settings()` is the `seed` profile.

    The source of each default is SEED.md's section of the same name as the stage.
    """

    profile: str = "seed"

    dense: bool = switch("Meaning match", "Dense retrieval: compare the meaning of the question with each tool's text.")
    sparse: bool = switch("Word match", "BM25: count the words that the question and a tool's text share.")
    synonyms: bool = switch("Synonyms", "Add the domain's synonyms to the text of the tools that use a term.")
    extra_context: bool = switch("Extra context", "Add the author's extra context to each tool's text.")
    anchor: bool = switch("Name rule", "Name anchor: put a tool first when the question says most of its name.")
    split: bool = switch("Two-in-one questions", "Compound split: search the parts of a question that asks for two things.")
    low_confidence: bool = switch("Extra when unsure", "Low-confidence expansion: give more tools when the best meaning match is weak.")

    top_k: int = number(20, "Tools returned", "How many tools an agent is shown.", 1, 1_000_000, "tools")
    rrf_k: int = number(60, "RRF constant", "Reciprocal Rank Fusion adds 1 / (this + rank) for each list (Cormack et al. 2009).", 0, 10_000)
    bm25_k1: float = number(1.5, "BM25 k1", "How soon a repeated word stops counting more.", 0.0, 10.0)
    bm25_b: float = number(0.75, "BM25 b", "How much long texts are marked down: 0 not at all, 1 fully.", 0.0, 1.0)
    bm25_epsilon: float = number(0.25, "BM25 epsilon", "Weight of words that most tools have, as a share of the mean weight.", 0.0, 1.0)
    sparse_floor: float = number(1e-9, "Word-match floor", "Word match is skipped when no tool scores above this.", 0.0, 1.0, "BM25 score")
    token_min_length: int = number(2, "Shortest word", "Words shorter than this are not matched.", 1, 20, "characters")
    similarity_decimals: int = number(6, "Similarity precision", "Similarities are rounded to this before ranking.", 2, 15, "decimals")
    anchor_ratio: float = number(0.60, "Name rule share", "Share of a tool's name words that must be in the question.", 0.0, 1.0, "share")
    anchor_min_length: int = number(4, "Name rule word length", "Name words shorter than this are not counted.", 1, 50, "characters")
    split_budget_extra: int = number(2, "Part budget extra", "Each part gets top_k / parts, plus this.", 0, 1_000, "tools")
    split_budget_min: int = number(7, "Part budget minimum", "Each part gets at least this many tools.", 1, 1_000, "tools")
    split_union_factor: int = number(2, "Union limit", "All parts together give at most this times top_k.", 1, 100, "times top_k")
    low_confidence_similarity: float = number(0.25, "Unsure below", "A best meaning match under this is unsure.", -1.0, 1.0, "cosine")
    low_confidence_extra: int = number(5, "Extra when unsure", "How many more tools an unsure answer gets.", 0, 1_000, "tools")

    def __post_init__(self) -> None:
        if self.profile not in PROFILE_NAMES:
            raise SettingsError(f"profile {self.profile!r} does not exist; choose one of: {', '.join(PROFILE_NAMES)}")
        for spec in dataclasses.fields(self):
            if spec.name != "profile":
                object.__setattr__(self, spec.name, _checked(spec, getattr(self, spec.name)))

    def with_values(self, values: Mapping[str, object]) -> Self:
        """Return a copy with some values changed; texts such as "0.3" or "off" are read as the setting's type.

        Raises SettingsError for an unknown name, a wrong type or a value out of range.
        """
        known = {spec.name: spec for spec in dataclasses.fields(self)}
        for name in values:
            if name not in known:
                raise SettingsError(f"setting {name!r} does not exist; choose one of: {', '.join(known)}")
        parsed: dict[str, Any] = {name: _parsed(known[name], value) for name, value in values.items()}
        return dataclasses.replace(self, **parsed)

    def changed(self) -> dict[str, object]:
        """Return the values that differ from this profile's defaults."""
        base = profile(self.profile)
        mine, theirs = dataclasses.asdict(self), dataclasses.asdict(base)
        return {name: value for name, value in mine.items() if value != theirs[name]}


PROFILE_NAMES = ("seed",)
STAGES = tuple(spec.name for spec in dataclasses.fields(Settings) if spec.default is True)


def profile(name: str) -> Settings:
    """Return the settings of a named profile. Raises SettingsError for an unknown one."""
    return Settings(profile=name)


_TRUE, _FALSE = ("true", "on", "yes", "1"), ("false", "off", "no", "0")


def _parsed(spec: dataclasses.Field[Any], value: object) -> object:
    """Read a text from the command line or a form as the setting's type; leave other values as they are."""
    if not isinstance(value, str) or spec.name == "profile":
        return value
    text = value.strip().lower()
    if isinstance(spec.default, bool):
        if text in _TRUE + _FALSE:
            return text in _TRUE
        raise SettingsError(f"{spec.name} = {value!r}: this is a switch; write on or off")
    try:
        return int(text) if isinstance(spec.default, int) else float(text)
    except ValueError:
        kind = "a whole number" if isinstance(spec.default, int) else "a number"
        raise SettingsError(f"{spec.name} = {value!r}: write {kind}, such as {spec.default}") from None


def _checked(spec: dataclasses.Field[Any], value: object) -> object:
    """Return the value in the setting's own type, or raise SettingsError with what is allowed."""
    if isinstance(spec.default, bool):
        if not isinstance(value, bool):
            raise SettingsError(f"{spec.name} = {value!r}: this is a switch; use true or false")
        return value
    wanted: type[int] | type[float] = int if isinstance(spec.default, int) else float
    if isinstance(value, bool) or not isinstance(value, int if wanted is int else (int, float)):
        raise SettingsError(f"{spec.name} = {value!r}: use {'a whole number' if wanted is int else 'a number'}, such as {spec.default}")
    low, high = spec.metadata["low"], spec.metadata["high"]
    if spec.name != "top_k" and not low <= value <= high:  # top_k is clamped to the pool by each query, with a note
        raise SettingsError(f"{spec.name} = {value}: allowed is {low} to {high}")
    return wanted(value)
