"""Other texts for a tool whose questions fail: words for its extra context, or some of its questions as examples.

Each is judged by questions that it was not made from: words are made again without a fold of the tool's questions and asked that fold;
questions that become examples are no tests any more. What other tools lose counts LOSS times. Held-out queries are never looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from curator_core.collisions.separation import copy_phrase
from curator_core.index import ToolIndex, build_index
from curator_core.queries.examples import to_examples
from curator_core.queries.leakage import repeats
from curator_core.records import Floats, Ints
from curator_core.registry import Edit, Registry, TestQuery
from curator_core.suggestions.phrases import QueryWords, tool_phrases
from curator_core.suggestions.score_table import ScoreTable
from curator_core.synonyms import SynonymRules, indexed_text

LENGTHS = (8,)  # words of a phrase; the best of several lengths is more often so by chance
FOLDS = 5
LOSS = 4  # how much more a question of another tool counts than one of the tool's own
ENOUGH = 0.3  # of a question: what a text must bring, by questions that it was not made from
TURNED, TURNED_BY_EXAMPLES = 1, 2  # questions that have to come first; few are left to judge examples by
_SOFTNESS = 0.3  # of the usual lead: within it, a question counts in part


@dataclass(frozen=True, slots=True)
class ToolIdea:
    """Another text for a tool. phrase: for its extra context, "" = none; examples: its test queries that become example questions.

    before, after: how many of `asked` own questions put the tool first, now and with a text that was made without them.
    """

    tool: str
    phrase: str = ""
    examples: tuple[TestQuery, ...] = ()
    before: int = 0
    after: int = 0
    asked: int = 0

    def edits(self, registry: Registry) -> tuple[Edit, ...]:
        """Return what puts it into a registry, to be one step; an example is no test query any more."""
        words = copy_phrase(registry, self.tool, self.phrase) if self.phrase else ()
        return (*words, *to_examples(registry, self.tool, self.examples))

    def stands_in(self, registry: Registry) -> bool:
        """Say whether a registry has it already, or can no longer have it."""
        tool = registry.by_key.get(self.tool)
        return tool is None or (self.phrase in tool.extra_context and {case.query.strip() for case in self.examples} <= {*tool.examples})


@dataclass(frozen=True, slots=True)
class Judged:
    """An idea and what it is worth, in questions: what the tool's own gain, less LOSS times what all others lose."""

    idea: ToolIdea
    worth: float
    column: Floats

    @property
    def helps(self) -> bool:
        """Whether it brings enough, and some questions that it was not made from to the first place."""
        turned = TURNED_BY_EXAMPLES if self.idea.examples else TURNED
        return self.worth > ENOUGH and self.idea.after - self.idea.before >= turned


