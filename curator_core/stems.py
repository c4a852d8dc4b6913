"""Stems and stop words: what is left of a text when words that say nothing go, and forms of one word become one."""

from __future__ import annotations

import importlib.util
import runpy
import threading
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from curator_core.text import name_words, paired_words, tokenize

# scikit-learn's list has a few words that tools are about, and lacks what questions are full of
_CONTENT = "amount bill bottom call computer cry describe detail empty fill find fire found full interest mill mine move name show system"
_FILLERS = "allow allows based given provide provided provides specific specified tool tools use used user users uses using various"
_REQUESTS = "could didn does doesn don give help id isn just know let like ll looking need please tell want would ve"
_stemming = threading.Lock()  # a stemmer is not made for several threads


@lru_cache(maxsize=1)
def stop_words() -> frozenset[str]:
    """Return the words that say nothing about what a tool is for."""
    return _english() - set(_CONTENT.split()) | set(_FILLERS.split())


def _english() -> frozenset[str]:
    """Return scikit-learn's stop words from the file that has nothing else, since importing the package takes a second."""
    found = importlib.util.find_spec("sklearn")
    for folder in (found and found.submodule_search_locations) or ():
        file = Path(folder) / "feature_extraction" / "_stop_words.py"
        if file.is_file() and (words := runpy.run_path(str(file)).get("ENGLISH_STOP_WORDS")):
            return frozenset(words)
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(ENGLISH_STOP_WORDS)


@lru_cache(maxsize=1)
def _left_out() -> frozenset[str]:
    return stop_words() | set(_REQUESTS.split())


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Return the Snowball stem of a folded word; one of another language is mostly left as it is."""
    with _stemming:
        return str(_stemmer().stemWord(word))


def stems_of(words: Iterable[str]) -> list[str]:
    """Return the stems of folded words, stop words left out."""
    left_out = _left_out()
    return [stem(word) for word in words if word not in left_out]


def text_stems(text: str, joined: Iterable[str], min_length: int) -> list[str]:
    """Return the stems of a tool's text, split at camelCase too; joined: words that its name had before it was split.

    Where a word is made of two pieces, such as GitHub, it counts as one word as well; more pieces nobody says as one.
    """
    if not text:  # most tools lack some of the fields
        return []
    words = tokenize(name_words(text), min_length)
    pairs = {one + other for one, other in pairwise(words)} if joined else set()
    whole = [*paired_words(text), *(word for word in joined if word in pairs)]
    return stems_of([*words, *(word for word in whole if len(word) >= min_length)])


def word_forms(text: str, min_length: int, stems: bool) -> list[tuple[str, str]]:
    """Return (word, what it is compared by) of a text: the word itself; or, split at camelCase, its stem, stop words left out then."""
    if not stems:
        return [(word, word) for word in tokenize(text, min_length)]
    left_out = _left_out()
    apart = text if text.islower() else name_words(text)
    return [(word, stem(word)) for word in tokenize(apart, min_length) if word not in left_out]


@lru_cache(maxsize=1_000)
def question_forms(query: str, min_length: int, stems: bool) -> tuple[tuple[str, str], ...]:
    """Return the word forms of a question; kept, since test questions are asked again."""
    return tuple(word_forms(query, min_length, stems))
