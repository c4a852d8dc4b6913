"""Start the workbench: `python -m dashboard [FOLDER]`."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
import threading
from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent
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
    if arguments:
        begin(os.environ["TOOL_CURATOR_FOLDER"])
    load_pages()
    from streamlit.web import cli

    sys.setswitchinterval(_TURN_SECONDS)
    cli.main(["run", str(PACKAGE / "app.py")], prog_name="streamlit")
    return 0


def begin(folder: str) -> None:
    """Begin to index a registry, and open its store, while the server starts; whatever is wrong with it, the first page tells."""
    from curator_core import CuratorError, load_config
    from dashboard.resources import Model, workbench

    path = Path(folder)
    with suppress(CuratorError):
        registry, config = workbench().registry(path), load_config(path)
        workbench().drawings.make_ready(len(registry.tools))
        workbench().open(registry, Model(config.model, config.query_prefix), settings=config.settings)
        threading.Thread(target=workbench().catch_up, args=(path, registry), name="open-store", daemon=True).start()


def load_pages() -> None:
    """Import what the pages need, which takes its time: now, not in the first page, which would share the processor with it."""
    from dashboard import views

    for page in pkgutil.iter_modules(views.__path__, f"{views.__name__}."):
        importlib.import_module(page.name)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
