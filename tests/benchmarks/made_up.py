"""Large made-up registries with test queries, and an encoder for them that costs nothing, so that everything else is what is timed."""

from __future__ import annotations

import random
import zlib
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curator_core import Registry, TestQuery, Tool


class HashedEncoder:
    """Random vectors of the bundled model's size, the same for the same text: the time of a query does not depend on what they mean."""

    model_id, dimension, max_tokens = "hashed", 384, 256

    def __init__(self) -> None:
        self.encode_query = lru_cache(maxsize=None)(self._row)

    def encode_documents(self, texts: list[str], **_: Any) -> NDArray[np.float32]:
        return np.vstack([self._row(text) for text in texts])

    def token_count(self, text: str) -> int:
        return len(text.split()) + 2

    def _row(self, text: str) -> NDArray[np.float32]:
        row = np.random.default_rng(zlib.crc32(text.encode())).standard_normal(self.dimension, dtype=np.float32)
        return row / np.float32(np.linalg.norm(row))


class HashedTexts:
    """An encoder whose questions go through a real model, and tools' texts through none."""

    def __init__(self, encoder: Any) -> None:
        self._encoder, self.encode_documents = encoder, HashedEncoder().encode_documents

    def __getattr__(self, name: str) -> Any:
        return getattr(self._encoder, name)


def made_up(base: Registry, size: int, questions: int = 0) -> Registry:
    """Return a registry of `size` tools whose names and texts are drawn from the words of a real one.

    A hundredth of the tools is for the role "clerk" alone, the others are for "all". questions: how many test queries to make of the
    words of tools; the tool that the words come from is the right one.
    """
    draw = random.Random(size)
    words = [word for tool in base.tools for word in tool.description.split()]
    names = sorted({word for tool in base.tools for word in tool.name.split("_")})
    tools = tuple(
        Tool(
            f"{'_'.join(draw.choices(names, k=3))}_{number}",
            " ".join(draw.choices(words, k=24)),
            roles=(("all", "clerk")[number % 100 == 0],),
        )
        for number in range(size)
    )
    asked = (draw.choice(tools) for _ in range(questions))
    cases = tuple(TestQuery(" ".join(draw.sample(tool.description.split(), k=8)), (tool.name,)) for tool in asked)
    return Registry(name=f"made up, {size}", tools=tools, synonyms=base.synonyms, test_queries=cases)
