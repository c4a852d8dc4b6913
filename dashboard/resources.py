"""What all sessions of one process share: encoders, indexes by content, and stores of drafts. The only file with st.cache_resource."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from weakref import WeakValueDictionary

import streamlit as st

from curator_core import (
    Curator,
    CuratorError,
    Encoder,
    Pace,
    Registry,
    Settings,
    Store,
    StoreError,
    ToolIndex,
    build_index,
    catch_up,
    changed_files,
    default_cache_dir,
    load_encoder,
    load_registry,
    open_store,
    store_that_is_down,
)
from dashboard.jobs import Jobs
from dashboard.overlap.drawings import DRAWN_EARLY, Drawings
from dashboard.runs import Runs
from dashboard.turns import TURNS

_MAP_SECONDS = 20.0
_KEPT_SNAPSHOTS = 16  # beside those that some tab shows
_RETRY_SECONDS = 10.0  # a server that does not answer keeps everybody waiting while it is tried
FIRST_PAGE = threading.Event()  # set once somebody's page was made
_LOG = logging.getLogger(__name__)
_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """Which embedding model: a name for load_encoder, and a query prefix that replaces the model's own."""

    name: str = "auto"
    query_prefix: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an index is. stage: what is being done, in words; done, total: texts; error: why there is no meaning match."""

    stage: str
    done: int = 0
    total: int = 0
    error: str = ""


class Snapshot:
    """The index of one registry's content: words at once, meaning as soon as the model has read the texts.

    read: the index whose texts are all read, from the cache perhaps before the model is loaded; full: the same once it takes questions.
    Its `index.registry` may differ from yours in test queries and name, which no ranking depends on.
    """

    def __init__(self, registry: Registry, previous: Snapshot | None = None) -> None:
        self.registry = registry
        self._previous = previous.read if previous is not None else None
        self.progress = Progress("Loading the model…")
        self._pace = Pace()
        self.read: ToolIndex | None = None
        self.full: ToolIndex | None = None
        self.finished_at: datetime | None = None
        self._words: ToolIndex | None = None
        self._lock = threading.Lock()
        self._finished = threading.Event()

    @property
    def index(self) -> ToolIndex:
        """The full index, or one of words only while that is not there."""
        if self.full is not None:
            return self.full
        with self._lock:
            if self._words is None:
                self._words = build_index(self.registry, None, previous=self._previous)
            return self._words

    @property
    def finished(self) -> bool:
        """Whether no more will come: the full index is there, or an error."""
        return self._finished.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is finished, at most so long; return whether it is."""
        return TURNS.wait(self._finished, seconds)

    def build(
        self,
        encoder: Callable[[], Encoder],
        cache_dir: Path | None,
        when_read: Callable[[ToolIndex], object],
        settings: Settings | None = None,
    ) -> None:
        """Build the full index; runs in a thread of its own. when_read: called with it before the model is loaded for questions."""
        try:
            model = encoder()
            self._pace = Pace()
            with TURNS.ahead():
                index = self.read = build_index(self.registry, model, cache_dir, previous=self._previous, progress=self._report)
            when_read(index)
            self.progress = Progress("Loading the model…")
            model.encode_query("ready")  # here, not in a page's first question
            if settings is not None and (settings.tool_vectors or settings.examples):
                self._pace = Pace()
                Curator(index, settings).prepare(self._report_further)
            self.full = index
            self.progress = Progress("Ready")
        except CuratorError as error:
            self.read, self.progress = None, Progress("Words only", error=str(error))
        except Exception as error:  # noqa: BLE001 - in a thread nobody else would hear of it, and pages would wait for ever
            _LOG.exception("building the index failed")
            self.read = None
            self.progress = Progress(
                "Words only", error=f"the model failed: {type(error).__name__}: {error}; see the console, then try again"
            )
        finally:
            self.finished_at = datetime.now(UTC)
            self._finished.set()

    def _report_further(self, done: int, total: int) -> None:
        self.progress = Progress(f"Reading what the profile tuned looks at: {self._pace.said(done, total)}", done, total)

    def _report(self, done: int, total: int) -> None:
        self.progress = Progress(f"Reading tools: {self._pace.said(done, total)}", done, total)


