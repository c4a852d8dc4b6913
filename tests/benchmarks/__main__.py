"""`make bench`: how long things take, as medians and as ratios within this one run (machines are noisy; ratios travel, seconds do not)."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from curator_core import Curator, Registry, Settings, Tool, build_index, load_encoder, load_registry
from tests.benchmarks.letter import Letter

ROOT = Path(__file__).parents[2]


class QueriesKept:
    """An encoder that encodes each query once, so that what is timed is everything but the encoding."""

    def __init__(self, encoder: Any) -> None:
        self._encoder = encoder
        self.encode_query = lru_cache(maxsize=None)(encoder.encode_query)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)


class HashedEncoder(QueriesKept):
    """Random vectors of the model's size for large made-up registries: the time of a query does not depend on what vectors mean."""

    def encode_documents(self, texts: list[str], **_: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
        rows = np.random.default_rng(zlib.crc32("".join(texts).encode())).standard_normal((len(texts), self.dimension), dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    fingerprint = "hashed"


def timed(act: Callable[[], object], repeats: int) -> list[float]:
    """Return the milliseconds of each repeat, after one that is not counted."""
    act()
    milliseconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        act()
        milliseconds.append((time.perf_counter() - started) * 1000)
    return milliseconds


def made_up(base: Registry, size: int) -> Registry:
    """Return a registry of `size` tools whose names and texts are drawn from the words of a real one."""
    draw = random.Random(size)
    words = [word for tool in base.tools for word in tool.description.split()]
    names = sorted({word for tool in base.tools for word in tool.name.split("_")})
    tools = (Tool(f"{'_'.join(draw.choices(names, k=3))}_{number}", " ".join(draw.choices(words, k=24))) for number in range(size))
    return Registry(name=f"made up, {size}", tools=tuple(tools))


def each(ask: Callable[[str], object], questions: Iterable[str], repeats: int) -> list[float]:
    return [value for question in questions for value in timed(partial(ask, question), repeats)]


def query_rows(registry: Registry, encoder: Any, questions: list[str], repeats: int) -> list[dict[str, Any]]:
    """Time whole answers without their encoding: ours, with and without a full listing, and the seed to the letter."""
    curator, letter = Curator(build_index(registry, encoder)), Letter(registry, encoder)
    asks: dict[str, Callable[[str], object]] = {
        "curate": curator.curate,
        "curate, then every row as JSON": lambda question: curator.curate(question).to_dict("all"),
        "the seed to the letter": letter.curate,
    }
    times = {name: each(ask, questions, repeats) for name, ask in asks.items()}
    base = statistics.median(times["the seed to the letter"])
    return [row(f"{name} ({len(registry.tools)} tools)", values, base) for name, values in times.items()]


def row(what: str, milliseconds: list[float], base: float | None = None) -> dict[str, Any]:
    p50 = statistics.median(milliseconds)
    p95 = sorted(milliseconds)[int(0.95 * (len(milliseconds) - 1))]
    return {"what": what, "runs": len(milliseconds), "p50_ms": p50, "p95_ms": p95, "ratio_to_letter": p50 / base if base else None}


def rows(data: Path | None, repeats: int) -> Iterable[dict[str, Any]]:
    campus = ROOT / "sample_registries" / "campus"
    registry, encoder = load_registry(campus), load_encoder("bundled")
    questions = [case.query for case in registry.test_queries[::12]]
    yield row("encode one question", each(lambda question: encoder.encode_documents([question]), questions, 1))
    with tempfile.TemporaryDirectory() as cache:
        build_index(registry, encoder, cache)
        yield row("load campus from disk: registry files", timed(lambda: load_registry(campus), repeats))
        yield row("load campus from disk: warm index", timed(lambda: build_index(registry, encoder, cache).sparse(Settings()), repeats))
        index = build_index(registry, encoder, cache)
        numbers = iter(range(1_000_000))
        edit = lambda: registry.with_edits([registry.edit("submit_grievance", "extra_context", f"edit {next(numbers)}")])
        yield row("edit one tool and index it", timed(lambda: build_index(edit(), encoder, cache, previous=index), repeats))
    yield from query_rows(registry, QueriesKept(encoder), questions, repeats)
    for size in (2_000, 20_000):
        yield from query_rows(made_up(registry, size), HashedEncoder(encoder), questions[:8], max(repeats // 5, 2))
    for folder in sorted(path.parent for path in data.glob("*/tools.json")) if data else ():
        other = load_registry(folder, strict=False)
        yield from query_rows(other, HashedEncoder(encoder), [case.query for case in other.test_queries[:8]], max(repeats // 5, 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder of further registries to time, one a folder")
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    measured = list(rows(arguments.data, arguments.repeats))
    if arguments.json:
        json.dump(measured, sys.stdout, indent=2)
        return
    table = Table(box=None, header_style="bold", title="milliseconds; ratio = to the seed to the letter on the same questions")
    for title in ("what", "runs", "p50", "p95", "ratio"):
        table.add_column(title, justify="left" if title == "what" else "right", no_wrap=True)
    for one in measured:
        ratio = f"{one['ratio_to_letter']:.2f}" if one["ratio_to_letter"] else ""
        table.add_row(one["what"], str(one["runs"]), f"{one['p50_ms']:.2f}", f"{one['p95_ms']:.2f}", ratio)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
