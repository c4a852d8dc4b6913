"""A model kept in ONNX form in the cache folder: the same vectors through onnxruntime, without the seconds that importing torch takes.

The form is made once, from the model as sentence-transformers read it, and is used only when it gives that model's tokens and vectors.
Its folder's name carries the model's fingerprint and the files' own SHA-256, so a changed model has another and a damaged one is noticed.
The weights lie beside the network, in a file that onnxruntime maps instead of reading: a start takes a third of the time, and of the
words' vectors only those that a text has are read at all.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from curator_core.files.places import default_cache_dir
from curator_core.models.model_files import digest, sha256
from curator_core.models.torch_network import TorchNetwork

RECIPE = 2  # raise when the form is made in another way
TOLERANCE = 1e-5  # of a normalised vector's numbers; both ways share the cached vectors
_MARK = 16  # letters of a SHA-256 in a folder's name
_NETWORK, _WEIGHTS = "network.onnx", "weights"  # the network names its weights' file, so that is always the same
_MAPPED = 1024  # bytes from which weights lie in the file beside the network
_PROBES = (
    "balance",
    "Which of my bills are still open?",
    "déjà vu – naïve Ärger, 東京 🎓 x²",
    "send_message@slack: Sends a message to a channel, a thread or a person; `channel` is required. ",
    "list every open issue of a repository, newest first, with its labels and the people it is assigned to. " * 3,
    "word " * 600,
)


class NotKept(Exception):
    """The model cannot be kept as an ONNX file; the message is the reason, for the screen."""


class OnnxNetwork:
    """The weights on onnxruntime. at_once: how many texts run side by side, each on one thread."""

    runs_on = "onnxruntime"
    at_once = os.cpu_count() or 1

    def __init__(self, file: Path, tokenizer: Path, max_tokens: int) -> None:
        """Open a kept file. Raises whatever the two libraries raise for a damaged one."""
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        import onnxruntime
        from tokenizers import Tokenizer

        self._session = onnxruntime.InferenceSession(str(file), _options(), providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_tokens)

    def tokens(self, lines: list[str]) -> list[list[int]]:
        """Return the token ids of each text: special tokens added, cut at max_tokens."""
        return [encoded.ids for encoded in self._tokenizer.encode_batch(lines)]

    def vector(self, ids: list[int]) -> npt.NDArray[np.float32]:
        """Return the vector of one text, not normalised: float32 (dimension,)."""
        row = np.array([ids], dtype=np.int64)
        (output,) = self._session.run(None, {"input_ids": row, "attention_mask": np.ones_like(row)})
        return np.asarray(output[0], dtype=np.float32)


def kept_file(fingerprint: str) -> Path | None:
    """Return the network's file that is kept for a model, None when there is none."""
    return next(iter(sorted(_folder().glob(f"{_name(fingerprint)}-*/{_NETWORK}"))), None)


def open_kept(fingerprint: str, folder: Path, max_tokens: int) -> OnnxNetwork | None:
    """Open what is kept for the model in `folder`, None when nothing is. Raises NotKept after removing a damaged form."""
    file = kept_file(fingerprint)
    if file is None:
        return None
    try:
        if not file.parent.name.endswith(_mark(file.parent)):
            raise ValueError("its bytes are not those that were written")
        return OnnxNetwork(file, folder / "tokenizer.json", max_tokens)
    except Exception as error:  # noqa: BLE001 - onnxruntime's and tokenizers' errors have no common class
        shutil.rmtree(file.parent, ignore_errors=True)
        raise NotKept(f"the quick form of the model in {file.parent} was damaged and is made anew ({_line(error)})") from None


