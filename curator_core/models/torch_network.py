"""A model folder as sentence-transformers reads it: the reference for what a model says, slow to import and to start."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt


class TorchNetwork:
    """The weights on torch. at_once: how many texts may run side by side (torch's own threads would wait for each other)."""

    runs_on = "torch"
    at_once = 1

    def __init__(self, folder: Path, max_tokens: int) -> None:
        """Read the weights, without the network. Raises whatever a damaged file makes three libraries raise."""
        with offline():
            os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when torch loads: threads that wait must not spin
            from sentence_transformers import SentenceTransformer

            self.module = SentenceTransformer(str(folder), device="cpu", local_files_only=True, model_kwargs={"use_safetensors": True})
        self.module.eval()
        self.max_tokens = max_tokens
        if absent := _weights_absent(self.module, folder):
            raise ValueError(f"the weights file lacks {len(absent)} parts, such as {absent[0]}")

    def tokens(self, lines: list[str]) -> list[list[int]]:
        """Return the token ids of each text: special tokens added, cut at max_tokens."""
        encoded = self.module.tokenizer(lines, truncation=True, max_length=self.max_tokens, return_attention_mask=False)
        return [list(ids) for ids in encoded["input_ids"]]

    def vector(self, ids: list[int]) -> npt.NDArray[np.float32]:
        """Return the vector of one text, not normalised: float32 (dimension,)."""
        import torch

        with _one_thread(), torch.inference_mode():
            row = torch.tensor([ids], dtype=torch.int64)
            output = self.module({"input_ids": row, "attention_mask": torch.ones_like(row)})["sentence_embedding"]
        return np.asarray(output.float().numpy()[0], dtype=np.float32)


@contextmanager
def offline() -> Iterator[None]:
    """Keep the libraries from asking the network while they load, and from progress bars, load reports and fork warnings on the console."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    before = {name: os.environ.get(name) for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")}
    os.environ.update(dict.fromkeys(before, "1"))
    try:
        from transformers.utils import logging

        verbosity = logging.get_verbosity()
        logging.disable_progress_bar()
        logging.set_verbosity_error()
        try:
            yield
        finally:
            logging.set_verbosity(verbosity)
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _one_thread() -> Iterator[None]:
    """Run a text on one thread: two gain little on texts so short, and wait for each other on a busy machine."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _weights_absent(module: Any, folder: Path) -> list[str]:
    """Name the parts of the network that no weights file holds: the library would fill them at random and only log it."""
    from safetensors import safe_open

    inner = module[0].auto_model
    stored: set[str] = set()
    for path in folder.glob("model*.safetensors"):
        with safe_open(str(path), framework="pt") as file:
            names = (
                name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")
                for name in file.keys()  # noqa: SIM118 - not a dict
            )
            stored.update(name.removeprefix(f"{inner.base_model_prefix}.") for name in names)
    state = inner.state_dict()
    present = {tensor.data_ptr() for name, tensor in state.items() if name in stored}  # by memory: tied weights are stored once
    return [
        name for name, tensor in state.items() if tensor.data_ptr() not in present and "pooler" not in name and "position_ids" not in name
    ]
