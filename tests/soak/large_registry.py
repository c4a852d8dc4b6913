"""A made-up registry of thousands of tools in a folder, with its vectors in a cache, as after a first day."""

from __future__ import annotations

from pathlib import Path

from curator_core import build_index, load_encoder, load_registry, save_registry
from tests.benchmarks.made_up import HashedEncoder, made_up

SAMPLE = Path(__file__).parents[2] / "sample_registries" / "campus"


class AlreadyRead(HashedEncoder):
    """Gives made-up vectors under the real model's fingerprint: what pages cost does not depend on what vectors mean."""

    def __init__(self, model_id: str, fingerprint: str) -> None:
        super().__init__()
        self.model_id, self.fingerprint = model_id, fingerprint


def write_large(folder: Path, cache_dir: Path, size: int = 20_000, questions: int = 500) -> Path:
    """Write the registry, and keep vectors for its texts."""
    registry, real = made_up(load_registry(SAMPLE), size, questions), load_encoder("auto")
    save_registry(registry, folder)
    build_index(load_registry(folder), AlreadyRead(real.model_id, str(getattr(real, "fingerprint", ""))), cache_dir)
    return folder
