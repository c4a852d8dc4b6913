"""How many questions a second one process answers, encoding included, from 1, 2 and 4 threads; and what an edit costs a process.

`python -m tests.benchmarks.throughput [SECONDS]`, on the campus sample and on made-up registries of 2,000 and 20,000 tools.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

from curator_core import Curator, ToolIndex, build_index, load_encoder, load_registry
from tests.benchmarks.made_up import HashedEncoder, made_up

SAMPLE = Path(__file__).parents[2] / "sample_registries" / "campus"
THREADS = (1, 2, 4)


class RealQuestions(HashedEncoder):
    """Made-up vectors of tools, and the real model for questions: what encoding them costs is part of what is measured."""

    def __init__(self) -> None:
        super().__init__()
        self.encode_query = load_encoder("auto").encode_query


def main(seconds: float) -> None:
    campus, encoder = load_registry(SAMPLE), RealQuestions()
    for size in (len(campus.tools), 2_000, 20_000):
        registry = campus if size == len(campus.tools) else made_up(campus, size)
        index = build_index(registry, encoder)
        curator = Curator(index)
        curator.curate("first of all")
        rates = [rate(curator, threads, seconds) for threads in THREADS]
        figures = ", ".join(f"{threads}: {many:,.0f} ({cost:.1f} ms)" for threads, (many, cost) in zip(THREADS, rates, strict=True))
        print(f"{size:,} tools, questions a second by threads (processor time of each): {figures}; an edit: {edit_ms(index):.0f} ms")


def rate(curator: Curator, threads: int, seconds: float) -> tuple[float, float]:
    """Return how many questions a second are answered, and the processor time of each in ms; none twice, so that no vector is known."""
    questions = [case.query for case in load_registry(SAMPLE).test_queries]
    counts, until, used = [0] * threads, time.perf_counter() + seconds, time.process_time()

    def ask(number: int) -> None:
        while time.perf_counter() < until:
            curator.curate(f"{questions[counts[number] % len(questions)]} {threads} {number} {counts[number]}")
            counts[number] += 1

    started = [threading.Thread(target=ask, args=(number,)) for number in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()
    return sum(counts) / seconds, (time.process_time() - used) * 1000 / max(sum(counts), 1)


def edit_ms(index: ToolIndex) -> float:
    """Return the processor time that it takes to have an edited registry's index and its first answer."""
    start = time.process_time()
    key = index.registry.keys[0]
    edited = index.registry.with_edits([index.registry.edit(key, "description", f"another text {start}")])
    Curator(build_index(edited, index.encoder, previous=index)).curate("another text")
    return (time.process_time() - start) * 1000


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
