"""Print, as Markdown, what each stage is worth on a registry's own test questions: all stages, then each one off.

usage: python -m tests.benchmarks.stages [FOLDER …]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from curator_core import STAGES, Curator, Settings, evaluate

SHOWN = ("hit@1", "recall@5", "recall@10", "recall@20", "mrr", "ndcg@10", "all@10")


def table(folder: Path) -> Iterator[str]:
    """Yield the table's lines; figures in percent of the judged questions, MRR and nDCG times 100."""
    curator = Curator.from_folder(folder)
    runs = {"all stages": Settings(), **{f"without {name}": Settings(**{name: False}) for name in STAGES}}
    yield f"| {' | '.join(('', *SHOWN, 'no-tool flagged'))} |"
    yield f"|---|{'---:|' * (len(SHOWN) + 1)}"
    for title, settings in runs.items():
        evaluation = evaluate(curator, curator.index.registry.test_queries, settings)
        figures = (f"{100 * (evaluation.metrics[name] or 0):.1f}" for name in SHOWN)
        no_tool = evaluation.no_tool
        yield f"| {title} | {' | '.join(figures)} | {no_tool['flagged']} of {no_tool['queries']} |"


if __name__ == "__main__":
    for argument in sys.argv[1:] or ["sample_registries/campus"]:
        print(f"\n{argument}", *table(Path(argument)), sep="\n")
