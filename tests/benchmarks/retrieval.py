"""What each way of picking tools finds on labelled registries: BM25 and meaning alone, the seed to the letter, both profiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.table import Table

from curator_core import Curator, Registry, Settings, build_index, default_cache_dir, evaluate, load_encoder, load_registry, profile
from curator_core.evaluation import encode_ahead
from curator_core.proof.query_result import measure
from curator_core.vector_store import VectorStore
from tests.benchmarks.letter import Letter

FIGURES = ("hit@1", "recall@5", "recall@10", "ndcg@10", "all@10")
_ALONE = {"anchor": False, "split": False, "low_confidence": False}
WAYS = {
    "BM25": Settings(dense=False, **_ALONE),
    "meaning": Settings(sparse=False, **_ALONE),
    "letter": None,
    "seed": Settings(),
    "tuned": profile("tuned"),
}


class VectorsKept:
    """An encoder that gives each text to the model once, whichever way asks."""

    def __init__(self, encoder: Any, folder: Path) -> None:
        self._encoder, self._store = encoder, VectorStore(encoder, folder)
        self.encode_query = self._store.queries.of

    def encode_documents(self, texts: list[str]) -> Any:
        return self._store.rows(texts)[0]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)


def figures(folder: Path, ways: Sequence[str] = tuple(WAYS)) -> Iterator[tuple[str, list[float]]]:
    """Yield each way with its means over the judged questions of a registry, in percent."""
    registry, encoder = load_registry(folder, strict=False), load_encoder("bundled")
    curator = Curator(build_index(registry, encoder, default_cache_dir()))
    for name in ways:
        settings = WAYS[name]
        if settings is None:
            encode_ahead(curator, registry.test_queries, Settings())
            yield name, _means(registry, partial(Letter(registry, VectorsKept(encoder, default_cache_dir())).curate, top_k=20))
        else:
            means = evaluate(curator, registry.test_queries, settings).metrics
            yield name, [100 * (means[figure] or 0.0) for figure in FIGURES]


def _means(registry: Registry, pick: Callable[[str], Sequence[str]]) -> list[float]:
    known = registry.by_key.keys()
    judged = [case for case in registry.test_queries if case.expected and known >= {*case.expected, *case.forbidden}]
    found = [measure(pick(case.query), case.expected or (), case.forbidden) for case in judged]
    return [100 * float(np.mean([one[figure] for one in found])) for figure in FIGURES]


def retrieval_table(folders: Sequence[Path], ways: Sequence[str] = tuple(WAYS)) -> Table:
    """Return one row for each registry and way, and the means over the registries."""
    table = Table(box=None, header_style="bold", title="what is found, percent of the judged questions")
    for title in ("registry", "way", *FIGURES):
        table.add_column(title, justify="left" if title in ("registry", "way") else "right")
    all_figures: dict[str, list[list[float]]] = {name: [] for name in ways}
    for folder in folders:
        for name, values in figures(folder, ways):
            all_figures[name].append(values)
            table.add_row(folder.name if name == ways[0] else "", name, *(f"{value:.1f}" for value in values))
    for name, rows in all_figures.items():
        table.add_row("mean" if name == ways[0] else "", name, *(f"{value:.1f}" for value in np.mean(rows, axis=0)), style="bold")
    return table
