"""Print, as Markdown, what each stage is worth on a registry's own test questions: all stages, then each one off.

usage: python -m tests.benchmarks.stages [--profile NAME] [FOLDER …]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from curator_core import PROFILE_NAMES, Curator, evaluate, profile, switches_of

SHOWN = ("hit@1", "recall@5", "recall@10", "recall@20", "mrr", "ndcg@10", "all@10")


def table(folder: Path, name: str = "seed") -> Iterator[str]:
    """Yield the table's lines; figures in percent of the judged questions, MRR and nDCG times 100."""
    curator = Curator.from_folder(folder)
    start = profile(name)
    runs = {"all stages": start, **{f"without {stage}": start.with_values({stage: False}) for stage in switches_of(name)}}
    yield f"| {' | '.join(('', *SHOWN, 'no-tool flagged'))} |"
    yield f"|---|{'---:|' * (len(SHOWN) + 1)}"
    for title, settings in runs.items():
        evaluation = evaluate(curator, curator.index.registry.test_queries, settings)
        figures = (f"{100 * (evaluation.metrics[name] or 0):.1f}" for name in SHOWN)
        no_tool = evaluation.no_tool
        yield f"| {title} | {' | '.join(figures)} | {no_tool['flagged']} of {no_tool['queries']} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", type=Path, default=[Path("sample_registries/campus")])
    parser.add_argument("--profile", default="seed", choices=PROFILE_NAMES)
    arguments = parser.parse_args()
    for folder in arguments.folders:
        print(f"\n{folder}", *table(folder, arguments.profile), sep="\n")
