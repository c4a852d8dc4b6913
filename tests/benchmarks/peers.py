"""Other retrievers of tools on the same registry, questions and vectors, each only where it is installed: `pip install ".[bench]"`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core import Registry

Ask = Callable[[str], object]
TOP_K = 20


def callbus(registry: Registry, encoder: Any) -> Ask:
    """Its hybrid retriever: vectors in numpy, bm25s, and their reciprocal ranks over the first hundred of each."""
    from callbus.adapters.bm25 import BM25Scorer
    from callbus.adapters.dense import DenseScorer
    from callbus.adapters.hybrid import HybridScorer
    from callbus.domain import Query, Tool

    class Vectors:
        name = "the same vectors"

        def encode(self, texts: Sequence[str], *, kind: str = "document") -> NDArray[np.float32]:
            vectors: NDArray[np.float32] = encoder.encode_documents(list(texts)) if kind == "document" else encoder.encode_query(texts[0])
            return np.atleast_2d(vectors)

    scorer = HybridScorer(DenseScorer(Vectors()), BM25Scorer("name_desc"))
    scorer.index([Tool(tool.name, {"name": tool.name, "description": tool.description}) for tool in registry.tools])
    return lambda question: scorer.rank([Query("q", question, {})], TOP_K)


PEERS: dict[str, Callable[[Registry, Any], Ask]] = {"callbus": callbus}


def installed(registry: Registry, encoder: Any) -> Iterator[tuple[str, Ask | None]]:
    """Yield each peer with a way to ask it, None where it is not installed."""
    for name, make in PEERS.items():
        try:
            yield name, make(registry, encoder)
        except ImportError:
            yield name, None
