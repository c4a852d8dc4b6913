"""What holds for all tests: one thread a process, as many processes as cores run side by side; and laws in their short length."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from tests import laws
from tests.core.tiny_model import make_tiny_model

ROOT = Path(__file__).parents[1]
# what the vectors of a text depend on beside the text: where any of it changed, nothing that was kept is used
MAKERS = ("curator_core/models/*.py", "curator_core/encoder.py", "curator_core/cache.py", "curator_core/vector_store.py")
MAKERS += ("tests/core/tiny_model.py", "constraints.txt")

os.environ.setdefault("OMP_NUM_THREADS", "1")  # read when torch is first imported
laws.register()


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run share."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base


@pytest.fixture(scope="session")
def bundled_cache(request: pytest.FixtureRequest, shared: Path) -> Path:
    """A cache folder with the bundled model's quick form, and for the vectors of the samples.

    Without it each worker would import torch to make the form anew, and embed the same 1,000 texts.
    """
    return made_once(request, shared, "bundled", lambda folder: load_quick_form("bundled", folder))


def made_once(request: pytest.FixtureRequest, shared: Path, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that is filled once: it stays for later runs, until something changes that it was made by."""
    kept = getattr(request.config, "cache", None)  # None under `-p no:cacheprovider`
    folder: Path = kept.mkdir(name) if kept else shared / name
    made_by = hashlib.sha256(b"".join(path.read_bytes() for some in MAKERS for path in sorted(ROOT.glob(some)))).hexdigest()
    folder.mkdir(exist_ok=True)
    with FileLock(folder.with_name(f"{name}.lock")):
        note = folder / "made-by"
        if not note.exists() or note.read_text() != made_by:
            shutil.rmtree(folder)
            folder.mkdir()
            make(folder)
            note.write_text(made_by)
    return folder


@pytest.fixture(autouse=True)
def own_cache(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep vectors, digests and locks of the tests out of the user's cache folder; what reads a model begins with its quick form."""
    if request.node.get_closest_marker("model") is not None:
        folder = request.getfixturevalue("bundled_cache")
    elif "tiny_model" in request.fixturenames:
        folder = request.getfixturevalue("tiny_model").with_name("tiny-cache")
    else:
        folder = tmp_path_factory.getbasetemp() / "cache"
    monkeypatch.setenv("TOOL_CURATOR_CACHE", str(folder))


@pytest.fixture(scope="session")
def tiny_model(request: pytest.FixtureRequest, shared: Path) -> Path:
    """A random one-layer model in a folder, for tests of everything around a model, and its quick form in the folder beside it."""
    folder = shared / "tiny-model"
    with FileLock(shared / "tiny-model.lock"):
        if not folder.exists():
            made = made_once(request, shared, "tiny", make_tiny)
            shutil.copytree(made / "cache", shared / "tiny-cache")
            shutil.copytree(made / "model", shared / "tiny-model-unfinished").rename(folder)
    return folder


def make_tiny(folder: Path) -> None:
    load_quick_form(str(make_tiny_model(folder / "model")), folder / "cache")


def load_quick_form(model: str, cache: Path) -> None:
    """Make the quick form of a model, by torch, in a cache folder."""
    from curator_core import load_encoder

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOOL_CURATOR_CACHE", str(cache))
        load_encoder(model).encode_query("ready")