def keep(original: TorchNetwork, fingerprint: str, folder: Path) -> OnnxNetwork:
    """Write the model in ONNX form, check it against the original, and open it. Raises NotKept; nothing stays then."""
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise NotKept("the model has no tokenizer.json, so each start reads it through torch")
    draft = _folder() / f"{uuid4().hex}.part"
    try:
        draft.mkdir(parents=True)
        _write(original.module, draft)
        kept = _settled(draft, _name(fingerprint))
        network = OnnxNetwork(kept / _NETWORK, tokenizer, original.max_tokens)
        if not (difference := _difference(original, network)) <= TOLERANCE:  # so that "not a number" is no match either
            shutil.rmtree(kept)
            raise NotKept(f"the quick form of the model gave other vectors (by {difference:.1g}) and was discarded; torch is used")
        return network
    except NotKept:
        raise
    except Exception as error:  # noqa: BLE001 - what an exporter meets in a foreign model has no common class
        raise NotKept(f"the model could not be kept for quick starts ({_line(error)}); torch is used") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(module: Any, draft: Path) -> None:
    """Write the network, its constants worked out, and its weights beside it; only operators of the ONNX standard are in it."""
    import onnxruntime

    exported = draft / "exported.onnx"
    _export(module, exported)
    options = _options()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    options.optimized_model_filepath = str(draft / _NETWORK)
    options.add_session_config_entry("session.optimized_model_external_initializers_file_name", _WEIGHTS)
    options.add_session_config_entry("session.optimized_model_external_initializers_min_size_in_bytes", str(_MAPPED))
    onnxruntime.InferenceSession(str(exported), options, providers=["CPUExecutionProvider"])
    exported.unlink()


def _settled(draft: Path, name: str) -> Path:
    """Give a written form its lasting place, at once and whole; another process may have put the same there before."""
    kept = draft.with_name(f"{name}-{_mark(draft, sha256)}")
    if kept.is_dir() and not kept.name.endswith(_mark(kept, sha256)):
        shutil.rmtree(kept)  # what is left of one whose removal was interrupted
    try:
        draft.replace(kept)
    except OSError:
        if not kept.is_dir():
            raise
    _mark(kept)  # remembered here, so that the next start need not look at every byte
    return kept


def _options() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4  # errors come as exceptions
    return options


def _export(module: Any, file: Path) -> None:
    """Write the whole pipeline, pooling included, as one graph of any number of rows and tokens."""
    import torch

    class Pipeline(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.module = module

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            return self.module({"input_ids": input_ids, "attention_mask": attention_mask})["sentence_embedding"]

    ids = torch.ones((2, 12), dtype=torch.int64)
    mask = torch.ones_like(ids)
    mask[1, 7:] = 0
    sizes = {name: {0: "rows", 1: "tokens"} for name in ("input_ids", "attention_mask")}
    with warnings.catch_warnings(), torch.inference_mode():
        warnings.simplefilter("ignore")  # of what tracing might miss: the check against the original finds what it did miss
        # dynamo=False: the older exporter takes 2 s and the onnx package; its successor takes 10 s and two packages more
        torch.onnx.export(
            Pipeline().eval(), (ids, mask), str(file), input_names=list(sizes), output_names=["vector"], dynamic_axes=sizes, dynamo=False
        )


def _difference(original: TorchNetwork, network: OnnxNetwork) -> float:
    """Return the largest difference of two normalised vectors' numbers over the probes; infinite when texts are cut into other tokens."""
    tokens = original.tokens(list(_PROBES))
    if network.tokens(list(_PROBES)) != tokens:
        return float("inf")
    pairs = ((original.vector(ids), network.vector(ids)) for ids in tokens)
    return float(np.max([np.abs(one / np.linalg.norm(one) - other / np.linalg.norm(other)).max() for one, other in pairs]))


def _folder() -> Path:
    return default_cache_dir() / "models"


def _name(fingerprint: str) -> str:
    return hashlib.sha256(f"{RECIPE}\n{fingerprint}".encode()).hexdigest()[:_MARK]


def _mark(form: Path, digest_of: Callable[[Path], str] = digest) -> str:
    """Return what tells the bytes of a form's files."""
    lines = [f"{path.name} {digest_of(path)}" for path in sorted(form.iterdir())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:_MARK]


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
