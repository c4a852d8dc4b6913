"""A sentence-transformers model as an Encoder: cheap to make, its weights are opened when the first vector is needed."""

from __future__ import annotations

import json
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from curator_core.errors import ModelUnavailable
from curator_core.models.model_files import ModelFolder, check_bundled_weights, fingerprint, read_facts
from curator_core.models.onnx_network import NotKept, keep, open_kept
from curator_core.models.torch_network import TorchNetwork, offline

Vectors = npt.NDArray[np.float32]
Progress = Callable[[int, int], None]

BGE_QUERY_PREFIX = "Represent this sentence: "  # SEED.md, Dense retrieval
QUERIES_KEPT = 1024
_COUNTED = 4_096  # texts whose tokens are kept: those of a page that stands, for many authors
_SPECIAL_TOKENS = 8  # more than any tokenizer here puts around a text
_SURROGATE = re.compile("[\ud800-\udfff]")


class Network(Protocol):
    """The opened weights. A text goes through alone and unpadded: matrix products of another shape differ in the last bits, so in a
    batch its vector would depend on its company. runs_on: the library that does it. at_once: how many texts may run side by side."""

    @property
    def runs_on(self) -> str: ...
    @property
    def at_once(self) -> int: ...
    def tokens(self, lines: list[str], /) -> list[list[int]]: ...
    def vector(self, ids: list[int], /) -> Vectors: ...


