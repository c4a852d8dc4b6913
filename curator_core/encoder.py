"""What turns texts into vectors: the Encoder protocol, the choice of model (DESIGN.md, The model), and which words a model does not see."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, cast

import numpy as np
import numpy.typing as npt

from curator_core.errors import ModelUnavailable
from curator_core.models.model_files import BUNDLED, HOW_TO_GET, PREFERRED, find_model, hub_folder
from curator_core.models.model_pull import pull_model
from curator_core.models.onnx_network import kept_file
from curator_core.models.sentence_model import BGE_QUERY_PREFIX, SentenceModel

__all__ = [
    "BGE_QUERY_PREFIX",
    "BUNDLED",
    "HOW_TO_GET",
    "PREFERRED",
    "Encoder",
    "ModelReport",
    "SentenceModel",
    "checked_vectors",
    "encode_queries",
    "encoded_text_of",
    "fingerprint_of",
    "is_cut",
    "load_encoder",
    "model_report",
    "pull_model",
    "query_prefix_of",
    "token_count_of",
    "tokens_past_limit",
    "visible_characters",
]


_SPECIAL_TOKENS = 8  # more than any model puts around a text


class Encoder(Protocol):
    """What an embedding model must offer; vectors are float32 and L2-normalised.

    It may also have `fingerprint: str` (what decides its document vectors), `query_prefix: str`, `token_count(text) -> int`,
    `surely_whole(text) -> bool` (it reads all of a text, which it can say without counting), `encoded_text(query) -> str` and
    `encode_queries(list[str])`, which gives encode_query's vectors; use the functions below.
    """

    @property
    def model_id(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def max_tokens(self) -> int: ...

    def encode_documents(self, texts: list[str], /) -> npt.NDArray[np.float32]:
        """Return (n, dimension)."""
        ...

    def encode_query(self, query: str, /) -> npt.NDArray[np.float32]:
        """Return (dimension,) for the text as the user typed it; a prefix is added inside."""
        ...


def load_encoder(model: str = "auto", query_prefix: str | None = None) -> SentenceModel:
    """Return the encoder of "auto", "bundled", a model folder or a hub id; never asks the network, imports nothing heavy yet.

    "auto": what TOOL_CURATOR_MODEL names, else BAAI/bge-small-en-v1.5 from the local Hugging Face cache, else the bundled model.
    query_prefix: replaces the model's own. Raises ModelUnavailable, which says where was looked.
    """
    return SentenceModel(find_model(model), query_prefix)


def fingerprint_of(encoder: Encoder) -> str:
    """Return what identifies the encoder's document vectors: its fingerprint, else its model_id."""
    return str(getattr(encoder, "fingerprint", None) or encoder.model_id)


def query_prefix_of(encoder: Encoder) -> str:
    """Return what the encoder puts before queries, "" when it does not say."""
    return str(getattr(encoder, "query_prefix", None) or "")


def encoded_text_of(encoder: Encoder, query: str) -> str:
    """Return exactly the string that the encoder encodes for a query."""
    own = cast("Callable[[str], str] | None", getattr(encoder, "encoded_text", None))
    if own is not None:
        return own(query)
    prefix = query_prefix_of(encoder)
    return query if query.startswith(prefix) else prefix + query


def encode_queries(encoder: Encoder, queries: list[str]) -> npt.NDArray[np.float32]:
    """Return the vectors of several queries (n, d), each exactly as encode_query gives it. Raises ModelUnavailable."""
    together = cast("Callable[[list[str]], object] | None", getattr(encoder, "encode_queries", None))
    if together is not None:
        return checked_vectors(encoder, together(queries), (len(queries), encoder.dimension))
    rows = [checked_vectors(encoder, encoder.encode_query(query), (encoder.dimension,)) for query in queries]
    return np.stack(rows) if rows else np.zeros((0, encoder.dimension), np.float32)


def checked_vectors(encoder: Encoder, vectors: object, shape: tuple[int, ...]) -> npt.NDArray[np.float32]:
    """Return what an encoder gave as float32 of this shape. Raises ModelUnavailable for another shape, or numbers that are none."""
    found = np.asarray(vectors, dtype=np.float32)
    if found.shape != shape:
        raise ModelUnavailable(
            f"model {encoder.model_id} gave vectors of shape {found.shape}, not {shape}: its dimension is not what it says"
        )
    if not np.isfinite(found).all():
        raise ModelUnavailable(f"model {encoder.model_id} gave vectors that hold no numbers (NaN or infinite); use another model")
    return found


def token_count_of(encoder: Encoder) -> Callable[[str], int] | None:
    """Return the encoder's token counter, None when it has none."""
    return cast("Callable[[str], int] | None", getattr(encoder, "token_count", None))


def tokens_past_limit(encoder: Encoder, query: str) -> int:
    """Return how many tokens a query has, prefix included, when the model cuts it; 0 when it is seen whole or nobody can tell."""
    text = encoded_text_of(encoder, query)
    if text.isascii() and len(text) + _SPECIAL_TOKENS <= encoder.max_tokens:  # a token is a letter at least: no need to count
        return 0
    count = token_count_of(encoder)
    tokens = 0 if count is None else count(text)
    return tokens if tokens > encoder.max_tokens else 0


def is_cut(encoder: Encoder, text: str) -> bool:
    """Say whether a text has more tokens than the model reads; False when nobody can tell."""
    count, surely_whole = token_count_of(encoder), cast("Callable[[str], bool] | None", getattr(encoder, "surely_whole", None))
    if count is None or (surely_whole is not None and surely_whole(text)):
        return False
    return count(text) > encoder.max_tokens


def visible_characters(encoder: Encoder, text: str) -> int:
    """Return how many characters from the start the model sees, up to the end of a word; len(text) when all, or when nobody can tell."""
    count = token_count_of(encoder)
    if count is None or not is_cut(encoder, text):
        return len(text)
    ends = [0, *(word.end() for word in re.finditer(r"\S+", text))]
    low, high = 0, len(ends) - 1  # the words up to `low` fit, those up to `high` do not
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if count(text[: ends[middle]]) <= encoder.max_tokens else (low, middle)
    return ends[low]


@dataclass(frozen=True, slots=True)
class ModelReport:
    """What `tool-curator model show` says.

    model, folder, fingerprint, dimension, max_tokens, query_prefix: of the model that `asked` stands for. reason: why that one.
    kept: the file through which it starts quickly, "" before its first use. preferred_folder: where the recommended model was looked
    for, in the cache; preferred_found: whether it is there and complete.
    """

    asked: str
    model: str
    reason: str
    folder: str
    fingerprint: str
    dimension: int
    max_tokens: int
    query_prefix: str
    kept: str
    preferred: str
    preferred_folder: str
    preferred_found: bool
    how_to_get: str


def model_report(model: str = "auto") -> ModelReport:
    """Say which model a name stands for and why. Raises ModelUnavailable."""
    encoder = load_encoder(model)
    try:
        find_model(PREFERRED)
        preferred_found = True
    except ModelUnavailable:
        preferred_found = False
    return ModelReport(
        asked=model,
        model=encoder.model_id,
        reason=encoder.reason,
        folder=str(encoder.folder),
        fingerprint=encoder.fingerprint,
        dimension=encoder.dimension,
        max_tokens=encoder.max_tokens,
        query_prefix=encoder.query_prefix,
        kept=str(kept_file(encoder.fingerprint) or ""),
        preferred=PREFERRED,
        preferred_folder=str(hub_folder(PREFERRED)),
        preferred_found=preferred_found,
        how_to_get=HOW_TO_GET,
    )
