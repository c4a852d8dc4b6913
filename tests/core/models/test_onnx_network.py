"""The quick form of a model: the same vectors without torch, made once, checked, and never trusted when its bytes or the model changed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from curator_core import load_encoder
from curator_core.encoder import PREFERRED, model_report
from curator_core.models import onnx_network, sentence_model
from curator_core.models.onnx_network import OnnxNetwork, kept_file
from curator_core.models.sentence_model import SentenceModel
from curator_core.models.torch_network import TorchNetwork
from tests.core.tiny_model import make_tiny_model, put_in_hub_cache

pytestmark = pytest.mark.process

ROOT = Path(__file__).parents[3]
TEXTS = ["show my fee", "", "hostel leave " * 40, "Änderung, 東京 🎓", "x" * 200]


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """List the folders that are read through sentence-transformers."""
    folders: list[Path] = []

    class Counted(TorchNetwork):
        def __init__(self, folder: Path, max_tokens: int) -> None:
            folders.append(folder)
            super().__init__(folder, max_tokens)

    monkeypatch.setattr(sentence_model, "TorchNetwork", Counted)
    return folders


def kept(model: SentenceModel) -> Path:
    file = kept_file(model.fingerprint)
    assert file is not None
    return file


def test_a_model_is_read_once_and_starts_from_its_quick_form_afterwards(tiny_model: Path, read: list[Path]) -> None:
    first, later = load_encoder(str(tiny_model)), load_encoder(str(tiny_model))
    vectors = first.encode_documents(TEXTS)
    assert np.array_equal(later.encode_documents(TEXTS), vectors)
    assert (read, first.runs_on, later.runs_on, later.notices) == ([tiny_model], "onnxruntime", "onnxruntime", [])


def test_the_quick_form_has_the_vectors_of_the_library(tiny_model: Path) -> None:
    from sentence_transformers import SentenceTransformer

    library = SentenceTransformer(str(tiny_model), device="cpu", local_files_only=True)
    expected = library.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    assert np.abs(load_encoder(str(tiny_model)).encode_documents(TEXTS) - expected).max() < 1e-6


def test_a_later_start_imports_neither_torch_nor_transformers(tiny_model: Path) -> None:
    load_encoder(str(tiny_model)).load()
    code = f"""
