"""The maps that a process draws: one thread at a time in the background, kept by content. Pure: no Streamlit."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from curator_core import (
    Clusters,
    CuratorError,
    DrawingProcess,
    Layout,
    Neighbour,
    Pair,
    Settings,
    ToolIndex,
    ToolMap,
    closest_pairs,
    kept_map,
    nearest_tools,
    sketch,
)
from curator_core.index import segment_kinds
from dashboard.turns import TURNS

if TYPE_CHECKING:
    from subprocess import Popen

    from curator_core.index import Progress
    from curator_core.map.drawing_process import Picture
    from curator_core.nearest import Rows

PAIRS = 100
DRAWN_EARLY = 500  # tools from which a map takes so long that it is begun before somebody looks
SKETCHED = 6_000  # tools from which drawing takes so long that a sketch is worth the second that a browser needs for it
_LOOK_SECONDS, _SHOW_SECONDS = 3.0, 10.0  # how long what comes after a map waits for a page to take it, and then for a browser to show it
_KEPT_DRAWINGS = 8
_KEPT_PIECES = 12
_Made = TypeVar("_Made")
_LOG = logging.getLogger(__name__)


class Drawing:
    """What the Overlap page shows of one index, as far as it is there.

    stage: what is being done, in words. sketch: something to look at while the map is drawn, None where it need not be, or is one that is
    kept. map: where the tools stand, and their clusters. nearest: a little later, each tool's nearest
    one, in order of keys, empty for a single tool. error: why there is no map.
    """

    def __init__(self, index: ToolIndex, before: Drawing | None = None, process: DrawingProcess | None = None) -> None:
        self.index = index
        self.stage = "Drawing the map"
        self.sketch: Layout | None = None
        self.map: ToolMap | None = None
        self.nearest: tuple[Neighbour, ...] = ()
        self.error = ""
        self._before, self._process = before, process
        self._made: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self._drawn, self._finished = threading.Event(), threading.Event()
        self._looked_at, self._seen = threading.Event(), threading.Event()

    @property
    def layout(self) -> Layout | None:
        """Where the tools stand, once that is known."""
        return self.map.layout if self.map else None

    @property
    def shown(self) -> Layout | None:
        """The map, or the sketch as long as there is none."""
        return self.layout or self.sketch

    @property
    def clusters(self) -> Clusters | None:
        """Which tools belong together, once that is known."""
        return self.map.clusters if self.map else None

    @property
    def finished(self) -> bool:
        """Whether no more will come: all is there, or an error."""
        return self._finished.is_set()

    def wait(self, seconds: float, only_map: bool = False) -> bool:
        """Wait until all, or only the map, is there, at most so long; return whether it is."""
        return TURNS.wait(self._drawn if only_map else self._finished, seconds)

    def look(self) -> None:
        """Say that a page has the map: what comes after it waits until that page's browser shows it."""
        if self.map is not None:
            self._looked_at.set()

    def see(self) -> None:
        """Say that a browser shows the map: what waits so as not to slow that browser down goes on."""
        if self.map is not None:
            self._seen.set()

    def wait_for_look(self) -> None:
        """Wait a little until a browser shows the map of a large registry, so that what comes after the map does not slow it down."""
        if len(self.index.keys) >= DRAWN_EARLY and self._looked_at.wait(_LOOK_SECONDS):
            self._seen.wait(_SHOW_SECONDS)

    def make(self, cache_dir: Path | None, turn: threading.Lock) -> None:
        """Draw; runs in a thread of its own. turn: held meanwhile, since drawing is only repeatable with one drawing at a time."""
        try:
            if self._before is not None:
                self._before._drawn.wait()
            with turn:
                self._make(cache_dir)
        except CuratorError as error:
            self.error = str(error)
        except Exception as error:  # noqa: BLE001 - in a thread nobody else would hear of it, and the page would wait for ever
            _LOG.exception("drawing the map failed")
            self.error = f"the map could not be drawn: {type(error).__name__}: {error}; see the console"
        finally:
            self._before = None
            self._let_go()
            self._drawn.set()
            self._finished.set()

    def _make(self, cache_dir: Path | None) -> None:
        apart = {"draw": self._draw_apart} if len(self.index.keys) >= DRAWN_EARLY else {}
        self.map = kept_map(self.index, cache_dir, self._before.map if self._before else None, self._report, **apart)
        self._let_go()
        self._drawn.set()
        if self._before is None:
            self.wait_for_look()
        self.stage = "Comparing tools"
        self.nearest = nearest_tools(self.index)
        self.pairs(PAIRS, None, Settings())

    def _draw_apart(self, rows: Rows, progress: Progress | None) -> Picture | None:
        """Let another process draw, so that pages of this one are not kept waiting; None where there cannot be one."""
        try:
            process = self._process = self._process if self._process and self._process.waits else DrawingProcess()
        except OSError:
            return None
        return process.draw(rows, progress)

    def _let_go(self) -> None:
        """End the process that was made ready, where the map is kept and nothing is left for it to draw."""
        if self._process is not None:
            self._process.close()
            self._process = None

    def _report(self, done: int, total: int) -> None:
        if not done and self.sketch is None and len(self.index.keys) >= SKETCHED:
            self.sketch = sketch(self.index)
        self.stage = f"Drawing the map: {done:,} of {total:,} stand" if done < total else "Naming the clusters"

    def pairs(self, limit: int, role: str | None, settings: Settings) -> tuple[Pair, ...]:
        """Return the closest pairs, one tool of each pile of identical ones; kept for the last few roles."""
        key = ("pairs", limit, role, segment_kinds(settings), settings.token_min_length)
        return self.once(key, lambda: closest_pairs(self.index, limit, role, settings, one_per_pile=True))

    def once(self, key: tuple[object, ...], make: Callable[[], _Made]) -> _Made:
        """Return what is kept under this key, made now if it is not there; the last few are kept."""
        if key not in self._made:
            self._made[key] = make()
            while len(self._made) > _KEPT_PIECES:
                self._made.popitem(last=False)
        made: _Made = self._made[key]
        return made


class Drawings:
    """The last few drawings of a process, by what they show; safe for threads."""

    def __init__(self, cache_dir: Path | None) -> None:
        self._cache_dir = cache_dir
        self._kept: OrderedDict[str, Drawing] = OrderedDict()
        self._process: DrawingProcess | None = None
        self._lock, self._turn = threading.Lock(), threading.Lock()

    def make_ready(self, tools: int, started: Popen[bytes] | None = None) -> None:
        """Start what draws the map of so many tools, if that takes long, for the next drawing to take.

        started: a process that was begun before anybody knew how many they are; it ends where it is not needed.
        """
        if tools >= DRAWN_EARLY:
            with self._lock, suppress(OSError):
                self._process = DrawingProcess(started)
        elif started is not None:
            DrawingProcess(started).close()

    def of(self, index: ToolIndex, before: Drawing | None = None) -> Drawing:
        """Return the drawing of an index at once; the first call for it starts it in the background.

        before: a drawing whose tools stay where they are.
        """
        with self._lock:
            drawing = self._kept.get(index.fingerprint)
            if drawing is None:
                drawing = self._kept[index.fingerprint] = Drawing(index, before, self._process)
                self._process = None
                threading.Thread(target=drawing.make, args=(self._cache_dir, self._turn), name="draw-map", daemon=True).start()
            self._kept.move_to_end(index.fingerprint)
            while len(self._kept) > _KEPT_DRAWINGS:
                self._kept.popitem(last=False)
        return drawing
