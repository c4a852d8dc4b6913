"""The Engine page as its user sees it: every setting with its meaning, what a save writes, mistakes, changes on disk, model and index."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from curator_core import STAGES, SWITCHES, TUNED_STAGES, Config, NotWritable, Registry, Settings, Tool, build_index, load_config
from curator_core.encoder import ModelReport
from dashboard.engine import settings_panel
from dashboard.engine.engine_facts import index_facts, limit_facts, model_facts
from dashboard.engine.settings_table import GROUPS, NUMBERS, SPECS, about, difference, differing, shown, wanted
from dashboard.panels import tab
from tests.core.fakes import FakeEncoder

Start = Callable[..., AppTest]
TEXT = """# Agreed in the spring meeting.
profile = "seed"

[settings]
# more room for the long forms
top_k = 15
rrf_k = 40
"""
REPORT = ModelReport(
    "auto",
    "small-model",
    "it was there",
    "/models/small",
    "abc",
    64,
    128,
    "query: ",
    "/cache/small.onnx",
    "BAAI/big",
    "/hub/big",
    False,
    "pull it",
)


@pytest.fixture
def page(app: Start, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Start:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(folder.parent / "locks"))
    monkeypatch.setattr("curator_core.encoder.model_report", lambda _: REPORT)
    (folder / "curator.toml").write_text(TEXT)

    def start(view: str = "Settings", **address: str) -> AppTest:
        state = {"engine_view": tab(view)}
        if not address:
            return app(page="engine", state=state)
        return app(state=state, **address).switch_page("views/engine.py").run()  # goes on with the Playground's question

    return start


def number(at: AppTest, name: str) -> str:
    return str(next(field for field in at.text_input if field.key and field.key.endswith(f"_{name}")).value)


def type_number(at: AppTest, name: str, text: str) -> AppTest:
    return next(field for field in at.text_input if field.key and field.key.endswith(f"_{name}")).set_value(text).run()


def texts(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in (*at.text, *at.caption, *at.markdown, *at.info))


def difference_shown(at: AppTest) -> str:
    return "\n".join(str(element.value) for element in at.code)


# -- the values


def test_every_setting_has_its_place_on_the_page() -> None:
    assert sorted((*SWITCHES, *(name for names in GROUPS.values() for name in names))) == sorted(SPECS)
    assert set(GROUPS) - {"answer"} == set(SWITCHES)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_says_what_it_means_with_its_default_and_range(name: str) -> None:
    said = about(name)
    assert said.startswith(SPECS[name].metadata["help"])
    assert f"Default {SPECS[name].default!r}, allowed " in said


@given(some.sampled_from(NUMBERS), some.floats(0, 1))
def test_a_field_shows_a_number_that_is_read_back_as_the_same(name: str, share: float) -> None:
    low, high = SPECS[name].metadata["low"], SPECS[name].metadata["high"]
    value = type(SPECS[name].default)(low + share * (high - low))
    settings = Settings().with_values({name: value})
    assert wanted(Settings(), {name: shown(value)}).settings == settings
    assert wanted(Settings(), differing(Settings(), settings)).settings == settings


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("bm25_b", "1.5", "allowed is 0.0 to 1.0"),
        ("bm25_b", "a lot", "write a number"),
        ("rrf_k", "6.5", "write a whole number"),
        ("top_k", "0", "allowed is 1 to 1000000"),
        ("low_confidence_similarity", "nan", "allowed is"),
    ],
)
def test_a_value_that_cannot_be_used_says_what_is_allowed_and_the_others_count(name: str, text: str, said: str) -> None:
    result = wanted(Settings(), {name: text, "split_budget_min": "9"})
    assert said in result.errors[name]
    assert result.settings == Settings(split_budget_min=9)


def test_a_difference_has_only_the_lines_that_change_and_their_neighbours() -> None:
    assert difference(TEXT, TEXT.replace("15", "12")).splitlines() == [
        " [settings]",
        " # more room for the long forms",
        "-top_k = 15",
        "+top_k = 12",
        " rrf_k = 40",
    ]
    assert difference(TEXT, TEXT) == ""


# -- the page


def test_the_fields_show_what_curator_toml_says(page: Start) -> None:
    at = page()
    assert (number(at, "top_k"), number(at, "rrf_k"), number(at, "bm25_k1")) == ("15", "40", "1.5")
    assert len([toggle for toggle in at.toggle if toggle.value]) == len(STAGES)
    assert at.button(key="engine_save").disabled
    for name in SPECS:
        assert SPECS[name].metadata["help"] in texts(at)


def test_another_profile_switches_its_stages_on_and_is_one_line_of_curator_toml(page: Start, folder: Path) -> None:
    at = page()
    next(box for box in at.selectbox if box.label == "Profile").set_value("tuned").run()
    assert not at.exception
    assert len([toggle for toggle in at.toggle if toggle.value]) == len(STAGES) + len(TUNED_STAGES)
    assert [line for line in difference_shown(at).splitlines() if line[0] in "+-"] == ['-profile = "seed"', '+profile = "tuned"']
    at.button(key="engine_save").click().run()
    config = load_config(folder)
    assert (config.profile, config.settings) == ("tuned", Settings("tuned", top_k=15, rrf_k=40))
    next(box for box in at.selectbox if box.label == "Profile").set_value("seed").run()
    at.button(key="engine_back").click().run()
    assert at.button(key="engine_save").disabled


def test_what_would_be_written_is_shown_first_and_only_that_line_changes(page: Start, folder: Path) -> None:
    at = type_number(page(), "top_k", "12")
    assert "-top_k = 15\n+top_k = 12" in difference_shown(at)
    assert (folder / "curator.toml").read_text() == TEXT
    at.button(key="engine_save").click().run()
    assert (folder / "curator.toml").read_text() == TEXT.replace("top_k = 15", "top_k = 12")
    assert at.toast[0].value == "Saved curator.toml."
    assert (number(at, "top_k"), at.button(key="engine_save").disabled) == ("12", True)


def test_a_stage_is_switched_off_for_the_whole_registry(page: Start, folder: Path) -> None:
    at = page()
    next(toggle for toggle in at.toggle if toggle.key.endswith("_anchor")).set_value(False).run()
    at.button(key="engine_save").click().run()
    assert load_config(folder).settings == Settings(top_k=15, rrf_k=40, anchor=False)
    assert at.switch_page("views/playground.py").run().checkbox(key="anchor").value is False


def test_a_value_out_of_range_says_so_beside_its_field_and_is_not_saved(page: Start) -> None:
    at = type_number(page(), "bm25_b", "7")
    assert "bm25_b = 7.0: allowed is 0.0 to 1.0" in texts(at)
    assert at.button(key="engine_save").disabled
    at = type_number(at, "bm25_b", "0.5")
    assert "allowed is 0.0 to 1.0\n" not in texts(at)
    assert not at.button(key="engine_save").disabled


def test_values_can_be_put_back_or_reset_to_the_profile(page: Start, folder: Path) -> None:
    at = type_number(page(), "top_k", "12")
    at.button(key="engine_back").click().run()
    assert number(at, "top_k") == "15"
    at.button(key="engine_reset").click().run()
    assert (number(at, "top_k"), number(at, "rrf_k")) == ("20", "60")
    assert (folder / "curator.toml").read_text() == TEXT
    at.button(key="engine_save").click().run()
    assert load_config(folder).settings == Settings()
    assert "# Agreed in the spring meeting." in (folder / "curator.toml").read_text()


def test_a_file_that_changed_meanwhile_is_noticed_and_what_was_typed_is_kept(page: Start, folder: Path) -> None:
    at = type_number(page(), "top_k", "12")
    (folder / "curator.toml").write_text(TEXT.replace("rrf_k = 40", "rrf_k = 50"))
    at.run()
    assert "was changed on disk" in texts(at)
    assert at.button(key="engine_save").disabled
    at.button(key="engine_reread").click().run()
    assert (number(at, "top_k"), number(at, "rrf_k")) == ("12", "50")
    at.button(key="engine_save").click().run()
    assert load_config(folder).settings == Settings(top_k=12, rrf_k=50)


def test_a_file_that_is_no_longer_toml_is_said_and_left_alone(page: Start, folder: Path) -> None:
    at = type_number(page(), "top_k", "12")
    (folder / "curator.toml").write_text("[settings\n")
    at.run()
    assert not at.exception
    assert "correct the TOML" in texts(at)
    assert at.button(key="engine_save").disabled
    assert (folder / "curator.toml").read_text() == "[settings\n"


def test_a_folder_that_cannot_be_written_is_said_and_nothing_typed_is_lost(page: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise NotWritable("the folder is read-only; nothing was saved")

    monkeypatch.setattr(settings_panel, "save_settings", refuse)
    at = type_number(page(), "top_k", "12")
    at.button(key="engine_save").click().run()
    assert "the folder is read-only; nothing was saved" in texts(at)
    assert number(at, "top_k") == "12"


def test_values_that_were_typed_stand_there_after_a_look_at_another_page(page: Start) -> None:
    at = type_number(page(), "top_k", "12")
    at.switch_page("views/tools.py").run()
    at.switch_page("views/engine.py").run()
    assert number(at, "top_k") == "12"
    assert "+top_k = 12" in difference_shown(at)


def test_values_are_tried_on_the_last_question_before_they_are_saved(page: Start) -> None:
    at = page(q="send a grievance")
    at = type_number(at, "top_k", "2")
    frame = next(element.value for element in at.dataframe if "with these" in element.value)
    assert frame["tool"].iloc[0] == "submit_grievance"
    assert list(frame["with these"])[:2] == ["1", "2"]
    assert "gone" in set(frame["change"])


def test_model_and_index_are_told_with_their_limits(page: Start) -> None:
    at = page("Model & index")
    said = texts(at)
    assert "small-model" in said
    assert "it was there" in said
    assert "“query: ”" in said
    assert "BAAI/big was not found in /hub/big" in said
    assert "tool-curator model pull" in difference_shown(at)
    assert "5 read by the model, 0 taken from what was kept" in said
    assert "vectors-" in said


def test_facts_come_from_the_records() -> None:
    registry = Registry(tools=(Tool("a_long_one", "word " * 70), Tool("short", "x")))
    index = build_index(registry, FakeEncoder(dimension=64))
    facts = dict(index_facts(index, None))
    assert facts["Fingerprint"].startswith(index.fingerprint)
    assert "group, parameters, examples and roles, and the model" in facts["Fingerprint"]
    assert facts["Kept in"] == "memory only"
    assert "1 tool of 2 with more: a_long_one" in dict(limit_facts(index))["Texts beyond the model's limit"]
    words = build_index(registry, None)
    assert dict(index_facts(words, None))["Vectors"].startswith("none")
    assert dict(model_facts(REPORT, Config(query_prefix="")))["Put before questions"] == "nothing"
    assert dict(model_facts(dataclasses.replace(REPORT, query_prefix=""), Config()))["Put before questions"] == "nothing"
