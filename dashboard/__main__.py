"""Start the workbench: `python -m dashboard [FOLDER]`."""

from __future__ import annotations

import ctypes
import gc
import importlib
import os
import pkgutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from curator_core.map.drawing_start import start_drawing

_SERVER_SECONDS, _FIRST_PAGE_SECONDS = 10.0, 2.0
_GIVE_WAY_SECONDS = 1.0  # to a page that is being made, before the import of each other one
_LARGE_BYTES = 150_000  # of a registry's files: with less than that it hardly has the tools from which a map takes long
_M_ARENA_MAX, _ARENAS = -8, 2  # a setting of the C library on Linux, and its value
PACKAGE = Path(__file__).resolve().parent
_COLLECTED_AFTER = 20_000  # new objects: Python's own 700 would be there three times for each page, with what the page itself still holds
_TURN_SECONDS = 0.0005  # how long one thread may keep the others from going on; Python's own 5 ms would pass at each message of a page


def main(arguments: list[str]) -> int:
    """Run Streamlit on app.py; the folder reaches the page through TOOL_CURATOR_FOLDER."""
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(f"dashboard: found {' '.join(arguments)!r}; give one registry folder, or none to choose one on the page", file=sys.stderr)
        return 2
    if arguments:
        os.environ["TOOL_CURATOR_FOLDER"] = str(Path(arguments[0]).resolve())
    if (PACKAGE.parent / ".streamlit").is_dir():  # in a wheel the same file lies beside app.py, where Streamlit finds it by itself
        os.chdir(PACKAGE.parent)
    share_freed_memory()
    gc.disable()  # until the pages are imported: what that makes looks like rubbish, and looking it over takes a fifth of the start
    folder = Path(os.environ["TOOL_CURATOR_FOLDER"]) if arguments else None
    drawing = begin_drawing(folder) if folder else None
    large = folder is not None and drawing is not None and begin(folder, drawing)
    from streamlit.web import cli

    if large:
        load_pages()  # while its map is drawn: the first visitor would wait for both
    else:
        threading.Thread(target=load_behind, args=(None if drawing else folder,), name="import-pages", daemon=True).start()
    sys.setswitchinterval(_TURN_SECONDS)
    cli.main(["run", str(PACKAGE / "app.py")], prog_name="streamlit")
    return 0


def share_freed_memory() -> None:
    """Let all threads use again what any of them gave back: each run of a page has its own, and glibc would keep eight heaps a core."""
    if sys.platform == "linux":
        with suppress(AttributeError):  # a C library that has no such setting
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, _ARENAS)


def begin(folder: Path, drawing: subprocess.Popen[bytes] | None = None) -> bool:
    """Begin to index a registry, and open its store, before anybody looks at it; whatever is wrong with it, the first page tells.

    Return whether it is so large that its map is begun too. drawing: what was started for that case.
    """
    from curator_core import CuratorError, load_config
    from dashboard.overlap.drawings import DRAWN_EARLY
    from dashboard.resources import Model, workbench

    with suppress(CuratorError):
        registry, config = workbench().registry(folder), load_config(folder)
        workbench().drawings.make_ready(len(registry.tools), drawing)
        workbench().open(registry, Model(config.model, config.query_prefix), settings=config.settings)
        threading.Thread(target=workbench().catch_up, args=(folder, registry), name="open-store", daemon=True).start()
        return len(registry.tools) >= DRAWN_EARLY
    workbench().drawings.make_ready(0, drawing)
    return False


def begin_drawing(folder: Path) -> subprocess.Popen[bytes] | None:
    """Start what draws a map where a registry's files are as large as those of one whose map takes long; None elsewhere.

    It has much to import, and so has this process before it reads the registry.
    """
    with suppress(OSError):
        if sum(file.stat().st_size for file in folder.glob("*.json")) >= _LARGE_BYTES:
            return start_drawing()
    return None


def load_pages() -> None:
    """Import what the pages need, which takes its time, and collect rubbish again."""
    try:
        from dashboard import views
        from dashboard.turns import TURNS

        for page in pkgutil.iter_modules(views.__path__, f"{views.__name__}."):
            TURNS.rest(_GIVE_WAY_SECONDS)
            importlib.import_module(page.name)
    finally:
        gc.freeze()  # what is imported stays: no later look for rubbish goes through it
        gc.set_threshold(_COLLECTED_AFTER)
        gc.enable()


def load_behind(folder: Path | None) -> None:
    """Open a registry, and import what pages need, once the server takes visitors: the first one's browser has work of its own meanwhile.

    First what every page needs. The rest, beginning with what answers a question, comes after the page that is asked for first, or after a
    while; what that page needs itself it imports.
    """
    try:
        wait_for_server()
        if folder:
            begin(folder)
        importlib.import_module("dashboard.views.home")
        from dashboard.resources import FIRST_PAGE

        FIRST_PAGE.wait(_FIRST_PAGE_SECONDS)
        importlib.import_module("dashboard.views.playground")
    finally:
        load_pages()


def wait_for_server(seconds: float = _SERVER_SECONDS) -> None:
    """Wait until the server takes visitors, at most so long."""
    from streamlit import runtime

    until = time.monotonic() + seconds
    while time.monotonic() < until and not (runtime.exists() and runtime.get_instance().state is not runtime.RuntimeState.INITIAL):
        time.sleep(0.01)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
