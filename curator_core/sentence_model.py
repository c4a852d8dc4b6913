"""A sentence-transformers model as an Encoder: cheap to make, the heavy libraries are imported when the first vector is needed."""

from __future__ import annotations

import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from curator_core.errors import ModelUnavailable
from curator_core.model_files import ModelFolder, check_bundled_weights, fingerprint, read_facts

Vectors = npt.NDArray[np.float32]
Progress = Callable[[int, int], None]

BGE_QUERY_PREFIX = "Represent this sentence: "  # SEED.md, Dense retrieval
QUERIES_KEPT = 1024
_SURROGATE = re.compile("[\ud800-\udfff]")
# Documents go through the model in one shape per length: always ROWS texts, padded to a multiple of LENGTH_STEP tokens. Matrix products of
# another shape differ in the last bits, so free batching would make a vector depend on what else was embedded with it.
ROWS = 4
LENGTH_STEP = 16
QUERY_ROWS = 8  # questions of one length that go through the model together, where that gives the vectors of one by one


class SentenceModel:
    """One model folder on this machine; vectors are L2-normalised, on the CPU.

    model_id, dimension, max_tokens (special tokens included) and query_prefix are known at once; `loaded` says whether the weights are.
    reason: why this model was chosen, for the screen. Safe for several threads: it is loaded once, and works for one thread at a time.
    """

    def __init__(self, found: ModelFolder, query_prefix: str | None = None) -> None:
        """Read the model's small files. Raises ModelUnavailable when something is missing or damaged."""
        facts = read_facts(found)
        self.model_id, self.folder, self.reason = found.model_id, found.folder, found.reason
        self.dimension, self.max_tokens = facts.dimension, facts.max_tokens
        self.query_prefix = (BGE_QUERY_PREFIX if facts.is_bge else "") if query_prefix is None else query_prefix
        self._found, self._lower_case = found, facts.lower_case
        self._network: Any = None
        self._working = threading.RLock()
        self._queries: OrderedDict[str, Vectors] = OrderedDict()
        self._queries_lock = threading.Lock()
        self._alike: dict[int, bool] = {}  # by token count: whether QUERY_ROWS questions together have the vectors of one by one

    @property
    def loaded(self) -> bool:
        return self._network is not None

    @cached_property
    def fingerprint(self) -> str:
        """Identify the files that decide document vectors; the query prefix is not among them. Raises ModelUnavailable."""
        try:
            return fingerprint(self._found)
        except OSError as error:
            raise self._unavailable(error) from None

    def load(self) -> None:
        """Load the weights now rather than with the first vector; other threads wait. Raises ModelUnavailable."""
        with self._working:
            if self._network is None:
                self._network = self._open()

    def token_count(self, text: str) -> int:
        """Count the tokens of a text, special tokens included, without the model's limit. Raises ModelUnavailable."""
        return self._count_tokens(self._readable(text))

    def encoded_text(self, query: str) -> str:
        """Return exactly the string that is encoded for a query: the prefix is added unless the query starts with it."""
        return query if query.startswith(self.query_prefix) else self.query_prefix + query

    def encode_query(self, query: str) -> Vectors:
        """Return the vector of a query, prefix added here: float32 (dimension,), read-only. Raises ModelUnavailable."""
        text = self.encoded_text(query)
        with self._queries_lock:
            if text in self._queries:
                self._queries.move_to_end(text)
                return self._queries[text]
        vector: Vectors = self._one_length(self._tokens([text]), rows=1)[0]
        vector.flags.writeable = False
        with self._queries_lock:
            self._queries[text] = vector
            if len(self._queries) > QUERIES_KEPT:
                self._queries.popitem(last=False)
        return vector

    def encode_queries(self, queries: list[str]) -> Vectors:
        """Return the vectors of several queries, float32 (n, dimension): bit for bit those of encode_query, in about half the time.

        Whether a batch has the same bits depends on the processor and the number of tokens; the first batch of each is done both ways.
        """
        vectors = np.zeros((len(queries), self.dimension), dtype=np.float32)
        tokens = self._tokens([self.encoded_text(query) for query in queries]) if queries else []
        by_length: dict[int, list[int]] = {}
        for place, ids in enumerate(tokens):
            by_length.setdefault(len(ids), []).append(place)
        for length, places in by_length.items():
            for start in range(0, len(places), QUERY_ROWS):
                some = places[start : start + QUERY_ROWS]
                vectors[some] = self._together(length, [tokens[place] for place in some], left=len(places) - start)
        return vectors

    def _together(self, length: int, tokens: list[list[int]], left: int) -> Vectors:
        """Return the vectors of up to QUERY_ROWS questions of one length; left: how many of that length there still are, these included."""
        alike = self._alike.get(length)
        if alike and len(tokens) > 2:
            return self._one_length(tokens, QUERY_ROWS)
        single = np.concatenate([self._one_length([ids], rows=1) for ids in tokens])
        if alike is None and left >= 2 * QUERY_ROWS:  # for fewer, finding out costs more than it saves
            self._alike[length] = np.array_equal(self._one_length(tokens, QUERY_ROWS), single)
        return single

    def encode_documents(self, texts: list[str], *, progress: Progress | None = None) -> Vectors:
        """Return float32 (n, dimension) in the order of the texts. A text's vector does not depend on the other texts.

        progress is called with (texts done, texts in all). Raises ModelUnavailable.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        tokens = self._tokens(texts) if texts else []
        done = 0
        for places in _batches([len(ids) for ids in tokens], self.max_tokens):
            some = [tokens[place] for place in places]
            vectors[places] = self._forward(some, ROWS, _width(max(map(len, some)), self.max_tokens))
            done += len(places)
            if progress is not None:
                progress(done, len(texts))
        return vectors

    def _readable(self, text: str) -> str:
        """Return a text as the tokenizer can take it: half letters (lone surrogates) become the sign for an unreadable one."""
        return _SURROGATE.sub("\ufffd", text.lower() if self._lower_case else text)

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text as the model sees it: special tokens added, cut at max_tokens."""
        self.load()
        lines = list(map(self._readable, texts))
        with self._working:  # the tokenizer holds its limit as state: not for two threads at once
            encoded = self._network.tokenizer(lines, truncation=True, max_length=self.max_tokens, return_attention_mask=False)
        return [list(ids) for ids in encoded["input_ids"]]

    def _one_length(self, tokens: list[list[int]], rows: int) -> Vectors:
        """Run questions of one length on one thread: two gain little on texts so short, and wait for each other on a busy machine."""
        with self._working, _one_thread():
            return self._forward(tokens, rows, len(tokens[0]))

    def _forward(self, tokens: list[list[int]], rows: int, width: int) -> Vectors:
        """Run one batch, filled up to `rows` texts of `width` tokens: float32 (len(tokens), dimension)."""
        import torch

        ids = np.full((rows, width), self._network.tokenizer.pad_token_id or 0, dtype=np.int64)
        mask = np.zeros((rows, width), dtype=np.int64)
        for row in range(rows):
            some = tokens[min(row, len(tokens) - 1)]
            ids[row, : len(some)], mask[row, : len(some)] = some, 1
        with self._working, torch.inference_mode():
            inputs = {"input_ids": torch.from_numpy(ids), "attention_mask": torch.from_numpy(mask)}
            output = self._network(inputs)["sentence_embedding"].float().numpy()[: len(tokens)]
        lengths = np.linalg.norm(output, axis=1, keepdims=True)
        if output.shape[1] != self.dimension:
            raise self._unavailable(ValueError(f"its vectors have {output.shape[1]} numbers, its settings say {self.dimension}"))
        if not np.isfinite(lengths).all() or not lengths.all():
            raise self._unavailable(ValueError("its vectors are zero or not numbers"))
        return np.asarray(output / lengths, dtype=np.float32)

    def _open(self) -> Any:
        try:
            check_bundled_weights(self._found)
            with _offline():
                os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when torch loads: threads that wait must not spin
                from sentence_transformers import SentenceTransformer

                network = SentenceTransformer(str(self.folder), device="cpu", local_files_only=True, model_kwargs={"use_safetensors": True})
            network.eval()
            if absent := _weights_absent(network, self.folder):
                raise ValueError(f"the weights file lacks {len(absent)} parts, such as {absent[0]}")
            return network
        except ModelUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a damaged file makes three libraries raise: one clear line for the author
            raise self._unavailable(error) from None

    @cached_property
    def _count_tokens(self) -> Callable[[str], int]:
        path = self.folder / "tokenizer.json"
        try:
            if path.is_file():
                from tokenizers import Tokenizer

                quick = Tokenizer.from_file(str(path))
                quick.no_truncation()
                quick.no_padding()
                return lambda text: len(quick.encode(text).ids)
            with _offline():
                from transformers import AutoTokenizer

                slow = AutoTokenizer.from_pretrained(str(self.folder), local_files_only=True)
            return lambda text: len(slow(text, verbose=False)["input_ids"])
        except Exception as error:  # noqa: BLE001 - the tokenizers library raises bare Exception
            raise self._unavailable(error) from None

    def _unavailable(self, error: Exception) -> ModelUnavailable:
        what = " ".join(str(error).split())[:300]
        return ModelUnavailable(
            f"model {self.model_id} in {self.folder} cannot be used ({type(error).__name__}: {what}); {self._found.remedy}"
        )


@contextmanager
def _one_thread() -> Iterator[None]:
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def _width(tokens: int, limit: int) -> int:
    return min(-(-tokens // LENGTH_STEP) * LENGTH_STEP, limit)


def _batches(lengths: list[int], limit: int) -> Iterator[list[int]]:
    """Yield places of texts with the same padded width, ROWS at a time, short ones first."""
    by_width: dict[int, list[int]] = {}
    for place, length in enumerate(lengths):
        by_width.setdefault(_width(length, limit), []).append(place)
    for _, places in sorted(by_width.items()):
        for start in range(0, len(places), ROWS):
            yield places[start : start + ROWS]


def _weights_absent(network: Any, folder: Path) -> list[str]:
    """Name the parts of the network that no weights file holds: the library would fill them at random and only log it."""
    from safetensors import safe_open

    inner = network[0].auto_model
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


@contextmanager
def _offline() -> Iterator[None]:
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