class SentenceModel:
    """One model folder on this machine; vectors are L2-normalised, on the CPU.

    model_id, dimension, max_tokens (special tokens included) and query_prefix are known at once; `loaded` says whether the weights are.
    reason: why this model was chosen, for the screen. notices: why it starts slowly, when it does. Safe for several threads.
    """

    def __init__(self, found: ModelFolder, query_prefix: str | None = None) -> None:
        """Read the model's small files. Raises ModelUnavailable when something is missing or damaged."""
        facts = read_facts(found)
        self.model_id, self.folder, self.reason = found.model_id, found.folder, found.reason
        self.dimension, self.max_tokens = facts.dimension, facts.max_tokens
        self.query_prefix = (BGE_QUERY_PREFIX if facts.is_bge else "") if query_prefix is None else query_prefix
        self.notices: list[str] = []
        self._found, self._lower_case = found, facts.lower_case
        self._network: Network | None = None
        self._loading, self._working = threading.Lock(), threading.Lock()
        self._queries: OrderedDict[str, Vectors] = OrderedDict()
        self._queries_lock = threading.Lock()

    @property
    def loaded(self) -> bool:
        return self._network is not None

    @property
    def runs_on(self) -> str:
        """Name the library that the weights run on, "" before they are loaded."""
        return "" if self._network is None else self._network.runs_on

    @cached_property
    def fingerprint(self) -> str:
        """Identify the files that decide document vectors; the query prefix is not among them. Raises ModelUnavailable."""
        try:
            return fingerprint(self._found)
        except OSError as error:
            raise self._unavailable(error) from None

    def load(self) -> None:
        """Load the weights now rather than with the first vector; other threads wait. Raises ModelUnavailable."""
        self._opened()

    def token_count(self, text: str) -> int:
        """Count the tokens of a text, special tokens included, without the model's limit. Raises ModelUnavailable."""
        return self._count_tokens(self._readable(text))

    def surely_whole(self, text: str) -> bool:
        """Say without counting whether all of a text is read: a token of ASCII is one character at least that is no blank.

        So it is with BERT's tokenizers: their normalizer puts no ASCII character in the place of another two, their splitting into words
        drops the blanks, and a word becomes pieces of itself, or the one sign for an unknown word. False where that is not known.
        """
        longest = self.max_tokens - _SPECIAL_TOKENS
        return len(text) - text.count(" ") <= longest and text.isascii() and self._cuts_words_into_pieces

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
        (vector,) = self._vectors([text])
        vector.flags.writeable = False
        with self._queries_lock:
            self._queries[text] = vector
            if len(self._queries) > QUERIES_KEPT:
                self._queries.popitem(last=False)
        return vector

    def encode_queries(self, queries: list[str]) -> Vectors:
        """Return the vectors of several queries, float32 (n, dimension): bit for bit those of encode_query. Raises ModelUnavailable."""
        return self._stacked(self._vectors([self.encoded_text(query) for query in queries]), len(queries))

    def encode_documents(self, texts: list[str], *, progress: Progress | None = None) -> Vectors:
        """Return float32 (n, dimension) in the order of the texts. A text's vector does not depend on the other texts.

        progress is called with (texts done, texts in all). Raises ModelUnavailable.
        """
        return self._stacked(self._vectors(texts), len(texts), progress)

    def _stacked(self, vectors: Iterable[Vectors], count: int, progress: Progress | None = None) -> Vectors:
        rows = np.zeros((count, self.dimension), dtype=np.float32)
        for place, vector in enumerate(vectors):
            rows[place] = vector
            if progress is not None:
                progress(place + 1, count)
        return rows

    def _vectors(self, texts: list[str]) -> Iterator[Vectors]:
        """Yield the normalised vector of each text, several at work at a time where the network can."""
        if not texts:
            return
        network, lines = self._opened(), list(map(self._readable, texts))
        if network.at_once == 1:
            with self._working:  # torch's tokenizer and thread count are state: not for two threads at once
                yield from [self._checked(network.vector(ids)) for ids in network.tokens(lines)]
        elif len(lines) == 1:
            yield self._checked(network.vector(network.tokens(lines)[0]))
        else:
            with ThreadPoolExecutor(network.at_once) as workers:
                yield from map(self._checked, workers.map(network.vector, network.tokens(lines)))

    def _checked(self, vector: Vectors) -> Vectors:
        """Return a vector of length 1. Raises ModelUnavailable for one of another size, of zeros, or of no numbers."""
        length = np.linalg.norm(vector)
        if len(vector) != self.dimension:
            raise self._unavailable(ValueError(f"its vectors have {len(vector)} numbers, its settings say {self.dimension}"))
        if not np.isfinite(length) or not length:
            raise self._unavailable(ValueError("its vectors are zero or not numbers"))
        return np.asarray(vector / length, dtype=np.float32)

    def _readable(self, text: str) -> str:
        """Return a text as the tokenizer can take it: half letters (lone surrogates) become the sign for an unreadable one."""
        return _SURROGATE.sub("\ufffd", text.lower() if self._lower_case else text)

    def _opened(self) -> Network:
        """Return the weights, opened by the first thread that asks. Raises ModelUnavailable."""
        if self._network is None:
            with self._loading:
                if self._network is None:
                    self._network = self._open()
        return self._network

    def _open(self) -> Network:
        """Open the quick form of the model where one is kept; else read the model and keep one. Raises ModelUnavailable."""
        try:
            check_bundled_weights(self._found)
            kept = self._noting(lambda: open_kept(self.fingerprint, self.folder, self.max_tokens))
            if kept is not None:
                return kept
            original = TorchNetwork(self.folder, self.max_tokens)
            self._checked(original.vector(original.tokens([""])[0]))  # damaged weights are found before anything is made of them
            return self._noting(lambda: keep(original, self.fingerprint, self.folder)) or original
        except ModelUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a damaged file makes three libraries raise: one clear line for the author
            raise self._unavailable(error) from None

    def _noting(self, attempt: Callable[[], Network | None]) -> Network | None:
        """Return what an attempt gives; None when there is no quick form, whose reason becomes a notice."""
        try:
            return attempt()
        except NotKept as reason:
            self.notices.append(str(reason))
            return None

    @cached_property
    def _cuts_words_into_pieces(self) -> bool:
        try:
            steps = json.loads((self.folder / "tokenizer.json").read_text(encoding="utf-8"))
            kinds = [(steps[step] or {}).get("type") for step in ("normalizer", "pre_tokenizer", "model")]
            added = len(steps["post_processor"].get("single") or ()) if steps["post_processor"] else 0
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return False
        return kinds == ["BertNormalizer", "BertPreTokenizer", "WordPiece"] and added <= _SPECIAL_TOKENS

    @cached_property
    def _count_tokens(self) -> Callable[[str], int]:
        path = self.folder / "tokenizer.json"
        try:
            if path.is_file():
                from tokenizers import Tokenizer

                quick = Tokenizer.from_file(str(path))
                quick.no_truncation()
                quick.no_padding()
                return lru_cache(_COUNTED)(lambda text: len(quick.encode(text).ids))
            with offline():
                from transformers import AutoTokenizer

                slow = AutoTokenizer.from_pretrained(str(self.folder), local_files_only=True)
            return lru_cache(_COUNTED)(lambda text: len(slow(text, verbose=False)["input_ids"]))
        except Exception as error:  # noqa: BLE001 - the tokenizers library raises bare Exception
            raise self._unavailable(error) from None

    def _unavailable(self, error: Exception) -> ModelUnavailable:
        what = " ".join(str(error).split())[:300]
        return ModelUnavailable(
            f"model {self.model_id} in {self.folder} cannot be used ({type(error).__name__}: {what}); {self._found.remedy}"
        )
