"""A process that draws one map: neither what that takes to import nor the work itself keeps the threads of this one waiting."""

from __future__ import annotations

import gc
import importlib
import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from curator_core.index import Progress, ToolIndex
from curator_core.map.clusters import Clusters, grouped, named_clusters
from curator_core.map.drawing_start import start_drawing
from curator_core.map.layout import Layout, model_of
from curator_core.map.plane import drawn, neighbours_kept
from curator_core.nearest import Rows
from curator_core.overlap import text_digests
from curator_core.records import Floats, Ints, frozen

_PATIENCE_SECONDS = 60.0  # with nothing to draw it ends: the texts are still being embedded, or their map is kept
_LOOK_SECONDS = 0.5  # how often it looks whether the process that began it is still there


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What is drawn of vectors (n, d): positions (n, 2), by which method, the share of neighbours kept, and each one's cluster (n,)."""

    positions: Floats
    method: str
    neighbours_kept: float | None
    numbers: Ints

    def to_dict(self) -> dict[str, Any]:
        """Return JSON-serialisable values; `from_dict` gives the picture back to the last bit."""
        arrays = {"positions": self.positions.tolist(), "numbers": self.numbers.tolist()}
        return {"method": self.method, "neighbours_kept": self.neighbours_kept, **arrays}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Picture:
        """Make a picture of what `to_dict` gave."""
        positions, numbers = np.array(values["positions"], dtype=np.float64), np.array(values["numbers"], dtype=np.int64)
        return cls(positions.reshape(-1, 2), values["method"], values["neighbours_kept"], numbers)

    def of(self, index: ToolIndex) -> tuple[Layout, Clusters]:
        """Return it as the layout and the clusters of the index whose vectors it was drawn of."""
        placed = frozen(np.zeros(len(self.positions), dtype=bool))
        known = (index.fingerprint, model_of(index), index.keys, text_digests(index))
        layout = Layout(*known, frozen(self.positions), placed, self.method, self.neighbours_kept)
        return layout, named_clusters(index, self.numbers)


class DrawingProcess:
    """Another Python that is made ready at once, while this one reads the texts, and draws when it is given their vectors; it ends with
    that, with this process, or when nothing comes.
    """

    def __init__(self, started: subprocess.Popen[bytes] | None = None) -> None:
        """Take the process that `start_drawing` started, or start one. Raises OSError where there cannot be one."""
        self._process = started or start_drawing()

    @property
    def waits(self) -> bool:
        """Whether it is there to be given something to draw."""
        return self._process.poll() is None

    def draw(self, rows: Rows, progress: Progress | None = None) -> Picture | None:
        """Draw vectors (n, d) as `picture_of` does, None where the process failed: its console says why. progress: as in `plane.drawn`."""
        try:
            with self._process as process:
                assert process.stdin
                assert process.stdout
                with process.stdin as there:
                    there.write(json.dumps(rows.shape).encode("ascii") + b"\n" + np.ascontiguousarray(rows, dtype=np.float32).tobytes())
                for line in process.stdout:
                    said = json.loads(line)
                    if isinstance(said, dict):
                        return Picture.from_dict(said)
                    if progress is not None:
                        progress(*said)
        except (OSError, ValueError, KeyError, TypeError):
            self.close()
        return None

    def close(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        with self._process:
            pass


def picture_of(rows: Rows, progress: Progress | None = None) -> Picture:
    """Draw vectors (n, d): `plane.drawn`, how far that can be trusted, and their clusters. progress: as in `plane.drawn`."""
    positions, method = drawn(rows, progress)
    return Picture(positions, method, neighbours_kept(rows, positions), grouped(rows))


def _serve() -> None:
    """Read vectors, tell how far their picture is, one JSON value a line, and write it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C reaches every process of a terminal: end without a traceback
    told, sys.stdout = sys.stdout, sys.stderr
    tell: Callable[[Any], None] = lambda value: print(json.dumps(value), file=told, flush=True)
    threading.Thread(target=_end_with, args=[os.getppid()], daemon=True).start()
    gc.disable()  # it lives for seconds, and imports make much that looks like rubbish
    _make_ready()
    patience = threading.Timer(_PATIENCE_SECONDS, os._exit, [0])
    patience.daemon = True
    patience.start()
    shape = sys.stdin.buffer.readline()
    patience.cancel()
    content = sys.stdin.buffer.read()
    if shape and len(content) == 4 * math.prod(size := json.loads(shape)):  # else who asked was killed while it wrote
        rows = np.frombuffer(content, dtype=np.float32).reshape(size)
        with suppress(BrokenPipeError):  # or while it waited
            tell(picture_of(rows, lambda done, total: tell([done, total])).to_dict())


def _end_with(parent: int) -> None:
    """End this process when the one that began it is gone, also in the middle of a picture that nobody will look at."""
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(0)


def _make_ready() -> None:
    """Import what drawing takes, while nothing is there to draw."""
    for name in ("scipy.spatial", "sklearn.cluster", "sklearn.manifold"):
        importlib.import_module(name)


if __name__ == "__main__":
    _serve()
