"""The yardsticks of `make bench` do the work that they are said to do."""

from __future__ import annotations

from pathlib import Path

from curator_core import Curator, build_index, load_registry, profile
from tests.benchmarks.bare import Bare
from tests.benchmarks.made_up import HashedEncoder, made_up

CAMPUS = Path(__file__).parents[2] / "sample_registries" / "campus"


def test_the_bare_pipeline_picks_the_same_tools() -> None:
    campus, encoder = load_registry(CAMPUS), HashedEncoder()
    alike = profile("seed").with_values({"anchor": False, "split": False, "low_confidence": False})
    questions = [case.query for case in campus.test_queries[:60]]
    for registry in (campus, made_up(campus, 2_000)):
        curator, bare = Curator(build_index(registry, encoder), alike), Bare(registry, encoder)
        assert [bare.curate(question) for question in questions] == [list(curator.curate(question).tools) for question in questions]
