"""Texts, and a vector of its own for each, for the tests of the cache and the processes that they start."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

D = 8


def vectors_for(texts: list[str], dimension: int = D) -> npt.NDArray[np.float32]:
    """Give every text its own vector, so that a mix-up shows."""
    return np.array([[len(text), *map(float, range(dimension - 2)), hash_free(text)] for text in texts], dtype=np.float32).reshape(
        -1, dimension
    )


def hash_free(text: str) -> float:
    return float(sum(ord(letter) * place for place, letter in enumerate(text, 1)) % 9973)


def texts(count: int, word: str = "text") -> list[str]:
    return [f"{word} {number}" for number in range(count)]
