"""BM25F: word match that knows in which field of a tool a word stands (Robertson, Zaragoza & Taylor 2004)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from curator_core.records import Floats, Ints, frozen
from curator_core.settings import Settings
from curator_core.word_counts import Counts, KeptByWord

# what word match reads by field, with the setting that holds each field's weight
FIELDS = {
    "name": "field_name",
    "description": "field_description",
    "extra_context": "field_extra_context",
    "synonyms": "field_synonyms",
    "group": "field_group",
    "parameters": "field_parameters",
    "parameter_texts": "field_parameter_texts",
    "examples": "field_examples",
}


class FieldScores:
    """What each word adds to each tool's score, for a set of weights and numbers.

    tf = the sum over fields of weight * count / (1 - b + b * length / mean length), the mean over tools that have the field; the word
    adds idf * tf * (k1 + 1) / (tf + k1), times example_words for a tool with examples, so that it does not take the questions of those
    without; idf = ln(1 + (N - n + 0.5) / (n + 0.5)) where n of N tools have it in any field.
    """

    def __init__(self, counts: Mapping[str, Counts], settings: Settings) -> None:
        self.tools = len(next(iter(counts.values())).lengths)
        self._k1 = settings.field_k1
        having = counts["examples"].lengths > 0 if "examples" in counts else np.zeros(self.tools, dtype=bool)
        self._counted: Floats = np.where(having, settings.example_words, 1.0)
        self._fields = [(one, _shares(one, getattr(settings, FIELDS[field]), settings.field_b)) for field, one in counts.items()]
        self.postings = KeptByWord(self._postings, min(one.kept for one in counts.values()))

    def idf(self, word: str) -> float:
        """Return the weight of a word, 0 for one that no tool has."""
        having = len(self.postings(word)[0])
        return math.log1p((self.tools - having + 0.5) / (having + 0.5)) if having else 0.0

    def _postings(self, word: str) -> tuple[Ints, Floats]:
        """Return which tools have a word, ascending, and what it adds to the score of each."""
        found = [(one.postings(number), shares) for one, shares in self._fields if (number := one.number_of(word)) is not None]
        if not found:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        where = np.concatenate([tools for (tools, _), _ in found])
        often = np.concatenate([counts * shares[tools] for (tools, counts), shares in found])
        tools, at = np.unique(where, return_inverse=True) if len(found) > 1 else (where, np.arange(len(where)))
        tf = np.bincount(at, often, minlength=len(tools))
        idf = math.log1p((self.tools - len(tools) + 0.5) / (len(tools) + 0.5))
        return frozen(tools), frozen(idf * (tf * (self._k1 + 1) / (tf + self._k1)) * self._counted[tools])


def _shares(counts: Counts, weight: float, b: float) -> Floats:
    """Return what one mention counts in each tool's field: less where the field is longer than usual."""
    lengths = counts.lengths
    having = int(np.count_nonzero(lengths))
    if not having:
        return np.zeros(len(lengths))
    long = 1 - b + b * lengths / (int(lengths.sum()) / having)
    shares: Floats = np.divide(weight, long, out=np.zeros(len(lengths)), where=(lengths > 0) & (long > 0))
    return shares
