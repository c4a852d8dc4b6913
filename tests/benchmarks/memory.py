"""What memory a registry takes, each figure in a process of its own: `python -m tests.benchmarks.memory peak|drafts TOOLS [PROFILE]`."""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from curator_core import Curator, Registry, build_index, evaluate, load_registry, profile
from tests.benchmarks.made_up import HashedEncoder, made_up

CAMPUS = Path(__file__).parents[2] / "sample_registries" / "campus"
_MB = 1024 * 1024
AUTHORS = 10


def peak_mb(size: int, name: str) -> float:
    """Return the most memory the process has had after a registry is indexed and questions are asked; the encoder has no model."""
    base = load_registry(CAMPUS)
    with tempfile.TemporaryDirectory() as cache:
        curator = Curator(build_index(made_up(base, size), HashedEncoder(), cache), profile(name))
        for case in base.test_queries[:50]:
            curator.curate(case.query).to_dict()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def draft_mb(size: int, name: str) -> float:
    """Return what one more author's draft takes: three edits, their index, and their effect on the test queries."""
    registry, encoder = made_up(load_registry(CAMPUS), size, 500), HashedEncoder()
    index, kept = build_index(registry, encoder), []
    for author in range(AUTHORS + 2):
        if author == 2:  # the first drafts also fill what all share
            gc.collect()
            ctypes.CDLL(None).malloc_trim(0)  # what building the index left free would hide what the next drafts take
            before = _resident_mb()
        draft = _edited(registry, author)
        own = build_index(draft, encoder, previous=index)
        evaluate(Curator(own, profile(name)), draft.test_queries)
        kept.append((draft, own))
    return (_resident_mb() - before) / AUTHORS


def _edited(registry: Registry, author: int) -> Registry:
    keys = registry.keys[author * 3 : author * 3 + 3]
    return registry.with_edits([registry.edit(key, "extra_context", f"words of author {author} for {key}") for key in keys])


def _resident_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / _MB


def measured(what: str, size: int, name: str) -> float:
    """Return a figure in MB, from a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.memory", what, str(size), name]
    return float(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("peak", "drafts"))
    parser.add_argument("tools", type=int)
    parser.add_argument("profile", nargs="?", default="seed")
    arguments = parser.parse_args()
    print(json.dumps({"peak": peak_mb, "drafts": draft_mb}[arguments.what](arguments.tools, arguments.profile)))


if __name__ == "__main__":
    main()
