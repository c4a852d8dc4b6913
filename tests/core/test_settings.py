from __future__ import annotations

import dataclasses

import pytest

from curator_core import STAGES, SWITCHES, TUNED_STAGES, Settings, SettingsError, profile, switches_of


def test_the_defaults_are_the_seed_profile() -> None:
    assert Settings() == profile("seed")
    assert (Settings().top_k, Settings().rrf_k, Settings().anchor_ratio, Settings().low_confidence_similarity) == (20, 60, 0.60, 0.25)
    assert (Settings().split_budget_extra, Settings().split_budget_min, Settings().low_confidence_extra) == (2, 7, 5)


def test_every_number_and_switch_has_a_label_and_a_help_line() -> None:
    for spec in dataclasses.fields(Settings):
        assert spec.name == "profile" or (spec.metadata["label"] and spec.metadata["help"].endswith("."))


def test_the_stages_are_switches() -> None:
    assert STAGES == ("dense", "sparse", "synonyms", "extra_context", "anchor", "split", "low_confidence")


def test_the_tuned_profile_is_named_in_any_way_and_its_stages_are_off_in_the_seed() -> None:
    tuned = profile("tuned")
    assert tuned == Settings("tuned") == Settings().with_values({"profile": "tuned"})
    assert all(getattr(tuned, name) and not getattr(Settings(), name) for name in TUNED_STAGES)
    assert switches_of("tuned") == SWITCHES and switches_of("seed") == STAGES
    assert Settings(top_k=5).with_values({"profile": "tuned"}).changed() == {"top_k": 5}
    assert tuned.with_values({"stems": "off"}).changed() == {"stems": False}
    assert Settings(stems=True).changed() == {"stems": True}


@pytest.mark.parametrize(
    ("name", "text", "value"), [("top_k", "5", 5), ("anchor_ratio", "0.5", 0.5), ("split", "off", False), ("dense", "true", True)]
)
def test_texts_are_read_as_the_settings_type(name: str, text: str, value: object) -> None:
    assert getattr(Settings().with_values({name: text}), name) == value


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"topk": "5"}, "'topk' does not exist; choose one of: profile, dense"),
        ({"top_k": "five"}, "write a whole number"),
        ({"top_k": 2.5}, "use a whole number"),
        ({"split": "maybe"}, "write on or off"),
        ({"split": 1}, "true or false"),
        ({"anchor_ratio": 1.5}, "allowed is 0.0 to 1.0"),
        ({"anchor_ratio": float("nan")}, "allowed is"),
        ({"anchor_ratio": "x"}, "write a number"),
        ({"profile": "best"}, "choose one of: seed, tuned"),
    ],
)
def test_a_wrong_setting_is_one_clear_error(values: dict[str, object], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        Settings().with_values(values)


def test_changed_lists_what_differs_from_the_profile() -> None:
    assert Settings(top_k=5, split=False).changed() == {"top_k": 5, "split": False}