class Workbench:
    """Encoders, one per model, index snapshots by content, and stores by folder; bounded, and safe for threads.

    folder: the registry that the process opened last, where a session without a choice of its own starts. drawings: of the Overlap page.
    runs: evaluations of test queries. logs: what nothing answers well of the logged questions. clashes: of the Overlap
    page. checks: of Home. costs: of the Playground. audits: of stages and profiles, on the Engine page. readings: of what a profile
    looks at beside the indexed texts. advice: phrases that were tried. suggestions: texts for failing tools. xrays: of tools' words.
    """

    def __init__(self, cache_dir: Path | None) -> None:
        self.cache_dir = cache_dir
        self.drawings = Drawings(cache_dir)
        self.runs = Runs()
        self.logs = Jobs("asking the logged questions")
        self.clashes = Jobs("finding the clashes")
        self.checks = Jobs("checking the texts")
        self.costs = Jobs("counting what all tools cost")
        self.audits = Jobs("asking the test queries with and without a stage")
        self.readings = Jobs("reading the texts")
        self.advice = Jobs("trying phrases")
        self.suggestions = Jobs("trying texts")
        self.xrays = Jobs("leaving words out")
        self.folder: str | None = None
        self._encoders: dict[Model, Encoder] = {}
        self._snapshots: OrderedDict[_Key, Snapshot] = OrderedDict()
        self._in_use: WeakValueDictionary[_Key, Snapshot] = WeakValueDictionary()  # these, and older ones that some tab still holds
        self._read: tuple[Path, Registry] | None = None
        self._stores: dict[Path, Store] = {}
        self._retry_at = 0.0
        self._lock = threading.Lock()
        self._encoder_lock = threading.Lock()
        self._store_lock = threading.Lock()

    def registry(self, folder: Path) -> Registry:
        """Return a folder's registry, the one read last where its files are as they were. Raises RegistryError."""
        read = self._read
        if read is None or read[0] != folder or changed_files(read[1], folder):
            read = self._read = (folder, load_registry(folder, strict=False))
        return read[1]

    def store(self, folder: Path) -> Store:
        """Return the process's one store of drafts and revisions of a registry folder. Raises RegistryError.

        Where it cannot be opened, an empty one that takes nothing stands in for it (Store.down says why), and opening is tried again.
        """
        with self._store_lock:
            found = self._stores.get(folder)
            if found is None or (found.down and time.monotonic() > self._retry_at):
                try:
                    opened = open_store(folder)
                except StoreError as error:
                    opened = self._stand_in(folder, str(error))
                if found is not None:
                    found.close()
                found = self._stores[folder] = opened
            return found

    def catch_up(self, folder: Path, registry: Registry) -> None:
        """Bring the history up to the registry as it was just loaded; where the store fails, go on without it."""
        try:
            catch_up(self.store(folder), registry)
        except StoreError as error:
            self.lose_store(folder, str(error))

    def lose_store(self, folder: Path, reason: str) -> None:
        """Go on without a store that failed, until it can be opened again."""
        with self._store_lock:
            lost = self._stores.pop(folder, None)
            self._stores[folder] = self._stand_in(folder, reason)
        if lost is not None:
            lost.close()

    def retry_store(self) -> None:
        """Try at the next look, instead of in a while, to open a store that is down."""
        self._retry_at = 0.0

    def _stand_in(self, folder: Path, reason: str) -> Store:
        self._retry_at = time.monotonic() + _RETRY_SECONDS
        return store_that_is_down(folder, reason)

    def close(self) -> None:
        """Let go of the stores."""
        with self._store_lock:
            while self._stores:
                self._stores.popitem()[1].close()

    def encoder(self, model: Model) -> Encoder:
        """Return the process's one encoder of this model. Raises ModelUnavailable."""
        with self._encoder_lock:
            if model not in self._encoders:
                self._encoders[model] = load_encoder(model.name, model.query_prefix)
            return self._encoders[model]

    def open(self, registry: Registry, model: Model, previous: Snapshot | None = None, settings: Settings | None = None) -> Snapshot:
        """Return the snapshot of a registry's content at once; the first call for it starts building its index in the background.

        previous: a snapshot whose vectors are used again, so that an edit embeds one text. settings: what their stages look at beside
        the indexed texts is read too before the index counts as ready.
        """
        key = (registry.content, model)
        with self._lock:
            snapshot = self._in_use.get(key)
            if snapshot is None:
                snapshot = self._in_use[key] = Snapshot(registry, previous)
                self._start(snapshot, model, (lambda _: None) if previous else self._draw_early, settings)
            self._snapshots[key] = snapshot
            self._snapshots.move_to_end(key)
            while len(self._snapshots) > _KEPT_SNAPSHOTS:
                self._snapshots.popitem(last=False)
        return snapshot

    def forget_failed(self) -> None:
        """Drop the snapshots that ended with an error, so that the next look tries again."""
        with self._lock:
            for key in [key for key, snapshot in self._in_use.items() if snapshot.finished and snapshot.progress.error]:
                del self._in_use[key]
                self._snapshots.pop(key, None)
        with self._encoder_lock:
            self._encoders.clear()

    def _start(self, snapshot: Snapshot, model: Model, when_read: Callable[[ToolIndex], object], settings: Settings | None) -> None:
        arguments = (lambda: self.encoder(model), self.cache_dir, when_read, settings)
        threading.Thread(target=snapshot.build, args=arguments, name="build-index", daemon=True).start()

    def _draw_early(self, index: ToolIndex) -> None:
        """Begin the map of a large registry; the model, which takes longer, waits so that they do not slow each other down.

        Nor does it slow the page down that will show the map, if one is asked for by then.
        """
        if len(index.keys) >= DRAWN_EARLY:
            drawing = self.drawings.of(index)
            if drawing.wait(_MAP_SECONDS, only_map=True):
                drawing.wait_for_look()


@st.cache_resource(show_spinner=False)
def workbench() -> Workbench:
    """Return the process's workbench."""
    return Workbench(default_cache_dir())
