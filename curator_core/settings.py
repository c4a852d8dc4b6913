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


def switch(label: str, help: str, only: str = "") -> Any:
    """Declare a stage that is on by default and can be switched off; only: the one profile that has it on, "" = all."""
    return field(default=None if only else True, metadata={"label": label, "help": help, "only": only})


@dataclass(frozen=True, slots=True)
class Settings:
    """The numbers and stage switches of one query. `Settings()` is the `seed` profile; `profile("tuned")` has all stages on.

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

    tool_vectors: bool = switch(
        "Several vectors", "Multi-vector: a tool's whole text, description, name and group each have a vector, added by weight.", "tuned"
    )
    examples: bool = switch("Example questions", "A tool's own example questions move its vector and are a field of word match.", "tuned")
    stems: bool = switch("Word stems", "Stemming and stop words: fees counts as fee, please and the do not count.", "tuned")
    fields: bool = switch("Words by field", "BM25F: a word in a tool's name counts more than one in a parameter's description.", "tuned")
    add_scores: bool = switch("Add up scores", "Score fusion: the match scores are added, instead of 1 / (constant + rank).", "tuned")
    soft_anchor: bool = switch("Soft name rule", "A name that the question says adds a little, instead of coming first.", "tuned")
    own_line: bool = switch(
        "Own unsure line", "Calibrated threshold: unsure is below what nine in ten of the registry's own test queries reach.", "tuned"
    )
    soft_split: bool = switch(
        "Soft two-in-one", "A part of the question lifts the tools that answer it, instead of giving places.", "tuned"
    )

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

    vector_whole: float = number(1.0, "Whole text", "Weight of the vector of the whole indexed text.", 0.0, 10.0)
    vector_description: float = number(0.5, "Description alone", "Weight of the vector of the description alone.", 0.0, 10.0)
    vector_name: float = number(0.3, "Name alone", "Weight of the vector of the name alone.", 0.0, 10.0)
    vector_group: float = number(0.3, "With the group", "Weight of the vector of group, name and description.", 0.0, 10.0)
    field_k1: float = number(1.2, "BM25F k1", "How soon a word that stands in a tool's text again counts no more.", 0.0, 10.0)
    field_b: float = number(0.5, "BM25F b", "How much a field that is longer than usual is marked down: 0 not at all, 1 fully.", 0.0, 1.0)
    field_name: float = number(1.0, "In the name", "Weight of a word in the name.", 0.0, 10.0)
    field_description: float = number(1.0, "In the description", "Weight of a word in the description.", 0.0, 10.0)
    field_extra_context: float = number(1.0, "In extra context", "Weight of a word in the extra context.", 0.0, 10.0)
    field_synonyms: float = number(1.0, "In synonyms", "Weight of a word in the phrases of synonym rules.", 0.0, 10.0)
    field_group: float = number(0.5, "In the group", "Weight of a word in the group's name.", 0.0, 10.0)
    field_parameters: float = number(0.5, "In parameter names", "Weight of a word in the names of parameters.", 0.0, 10.0)
    field_parameter_texts: float = number(0.3, "In parameter texts", "Weight of a word in the descriptions of parameters.", 0.0, 10.0)
    field_examples: float = number(0.3, "In examples", "Weight of a word in example questions.", 0.0, 10.0)
    example_text: float = number(1.5, "Text against examples", "A tool's text counts as so many examples.", 0.0, 100.0, "examples")
    example_length: float = number(0.7, "Length with examples", "Length of a vector of examples alone: less takes less.", 0.1, 1.0)
    example_words: float = number(0.5, "Words with examples", "Word match of a tool with examples counts this much.", 0.0, 1.0)
    words_weight: float = number(0.02, "Words against meaning", "What a point of word match adds to the score.", 0.0, 10.0)
    name_weight: float = number(0.06, "A name that is said", "What a name that is wholly in the question adds to the score.", 0.0, 10.0)
    part_weight: float = number(0.6, "A part of the question", "How much of what a part lifts a tool by is added.", 0.0, 10.0)
    part_reach: float = number(0.2, "A part's reach", "A part lifts tools whose score is this near to its best.", 0.0, 10.0, "score")
    part_words: int = number(3, "Shortest part", "A part has at least this many words.", 1, 100, "words")
    parts_at_most: int = number(10, "Most parts", "Further parts of a question are not searched.", 1, 1_000, "parts")

    def __post_init__(self) -> None:
        if self.profile not in PROFILE_NAMES:
            raise SettingsError(f"profile {self.profile!r} does not exist; choose one of: {', '.join(PROFILE_NAMES)}")
        for spec in dataclasses.fields(self):
            if spec.name != "profile":
                object.__setattr__(self, spec.name, _checked(spec, getattr(self, spec.name), self.profile))

    def with_values(self, values: Mapping[str, object]) -> Self:
        """Return a copy with some values changed; texts such as "0.3" or "off" are read as the setting's type.

        Raises SettingsError for an unknown name, a wrong type or a value out of range.
        """
        known = {spec.name: spec for spec in dataclasses.fields(self)}
        for name in values:
            if name not in known:
                raise SettingsError(f"setting {name!r} does not exist; choose one of: {', '.join(known)}")
        parsed: dict[str, Any] = {name: _parsed(known[name], value) for name, value in values.items()}
        if parsed.get("profile", self.profile) != self.profile:
            named: dict[str, Any] = {**self.changed(), **parsed}
            return type(self)(**named)
        return dataclasses.replace(self, **parsed)

    def plain(self) -> Self:
        """Return the same with each tool's text read as one and word by word: what comparisons of tools with each other look at."""
        return dataclasses.replace(self, tool_vectors=False, examples=False, stems=False, fields=False)

    def changed(self) -> dict[str, object]:
        """Return the values that differ from this profile's defaults."""
        base = profile(self.profile)
        mine, theirs = dataclasses.asdict(self), dataclasses.asdict(base)
        return {name: value for name, value in mine.items() if value != theirs[name]}


