"""What the dense stage costs on FAISS in the process, and in PostgreSQL: all compared, or by a graph.

`python -m tests.benchmarks.dense_engines [SIZES]` runs it on a PostgreSQL of its own. Vectors are made of those of the campus sample's
tools, mixed and shaken, so that they lie in clusters as real ones do; the questions are its test queries. The share is how many of the
true first 50 are found.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median

import numpy as np
from numpy.typing import NDArray

from curator_core import Registry, Settings, Tool, build_index, default_cache_dir, load_encoder, load_registry
from curator_core.dense import DenseVectors
from curator_core.dense_pgvector import keep_in_postgres
from tests.benchmarks.made_up import HashedEncoder
from tests.core.postgres import pgvector_or_skip

SAMPLE = Path(__file__).parents[2] / "sample_registries" / "campus"
ASKED, FIRST = 60, 50
Rows = NDArray[np.float32]


class Mixed(HashedEncoder):
    """Gives each tool, by the number in its text, a vector made of three real ones."""

    def __init__(self, real: Rows, size: int) -> None:
        super().__init__()
        draw = np.random.default_rng(size)
        mixed = real[draw.integers(0, len(real), (size, 3))] * np.array([[[1.0], [0.5], [0.3]]], np.float32)
        rows = mixed.sum(axis=1) + 0.03 * draw.standard_normal((size, real.shape[1]), dtype=np.float32)
        self.rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def encode_documents(self, texts: list[str], **_: object) -> Rows:
        return self.rows[[int(text.split()[-1].rstrip(".")) for text in texts]]


def timed(act: Callable[[Rows], list[int]], queries: Rows) -> tuple[float, list[list[int]]]:
    """Return the median in ms, and what was found."""
    took, found = [], []
    for query in queries:
        start = time.perf_counter()
        found.append(act(query))
        took.append((time.perf_counter() - start) * 1000)
    return median(took), found


def main(sizes: list[int]) -> None:
    encoder, registry = load_encoder("auto"), load_registry(SAMPLE)
    vectors = build_index(registry, encoder, default_cache_dir()).dense(Settings())
    assert vectors is not None
    queries = np.vstack([encoder.encode_query(case.query) for case in registry.test_queries[:ASKED]])
    server = pgvector_or_skip()
    server.start()
    try:
        for size in sizes:
            compare(Mixed(vectors.rows, size), size, queries, server.url)
    finally:
        server.remove()


def compare(encoder: Mixed, size: int, queries: Rows, url: str) -> None:
    index = build_index(Registry("mixed", tuple(Tool(f"tool_{n}", f"number {n}") for n in range(size))), encoder)
    flat = index.dense(Settings())
    assert flat is not None
    here = DenseVectors(flat.rows.copy())
    start = time.perf_counter()
    kept = keep_in_postgres(index, url)
    print(f"{size:,} tools: written in {time.perf_counter() - start:.1f} s")
    took, true = timed(lambda query: here.faiss.search(query[None], FIRST)[1][0].tolist(), queries)
    print(f"  FAISS flat, first {FIRST}: {took:.2f} ms")
    for name, vectors in (("NumPy, all products (what a full ranking takes)", here), ("pgvector, all products", kept)):
        took, _ = timed(lambda query, vectors=vectors: list(vectors.near(query)[0][:1]), queries)
        print(f"  {name}: {took:.2f} ms")
    took, found = timed(lambda query: kept.nearest(query, FIRST), queries)
    print(f"  pgvector exact, first {FIRST}: {took:.2f} ms, share found {share(true, found):.3f}")
    start = time.perf_counter()
    kept.add_graph()
    print(f"  graph made in {time.perf_counter() - start:.0f} s")
    for in_view in (50, 100, 200, 400):
        took, found = timed(lambda query, in_view=in_view: kept.nearest(query, FIRST, ef_search=in_view), queries)
        print(f"  pgvector HNSW, ef_search {in_view}, first {FIRST}: {took:.2f} ms, share found {share(true, found):.3f}")


def share(true: list[list[int]], found: list[list[int]]) -> float:
    return mean(len(set(one) & set(other)) / len(one) for one, other in zip(true, found, strict=True))


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or [20_000, 100_000])
