"""BM25F: word match that knows in which field of a tool a word stands (Robertson, Zaragoza & Taylor 2004)."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from curator_core.records import Floats, Ints, frozen
from curator_core.settings import Settings
from curator_core.word_counts import Counts
from curator_core.word_scores import WordScores

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
_TINY = float(np.finfo(np.float64).tiny)  # a word whose fields all weigh nothing adds nothing, with k1 = 0 too


class FieldScores(WordScores):
    """What each word adds to each tool's score, for a set of weights and numbers.

    tf = the sum over fields of weight * count / (1 - b + b * length / mean length), the mean over tools that have the field; the word
    adds idf * tf * (k1 + 1) / (tf + k1), times example_words for a tool with examples, so that it does not take the questions of those
    without; idf = ln(1 + (N - n + 0.5) / (n + 0.5)) where n of N tools have it in any field.
    """

    def __init__(self, counts: Mapping[str, Counts], settings: Settings) -> None:
        super().__init__(min(one.kept for one in counts.values()))
        self.tools = len(next(iter(counts.values())).lengths)
        self._k1, self._b = settings.field_k1, settings.field_b
        self._examples, self._with_examples = counts.get("examples"), settings.example_words
        self._fields = [(one, getattr(settings, FIELDS[field]), _mean_length(one)) for field, one in counts.items()]

    def idf(self, word: str) -> float:
        having = len(self.postings(word)[0])
        return math.log1p((self.tools - having + 0.5) / (having + 0.5)) if having else 0.0

    def _postings(self, word: str) -> tuple[Ints, Floats]:
        found = []
        for counts, weight, mean in self._fields:
            if (number := counts.number_of(word)) is not None:
                having, often = counts.postings(number)
                found.append((having, often * (weight / (1 - self._b + self._b * counts.lengths[having] / mean))))
        if not found:
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        where, mentions = (np.concatenate(all_of) for all_of in zip(*found, strict=True))
        tools, at = np.unique(where, return_inverse=True) if len(found) > 1 else (where, np.arange(len(where)))
        tf = np.bincount(at, mentions, minlength=len(tools))
        idf = math.log1p((self.tools - len(tools) + 0.5) / (len(tools) + 0.5))
        values = idf * (tf * (self._k1 + 1) / np.maximum(tf + self._k1, _TINY))
        if self._examples is not None:
            values *= np.where(self._examples.lengths[tools] > 0, self._with_examples, 1.0)
        return frozen(tools), frozen(values)


def _mean_length(counts: Counts) -> float:
    """Return the mean length of a field over the tools that have it."""
    return int(counts.lengths.sum()) / max(int(np.count_nonzero(counts.lengths)), 1)