import sys
from curator_core import load_encoder
encoder = load_encoder({str(tiny_model)!r})
print(encoder.encode_query("show my fee").shape, encoder.runs_on, {{"torch", "transformers", "sentence_transformers"}} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("(16,) onnxruntime set()\n", "")


def test_bge_from_the_hub_cache_is_kept_the_same_way(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: list[Path]
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    put_in_hub_cache(tmp_path / "hub", PREFERRED, Path(shutil.copytree(tiny_model, tmp_path / "copy")))
    first, later = load_encoder(), load_encoder()
    assert np.array_equal(first.encode_query("show my fee"), later.encode_query("show my fee"))
    assert (later.model_id, later.runs_on, len(read)) == (PREFERRED, "onnxruntime", 1)


def test_another_model_has_another_quick_form(tiny_model: Path, tmp_path: Path, own_cache: Path) -> None:
    other = make_tiny_model(tmp_path / "other", seed=3)
    for folder in (tiny_model, other):
        load_encoder(str(folder)).load()
    assert len(list((own_cache / "models").iterdir())) == 2


@pytest.mark.parametrize("name", ["network.onnx", "weights"])
def test_damaged_bytes_are_said_removed_and_made_anew(tiny_model: Path, read: list[Path], name: str) -> None:
    vector = load_encoder(str(tiny_model)).encode_query("show my fee")
    folder = kept(load_encoder(str(tiny_model))).parent
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(bytes(content))
    again = load_encoder(str(tiny_model))
    assert np.array_equal(again.encode_query("show my fee"), vector)
    assert again.notices == [
        f"the quick form of the model in {folder} was damaged and is made anew (ValueError: its bytes are not those that were written)"
    ]
    assert (len(read), load_encoder(str(tiny_model)).notices) == (2, [])


def test_a_form_without_its_weights_is_made_anew(tiny_model: Path, read: list[Path]) -> None:
    vector = load_encoder(str(tiny_model)).encode_query("show my fee")
    (kept(load_encoder(str(tiny_model))).parent / "weights").unlink()
    again = load_encoder(str(tiny_model))
    assert np.array_equal(again.encode_query("show my fee"), vector)
    assert (len(read), len(again.notices)) == (2, 1)


@pytest.mark.parametrize("name", ["network.onnx", "weights"])
def test_what_is_left_of_a_form_whose_removal_was_interrupted_is_in_nobodys_way(tiny_model: Path, read: list[Path], name: str) -> None:
    load_encoder(str(tiny_model)).load()
    folder = kept(load_encoder(str(tiny_model))).parent
    (folder / name).unlink()
    (folder / f"{name}.rest").write_bytes(b"rest")
    load_encoder(str(tiny_model)).load()
    third = load_encoder(str(tiny_model))
    third.load()
    assert (third.runs_on, third.notices, len(read)) == ("onnxruntime", [], 2)


def test_a_form_that_another_process_has_put_there_meanwhile_is_used(tiny_model: Path, own_cache: Path) -> None:
    model = load_encoder(str(tiny_model))
    original = TorchNetwork(tiny_model, model.max_tokens)
    one, other = (onnx_network.keep(original, model.fingerprint, tiny_model) for _ in range(2))
    ids = original.tokens(["show my fee"])[0]
    assert np.array_equal(one.vector(ids), other.vector(ids))
    assert len(list((own_cache / "models").iterdir())) == 1


def test_the_weights_of_the_quick_form_lie_in_a_file_that_is_mapped(tiny_model: Path) -> None:
    load_encoder(str(tiny_model)).load()
    network = kept(load_encoder(str(tiny_model)))
    assert sorted(path.name for path in network.parent.iterdir()) == ["network.onnx", "weights"]
    largest = (tiny_model / "model.safetensors").stat().st_size
    assert (network.parent / "weights").stat().st_size > largest // 2


def test_a_form_with_other_vectors_is_discarded_and_torch_is_used(
    tiny_model: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wrong(OnnxNetwork):
        def vector(self, ids: list[int]) -> np.ndarray:
            return super().vector(ids) + np.float32(1e-3)

    monkeypatch.setattr(onnx_network, "OnnxNetwork", Wrong)
    model = load_encoder(str(tiny_model))
    assert model.encode_query("show my fee").shape == (16,)
    assert model.runs_on == "torch"
    assert "gave other vectors" in model.notices[0] and "discarded" in model.notices[0]
    assert list((own_cache / "models").iterdir()) == []


@pytest.mark.parametrize("good", [0, 3])
def test_a_form_whose_vectors_are_no_numbers_is_discarded(tiny_model: Path, monkeypatch: pytest.MonkeyPatch, good: int) -> None:
    asked: list[int] = []

    class Overflown(OnnxNetwork):
        def vector(self, ids: list[int]) -> np.ndarray:
            asked.append(len(ids))
            return super().vector(ids) if len(asked) <= good else super().vector(ids) * np.float32("nan")

    monkeypatch.setattr(onnx_network, "OnnxNetwork", Overflown)
    model = load_encoder(str(tiny_model))
    model.load()
    assert model.runs_on == "torch"
    assert "gave other vectors" in model.notices[0]


def test_a_form_that_cuts_texts_into_other_tokens_is_discarded(tiny_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Wrong(OnnxNetwork):
        def tokens(self, lines: list[str]) -> list[list[int]]:
            return super().tokens([line.upper() + "!" for line in lines])

    monkeypatch.setattr(onnx_network, "OnnxNetwork", Wrong)
    model = load_encoder(str(tiny_model))
    model.load()
    assert (model.runs_on, len(model.notices)) == ("torch", 1)


def test_a_cache_folder_that_cannot_be_written_means_torch_and_says_so(
    tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(tmp_path / "file"))
    model = load_encoder(str(tiny_model))
    assert np.array_equal(model.encode_documents(TEXTS)[0], model.encode_documents(TEXTS[:1])[0])
    assert model.runs_on == "torch"
    assert "could not be kept for quick starts (NotADirectoryError" in model.notices[0]


def test_a_model_without_a_tokenizer_file_stays_on_torch(tiny_model: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny_model, tmp_path / "old"))
    (folder / "tokenizer.json").unlink()
    model = load_encoder(str(folder))
    model.load()
    assert (model.runs_on, "no tokenizer.json" in model.notices[0]) == ("torch", True)


def test_a_kill_while_it_is_written_leaves_no_form(tiny_model: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(module: object, file: Path) -> None:
        file.write_bytes(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(onnx_network, "_export", killed)
    with pytest.raises(KeyboardInterrupt):
        load_encoder(str(tiny_model)).load()
    monkeypatch.undo()
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(own_cache))
    assert kept_file(load_encoder(str(tiny_model)).fingerprint) is None


def test_the_report_names_the_kept_file(tiny_model: Path) -> None:
    assert model_report(str(tiny_model)).kept == ""
    model = load_encoder(str(tiny_model))
    model.load()
    assert model_report(str(tiny_model)).kept == str(kept(model))


@pytest.mark.model
def test_the_bundled_model_has_the_same_vectors_both_ways() -> None:
    quick = load_encoder("bundled")
    original = TorchNetwork(quick.folder, quick.max_tokens)
    texts = ["what is my available balance?", "get account summary: money in the account", "déjà vu, naïve 🎓", "word " * 400]
    found = quick.encode_documents(texts)
    for vector, ids in zip(found, original.tokens(texts), strict=True):
        expected = original.vector(ids)
        assert np.abs(vector - expected / np.linalg.norm(expected)).max() < 1e-6
    assert quick.runs_on == "onnxruntime"