PROFILE_NAMES = ("seed", "tuned")
STAGES = tuple(spec.name for spec in dataclasses.fields(Settings) if spec.default is True)
TUNED_STAGES = tuple(spec.name for spec in dataclasses.fields(Settings) if spec.metadata.get("only") == "tuned")
SWITCHES = (*STAGES, *TUNED_STAGES)


def switches_of(name: str) -> tuple[str, ...]:
    """Return the stages that a profile has, each to be switched on and off."""
    return SWITCHES if name == "tuned" else STAGES


def profile(name: str) -> Settings:
    """Return the settings of a named profile. Raises SettingsError for an unknown one."""
    return Settings(profile=name)


_TRUE, _FALSE = ("true", "on", "yes", "1"), ("false", "off", "no", "0")


def _parsed(spec: dataclasses.Field[Any], value: object) -> object:
    """Read a text from the command line or a form as the setting's type; leave other values as they are."""
    if not isinstance(value, str) or spec.name == "profile":
        return value
    text = value.strip().lower()
    if "low" not in spec.metadata:
        if text in _TRUE + _FALSE:
            return text in _TRUE
        raise SettingsError(f"{spec.name} = {value!r}: this is a switch; write on or off")
    try:
        return int(text) if isinstance(spec.default, int) else float(text)
    except ValueError:
        kind = "a whole number" if isinstance(spec.default, int) else "a number"
        raise SettingsError(f"{spec.name} = {value!r}: write {kind}, such as {spec.default}") from None


def _checked(spec: dataclasses.Field[Any], value: object, profile: str) -> object:
    """Return the value in the setting's own type, or raise SettingsError with what is allowed."""
    if "low" not in spec.metadata:
        if value is None and spec.default is None:
            return profile == spec.metadata["only"]
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
