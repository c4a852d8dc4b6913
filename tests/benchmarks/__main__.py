"""`make bench`: how long things take, as medians and as ratios within this one run (machines are noisy; ratios travel, seconds do not)."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from curator_core import (
    Curator,
    Registry,
    Settings,
    build_index,
    compare_runs,
    effect_of,
    evaluate,
    find_clashes,
    load_encoder,
    load_registry,
    profile,
)
from tests.benchmarks.bare import Bare
from tests.benchmarks.letter import Letter
from tests.benchmarks.made_up import HashedEncoder, made_up

ROOT = Path(__file__).parents[2]
SIZES = (200, 2_000, 20_000)
QUERIES = 500


class QueriesKept:
    """An encoder that encodes each query once, so that what is timed is everything but the encoding."""

    def __init__(self, encoder: Any) -> None:
        self._encoder = encoder
        self.encode_query = lru_cache(maxsize=None)(encoder.encode_query)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)


def timed(act: Callable[[], object], repeats: int) -> list[float]:
    """Return the milliseconds of each repeat, after one that is not counted."""
    act()
    milliseconds = []
    for _ in range(repeats):
        started = time.perf_counter()
        act()
        milliseconds.append((time.perf_counter() - started) * 1000)
    return milliseconds


def each(ask: Callable[[str], object], questions: Iterable[str], repeats: int) -> list[float]:
    return [value for question in questions for value in timed(partial(ask, question), repeats)]


def query_rows(registry: Registry, encoder: Any, questions: list[str], repeats: int) -> Iterator[dict[str, Any]]:
    """Time whole answers without their encoding: ours, for all and for a role, and the two yardsticks."""
    curator, size = Curator(build_index(registry, encoder)), len(registry.tools)
    asks: dict[str, Callable[[str], object]] = {
        "a bare numpy pipeline": Bare(registry, encoder).curate,
        "curate": curator.curate,
        "curate, profile tuned": partial(curator.curate, settings=profile("tuned")),
        "curate, then its listing as JSON": lambda question: curator.curate(question).to_dict(),
        "curate, then every row as JSON": lambda question: curator.curate(question).to_dict("all"),
    }
    if "clerk" in registry.roles:
        asks["curate for a role that sees 1 % of the tools"] = partial(curator.curate, role="clerk")
    if size <= 20_000:
        asks["the seed to the letter"] = Letter(registry, encoder).curate
    times = {
        name: each(ask, questions, max(repeats // 5, 2) if "every row" in name or "letter" in name else repeats)
        for name, ask in asks.items()
    }
    base = statistics.median(times["a bare numpy pipeline"])
    yield from (row(f"{name} ({size} tools)", values, base) for name, values in times.items())


def edit_rows(registry: Registry, encoder: Any, repeats: int) -> Iterator[dict[str, Any]]:
    """Time one edit: its index, its effect on all test queries, and both made from scratch."""
    index, numbers = build_index(registry, encoder), iter(range(1_000_000))
    title = f"({len(registry.tools)} tools, {len(registry.test_queries)} test queries)"
    before = evaluate(Curator(index), registry.test_queries)
    key = registry.keys[7]
    edited = lambda: registry.with_edits([registry.edit(key, "extra_context", f"edit {next(numbers)} of another kind")])

    def effect() -> object:
        draft = edited()
        after = evaluate(Curator(build_index(draft, encoder, previous=index)), draft.test_queries)
        return effect_of(before, after).counts

    def rebuilt() -> object:
        draft = edited()
        return compare_runs(before, evaluate(Curator(build_index(draft, encoder)), draft.test_queries)).counts

    yield row(
        f"edit one tool and index it {title}", timed(lambda: build_index(edited(), encoder, previous=index).sparse(Settings()), repeats)
    )
    quick = timed(effect, repeats)
    yield row(f"edit one tool, and its effect {title}", quick)
    yield row(f"the same from scratch {title}", timed(rebuilt, max(repeats // 10, 1)), statistics.median(quick))


def clash_rows(registry: Registry, encoder: Any) -> Iterator[dict[str, Any]]:
    """Time the list of clashes once: the test queries, every tool's questions about itself, and the list."""
    title, stages = f"({len(registry.tools)} tools, {len(registry.test_queries)} test queries)", dict[str, float]()
    curator = Curator(build_index(registry, encoder))
    started = time.perf_counter()
    reached = lambda stage, *_: stages.update({stage: (time.perf_counter() - started) * 1000})
    find_clashes(curator, progress=reached)
    whole = (time.perf_counter() - started) * 1000
    yield row(f"clashes {title}", [whole])
    before = 0.0
    for stage, reached_ms in stages.items():
        yield row(f"of that, {stage}", [reached_ms - before], whole)
        before = reached_ms


