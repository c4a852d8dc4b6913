"""What each word adds to each tool's score, kept for the words of the questions asked last."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod

from curator_core.records import Floats, Ints


class WordScores(ABC):
    """The scores of words. tools: how many there are. Safe for several threads.

    at_most: how many entries, each a tool that has a word, are kept in all; what was made first goes first.
    """

    _FOR_A_WORD = 64  # counted for each word, so that words that no tool has do not pile up
    tools: int

    def __init__(self, at_most: int) -> None:
        self._room, self._found = at_most, dict[str, tuple[Ints, Floats]]()
        self._keeping = threading.Lock()

    @abstractmethod
    def idf(self, word: str) -> float:
        """Return the weight of a word, 0 for one that no tool has."""

    def postings(self, word: str) -> tuple[Ints, Floats]:
        """Return which tools have a word, ascending, and what one mention of it in a query adds to the score of each."""
        found = self._found.get(word)
        return self._keep(word) if found is None else found

    @abstractmethod
    def _postings(self, word: str) -> tuple[Ints, Floats]:
        """Work it out."""

    def _keep(self, word: str) -> tuple[Ints, Floats]:
        made = self._postings(word)
        with self._keeping:
            if word not in self._found:
                self._found[word] = made
                self._room -= len(made[0]) + self._FOR_A_WORD
                while self._room < 0 and len(self._found) > 1:
                    gone = self._found.pop(next(iter(self._found)))
                    self._room += len(gone[0]) + self._FOR_A_WORD
        return made
