"""`make bench`: how long things take and what memory, as ratios within this one run (machines are noisy; ratios travel, seconds do not)."""

from __future__ import annotations

import argparse
import json
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from tests.benchmarks.made_up import HashedEncoder, HashedTexts, made_up
from tests.benchmarks.memory import measured as measured_memory
from tests.benchmarks.peers import installed

ROOT = Path(__file__).parents[2]
SIZES = (200, 2_000, 20_000, 100_000)
LARGEST_EDITED = 20_000  # tools of the largest registry that is edited, evaluated and looked through for clashes
QUERIES = 500
BARE = "a bare numpy pipeline"
_REST_SECONDS = 0.1  # after a product, BLAS's threads look for more work for 30 to 60 ms, on a processor that the next way may want


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


def in_turn(asks: Mapping[str, Callable[[str], object]], questions: Iterable[str], repeats: int) -> dict[str, list[float]]:
    """Time each way of asking, question by question, so that what else the machine does meets all of them."""
    times: dict[str, list[float]] = {name: [] for name in asks}
    for question in questions:
        for name, ask in asks.items():
            often = max(repeats // 5, 1) if "every row" in name or "letter" in name else repeats
            time.sleep(_REST_SECONDS)
            times[name] += timed(partial(ask, question), often)
    return times


def query_rows(registry: Registry, encoder: Any, questions: list[str], repeats: int) -> Iterator[dict[str, Any]]:
    """Time whole answers without their encoding: ours, for all and for a role, the yardsticks, and the peers that are installed."""
    curator, size, tuned = Curator(build_index(registry, encoder)), len(registry.tools), profile("tuned")
    asks: dict[str, Callable[[str], object]] = {
        BARE: Bare(registry, encoder).curate,
        "curate": curator.curate,
        "curate, profile tuned": partial(curator.curate, settings=tuned),
        "curate, then its listing as JSON": lambda question: curator.curate(question).to_dict(),
        "curate, then every row as JSON": lambda question: curator.curate(question).to_dict("all"),
        "the seed to the letter": Letter(registry, encoder).curate,
    }
    if "clerk" in registry.roles:
        asks["curate for a role that sees 1 % of the tools"] = partial(curator.curate, role="clerk")
        asks["the same, profile tuned"] = partial(curator.curate, role="clerk", settings=tuned)
    peers = dict(installed(registry, encoder))
    times = in_turn(asks | {name: ask for name, ask in peers.items() if ask}, questions, repeats)
    yield from (row(f"{name} ({size} tools)", values, times[BARE]) for name, values in times.items())
    yield from ({"what": f"{name} ({size} tools)", "note": "not installed"} for name, ask in peers.items() if ask is None)


def whole_rows(registry: Registry, encoder: Any, questions: list[str], repeats: int) -> Iterator[dict[str, Any]]:
    """Time questions that nobody has asked before, encoding and all, against the encoding alone."""
    curator, size, alone = Curator(build_index(registry, HashedTexts(encoder))), len(registry.tools), list[float]()
    whole: dict[str, list[float]] = {"seed": [], "tuned": []}
    for number, question in enumerate(questions * max(repeats // 4, 1)):
        alone.append(once(partial(encoder.encode_query, f"{question} {number}")))
        for name, values in whole.items():
            values.append(once(partial(curator.curate, f"{question} {name} {number}", settings=profile(name))))
    base = alone[1:]
    yield row(f"the encoding of a new question ({size} tools)", base, base)
    yield from (row(f"a new question with its encoding, profile {name} ({size} tools)", some[1:], base) for name, some in whole.items())


def once(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


def memory_rows(sizes: Iterable[int]) -> Iterator[dict[str, Any]]:
    """Measure what processes of their own take: the largest registry, and each further author's draft of one."""
    largest, edited = max(sizes), min(max(sizes), LARGEST_EDITED)
    for name in ("seed", "tuned"):
        yield {
            "what": f"peak memory of a process, profile {name}, no model ({largest} tools)",
            "mb": measured_memory("peak", largest, name),
        }
    for name in ("seed", "tuned"):
        yield {
            "what": f"memory of a further author's draft, profile {name} ({edited} tools)",
            "mb": measured_memory("drafts", edited, name),
        }


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
    yield row(f"the same from scratch {title}", timed(rebuilt, max(repeats // 10, 1)), quick)


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
        yield row(f"of that, {stage}", [reached_ms - before], [whole])
        before = reached_ms


def row(what: str, milliseconds: list[float], base: list[float] | None = None) -> dict[str, Any]:
    """Return the quickest tenth (as on a calm machine), the median, the slowest twentieth; the first two also as multiples of a base."""
    p10, p50, p95 = (_quantile(milliseconds, share) for share in (0.1, 0.5, 0.95))
    ratio, calm = (p50 / _quantile(base, 0.5), p10 / _quantile(base, 0.1)) if base else (None, None)
    found = {"p10_ms": p10, "p50_ms": p50, "p95_ms": p95, "ratio": ratio, "calm_ratio": calm}
    return {"what": what, "runs": len(milliseconds), **found}


def _quantile(values: list[float], share: float) -> float:
    return statistics.median(values) if share == 0.5 else sorted(values)[math.ceil(share * (len(values) - 1))]


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


def parts(sizes: Sequence[int], repeats: int, model: bool, data: Path | None) -> dict[str, Callable[[], Iterator[dict[str, Any]]]]:
    """Return the parts of the benchmark by name.

    sizes: tools of made-up registries; model: also what needs the bundled model; data: a folder of further registries.
    """
    base, edited = load_registry(ROOT / "sample_registries" / "campus"), min(max(sizes), LARGEST_EDITED)
    questions = [case.query for case in base.test_queries[::12]]

    def of(sizes: Iterable[int], time_one: Callable[[Registry], Iterator[dict[str, Any]]], cases: int = 0) -> Iterator[dict[str, Any]]:
        for size in sorted(set(sizes)):
            yield from time_one(made_up(base, size, cases))

    asked = lambda one: query_rows(one, HashedEncoder(), questions[:8], repeats if len(one.tools) <= LARGEST_EDITED else repeats // 4)
    both = [size for size in sizes if 2_000 <= size <= LARGEST_EDITED]
    needing_model = {
        "start": lambda: start_rows(repeats),
        "whole": lambda: of(both, lambda one: whole_rows(one, load_encoder("bundled"), questions, repeats)),
    }
    return {
        **(needing_model if model else {}),
        "queries": lambda: of(sizes, asked),
        "memory": lambda: memory_rows(sizes),
        "edits": lambda: of({min(1_000, edited), edited}, lambda one: edit_rows(one, HashedEncoder(), repeats), QUERIES),
        "clashes": lambda: of({min(4_000, edited), edited}, lambda one: clash_rows(one, HashedEncoder()), QUERIES),
        **({"data": lambda: data_rows(data, repeats)} if data else {}),
    }


def data_rows(data: Path, repeats: int) -> Iterator[dict[str, Any]]:
    """Time further registries: one folder, or all below it."""
    for folder in sorted(path.parent for path in data.glob("**/tools.json")):
        other = load_registry(folder, strict=False)
        yield from query_rows(other, HashedEncoder(), [case.query for case in other.test_queries[:8]], repeats)
        some = Registry(name=other.name, tools=other.tools, synonyms=other.synonyms, test_queries=other.test_queries[:QUERIES])
        yield from edit_rows(some, HashedEncoder(), repeats)
        yield from clash_rows(some, HashedEncoder())


def table_of(measured: Iterable[dict[str, Any]]) -> Table:
    title = "milliseconds; ratio = to the bare numpy pipeline on the same questions, the encoding, the effect of one edit, the whole"
    table = Table(box=None, header_style="bold", title=title)
    for heading in ("what", "runs", "p10", "p50", "p95", "ratio", "p10 ratio"):
        table.add_column(heading, justify="left" if heading == "what" else "right", no_wrap=True)
    for one in measured:
        if "p50_ms" not in one:
            table.add_row(one["what"], "", "", f"{one['mb']:.1f} MB" if "mb" in one else one["note"])
            continue
        figures = ("p10_ms", "p50_ms", "p95_ms", "ratio", "calm_ratio")
        table.add_row(one["what"], str(one["runs"]), *("" if one[name] is None else f"{one[name]:.2f}" for name in figures))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="a registry folder, or a folder of them, to time as well")
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES, help="tools of the made-up registries")
    parser.add_argument("--no-model", action="store_true", help="leave out what needs the bundled model")
    parser.add_argument("--only", nargs="*", default=(), metavar="PART", help="start, whole, queries, memory, edits, clashes, data")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write what was measured into this file too")
    arguments = parser.parse_args()
    made = parts(arguments.sizes, arguments.repeats, not arguments.no_model, arguments.data)
    measured = [one for name, part in made.items() if name in (arguments.only or made) for one in part()]
    if arguments.json:
        arguments.json.write_text(json.dumps(measured, indent=2) + "\n", encoding="utf-8")
    Console(width=140).print(table_of(measured))


if __name__ == "__main__":
    main()
