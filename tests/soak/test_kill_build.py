"""A process that reads 4,000 texts is killed again and again: what it said was read is never read anew, and the vectors are the same."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from curator_core import Settings, build_index, load_encoder, load_registry
from tests.benchmarks.made_up import made_up
from tests.benchmarks.memory import CAMPUS

TOOLS, EACH = 4_000, 500
BUILDER = """
import sys
from curator_core import build_index, load_encoder, load_registry
from tests.benchmarks.made_up import made_up
registry = made_up(load_registry(sys.argv[1]), int(sys.argv[2]))
build_index(registry, load_encoder("bundled"), sys.argv[3], progress=lambda done, total: print(done, total, flush=True))
"""


@pytest.mark.soak
@pytest.mark.model
@pytest.mark.timeout(1800)
def test_a_killed_build_goes_on_where_it_was(tmp_path: Path) -> None:
    command, left = [sys.executable, "-c", BUILDER, str(CAMPUS), str(TOOLS), str(tmp_path)], TOOLS
    for _ in range(4):
        builder, done, total = subprocess.Popen(command, stdout=subprocess.PIPE, text=True), 0, 0
        assert builder.stdout is not None
        while done < EACH:
            done, total = map(int, builder.stdout.readline().split())
        builder.kill()
        builder.wait()
        builder.stdout.close()
        assert total <= left, "what was read before is not read again"
        left = total - done
    registry, encoder = made_up(load_registry(CAMPUS), TOOLS), load_encoder("bundled")
    index = build_index(registry, encoder, tmp_path)
    assert index.build.embedded <= left
    vectors = index.dense(Settings())
    assert vectors is not None
    some = range(0, TOOLS, 400)
    assert np.array_equal(vectors.rows[list(some)], encoder.encode_documents([index.texts[place].text() for place in some]))