class ToolTrial:
    """The ideas for one tool, and what each is worth as the table stands."""

    def __init__(self, table: ScoreTable, tool: str) -> None:
        self.table, self.tool = table, tool
        self._index, self._registry = table.curator.index, table.curator.index.registry
        self._own = table.expecting(tool)
        self._others = np.setdiff1d(np.arange(len(table.cases)), self._own)
        self._columns: dict[tuple[str, tuple[TestQuery, ...]], Floats] = {}
        self._folds = [self._own[number :: min(FOLDS, len(self._own))] for number in range(min(FOLDS, len(self._own)))]

    @cached_property
    def ideas(self) -> tuple[tuple[ToolIdea, tuple[ToolIdea, ...]], ...]:
        """Each idea with those that are made without a fold each; the latter are empty for examples."""
        if len(self._own) < 2:
            return ()
        without = [self._phrases(np.setdiff1d(self._own, fold)) for fold in self._folds]
        found: list[tuple[ToolIdea, tuple[ToolIdea, ...]]] = []
        for length, text in _different(self._phrases(self._own)).items():
            if not repeats(text, [self.table.cases[row] for row in self._own]):
                parts = tuple(ToolIdea(self.tool, some.get(length, "")) for some in without)
                found.append((ToolIdea(self.tool, text), parts))
        if self.table.curator.settings.examples and (chosen := self._typical()):
            found.append((ToolIdea(self.tool, examples=chosen), ()))
        return tuple(found)

    def judged(self) -> tuple[Judged, ...]:
        """Return each idea with its worth as the table stands, the best first; equal ones in the order in which they were made."""
        if not self._columns:
            self._encode()
        found = [self._judge(idea, parts) for idea, parts in self.ideas]
        return tuple(sorted(found, key=lambda one: -one.worth))

    def _judge(self, idea: ToolIdea, parts: Sequence[ToolIdea]) -> Judged:
        column = self._column(idea)
        leads, softness = self.table.leads_with(self.tool, column), _SOFTNESS * self.table.usual
        own, after = self._rest(idea, parts, leads)
        lost = gain(self.table.lead[self._others], leads[self._others], softness)
        worth = gain(self.table.lead[own], after, softness) + LOSS * min(lost, 0.0)
        counted = ToolIdea(self.tool, idea.phrase, idea.examples, int((self.table.lead[own] > 0).sum()), int((after > 0).sum()), len(own))
        return Judged(counted, round(worth, 6), column)

    def _rest(self, idea: ToolIdea, parts: Sequence[ToolIdea], leads: Floats) -> tuple[Ints, Floats]:
        """Return the own questions that an idea is judged by, and their leads with a text that was made without them."""
        if idea.examples:
            own = np.array([row for row in self._own if self.table.cases[row] not in idea.examples], dtype=np.int64)
            return own, leads[own]
        after = leads.copy()
        for fold, part in zip(self._folds, parts, strict=True):
            after[fold] = self.table.leads_with(self.tool, self._column(part))[fold] if part.phrase else self.table.lead[fold]
        return self._own, after[self._own]

    def index_with(self, idea: ToolIdea) -> ToolIndex:
        """Return the index of the registry with an idea."""
        registry = self._registry.with_edits([edit for edit in idea.edits(self._registry) if edit.tool])
        store = self._index.store
        return build_index(registry, self._index.encoder, store.cache_dir if store else None, previous=self._index)

    def _column(self, idea: ToolIdea) -> Floats:
        """Return the tool's scores with an idea; worked out once, since nothing that is done to other tools changes them much."""
        key = idea.phrase, idea.examples
        if key not in self._columns:
            self._columns[key] = self.table.column(self.index_with(idea), self.tool)
        return self._columns[key]

    def _encode(self) -> None:
        """Give the model the texts of all ideas together."""
        if self._index.store is None:
            return
        rules, some = SynonymRules(self._registry.synonyms), [one for idea, parts in self.ideas for one in (idea, *parts) if one.phrase]
        edited = [self._registry.with_edits(one.edits(self._registry)).tool(self.tool) for one in some]
        texts = [indexed_text(self.tool, tool, rules).text() for tool in edited]
        examples = [case.query.strip() for idea, _ in self.ideas for case in idea.examples]
        if texts or examples:
            self._index.store.rows([*texts, *examples])

    def _phrases(self, own: Ints) -> dict[int, str]:
        """Return the phrase of each length that some own questions give."""
        queries = [self.table.cases[row].query for row in own]
        others = [self.table.cases[row].query for row in self._others]
        words = QueryWords(queries[0], queries[1:], others, self._known)
        return dict(self._by_length(words))

    def _by_length(self, words: QueryWords) -> Iterator[tuple[int, str]]:
        for length in LENGTHS:
            for phrase in tool_phrases(words, (length,)):
                yield length, phrase.text

    def _typical(self) -> tuple[TestQuery, ...]:
        """Return half of the own questions, those nearest in meaning to all of them; never a critical one, nor one of several tools."""
        store, cases = self._index.store, [self.table.cases[row] for row in self._own]
        free = [case for case in cases if not case.critical and len(set(case.expected or ())) == 1]
        if store is None or not free:
            return ()
        rows = {case: store.queries.of(case.query).astype(np.float64) for case in cases}
        middle = np.mean(list(rows.values()), axis=0)
        nearest = sorted(free, key=lambda case: (-round(float(rows[case] @ middle), 6), case.query))
        return tuple(nearest[: len(cases) // 2])

    @cached_property
    def _known(self) -> frozenset[str]:
        """The words that the tool's text has already."""
        return frozenset(self._index.texts[self._index.positions[self.tool]].tokens())


def _different(phrases: dict[int, str]) -> dict[int, str]:
    """Leave out phrases that are the same as one of fewer words."""
    shortest = {text: length for length, text in sorted(phrases.items(), reverse=True)}
    return {length: text for text, length in shortest.items()}


def gain(before: Floats, after: Floats, softness: float) -> float:
    """Return how many more questions put the right tool first; those that are about to turn count in part."""
    return float((_first(after, softness) - _first(before, softness)).sum())


def _first(leads: Floats, softness: float) -> Floats:
    return 1 / (1 + np.exp(-np.clip(leads / softness, -50, 50)))
