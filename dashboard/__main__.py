"""Start the workbench: `python -m dashboard [FOLDER]`."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def main(arguments: list[str]) -> int:
    """Run Streamlit on app.py; the folder reaches the page through TOOL_CURATOR_FOLDER."""
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(f"dashboard: found {' '.join(arguments)!r}; give one registry folder, or none to choose one on the page", file=sys.stderr)
        return 2
    if arguments:
        os.environ["TOOL_CURATOR_FOLDER"] = str(Path(arguments[0]).resolve())
    if (PACKAGE.parent / ".streamlit").is_dir():  # in a wheel the same file lies beside app.py, where Streamlit finds it by itself
        os.chdir(PACKAGE.parent)
    import alembic.command  # noqa: F401 - with SQLAlchemy, it takes its time: now, not in the first page
    from streamlit.web import cli

    import curator_core.store  # noqa: F401

    if arguments:
        threading.Thread(target=begin, args=(os.environ["TOOL_CURATOR_FOLDER"],), name="begin", daemon=True).start()
    cli.main(["run", str(PACKAGE / "app.py")], prog_name="streamlit")
    return 0


def begin(folder: str) -> None:
    """Begin to index a registry while the server starts; whatever is wrong with it, the first page tells."""
    from curator_core import CuratorError, load_config, load_registry
    from dashboard.resources import Model, workbench

    with suppress(CuratorError):
        registry, config = load_registry(folder, strict=False), load_config(folder)
        workbench().open(registry, Model(config.model, config.query_prefix), settings=config.settings)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