def row(what: str, milliseconds: list[float], base: float | None = None) -> dict[str, Any]:
    p50 = statistics.median(milliseconds)
    p95 = sorted(milliseconds)[math.ceil(0.95 * (len(milliseconds) - 1))]
    return {"what": what, "runs": len(milliseconds), "p50_ms": p50, "p95_ms": p95, "ratio": p50 / base if base else None}


def start_rows(repeats: int) -> Iterator[dict[str, Any]]:
    """Time what happens before the first question: the model, the files, the index from disk."""
    campus = ROOT / "sample_registries" / "campus"
    registry, encoder = load_registry(campus), load_encoder("bundled")
    questions = [case.query for case in registry.test_queries[::12]]
    yield row("encode one question", each(lambda question: encoder.encode_documents([question]), questions, 1))
    with tempfile.TemporaryDirectory() as cache:
        build_index(registry, encoder, cache)
        yield row("load campus from disk: registry files", timed(lambda: load_registry(campus), repeats))
        yield row("load campus from disk: warm index", timed(lambda: build_index(registry, encoder, cache).sparse(Settings()), repeats))
    yield from query_rows(registry, QueriesKept(encoder), questions, repeats)


def rows(data: Path | None, repeats: int, sizes: Iterable[int], model: bool) -> Iterator[dict[str, Any]]:
    """Time everything; data: a folder of further registries; sizes: of made-up ones; model: also what needs the bundled model."""
    base = load_registry(ROOT / "sample_registries" / "campus")
    if model:
        yield from start_rows(repeats)
    for size in sizes:
        yield from query_rows(made_up(base, size), HashedEncoder(), [case.query for case in base.test_queries[::12]][:8], repeats)
    for size in {1_000, max(sizes)}:
        yield from edit_rows(made_up(base, size, QUERIES), HashedEncoder(), repeats)
    for size in {min(4_000, max(sizes)), max(sizes)}:
        yield from clash_rows(made_up(base, size, QUERIES), HashedEncoder())
    for folder in sorted(path.parent for path in data.glob("**/tools.json")) if data else ():
        other = load_registry(folder, strict=False)
        yield from query_rows(other, HashedEncoder(), [case.query for case in other.test_queries[:8]], repeats)
        some = Registry(name=other.name, tools=other.tools, synonyms=other.synonyms, test_queries=other.test_queries[:QUERIES])
        yield from edit_rows(some, HashedEncoder(), repeats)
        yield from clash_rows(some, HashedEncoder())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a registry folder, or a folder of them, to time as well")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="tools of the made-up registries")
    parser.add_argument("--no-model", action="store_true", help="leave out what needs the bundled model")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    measured = list(rows(arguments.data, arguments.repeats, arguments.sizes, not arguments.no_model))
    if arguments.json:
        json.dump(measured, sys.stdout, indent=2)
        return
    title = "milliseconds; ratio = to the bare numpy pipeline on the same questions, to the effect of one edit, or to the whole"
    table = Table(box=None, header_style="bold", title=title)
    for heading in ("what", "runs", "p50", "p95", "ratio"):
        table.add_column(heading, justify="left" if heading == "what" else "right", no_wrap=True)
    for one in measured:
        ratio = f"{one['ratio']:.2f}" if one["ratio"] else ""
        table.add_row(one["what"], str(one["runs"]), f"{one['p50_ms']:.2f}", f"{one['p95_ms']:.2f}", ratio)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
