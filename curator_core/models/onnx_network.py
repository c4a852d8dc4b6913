"""A model kept as an ONNX file in the cache folder: the same vectors through onnxruntime, without the seconds that importing torch takes.

The file is made once, from the model as sentence-transformers read it, and is used only when it gives that model's tokens and vectors.
Its name carries the model's fingerprint and its own SHA-256, so a changed model has another file and a damaged one is noticed.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from curator_core.files.places import default_cache_dir
from curator_core.models.model_files import digest, sha256
from curator_core.models.torch_network import TorchNetwork

RECIPE = 1  # raise when the file is made in another way
TOLERANCE = 1e-5  # of a normalised vector's numbers; both ways share the cached vectors
_MARK = 16  # letters of a SHA-256 in a file's name
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

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # errors come as exceptions
        self._session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
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
    """Return the file that is kept for a model, None when there is none."""
    return next(iter(sorted(_folder().glob(f"{_name(fingerprint)}-*.onnx"))), None)


def open_kept(fingerprint: str, folder: Path, max_tokens: int) -> OnnxNetwork | None:
    """Open what is kept for the model in `folder`, None when nothing is. Raises NotKept after removing a damaged file."""
    file = kept_file(fingerprint)
    if file is None:
        return None
    try:
        if not file.stem.endswith(digest(file)[:_MARK]):
            raise ValueError("its bytes are not those that were written")
        return OnnxNetwork(file, folder / "tokenizer.json", max_tokens)
    except Exception as error:  # noqa: BLE001 - onnxruntime's and tokenizers' errors have no common class
        with suppress(OSError):
            file.unlink()
        raise NotKept(f"the quick form of the model in {file} was damaged and is made anew ({_line(error)})") from None


def keep(original: TorchNetwork, fingerprint: str, folder: Path) -> OnnxNetwork:
    """Write the model as an ONNX file, check it against the original, and open it. Raises NotKept; no file stays then."""
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise NotKept("the model has no tokenizer.json, so each start reads it through torch")
    draft = _folder() / f"{uuid4().hex}.part"
    try:
        draft.parent.mkdir(parents=True, exist_ok=True)
        _export(original.module, draft)
        file = draft.with_name(f"{_name(fingerprint)}-{sha256(draft)[:_MARK]}.onnx")
        draft.replace(file)
        network = OnnxNetwork(file, tokenizer, original.max_tokens)
        if (difference := _difference(original, network)) > TOLERANCE:
            file.unlink()
            raise NotKept(f"the quick form of the model gave other vectors (by {difference:.1g}) and was discarded; torch is used")
        return network
    except NotKept:
        raise
    except Exception as error:  # noqa: BLE001 - what an exporter meets in a foreign model has no common class
        raise NotKept(f"the model could not be kept for quick starts ({_line(error)}); torch is used") from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


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
    return max(float(np.abs(one / np.linalg.norm(one) - other / np.linalg.norm(other)).max()) for one, other in pairs)


def _folder() -> Path:
    return default_cache_dir() / "models"


def _name(fingerprint: str) -> str:
    return hashlib.sha256(f"{RECIPE}\n{fingerprint}".encode()).hexdigest()[:_MARK]


def _line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
